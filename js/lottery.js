// The coverage lottery in the browser: calibration sets are drawn here, the same as those of conflare_nb.show.lottery.
import { chance, coverageLaw, starting, tenth } from './chance.js';
import { count, div, follow, h, heading, hint, keeper, many, newId, onChange, section } from './common.js';
import { fewest, rank } from './rank.js';
import {
  alphaDial, bars, box, countLines, dial, foundBandWords, hatching, key, keys, middle, named, path, percent, scale, short, summaryOf,
  svg, text, ticks,
} from './sliding.js';
import { widget } from './widget.js';

const MOST = 2000;       // draws
const LARGEST = 1000;    // calibration set, where scores are uniform
const TIMES = { 1: 1, 2: 10, 3: 100 };    // draws of a key

// ---- draws

// The sorted scores of everybody; none: uniform ones
const everybody = model => Float64Array.from(model.get('scores'), score => score ?? Infinity);

// The value that `at` others precede in order (Hoare's selection)
function preceded(values, at) {
  const a = values.slice();
  let lo = 0, hi = a.length - 1;
  while (lo < hi) {
    const pivot = a[lo + hi >> 1];
    let i = lo, j = hi;
    while (i <= j) {
      while (a[i] < pivot) i++;
      while (a[j] > pivot) j--;
      if (i > j) break;
      const held = a[i];
      a[i++] = a[j];
      a[j--] = held;
    }
    if (at <= j) hi = j;
    else if (at >= i) lo = i;
    else break;
  }
  return a[at];
}

// One calibration set of uniform scores: whoever scores at most qhat is covered, a share of qhat
function uniformTicket(n, k, start) {
  const scores = new Float64Array(n).map((_, i) => (chance(start, i) + .5) / 2 ** 32);
  const qhat = k > n ? Infinity : preceded(scores, k - 1);
  return { scores, qhat, coverage: Math.min(qhat, 1) };
}

// One calibration set: its scores, its threshold, and the share of the others that this covers
export function ticket(world, n, alpha, start) {
  const k = rank(n, alpha), N = world.length;
  if (!N) return uniformTicket(n, k, start);
  const order = new Float64Array(N).map((_, i) => chance(start, i) * 2 ** 20 + i);
  const cut = preceded(order, n - 1);
  const scores = world.filter((_, i) => order[i] <= cut);
  const qhat = k > n ? Infinity : scores[k - 1];
  let covered = 0;
  for (let i = 0; i < N; i++) {
    if (order[i] > cut && world[i] <= qhat) covered++;
  }
  return { scores, qhat, coverage: covered / (N - n) };
}

// Whether scores tie where the threshold falls, but for one draw in a thousand
export function tying(world, law, m) {
  if (!m || law.mean === 1) return false;
  const [first, last] = [.0005, .9995].map(p => Math.round(law.quantile(p) * m) + law.k);
  const near = world.slice(Math.max(0, first - 2), last + 1);    // with the neighbours on both sides
  return near.some((score, i) => i && score === near[i - 1]);
}

// ---- the histogram of coverage

// Its bins: where the law lies, and how many draws it expects in each; to the end where scores tie
function lotteryBins(law, m, asked, tied) {
  const least = Math.min(law.quantile(.001), asked);
  const most = tied ? 1 : law.quantile(.999);
  const round = [.002, .005, .01, .02, .05].find(width => (most - least) / width <= 34) ?? .1;
  const width = Math.max(round, m ? 1 / m : 0);
  const lo = Math.max(0, Math.min(Math.floor(least / width - 1), 1 / width - 8) * width);
  const length = Math.max(8, Math.ceil((Math.min(1, most + width) - lo) / width));
  const below = i => law.cdf(lo + i * width - 1e-9);
  const upTo = i => i === length ? 1 : below(i);
  const share = (_, i) => upTo(i + 1) - (i ? below(i) : 0);
  return { lo, hi: lo + length * width, width, length, expected: Array.from({ length }, share) };
}

