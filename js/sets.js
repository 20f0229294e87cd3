// Answer sets in the browser. `view` (made by conflare_nb.answer_explorer) holds the rank of every passage and of every
// cluster of answers, so sliding needs no kernel. The helpers are those of common.js and sliding.js.

// The ranks that retrieval and the answers give away, as in conflare_nb.composition
function split(n, alpha, share) {
  const budget = n + 1 - rank(n, alpha), m = Math.floor(share * budget + .5);
  const own = budget > 1 && share > 0 && share < 1 ? Math.min(Math.max(m, 1), budget - 1) : m;
  return [own, budget - own];
}

const tauOf = (view, m) => (m ? view.taus[view.n - m] : null) ?? Infinity;
const countOf = (view, m) => m ? view.counts[view.n - m] : 0;
const means = (view, mRet, mQa) => view.tested ? Object.fromEntries(view.sums[mRet][countOf(view, mQa)].map((x, i) => [view.measures[i], x / view.tested])) : null;

// The most frequent wording, of equally frequent ones the first
const usual = said => said.reduce((a, b) => b[1] > a[1] ? b : a)[0];

// The clusters of one meaning as one answer
function merged(found, k) {
  const said = new Map();
  for (const { c } of found) for (const [words, times] of c.said) said.set(words, (said.get(words) ?? 0) + times);
  const count = Math.max(...found.map(f => f.c.count));
  return { text: usual([...said]), count, share: count / k, p: Math.max(...found.map(f => f.p)), said: [...said],
           passages: [...new Set(found.map(f => f.i))], right: found.some(f => f.c.right) };
}

// What the explorer shows of question `i`
function at(view, i, alpha, share) {
  const { n, k } = view, [mRet, mQa] = split(n, alpha, share), tau = tauOf(view, mRet), count = countOf(view, mQa), groups = new Map();
  const weighed = (r, m) => m ? r / (n + 1) * ((mRet / (n + 1) + mQa / (n + 1)) / (m / (n + 1))) : 1;
  const asked = view.questions[i].passages.filter(p => p.rank > mRet);
  asked.forEach((p, i) => p.clusters.forEach(c => {
    if (c.rank > mQa) groups.set(c.meaning, [...groups.get(c.meaning) ?? [], { c, i, p: Math.min(weighed(p.rank, mRet), weighed(c.rank, mQa), 1) }]);
  }));
  const answers = [...groups.values()].map(found => merged(found, k)).sort((a, b) => b.p - a.p);
  return { ranks: [mRet, mQa], tau, count, asked: asked.length, answers, expected: means(view, mRet, mQa),
           unbounded: !mRet || !mQa || tau === Infinity || (count === 0 && asked.length > 0) };
}

function why(view, alpha, share, s) {
  const of = lost => `For ${lost} of ${many(view.n, 'calibration question')}`, few = Math.max(...[share, 1 - share].filter(Boolean).map(v => fewest(v * alpha)));
  if (share === 0 || share === 1) return 'All of alpha is spent on one step, so the other has no threshold.';
  if (!s.ranks[0] || !s.ranks[1]) return `${many(view.n, 'question')} are too few for this alpha and this share, about ${count(few)} are needed.`;
  return [s.tau === Infinity ? `${of(view.taus.filter(t => t == null).length)} the right passage was not in the pool: passages outside it belong to the set, too.` : '',
    s.count === 0 ? `${of(view.counts.filter(c => !c).length)} no sampled answer was right: answers that were never sampled belong to the set, too.` : ''].join(' ').trim();
}

const kOfN = (view, m) => `k = ${view.n + 1 - m} of n = ${view.n}`.replaceAll(' ', '\u00a0');
const tauWords = (view, s) => s.tau < Infinity ? `score ≤ tau = ${s.tau.toFixed(4)} (${kOfN(view, s.ranks[0])})` : `tau is infinite (${kOfN(view, s.ranks[0])})`;
const countWords = (view, s) => s.count ? `at least ${s.count} of ${view.k} samples (${kOfN(view, s.ranks[1])})` : `no threshold (${kOfN(view, s.ranks[1])})`;

const guaranteed = alpha => `For at least ${percent(1 - alpha)} of questions like those that calibrated, a right answer is in the set, on average over calibration sets.`;

