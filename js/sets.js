// Answer sets in the browser. `view` (made by conflare_nb.show.sets) holds the rank of every passage and of every
// cluster of answers, so sliding needs no kernel.
import {
  card, count, div, folded, follow, h, heading, hint, keeper, many, newId, onChange, paragraph, section, span,
} from './common.js';
import { fewest, rank } from './rank.js';
import {
  alphaDial, bars, before, box, dial, gridLine, hatching, key, keys, middle, named, note, path, percent, questionChoice,
  reach, row, scale, short, summaryOf, svg, table, text, ticks,
} from './sliding.js';
import { widget } from './widget.js';

// ---- what is in the set

// The ranks that retrieval and the answers give away, as in conflare_nb.conformal.two_steps
export function split(n, alpha, share) {
  const budget = n + 1 - rank(n, alpha);
  const rounded = Math.floor(share * budget + .5);
  const both = budget > 1 && share > 0 && share < 1;
  const own = both ? Math.min(Math.max(rounded, 1), budget - 1) : rounded;
  return [own, budget - own];
}

const tauOf = (view, m) => (m ? view.taus[view.n - m] : null) ?? Infinity;
const countOf = (view, m) => m ? view.counts[view.n - m] : 0;

// Means over the test questions where the two steps give these ranks away
function means(view, mRet, mQa) {
  if (!view.tested) return null;
  const sums = view.sums[mRet][countOf(view, mQa)];
  return Object.fromEntries(sums.map((sum, i) => [view.measures[i], sum / view.tested]));
}

// What a cluster is shown as, and right or wrong by: the first text that was drawn of it
const leader = ({ said }) => said[0][0];

// The clusters of one meaning as one answer
function merged(found, k) {
  const times = new Map();
  const leaders = new Map();
  for (const { cluster } of found) {
    if (!leaders.has(cluster.wording)) leaders.set(cluster.wording, leader(cluster));
    for (const [words, n] of cluster.said) times.set(words, (times.get(words) ?? 0) + n);
  }
  const said = [...times];
  const count = Math.max(...found.map(f => f.cluster.count));
  return {
    text: [...leaders.values()].join(' · '), count, share: count / k, said,
    p: Math.max(...found.map(f => f.p)),
    passages: [...new Set(found.map(f => f.i))],
    right: found.some(f => f.cluster.right),
  };
}

// The clusters within both thresholds, by their meaning, each with its passage and p-value
function byMeaning(n, asked, [mRet, mQa]) {
  const weighed = (rank, m) =>
    m ? rank / (n + 1) * ((mRet / (n + 1) + mQa / (n + 1)) / (m / (n + 1))) : 1;
  const groups = new Map();
  asked.forEach((passage, i) => {
    for (const cluster of passage.clusters) {
      if (cluster.rank <= mQa) continue;
      const p = Math.min(weighed(passage.rank, mRet), weighed(cluster.rank, mQa), 1);
      groups.set(cluster.meaning, [...groups.get(cluster.meaning) ?? [], { cluster, i, p }]);
    }
  });
  return [...groups.values()];
}

// What the explorer shows of question `i`
export function at(view, i, alpha, share) {
  const ranks = split(view.n, alpha, share);
  const [mRet, mQa] = ranks;
  const tau = tauOf(view, mRet);
  const count = countOf(view, mQa);
  const asked = view.questions[i].passages.filter(passage => passage.rank > mRet);
  const answers = byMeaning(view.n, asked, ranks).map(found => merged(found, view.k));
  return {
    ranks, tau, count,
    asked: asked.length,
    answers: answers.sort((a, b) => b.p - a.p),
    expected: means(view, mRet, mQa),
    unbounded: !mRet || !mQa || tau === Infinity || (count === 0 && asked.length > 0),
  };
}

// ---- words

// Why the set is everything
function whyUnbounded(view, alpha, share, { ranks, tau, count: samples }) {
  if (share === 0 || share === 1) return 'All of alpha is spent on one step, so the other has no threshold.';
  const n = many(view.n, 'question');
  if (!ranks[0] || !ranks[1]) {
    const few = Math.max(fewest(share * alpha), fewest((1 - share) * alpha));
    return `${n} ${view.n === 1 ? 'is' : 'are'} too few for this alpha and this share; about ${count(few)} are needed.`;
  }
  const of = lost => `For ${lost.length} of ${many(view.n, 'calibration question')}`;
  const pool = `${of(view.taus.filter(tau => tau == null))}, the right passage was not in the pool, `
    + 'so the set also includes whatever passages outside the pool would give.';
  const never = `${of(view.counts.filter(count => !count))}, none of the sampled answers was right, `
    + 'so the set also includes answers that were never sampled.';
  return [tau === Infinity ? pool : '', samples === 0 ? never : ''].join(' ').trim();
}