// How many draws each bin has, inside of the band and outside
function counted({ lo, width, length }, s) {
  const inside = Array(length).fill(0);
  const outside = Array(length).fill(0);
  for (const coverage of s.coverage) {
    const bin = Math.floor((coverage - lo) / width + 1e-9);
    const counts = s.held(coverage) ? inside : outside;
    counts[Math.min(length - 1, Math.max(0, bin))]++;
  }
  return { inside, outside };
}

function lotteryColumns(bins, { inside, outside }, { left, base, Y, width }) {
  let within = '', beyond = '';
  inside.forEach((n, i) => {
    const x = left + i * width + .5;
    if (n) within += box(x, base, width - 1, base - Y(n));
    if (outside[i]) beyond += box(x, Y(n), width - 1, base - Y(outside[i]));
  });
  return { within, beyond };
}

// What the law expects, as steps
function lawLine({ expected }, draws, { left, base, Y, width }) {
  const step = (share, i) => `V${Y(share * draws).toFixed(1)}H${(left + (i + 1) * width).toFixed(1)}`;
  return `M${left} ${base}${expected.map(step).join('')}V${base}`;
}

function lotteryFrame(bins, s, counts, W) {
  const left = 34, right = W - 18, base = 200, head = 30;
  const draws = s.coverage.length;
  const heights = counts.inside.map((n, i) => n + counts.outside[i]);
  const expected = s.tied ? [] : bins.expected;
  const top = Math.max(3, ...heights, ...expected.map(share => share * draws));
  const place = scale(bins.lo, bins.hi, left, right);
  const X = share => place(Math.min(Math.max(share, bins.lo), bins.hi));
  return { left, right, base, head, top, X, Y: scale(0, top, base, head), width: (right - left) / bins.length };
}

function coverageChart(bins, s, W, id) {
  const counts = counted(bins, s);
  const frame = lotteryFrame(bins, s, counts, W);
  const { left, right, base, head, top, X } = frame;
  const draws = s.coverage.length;
  const x = X(s.asked), low = X(s.low);
  return [
    hatching(id),
    ...countLines(top, frame),
    ...bars(lotteryColumns(bins, counts, frame), id),
    draws && !s.tied ? path('law', lawLine(bins, draws, frame)) : null,
    path('axis', `M${left} ${base}H${right}`),
    path('band', `M${low.toFixed(1)} ${base + 8}H${Math.max(X(s.high), low + 3).toFixed(1)}`),
    draws ? path('mark', `M${X(s.mean).toFixed(1)} ${base + 13}l-6 10h12z`) : null,
    ...ticks(bins.lo, bins.hi, W < 420 ? 4 : 7).map(share => text(X(share), base + 40, percent(share), middle)),
    text((left + right) / 2, 259, 'coverage', middle),
    text(0, 12, 'draws'),
    path('line', `M${x.toFixed(1)} ${head - 16}V${base + 14}`),
    named(x, head - 12, `1 - alpha = ${percent(s.asked)}`, x > W * .5),
  ].filter(Boolean);
}

// ---- the last calibration set

function lastLine({ qhat, coverage }, X, W, y) {
  const covers = qhat < Infinity
    ? `qhat ${qhat.toFixed(4)} covers ${tenth(coverage)}`
    : 'qhat infinite: everything is retrieved';
  const x = X(qhat);
  return [path('line', `M${x.toFixed(1)} 4V${y + 4}`), named(x, 13, covers, x > W * .6)];
}

function setChart(world, last, W) {
  const finite = world.filter(Number.isFinite);
  const lo = finite[0] ?? 0, hi = finite.at(-1) ?? 1;
  const left = 16, right = W - 16, y = 34;
  const X = score => left + (right - left) * (Math.min(score, hi) - lo) / (hi - lo || 1);
  let near = '', far = '';
  for (const score of last?.scores ?? []) {
    const tick = `M${X(score).toFixed(1)} ${y - 12}v12`;
    if (score <= last.qhat) near += tick;
    else far += tick;
  }
  return [
    path('axis', `M${left} ${y}H${right}`),
    path('near', near),
    path('beyond', far),
    ...ticks(lo, hi, W < 420 ? 5 : 6).map(score => text(X(score), y + 18, score.toFixed(2), middle)),
    text((left + right) / 2, 69, 'score', middle),
    ...(last ? lastLine(last, X, W, y) : []),
  ];
}