const disc = (x, y, r) => `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

// The calibration questions, and this question's passages as columns with their clusters as bars
function plane(view, q, s, W) {
  const H = 266, left = 44, right = W - 44, end = W - 12, head = 30, base = 200, [mRet, mQa] = s.ranks;
  const scores = [...view.taus.filter(t => t != null), ...q.passages.map(p => p.score)], lo = scores.length ? Math.min(...scores) : 0, hi = Math.max(...scores, lo + .01);
  const X = d => d == null ? end : left + 6 + (right - left - 12) * (d - lo) / (hi - lo), Y = c => base - (base - head) * c / view.k;
  const x = s.tau < Infinity ? X(s.tau) : W, y = s.count ? Y(s.count - .5) : base + 6, on = x > W * .6;
  const wide = Math.max(6, Math.min(18, .7 * (right - left) / q.passages.length));
  let inside = '', outside = '', near = '', far = '', stays = '', goes = '', marks = '', last = -9;
  for (const [score, c, rRet, rQa] of view.dots) { const d = disc(X(score), Y(c), 2.6); rRet > mRet && rQa > mQa ? inside += d : outside += d; }
  const numbers = q.passages.map((p, i) => {
    const at = X(p.score), within = p.rank > mRet, column = `M${at.toFixed(1)} ${head}V${base}`;
    within ? near += column : far += column;
    for (const c of p.clusters) {
      const bar = box(at - wide / 2, Y(c.count) + 3, wide, 6);
      within && c.rank > mQa ? stays += bar : goes += bar;
      if (c.right) marks += `M${(at + wide / 2 + 7).toFixed(1)} ${(Y(c.count) - 4).toFixed(1)}l-4.5 8h9z`;
    }
    if (at - last < 13) return null;
    last = at;
    return text(at, base + 20, i + 1, { 'text-anchor': 'middle', class: within ? 'cfx-qhat' : '' });
  });
  const lost = view.taus.includes(null) || s.tau === Infinity;
  return [
    svg('rect', { class: 'cfx-reach', x: left, y: head - 6, width: Math.max(0, x - left), height: Math.max(0, y - head + 6) }),
    ...[.25, .5, .75, 1].map(v => path('grid', `M${left} ${Y(v * view.k)}H${right}`)),
    ...[0, .5, 1].map(v => text(left - 6, Y(v * view.k) + 4, percent(v), { 'text-anchor': 'end' })),
    path('axis', `M${left} ${base}H${W}`),
    path('dot-out', outside), path('dot-in', inside),
    path('far', far), path('near', near),
    path('goes', goes), path('stays', stays), path('mark', marks),
    path('line', `M${x.toFixed(1)} ${head - 14}V${base + 4}M${left} ${y.toFixed(1)}H${W}`),
    named(x, head - 11, s.tau < Infinity ? `tau ${s.tau.toFixed(4)}` : 'tau infinite', on),
    text(W, y - 5, s.count ? `≥ ${s.count}` : 'all', { class: 'cfx-qhat cfx-halo', 'text-anchor': 'end' }),
    ...numbers, text(0, base + 20, 'passage', { class: 'cfx-small' }),
    ...ticks(lo, hi, W < 420 ? 4 : 7).map(d => text(X(d), base + 39, short(d), middle)),
    lost ? text(end, base + 39, 'inf', middle) : null,
    text((left + right) / 2, H - 8, 'retrieval score', middle), text(0, 12, 'share of samples'),
  ].filter(Boolean);
}

// The mean size of the set at every split of this alpha; where it is everything, a hatched column
function splitsChart(view, s, W, id) {
  const H = 128, left = 30, head = 28, base = 92, budget = s.ranks[0] + s.ranks[1], w = (W - left) / (budget + 1), at = s.ranks[0];
  const all = Array.from({ length: budget + 1 }, (_, m) => means(view, m, budget - m)), bounded = all.filter(e => !e.unbounded).map(e => e.rouge);
  const top = Math.max(1, ...bounded) * 1.15, Y = v => base - (base - head) * v / top, gap = Math.min(2, w / 5);
  let bars = '', walls = '';
  all.forEach((e, m) => { const x = left + m * w + gap / 2; e.unbounded ? walls += box(x, base, w - gap, base - head) : bars += box(x, base, w - gap, base - Y(e.rouge)); });
  const x = left + (at + .5) * w, e = all[at], on = x > W * .6, anchor = m => m === 0 ? 'start' : m === budget ? 'end' : 'middle';
  return [
    hatching(id), ...ticks(0, top, 4).filter(v => v && bounded.length).flatMap(v => [path('grid', `M${left} ${Y(v)}H${W}`), text(left - 5, Y(v) + 4, short(v), { 'text-anchor': 'end' })]),
    path('within', bars), path('beyond', walls, { fill: `url(#${id})` }),
    path('axis', `M${left} ${base}H${W}`), path('line', `M${x.toFixed(1)} ${head - 12}V${base}`),
    named(x, head - 10, e.unbounded ? 'everything' : `${e.rouge.toFixed(2)} answers`, on),
    ...[...new Set([0, Math.round(budget / 2), budget])].map(m => text(m === 0 ? left : m === budget ? W : left + (m + .5) * w, base + 16, m, { 'text-anchor': anchor(m) })),
    text((left + W) / 2, H - 4, `ranks for retrieval, of ${budget}`, middle),
  ];
}