const kOfN = ({ n }, m) => `k = ${n + 1 - m} of n = ${n}`.replaceAll(' ', '\u00a0');

function tauWords(view, { tau, ranks }) {
  const words = tau < Infinity ? `score ≤ tau = ${tau.toFixed(4)}` : 'tau is infinite';
  return `${words} (${kOfN(view, ranks[0])})`;
}

function countWords(view, { count, ranks }) {
  const words = count ? `at least ${count} of ${view.k} samples` : 'no threshold';
  return `${words} (${kOfN(view, ranks[1])})`;
}

function guaranteed(view, alpha, share, shown) {
  if (shown.unbounded) return `${whyUnbounded(view, alpha, share, shown)} The list shows only what was sampled.`;
  return `For at least ${percent(1 - alpha)} of questions like the calibration questions, `
    + 'a right answer is in the set, or the set is everything, on average over calibration sets.';
}

const askedOf = ({ asked }, { passages }) => `${asked} of ${many(passages.length, 'passage')}`;

// Where the set is empty, or the right answer is known and not in it
const misses = ({ known }, { unbounded, answers }) =>
  !unbounded && (!answers.length || known && !answers.some(({ right }) => right));

function summarise(view, question, shown, alpha) {
  if (shown.unbounded) return 'The set is everything.';
  const asked = askedOf(shown, question);
  const said = `${many(shown.answers.length, 'answer')}. The model is asked about ${asked}, ${count(view.k)} times each.`;
  return misses(question, shown) ? `Missed: one of the ${percent(alpha)} that you allow. ${said}` : said;
}

function titleOf(question, shown) {
  const size = `${many(shown.answers.length, 'answer')} from ${askedOf(shown, question)}`;
  return shown.unbounded ? `Everything is in the set; sampled: ${size}` : `${size} in the set`;
}

function emptyWords({ asked }) {
  const why = asked ? 'no answer was sampled often enough' : 'no passage is within the threshold';
  return `The set is empty: ${why}.`;
}

function aboutPlane(view, { ranks: [mRet, mQa], unbounded }) {
  const about = `Each dot is one of ${many(view.n, 'calibration question')}. Across: the score of the passage `
    + 'that answers it. Up: how often the model gave the right answer. ';
  if (unbounded) return about;
  const inside = view.dots.filter(dot => dot[2] > mRet && dot[3] > mQa).length;
  return `${about}${inside} of ${view.n} lie within both thresholds.`;
}

function aboutTest({ tested }) {
  return `Means over ${many(tested, 'test question')}, which took no part in calibration: distinct answers in the set, `
    + 'and passages that the model is asked about. The promise is that a set holds a right answer or is everything. '
    + 'The chart shows every split of this alpha.';
}

function splitsLabel({ ranks: [mRet, mQa], expected }) {
  return 'Mean number of answers at each split of alpha. '
    + `This one, ${mRet} ranks for retrieval and ${mQa} for the answers, has ${expected.rouge.toFixed(2)}.`;
}

// ---- the picture of both thresholds

const disc = (x, y, r) =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

function planeFrame(view, { passages }, shown, W) {
  const left = 52, right = W - 68, end = W - 40, head = 44, base = 200;
  const scores = [...view.taus.filter(tau => tau != null), ...passages.map(passage => passage.score)];
  const lo = scores.length ? Math.min(...scores) : 0;
  const hi = Math.max(...scores, lo + .01);
  const place = score => left + 6 + (right - left - 12) * (score - lo) / (hi - lo);
  const X = score => score == null ? end : place(score);
  const Y = scale(0, view.k, base, head);
  const x = shown.tau < Infinity ? X(shown.tau) : W;
  const y = shown.count ? Y(shown.count - .5) : base + 6;
  const wide = Math.max(6, Math.min(18, .7 * (right - left) / passages.length));
  return { left, right, end, head, base, lo, hi, X, Y, x, y, wide };
}