// ---- words

function lotteryWords(s, n, alpha) {
  if (s.k > n) {
    const least = count(fewest(alpha));
    return `A calibration set of ${n} is too small for alpha = ${short(alpha)}: at least ${least} are needed. `
      + 'Every threshold is infinite and everything is retrieved, so coverage says nothing.';
  }
  const draws = s.coverage.length;
  const band = foundBandWords(s.low, s.high, s.tied);
  const exact = `${s.tied ? 'at least ' : ''}${s.k}/${n + 1} = ${tenth(s.exact)}`;
  const ties = s.tied ? ' Some scores tie, and a threshold covers all equal scores.' : '';
  const asked = `1 - alpha = ${percent(s.asked)} asked for`;
  const long = `In the long run, mean coverage is ${exact}, which is at least the ${asked}.${ties}`;
  if (!draws) return `Nothing has been drawn yet. ${long} The 90% band is ${band}.`;
  const mean = `${many(draws, 'draw')}, mean coverage ${tenth(s.mean)}`;
  return `${mean}; ${s.inside} in the 90% band, ${band}. ${long}`;
}

const aboutDraws = N => N
  ? `Each draw takes n of ${count(N)} questions as the calibration set; `
    + 'coverage is the share of the others with a score of at most qhat.'
  : 'Each draw is a calibration set of n scores, uniform between 0 and 1, so none of them tie; '
    + 'coverage is the share of all future scores that are at most qhat.';

const lastWords = last => last
  ? `The scores of the last calibration set; its threshold covers ${tenth(last.coverage)}.`
  : 'No calibration set has been drawn yet.';

// ---- controls

function sizeDial(id, N) {
  const most = N ? N - 1 : LARGEST;
  const size = dial(id + 'n', {
    name: 'n',
    words: 'questions in a calibration set',
    ends: ['wider spread', 'narrower spread'],
    range: { min: 1, max: N ? most : 300, step: 1, 'aria-describedby': id + 's' },
    step: 1,
    fits: n => Number.isInteger(n) && n >= 1 && n <= most,
  });
  Object.assign(size.number, { min: 1, max: most });
  return size;
}

const keyButton = (key, words) =>
  h('button', { type: 'button', 'aria-keyshortcuts': key }, words, h('kbd', { 'aria-hidden': 'true' }, key));

function drawButtons() {
  const buttons = { 0: keyButton('0', 'Start over') };
  for (const key in TIMES) buttons[key] = keyButton(key, `Draw ${TIMES[key]}`);
  return buttons;
}

// What a key or its button does
function press(model, key) {
  const keep = keeper(model);
  const draws = model.get('draws');
  if (key === '0') {
    keep('seed', model.get('seed') + 1);
    keep('draws', 0);
  } else if (draws < MOST) keep('draws', Math.min(MOST, draws + TIMES[key]));
}

function listen(root, buttons, go) {
  for (const key in buttons) buttons[key].addEventListener('click', () => go(key));
  root.addEventListener('keydown', e => {
    if (!buttons[e.key] || e.ctrlKey || e.altKey || e.metaKey || e.target.type === 'number') return;
    e.preventDefault();
    go(e.key);
  });
}

// ---- all of it