const where = (p, i) => `${i + 1} · ${p.id}`;
const yes = words => h('span', { class: 'cfx-yes' }, `✓ ${words}`);
const spoken = said => said.map(([words, times]) => times > 1 ? `“${words}” ×${times}` : `“${words}”`).join(', ');

function answerItem(view, q, a, i) {
  return h('li', { class: a.right ? 'cfx-chunk cfx-answers' : 'cfx-chunk' },
    h('details', {}, h('summary', {}, h('span', { class: 'cfx-rank' }, i + 1), h('span', { class: 'cfx-where' }, a.text), a.right ? yes('right') : null,
        h('span', { class: 'cfx-num', title: 'samples of its largest cluster, and its p-value: not the probability of being right' }, `${percent(+a.share.toFixed(3))}  p ${a.p.toFixed(3)}`)),
      h('p', { class: 'cfx-id' }, `sampled: ${spoken(a.said)}`)),
    h('p', { class: 'cfx-hint' }, `from ${a.passages.map(j => where(q.passages[j], j)).join('; ')}`));
}

function clusterRow(view, c) {
  const bar = h('span', { class: 'cfx-bar', style: `--part: ${c.count / view.k}`, role: 'img' });
  const row = h('li', { class: 'cfx-said', title: spoken(c.said) }, h('span', {}, usual(c.said), c.right ? yes('right') : null), h('span', { class: 'cfx-num' }, `${c.count} of ${view.k}`), bar);
  return { c, row, mark(stays, rest) {
    row.classList.toggle('cfx-in', stays); row.classList.toggle('cfx-rest', rest);
    bar.setAttribute('aria-label', stays ? 'in the set' : 'not in the set');
  } };
}

function passageItem(view, p, i) {
  const state = h('span', { class: 'cfx-asked-now' }), rows = [...p.clusters].sort((a, b) => b.count - a.count).map(c => clusterRow(view, c));
  const list = h('ol', { class: 'cfx-clusters', 'aria-label': `Answers from passage ${i + 1}` }, ...rows.map(r => r.row)), more = h('p', { class: 'cfx-hint cfx-more-said' });
  const told = h('div', { class: 'cfx-told' }, list, more, p.abstained ? hint(`${p.abstained} of ${view.k} samples gave no answer.`) : null);
  const item = h('li', { class: p.gold ? 'cfx-chunk cfx-answers' : 'cfx-chunk' },
    h('details', {}, h('summary', {}, h('span', { class: 'cfx-rank' }, i + 1), h('span', { class: 'cfx-where' }, p.id), p.gold ? yes('answers') : null, state,
        h('span', { class: 'cfx-num', title: 'retrieval score, and its p-value: not the probability that the passage answers' }, `${p.score.toFixed(4)}  p ${(p.rank / (view.n + 1)).toFixed(3)}`)),
      h('p', { class: 'cfx-id' }, `rank ${p.rank} of ${view.n + 1}: within while retrieval gives fewer ranks away`)),
    p.text ? h('p', { class: 'cfx-text' }, p.text) : null, told);
  return { item, show(mRet, mQa) {
    const within = p.rank > mRet, out = rows.filter(r => r.c.rank <= mQa), rest = out.length > 4 ? out.slice(3) : [];
    item.classList.toggle('cfx-off', !within); told.hidden = !within;
    state.textContent = within ? 'asked' : 'not asked';
    rows.forEach(r => r.mark(r.c.rank > mQa, rest.includes(r)));
    more.hidden = !rest.length; more.textContent = `and ${rest.length} more below the threshold`;
  } };
}

