// The coverage lottery in the browser: calibration sets are drawn here, the same as those of conflare_nb.lottery.
// The helpers are those of common.js, sliding.js and chance.js.

const MOST = 2000, LARGEST = 1000;

// The sorted scores of everybody; none: uniform ones
const everybody = model => Float64Array.from(model.get('scores'), s => s ?? Infinity);

// The value that `at` others precede in order
function preceded(values, at) {
  const a = values.slice();
  for (let lo = 0, hi = a.length - 1; lo < hi;) {
    const pivot = a[lo + hi >> 1];
    let i = lo, j = hi;
    while (i <= j) {
      while (a[i] < pivot) i++;
      while (a[j] > pivot) j--;
      if (i <= j) { const x = a[i]; a[i++] = a[j]; a[j--] = x; }
    }
    if (at <= j) hi = j; else if (at >= i) lo = i; else break;
  }
  return a[at];
}

// One calibration set: its scores, its threshold, and the share of the others that this covers
function ticket(world, n, alpha, start) {
  const k = rank(n, alpha), N = world.length, keys = new Float64Array(N || n);
  if (!N) {
    for (let i = 0; i < n; i++) keys[i] = (chance(start, i) + .5) / 2 ** 32;
    const qhat = k > n ? Infinity : preceded(keys, k - 1);
    return { scores: keys, qhat, coverage: Math.min(qhat, 1) };
  }
  for (let i = 0; i < N; i++) keys[i] = chance(start, i) * 2 ** 20 + i;
  const cut = preceded(keys, n - 1), scores = world.filter((_, i) => keys[i] <= cut), qhat = k > n ? Infinity : scores[k - 1];
  let covered = 0;
  for (let i = 0; i < N; i++) if (keys[i] > cut && world[i] <= qhat) covered++;
  return { scores, qhat, coverage: covered / (N - n) };
}

// Bins of the histogram: where the law lies, and how many draws it expects in each
function lotteryBins(law, m, asked) {
  const least = Math.min(law.quantile(.001), asked), most = law.quantile(.999), width = Math.max([.002, .005, .01, .02, .05].find(w => (most - least) / w <= 34) ?? .1, m ? 1 / m : 0);
  const lo = Math.max(0, Math.min(Math.floor(least / width - 1), 1 / width - 8) * width), bars = Math.max(8, Math.ceil((Math.min(1, most + width) - lo) / width));
  const edge = i => lo + i * width - 1e-9;
  return { lo, width, bars, expected: Array.from({ length: bars }, (_, i) => (i === bars - 1 ? 1 : law.cdf(edge(i + 1))) - (i ? law.cdf(edge(i)) : 0)) };
}

function coverageChart(g, s, W, id) {
  const H = 264, left = 34, right = W - 18, base = 200, head = 30, hi = g.lo + g.bars * g.width;
  const X = c => left + (right - left) * (Math.min(Math.max(c, g.lo), hi) - g.lo) / (hi - g.lo), w = (right - left) / g.bars;
  const inside = Array(g.bars).fill(0), outside = Array(g.bars).fill(0);
  for (const c of s.coverage) (s.held(c) ? inside : outside)[Math.min(g.bars - 1, Math.max(0, Math.floor((c - g.lo) / g.width + 1e-9)))]++;
  const top = Math.max(3, ...inside.map((n, i) => n + outside[i]), ...g.expected.map(p => p * s.coverage.length)), Y = n => base - (base - head) * n / top;
  let within = '', beyond = '', line = `M${left} ${base}`;
  inside.forEach((n, i) => {
    if (n) within += box(left + i * w + .5, base, w - 1, base - Y(n));
    if (outside[i]) beyond += box(left + i * w + .5, Y(n), w - 1, base - Y(outside[i]));
    line += `V${Y(g.expected[i] * s.coverage.length).toFixed(1)}H${(left + (i + 1) * w).toFixed(1)}`;
  });
  const x = X(s.asked), mean = X(s.mean), on = x > W * .5;
  return [
    hatching(id),
    ...ticks(0, top, 3).filter(n => n && n % 1 === 0).flatMap(n => [path('grid', `M${left} ${Y(n)}H${right}`), text(left - 5, Y(n) + 4, n, { 'text-anchor': 'end' })]),
    path('within', within), path('beyond', beyond, { fill: `url(#${id})` }),
    s.coverage.length ? path('law', line + `V${base}`) : null,
    path('axis', `M${left} ${base}H${right}`),
    path('band', `M${X(s.low).toFixed(1)} ${base + 8}H${Math.max(X(s.high), X(s.low) + 3).toFixed(1)}`),
    s.coverage.length ? path('mark', `M${mean.toFixed(1)} ${base + 13}l-6 10h12z`) : null,
    ...ticks(g.lo, hi, W < 420 ? 4 : 7).map(c => text(X(c), base + 40, percent(c), middle)),
    text((left + right) / 2, H - 5, 'coverage', middle), text(0, 12, 'draws'),
    path('line', `M${x.toFixed(1)} ${head - 16}V${base + 14}`),
    named(x, head - 12, `1 - alpha = ${percent(s.asked)}`, on),
  ].filter(Boolean);
}