// The calibration questions
function dots(view, [mRet, mQa], { X, Y }) {
  let inside = '', outside = '';
  for (const [score, count, rRet, rQa] of view.dots) {
    const dot = disc(X(score), Y(count), 2.6);
    if (rRet > mRet && rQa > mQa) inside += dot;
    else outside += dot;
  }
  return [path('dot-out', outside), path('dot-in', inside)];
}

// This question's passages as columns with their clusters as bars
function passageBars({ passages }, [mRet, mQa], { X, Y, head, base, wide }) {
  let near = '', far = '', stays = '', goes = '', marks = '';
  for (const passage of passages) {
    const x = X(passage.score);
    const within = passage.rank > mRet;
    const column = `M${x.toFixed(1)} ${head}V${base}`;
    if (within) near += column;
    else far += column;
    for (const { count, rank, right } of passage.clusters) {
      const bar = box(x - wide / 2, Y(count) + 3, wide, 6);
      if (within && rank > mQa) stays += bar;
      else goes += bar;
      if (right) marks += `M${(x + wide / 2 + 7).toFixed(1)} ${(Y(count) - 4).toFixed(1)}l-4.5 8h9z`;
    }
  }
  return [path('far', far), path('near', near), path('goes', goes), path('stays', stays), path('mark', marks)];
}

// Their numbers, where there is room
function passageNumbers({ passages }, mRet, { X, base }) {
  let last = -9;
  return passages.map((passage, i) => {
    const x = X(passage.score);
    if (x - last < 18) return null;
    last = x;
    return text(x, base + 20, i + 1, { ...middle, class: passage.rank > mRet ? 'cfx-qhat' : '' });
  });
}

function plane(view, question, shown, W) {
  const frame = planeFrame(view, question, shown, W);
  const { left, right, end, head, base, lo, hi, X, Y, x, y } = frame;
  const { ranks, tau, count } = shown;
  const lost = view.taus.includes(null) || tau === Infinity;
  const least = { class: 'cfx-qhat cfx-halo', 'text-anchor': 'end' };
  return [
    reach(left, head - 6, x - left, y - head + 6),
    ...[.25, .5, .75, 1].map(share => path('grid', `M${left} ${Y(share * view.k)}H${right}`)),
    ...[0, .5, 1].map(share => before(left - 6, Y(share * view.k) + 4, percent(share))),
    path('axis', `M${left} ${base}H${W}`),
    ...dots(view, ranks, frame),
    ...passageBars(question, ranks, frame),
    path('line', `M${x.toFixed(1)} ${head - 14}V${base + 4}M${left} ${y.toFixed(1)}H${W}`),
    named(x, head - 11, tau < Infinity ? `tau ${tau.toFixed(4)}` : 'tau infinite', x > W * .6),
    text(W, y - 5, count ? `≥ ${count}` : 'all', least),
    ...passageNumbers(question, ranks[0], frame),
    text(0, base + 20, 'passage', { class: 'cfx-small' }),
    ...ticks(lo, hi, W < 420 ? 4 : 7).map(score => text(X(score), base + 39, short(score), middle)),
    lost ? text(end, base + 39, 'inf', middle) : null,
    text((left + right) / 2, 258, 'retrieval score', middle),
    text(0, 12, 'share of samples'),
  ].filter(Boolean);
}

// ---- every split of this alpha

function splitsFrame(all, W) {
  const left = 30, head = 28, base = 92;
  const bounded = all.filter(mean => !mean.unbounded).map(mean => mean.rouge);
  const top = Math.max(1, ...bounded) * 1.15;
  return { left, head, base, bounded, top, right: W, Y: scale(0, top, base, head), width: (W - left) / all.length };
}

function splitsColumns(all, { left, head, base, width, Y }) {
  const gap = Math.min(2, width / 5);
  let within = '', beyond = '';
  all.forEach((mean, m) => {
    const x = left + m * width + gap / 2;
    if (mean.unbounded) beyond += box(x, base, width - gap, base - head);
    else within += box(x, base, width - gap, base - Y(mean.rouge));
  });
  return { within, beyond };
}

// The first rank of the axis, the one in its middle and the last
function rankNumbers(budget, { left, right, base, width }) {
  const y = base + 16;
  const first = text(left, y, 0, { 'text-anchor': 'start' });
  if (!budget) return [first];
  const half = Math.round(budget / 2);
  const last = before(right, y, budget);
  if (half === budget) return [first, last];
  return [first, text(left + (half + .5) * width, y, half, middle), last];
}