function figures() {
  const picture = svg('svg', { height: 266, role: 'img' }), about = hint(), bars = svg('svg', { height: 128, role: 'img', class: 'cfx-scores' }), rows = h('tbody'), tested = hint();
  const right = key('mark', 'right'), keys = h('p', { class: 'cfx-keys' }, key('dot', 'calibration question within both'), key('ring', 'beyond'), key('stays', 'answer in the set'), key('goes', 'not in it'), right);
  const heads = ['', 'answers', 'asked', 'right answer in the set', 'unbounded'].map(t => h('th', { scope: 'col' }, t));
  const test = h('section', {}, heading('On test questions'), tested, bars, h('p', { class: 'cfx-keys' }, key('within', 'answers in the set'), key('beyond', 'the set is everything')), h('table', {}, h('thead', {}, h('tr', {}, ...heads)), rows));
  return { picture, about, bars, rows, tested, test, right, parts: [h('section', {}, heading('Both thresholds'), about, picture, keys), test] };
}

function measuresRow(name, e) {
  const cells = e.unbounded === 1 ? ['all', e.requests.toFixed(2), '—', '100%'] : [e.rouge.toFixed(2), e.requests.toFixed(2), percent(+e.covered.toFixed(3)), percent(+e.unbounded.toFixed(3))];
  return h('tr', {}, h('th', { scope: 'row' }, name), ...cells.map(c => h('td', {}, c)));
}

function questionBox(view, id) {
  const several = view.questions.length > 1, cut = t => t.length > 90 ? t.slice(0, 89) + '…' : t, words = h('p', { class: 'cfx-saved' }), known = hint();
  const choice = h('select', { id: id + 'q', hidden: !several }, ...view.questions.map((q, i) => h('option', { value: i }, cut(q.text))));
  const box = h('div', { class: 'cfx-question' }, several ? h('label', { for: id + 'q' }, 'Question') : h('b', {}, 'Question'), choice, words, known);
  return { choice, box, show(q, i) {
    choice.value = i; words.textContent = q.text;
    words.hidden = several && cut(q.text) === q.text;
    known.textContent = q.known ? `Known answers: ${q.references.join('; ')}` : 'The right answer is not known.';
  } };
}

function controls(id) {
  const summary = h('p', { class: 'cfx-summary', id: id + 's', 'aria-live': 'polite' }), guarantee = hint(), tau = h('p', { class: 'cfx-cut' }), need = h('p', { class: 'cfx-cut' });
  const alpha = alphaDial(id, 'larger sets', x => x > 0 && x <= .5);
  const share = dial(id + 'v', 'share', 'of alpha for retrieval', ['more passages', 'more answers from each'], { min: 0, step: 1, 'aria-describedby': id + 's' }, .05, x => x >= 0 && x <= 1, m => m / share.slider.max);
  return { alpha, share, summary, guarantee, tau, need, box: h('section', { class: 'cfx-alpha' }, ...alpha.parts, ...share.parts, tau, need, summary, guarantee) };
}