function setChart(world, last, W) {
  const finite = world.filter(Number.isFinite), lo = finite.length ? finite[0] : 0, hi = finite.length ? finite[finite.length - 1] : 1;
  const left = 16, right = W - 16, y = 34, X = s => left + (right - left) * (Math.min(s, hi) - lo) / (hi - lo || 1);
  let near = '', far = '';
  for (const s of last?.scores ?? []) { const tick = `M${X(s).toFixed(1)} ${y - 12}v12`; s <= last.qhat ? near += tick : far += tick; }
  const x = last && X(last.qhat), on = x > W * .6, words = last && (last.qhat < Infinity ? `qhat ${last.qhat.toFixed(4)} covers ${tenth(last.coverage)}` : 'qhat infinite: everything is retrieved');
  return [
    path('axis', `M${left} ${y}H${right}`), path('near', near), path('beyond', far),
    ...ticks(lo, hi, W < 420 ? 5 : 6).map(s => text(X(s), y + 18, s.toFixed(2), middle)), text((left + right) / 2, 69, 'score', middle),
    ...(last ? [path('line', `M${x.toFixed(1)} 4V${y + 4}`), named(x, 13, words, on)] : []),
  ];
}

function lotteryWords(s, n, alpha) {
  if (s.k > n) return `A set of ${n} is too small for alpha = ${short(alpha)}: at least ${count(fewest(alpha))} are needed. Every threshold is infinite, everything is retrieved, and coverage says nothing.`;
  const long = `In the long run the mean is ${s.k}/${n + 1} = ${tenth(s.exact)}, at least the 1 - alpha = ${percent(s.asked)} asked for.`;
  if (!s.coverage.length) return `Nothing is drawn yet. ${long} Nine draws of ten fall between ${tenth(s.low)} and ${tenth(s.high)}.`;
  return `${many(s.coverage.length, 'draw')}, mean coverage ${tenth(s.mean)}; ${s.inside} in the 90% band, ${tenth(s.low)} to ${tenth(s.high)}. ${long}`;
}