// The mean size of the set at every split; where it is everything, a hatched column
function splitsChart(view, [mRet, mQa], W, id) {
  const budget = mRet + mQa;
  const all = Array.from({ length: budget + 1 }, (_, m) => means(view, m, budget - m));
  const frame = splitsFrame(all, W);
  const { left, head, base, bounded, top, Y, width } = frame;
  const { unbounded, rouge } = all[mRet];
  const numbers = bounded.length ? ticks(0, top, 4).filter(Boolean) : [];
  const x = left + (mRet + .5) * width;
  return [
    hatching(id),
    ...numbers.flatMap(size => gridLine(left, W, Y(size), short(size))),
    ...bars(splitsColumns(all, frame), id),
    path('axis', `M${left} ${base}H${W}`),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base}`),
    named(x, head - 10, unbounded ? 'everything' : `${rouge.toFixed(2)} answers`, x > W * .6),
    ...rankNumbers(budget, frame),
    text((left + W) / 2, 124, `ranks spent on retrieval, of ${budget}`, middle),
  ];
}

// ---- answers and passages

const yes = words => span('yes', `✓ ${words}`);
const spoken = said => said.map(([words, times]) => `“${words}”${times > 1 ? ' ×' + times : ''}`).join(', ');

function answerItem({ passages }, answer, i) {
  const title = 'share of samples in its largest cluster, and p-value (not the probability of being right)';
  const numbers = `${percent(+answer.share.toFixed(3))}  p ${answer.p.toFixed(3)}`;
  const from = answer.passages.map(j => `${j + 1} · ${passages[j].id}`).join('; ');
  return card(
    answer.right,
    folded(
      i + 1, answer.text,
      [answer.right ? yes('right') : null, h('span', { class: 'cfx-num', title }, numbers)],
      paragraph('id', `sampled: ${spoken(answer.said)}`),
    ),
    hint(`from ${from}`),
  );
}

function clusterRow({ k }, cluster) {
  const { count, said, right, rank } = cluster;
  const bar = h('span', { class: 'cfx-bar', style: `--part: ${count / k}`, role: 'img' });
  const words = h('span', {}, leader(cluster), right ? yes('right') : null);
  const part = h('li', { class: 'cfx-said', title: spoken(said) }, words, span('num', `${count} of ${k}`), bar);
  function mark(stays, rest) {
    part.classList.toggle('cfx-in', stays);
    part.classList.toggle('cfx-rest', rest);
    bar.setAttribute('aria-label', stays ? 'in the set' : 'not in the set');
  }
  return { rank, part, mark };
}

// What the model said about a passage; below the threshold all but three are folded away where they are more than four
function clusterList(view, passage, i) {
  const clusters = [...passage.clusters].sort((a, b) => b.count - a.count);
  const rows = clusters.map(cluster => clusterRow(view, cluster));
  const attrs = { class: 'cfx-clusters', 'aria-label': `Answers from passage ${i + 1}` };
  const list = h('ol', attrs, ...rows.map(row => row.part));
  const more = paragraph('hint cfx-more-said');
  const none = `${passage.abstained} of ${view.k} samples gave no answer.`;
  const part = div('told', list, more, passage.abstained ? hint(none) : null);
  function show(within, mQa) {
    const out = rows.filter(row => row.rank <= mQa);
    const rest = out.length > 4 ? out.slice(3) : [];
    part.hidden = !within;
    rows.forEach(row => row.mark(row.rank > mQa, rest.includes(row)));
    more.hidden = !rest.length;
    more.textContent = `and ${rest.length} more below the threshold`;
  }
  return { part, show };
}

function passageItem(view, passage, i) {
  const state = span('asked-now');
  const told = clusterList(view, passage, i);
  const title = 'retrieval score and p-value (not the probability that the passage answers)';
  const numbers = `${passage.score.toFixed(4)}  p ${(passage.rank / (view.n + 1)).toFixed(3)}`;
  const rank = `p = ${passage.rank}/${view.n + 1}: the model is asked about it while retrieval spends `
    + `fewer than ${many(passage.rank, 'rank')}`;
  const item = card(
    passage.gold,
    folded(
      i + 1, passage.id,
      [passage.gold ? yes('answers') : null, state, h('span', { class: 'cfx-num', title }, numbers)],
      paragraph('id', rank),
    ),
    passage.text ? paragraph('text', passage.text) : null,
    told.part,
  );
  function show([mRet, mQa]) {
    const within = passage.rank > mRet;
    item.classList.toggle('cfx-off', !within);
    state.textContent = within ? 'asked' : 'not asked';
    told.show(within, mQa);
  }
  return { item, show };
}

// Both lists beside the figures
function lists() {
  const title = heading();
  const pool = heading();
  const union = h('ol', { class: 'cfx-set', 'aria-label': 'Answers in the set' });
  const list = h('ol', { class: 'cfx-pool', 'aria-label': 'Passages' });
  const rule = 'Largest p-value first, with the share of samples. A p-value is not the probability of being right.';
  const attrs = { class: 'cfx-scroll', tabindex: 0, role: 'region', 'aria-label': 'Answers and passages' };
  const scroll = h('div', attrs, hint(rule), union, pool, list);
  let items;

  function show(view, { passages }) {
    items = passages.map((passage, i) => passageItem(view, passage, i));
    list.replaceChildren(...items.map(({ item }) => item));
    scroll.scrollTop = 0;
  }

  function paint(view, question, shown) {
    const answers = shown.answers.map((answer, i) => answerItem(question, answer, i));
    title.textContent = titleOf(question, shown);
    union.replaceChildren(...answers.length ? answers : [h('li', {}, hint(emptyWords(shown)))]);
    pool.textContent = `Asked about ${askedOf(shown, question)}: ${many(shown.asked * view.k, 'sample')}`;
    items.forEach(item => item.show(shown.ranks));
    list.style.setProperty('--cut', Math.max(0, shown.count - .5) / view.k);
  }
  return { part: h('section', { class: 'cfx-right' }, h('div', {}, title, scroll)), show, paint };
}

// ---- figures

function measuresRow(name, { unbounded, requests, rouge, bounded }) {
  if (unbounded === 1) return row(name, 'all', requests.toFixed(2), '—', '100%');
  const [right, all] = [bounded, unbounded].map(share => percent(+share.toFixed(3)));
  return row(name, rouge.toFixed(2), requests.toFixed(2), right, all);
}

function planeFigure() {
  const picture = svg('svg', { height: 266, role: 'img' });
  const about = hint();
  const right = key('mark', 'right answer');
  const colours = keys(
    key('dot', 'calibration question within both'), key('ring', 'outside'), key('stays', 'answer in the set'),
    key('goes', 'answer not in the set'), right,
  );
  function paint(view, question, shown, label, W) {
    about.textContent = aboutPlane(view, shown);
    picture.setAttribute('aria-label', `${about.textContent} ${label}`);
    right.hidden = !question.known;
    if (W) picture.replaceChildren(...plane(view, question, shown, W));
  }
  const part = section(heading('Both thresholds'), about, picture, colours);
  return { part, paint, width: () => picture.clientWidth };
}

function testFigure(id) {
  const chart = svg('svg', { height: 128, role: 'img', class: 'cfx-scores' });
  const rows = h('tbody');
  const tested = hint();
  const colours = keys(key('within', 'answers in the set'), key('beyond', 'the set is everything'));
  const names = ['', 'answers', 'passages asked', 'right, and bounded', 'everything'];
  const part = section(heading('On test questions'), tested, chart, colours, table(names, rows));
  function paint(view, alpha, shown, W) {
    part.hidden = !view.tested;
    if (!view.tested) return;
    const half = means(view, ...split(view.n, alpha, .5));
    tested.textContent = aboutTest(view);
    rows.replaceChildren(measuresRow('this split', shown.expected), measuresRow('half and half', half));
    chart.setAttribute('aria-label', splitsLabel(shown));
    if (W) chart.replaceChildren(...splitsChart(view, shown.ranks, W, id));
  }
  return { part, paint };
}

// ---- controls

function questionBox({ questions }, id) {
  const { choice, parts, show: say } = questionChoice(questions.map(({ text }) => text), id);
  const known = hint();
  function show(question, i) {
    say(i);
    known.textContent = question.known
      ? `Known answers: ${question.references.join('; ')}`
      : 'The right answer is not known.';
  }
  return { choice, part: div('question', ...parts, known), show };
}

// The slider of the share stands for ranks: its greatest is the budget of this alpha
function shareDial(id) {
  const share = dial(id + 'v', {
    name: 'share',
    words: 'of alpha for retrieval',
    ends: ['more passages', 'more answers from each'],
    range: { min: 0, step: 1, 'aria-describedby': id + 's' },
    step: .05,
    fits: x => x >= 0 && x <= 1,
    of: position => position / share.slider.max,
  });
  return share;
}

function controls(view, id) {
  const alpha = alphaDial(id, 'larger sets', x => x > 0 && x <= .5);
  const share = shareDial(id);
  const tau = paragraph('cut');
  const least = paragraph('cut');
  const summary = summaryOf(id);
  const guarantee = hint();
  const parts = [...alpha.parts, ...share.parts, tau, least, summary, guarantee];

  function stand(now, { ranks: [mRet, mQa], answers }) {
    const budget = mRet + mQa;
    const words = `${mRet} of ${many(budget, 'rank')} for retrieval, ${mQa} for the answers`;
    alpha.stand(now.alpha, short(now.alpha), `alpha ${short(now.alpha)}, ${many(answers.length, 'answer')}`);
    share.slider.max = budget;
    share.slider.disabled = !budget;
    share.stand(mRet, +now.share.toFixed(3), words);
  }

  function paint(now, question, shown) {
    stand(now, shown);
    tau.replaceChildren(h('b', {}, 'passages'), ' ' + tauWords(view, shown));
    least.replaceChildren(h('b', {}, 'answers'), ' ' + countWords(view, shown));
    summary.textContent = summarise(view, question, shown, now.alpha);
    summary.classList.toggle('cfx-error', shown.unbounded || misses(question, shown));
    guarantee.textContent = guaranteed(view, now.alpha, now.share, shown);
  }
  const label = () => `${tau.textContent}; ${least.textContent}`;
  return { part: h('section', { class: 'cfx-alpha' }, ...parts), alpha, share, paint, label };
}

// ---- all of it

function facts({ question, alpha, share }, { ranks, tau, count, answers, asked, unbounded }) {
  return {
    question, alpha: short(alpha), share: short(share),
    ranks: ranks.join(' '), tau: tau < Infinity ? tau.toFixed(4) : 'inf', count,
    answers: answers.length, asked, unbounded,
  };
}

// The parts, and how to draw them again
function layout(view, id) {
  const question = questionBox(view, id);
  const dials = controls(view, id);
  const picture = planeFigure();
  const test = testFigure(id);
  const warning = note('The guarantee holds for an alpha and a share chosen beforehand, '
    + 'not for ones picked because they look good on these questions.');
  const right = lists();
  const left = div('left', dials.part, picture.part, test.part, warning);
  const root = h('div', { class: 'cfx cfx-answer-sets' }, question.part, div('body', left, right.part));

  function paint(now, W) {
    const asked = view.questions[now.question];
    const shown = at(view, now.question, now.alpha, now.share);
    dials.paint(now, asked, shown);
    right.paint(view, asked, shown);
    picture.paint(view, asked, shown, dials.label(), W);
    test.paint(view, now.alpha, shown, W);
    Object.assign(root.dataset, facts(now, shown));
  }
  function show(i) {
    question.show(view.questions[i], i);
    right.show(view, view.questions[i]);
  }
  return { root, question, dials, warning, width: picture.width, paint, show };
}

export function render({ model, el }) {
  const { root, question, dials, warning, width, ...draw } = layout(model.get('view'), newId());
  const keep = keeper(model);
  let W = 0;

  function paint() {
    const now = { question: model.get('question'), alpha: model.get('alpha'), share: model.get('share') };
    draw.paint(now, W);
  }
  function show() {
    draw.show(model.get('question'));
    paint();
  }
  function slide(name, value) {
    warning.classList.add('cfx-on');
    keep(name, value);
    paint();
  }
  dials.alpha.turned(alpha => slide('alpha', alpha));
  dials.share.turned(share => slide('share', share));
  question.choice.addEventListener('change', () => {
    keep('question', +question.choice.value);
    show();
  });

  el.replaceChildren(root);
  show();
  onChange(model, { alpha: paint, share: paint, question: show });
  return follow(root, el, () => {
    W = width();
    paint();
  });
}

export default widget('sets', { render, at });