function render({ model, el }) {
  const view = model.get('view'), id = 'cfx' + Math.random().toString(36).slice(2), q = questionBox(view, id), c = controls(id), f = figures();
  const note = caution('The guarantee is for an alpha and a share chosen beforehand, not for those that please on these questions.');
  const title = heading(), union = h('ol', { class: 'cfx-set', 'aria-label': 'Answers in the set' }), list = h('ol', { class: 'cfx-pool', 'aria-label': 'Passages' }), pool = heading();
  const scroll = h('div', { class: 'cfx-scroll', tabindex: 0, role: 'region', 'aria-label': 'Answers and passages' },
    hint('Largest p-value first, with the share of samples. A p-value is not the probability of being right.'), union, pool, list);
  const root = h('div', { class: 'cfx cfx-answer-sets' }, q.box, h('div', { class: 'cfx-body' },
    h('div', { class: 'cfx-left' }, c.box, ...f.parts, note), h('section', { class: 'cfx-right' }, h('div', {}, title, scroll))));
  let items, W = 0;

  function paintFigures(now, s) {
    const [mRet, mQa] = s.ranks, inside = view.dots.filter(d => d[2] > mRet && d[3] > mQa).length;
    f.about.textContent = `A dot is one of ${many(view.n, 'question')} with known answers: how far its passage was, and how often the model said the right thing. `
      + (s.unbounded ? '' : `${inside} of ${view.n} lie within both thresholds.`);
    f.picture.setAttribute('aria-label', `${f.about.textContent} ${c.tau.textContent}; ${c.need.textContent}`);
    f.right.hidden = !now.known;
    if (W) f.picture.replaceChildren(...plane(view, now, s, W));
    f.test.hidden = !view.tested; if (!view.tested) return;
    const half = split(view.n, model.get('alpha'), .5);
    f.tested.textContent = `Means over ${many(view.tested, 'question')} that did not calibrate: different answers in the set, passages that the model is asked about. Below, every split of this alpha.`;
    f.rows.replaceChildren(measuresRow('this split', s.expected), measuresRow('half and half', means(view, ...half)));
    f.bars.setAttribute('aria-label', `Mean number of answers at each split of alpha; now ${mRet} ranks for retrieval and ${mQa} for the answers: ${s.expected.rouge.toFixed(2)}.`);
    if (W) f.bars.replaceChildren(...splitsChart(view, s, W, id));
  }

  function paint() {
    const alpha = model.get('alpha'), share = model.get('share'), i = model.get('question'), now = view.questions[i], s = at(view, i, alpha, share), [mRet, mQa] = s.ranks, budget = mRet + mQa;
    c.alpha.stand(alpha, short(alpha), `alpha ${short(alpha)}, ${many(s.answers.length, 'answer')}`);
    c.share.slider.max = budget; c.share.slider.disabled = !budget;
    c.share.stand(mRet, +share.toFixed(3), `${mRet} of ${many(budget, 'rank')} for retrieval, ${mQa} for the answers`);
    c.tau.replaceChildren(h('b', {}, 'passages'), ' ' + tauWords(view, s)); c.need.replaceChildren(h('b', {}, 'answers'), ' ' + countWords(view, s));
    const of = `${s.asked} of ${many(now.passages.length, 'passage')}`, size = `${many(s.answers.length, 'answer')} from ${of}`;
    c.summary.textContent = s.unbounded ? 'The set is everything.' : `${many(s.answers.length, 'answer')}. The model is asked about ${of}, ${count(view.k)} times each.`;
    c.summary.classList.toggle('cfx-error', s.unbounded);
    c.guarantee.textContent = s.unbounded ? `${why(view, alpha, share, s)} Listed is only what was sampled.` : guaranteed(alpha);
    title.textContent = s.unbounded ? `Everything; sampled were ${size}` : `${size} in the set`;
    const none = h('li', {}, hint(`No answer was sampled often enough${s.asked ? ' from the passages within' : ': no passage is within'}. The set is empty, and the question one of the misses.`));
    union.replaceChildren(...s.answers.length ? s.answers.map((a, j) => answerItem(view, now, a, j)) : [none]);
    pool.textContent = `${of} asked: ${many(s.asked * view.k, 'sample')}`;
    items.forEach(p => p.show(mRet, mQa));
    list.style.setProperty('--cut', Math.max(0, s.count - .5) / view.k);
    paintFigures(now, s);
    Object.assign(root.dataset, { question: i, alpha: short(alpha), share: short(share), ranks: `${mRet} ${mQa}`, tau: s.tau < Infinity ? s.tau.toFixed(4) : 'inf', count: s.count, answers: s.answers.length, asked: s.asked, unbounded: s.unbounded });
  }

  function show() {
    const now = view.questions[model.get('question')];
    q.show(now, model.get('question'));
    items = now.passages.map((p, i) => passageItem(view, p, i));
    list.replaceChildren(...items.map(p => p.item)); scroll.scrollTop = 0;
    paint();
  }

  const set = (name, value) => { model.set(name, value); model.save_changes(); };
  const slide = (name, value) => { note.classList.add('cfx-on'); set(name, value); paint(); };
  c.alpha.turned(x => slide('alpha', x));
  c.share.turned(x => slide('share', x));
  q.choice.addEventListener('change', () => { set('question', +q.choice.value); show(); });

  el.replaceChildren(root);
  show();
  for (const [name, draw] of Object.entries({ alpha: paint, share: paint, question: show })) model.on('change:' + name, draw);
  return follow(root, el, () => { W = f.picture.clientWidth; paint(); });
}

export default { render, at };