function render({ model, el }) {
  const id = 'cfx' + Math.random().toString(36).slice(2), world = everybody(model), N = world.length;
  const set = (name, value) => { model.set(name, value); model.save_changes(); };
  const most = N ? N - 1 : LARGEST;
  const size = dial(id + 'n', 'n', 'questions in a calibration set', ['wider spread', 'narrower spread'],
    { min: 1, max: N ? most : 300, step: 1, 'aria-describedby': id + 's' }, 1, x => Number.isInteger(x) && x >= 1 && x <= most);
  const alpha = alphaDial(id, 'fewer misses', x => x > 0 && x < 1);
  Object.assign(size.parts[1], { min: 1, max: most });
  const more = { 1: 1, 2: 10, 3: 100 }, buttons = {};
  for (const [k, times] of Object.entries(more)) buttons[k] = h('button', { type: 'button', 'aria-keyshortcuts': k }, `Draw ${times}`, h('kbd', { 'aria-hidden': 'true' }, k));
  buttons[0] = h('button', { type: 'button', 'aria-keyshortcuts': '0' }, 'Start over', h('kbd', { 'aria-hidden': 'true' }, '0'));
  const press = k => +k ? model.get('draws') < MOST && set('draws', Math.min(MOST, model.get('draws') + more[k])) : (set('seed', model.get('seed') + 1), set('draws', 0));
  const about = hint(N ? `Each draw takes n of ${count(N)} questions as the calibration set; coverage is the share of the others whose score is at most qhat.`
                       : 'Each draw is a calibration set of n scores between 0 and 1; coverage is the share of all further scores that are at most qhat.');
  const set1 = svg('svg', { height: 72, role: 'img' }), chart = svg('svg', { height: 264, role: 'img' }), summary = h('p', { class: 'cfx-summary', id: id + 's', 'aria-live': 'polite' }), title = heading();
  const keys = h('p', { class: 'cfx-keys' }, key('within', 'in the 90% band'), key('beyond', 'outside'), key('law', 'expected by the exact law'), key('mark', 'mean of the draws'));
  const root = h('div', { class: 'cfx', 'aria-label': 'Coverage lottery', role: 'group' }, h('div', { class: 'cfx-body' },
    h('div', { class: 'cfx-left' }, h('section', { class: 'cfx-alpha' }, ...size.parts, ...alpha.parts),
      h('div', { class: 'cfx-buttons' }, buttons[1], buttons[2], buttons[3], buttons[0]), h('section', {}, heading('The last calibration set'), about, set1)),
    h('section', {}, title, chart, keys, summary)));
  let drawn = [], last, law, g, made = '', W = 0;

  function paint() {
    const [n, a, draws, seed] = ['n', 'alpha', 'draws', 'seed'].map(k => model.get(k)), now = `${n} ${a} ${seed}`;
    if (now !== made || drawn.length > draws) { drawn = []; made = now; law = coverageLaw(n, a, N && N - n); g = lotteryBins(law, N && N - n, 1 - a); }
    for (let j = drawn.length; j < draws; j++) drawn.push(ticket(world, n, a, starting(seed, j)).coverage);
    last = draws ? ticket(world, n, a, starting(seed, draws - 1)) : null;
    const s = { coverage: drawn, asked: 1 - a, k: law.k, exact: law.mean, low: law.quantile(.05), high: law.quantile(.95), mean: drawn.reduce((a, b) => a + b, 0) / draws };
    s.held = c => c >= s.low - 1e-12 && c <= s.high + 1e-12; s.inside = drawn.filter(s.held).length;
    size.stand(n, n, many(n, 'question')); alpha.stand(a, short(a), `alpha ${short(a)}`);
    title.textContent = `Coverage of ${many(draws, 'threshold')}`;
    summary.textContent = lotteryWords(s, n, a);
    chart.setAttribute('aria-label', `Histogram. ${summary.textContent}`);
    set1.setAttribute('aria-label', last ? `The scores of the last calibration set; its threshold covers ${tenth(last.coverage)}.` : 'No calibration set is drawn yet.');
    for (const k in more) buttons[k].setAttribute('aria-disabled', draws >= MOST);
    const six = x => draws ? x.toFixed(6) : '';
    Object.assign(root.dataset, { n, alpha: short(a), draws, seed, mean: six(s.mean), inside: s.inside, low: s.low.toFixed(6), high: s.high.toFixed(6) });
    if (!W) return;
    chart.replaceChildren(...coverageChart(g, s, chart.clientWidth, id));
    set1.replaceChildren(...setChart(world, last, set1.clientWidth));
  }

  size.turned(x => set('n', x)); alpha.turned(x => set('alpha', x));
  for (const k in buttons) buttons[k].addEventListener('click', () => press(k));
  root.addEventListener('keydown', e => {
    if (!buttons[e.key] || e.ctrlKey || e.altKey || e.metaKey || e.target.type === 'number') return;
    e.preventDefault();
    press(e.key);
  });
  el.replaceChildren(root);
  for (const name of ['n', 'alpha', 'draws', 'seed']) model.on('change:' + name, paint);
  paint();
  return follow(root, el, () => { W = root.clientWidth; paint(); });
}

export default { render, ticket, starting, coverageLaw };