// What is drawn so far, and what follows from it; draws that nothing has changed are kept
function drawer(world) {
  let coverage = [], made, law, bins, tied;
  return ({ n, alpha, draws, seed }) => {
    const draw = j => ticket(world, n, alpha, starting(seed, j));
    const now = `${n} ${alpha} ${seed}`;
    if (now !== made || coverage.length > draws) {
      const others = world.length && world.length - n;
      made = now;
      coverage = [];
      law = coverageLaw(n, alpha, others);
      tied = tying(world, law, others);
      bins = lotteryBins(law, others, 1 - alpha, tied);
    }
    while (coverage.length < draws) coverage.push(draw(coverage.length).coverage);
    const low = law.quantile(.05), high = tied ? 1 : law.quantile(.95);
    const held = share => share >= low - 1e-12 && share <= high + 1e-12;
    const mean = coverage.reduce((sum, share) => sum + share, 0) / draws;
    const inside = coverage.filter(held).length;
    const s = { coverage, asked: 1 - alpha, k: law.k, exact: law.mean, low, high, mean, held, inside, tied };
    return { s, bins, last: draws ? draw(draws - 1) : null };
  };
}

function pictures(id, world) {
  const title = heading();
  const summary = summaryOf(id);
  const chart = svg('svg', { height: 264, role: 'img' });
  const lastSet = svg('svg', { height: 72, role: 'img' });
  const lawKey = key('law', 'expected by the exact law');
  const colours = keys(
    key('within', 'in the 90% band'), key('beyond', 'outside'), lawKey, key('mark', 'mean of the draws'),
  );
  function paint({ n, alpha, draws }, { s, bins, last }, W) {
    title.textContent = `Coverage of ${many(draws, 'threshold')}`;
    summary.textContent = lotteryWords(s, n, alpha);
    lawKey.hidden = s.tied;
    chart.setAttribute('aria-label', `Histogram. ${summary.textContent}`);
    lastSet.setAttribute('aria-label', lastWords(last));
    if (!W) return;
    chart.replaceChildren(...coverageChart(bins, s, chart.clientWidth, id));
    lastSet.replaceChildren(...setChart(world, last, lastSet.clientWidth));
  }
  const about = hint(aboutDraws(world.length));
  const small = section(heading('The last calibration set'), about, lastSet);
  return { small, large: section(title, chart, colours, summary), paint };
}

function facts({ n, alpha, draws, seed }, { mean, inside, low, high }) {
  const six = x => x.toFixed(6);
  return { n, alpha: short(alpha), draws, seed, mean: draws ? six(mean) : '', inside, low: six(low), high: six(high) };
}

export function render({ model, el }) {
  const id = newId();
  const world = everybody(model);
  const keep = keeper(model);
  const size = sizeDial(id, world.length);
  const alpha = alphaDial(id, 'fewer misses', x => x > 0 && x < 1);
  const buttons = drawButtons();
  const { small, large, paint: paintPictures } = pictures(id, world);
  const controls = h('section', { class: 'cfx-alpha' }, ...size.parts, ...alpha.parts);
  const row = div('buttons', buttons[1], buttons[2], buttons[3], buttons[0]);
  const root = h(
    'div', { class: 'cfx', 'aria-label': 'Coverage lottery', role: 'group' },
    div('body', div('left', controls, row, small), large),
  );
  const drawn = drawer(world);
  let W = 0;

  function paint() {
    const [n, share, draws, seed] = ['n', 'alpha', 'draws', 'seed'].map(name => model.get(name));
    const now = { n, alpha: share, draws, seed };
    const results = drawn(now);
    size.stand(now.n, now.n, many(now.n, 'question'));
    alpha.stand(now.alpha, short(now.alpha), `alpha ${short(now.alpha)}`);
    for (const key in TIMES) buttons[key].setAttribute('aria-disabled', now.draws >= MOST);
    Object.assign(root.dataset, facts(now, results.s));
    paintPictures(now, results, W);
  }

  size.turned(n => keep('n', n));
  alpha.turned(alpha => keep('alpha', alpha));
  listen(root, buttons, key => press(model, key));
  el.replaceChildren(root);
  onChange(model, { n: paint, alpha: paint, draws: paint, seed: paint });
  paint();
  return follow(root, el, () => {
    W = root.clientWidth;
    paint();
  });
}

export default widget('lottery', { render, ticket, starting, coverageLaw, tying });
