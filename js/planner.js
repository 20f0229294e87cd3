// The sample-size planner in the browser. The helpers are those of common.js, sliding.js and chance.js.

// Every small n, then about as many for each octave; and both sides of the first teeth
function sizes(p, most) {
  const out = [p.n, most];
  for (let n = p.finite; n < most; n = Math.max(n + 1, Math.round(n * 1.05))) out.push(n);
  for (let r = 2; r <= 30; r++) out.push(ranked(p.alpha, r) - 1, ranked(p.alpha, r));
  return out.filter(n => n >= p.finite && n <= most).sort((a, b) => a - b);
}

function planChart(p, W, id) {
  const H = 270, left = 44, right = W - 24, base = 226, head = 26, most = 10 ** Math.ceil(Math.log10(Math.max(3 * p.n, 300)));
  const lo = Math.max(0, 1 - p.alpha - Math.max(2.5 * p.eps, .06)), hi = Math.min(1, 1 - p.alpha + Math.max(2.5 * p.eps, .06));
  const X = n => left + (right - left) * Math.log10(n) / Math.log10(most), Y = c => base - (base - head) * (Math.min(Math.max(c, lo), hi) - lo) / (hi - lo);
  const ns = sizes(p, most), at = (n, t) => { const k = rank(n, p.alpha); return `${X(n).toFixed(1)} ${Y(betaQuantile(t, k, n + 1 - k)).toFixed(1)}`; };
  const band = 'M' + [...ns.map(n => at(n, 1 - p.tail)), ...ns.reverse().map(n => at(n, p.tail))].join('L') + 'z';
  const wish = c => c > lo && c < hi ? path('wish', `M${left} ${Y(c).toFixed(1)}H${right}`) : null, x = X(p.n), on = x > W * .55, asked = Y(1 - p.alpha), end = X(Math.max(1, p.finite - .5));
  return [
    hatching(id), svg('rect', { class: 'cfx-beyond', x: left, y: head, width: Math.max(0, end - left), height: base - head, fill: `url(#${id})`, opacity: .45 }),
    ...ticks(lo, hi, 6).flatMap(c => [path('grid', `M${left} ${Y(c).toFixed(1)}H${right}`), text(left - 6, Y(c) + 4, percent(c), { 'text-anchor': 'end' })]),
    path('bands', band), path('axis', `M${left} ${base}H${right}`), path('axis', `M${left} ${asked}H${right}`),
    wish(1 - p.alpha - p.eps), p.two_sided ? wish(1 - p.alpha + p.eps) : null,
    ...Array.from({ length: Math.round(Math.log10(most)) + 1 }, (_, i) => text(X(10 ** i), base + 18, count(10 ** i), middle)),
    text((left + right) / 2, H - 8, 'n, questions that calibrate', middle), text(0, 12, 'coverage'),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base + 4}`),
    named(x, head - 8, `n = ${count(p.n)}`, on),
  ].filter(Boolean);
}

function choice(id, words, options, chosen) {
  const select = h('select', { id }, ...Object.entries(options).map(([value, words]) => h('option', { value }, words)));
  select.addEventListener('change', () => chosen(select.value));
  return { select, part: h('div', { class: 'cfx-choice' }, h('label', { for: id }, words), select) };
}

function render({ model, el }) {
  const id = 'cfx' + Math.random().toString(36).slice(2), set = (name, value) => { model.set(name, value); model.save_changes(); };
  const alpha = alphaDial(id, 'fewer misses', x => x >= .001 && x <= .999);
  const eps = dial(id + 'e', 'eps', 'shortfall of coverage you can live with', ['closer, more questions', 'looser, fewer'],
    { min: .01, max: .2, step: .005, 'aria-describedby': id + 's' }, .005, x => x >= .005 && x <= .5);
  const sides = choice(id + 'w', 'wanted', { false: 'not more than eps below 1 - alpha', true: 'within eps of 1 - alpha, on both sides' }, v => set('two_sided', v === 'true'));
  const sure = choice(id + 'd', 'confidence', { .2: '80%', .1: '90%', .05: '95%', .01: '99%' }, v => set('delta', +v));
  const title = heading(), summary = h('p', { class: 'cfx-summary', id: id + 's', 'aria-live': 'polite' }), least = hint(), chart = svg('svg', { height: 270, role: 'img' });
  const keys = h('p', { class: 'cfx-keys' }, key('bands', 'where coverage falls'), key('wish', 'wanted'), key('beyond', 'no finite threshold: everything is retrieved'));
  const root = h('div', { class: 'cfx', 'aria-label': 'Sample-size planner', role: 'group' }, h('div', { class: 'cfx-body' },
    h('div', { class: 'cfx-left' }, h('section', { class: 'cfx-alpha' }, ...alpha.parts, ...eps.parts, sides.part, sure.part),
      h('section', { class: 'cfx-needed' }, title, summary, least)),
    h('section', {}, heading('Coverage against the number of questions'), chart, keys)));
  let W = 0;

  function paint() {
    const p = Object.fromEntries(['alpha', 'eps', 'delta', 'two_sided'].map(k => [k, model.get(k)]));
    p.tail = p.two_sided ? p.delta / 2 : p.delta;
    p.finite = fewest(p.alpha); Object.assign(p, sizesNeeded(p.alpha, p.eps, p.tail, p.two_sided));
    const k = rank(p.n, p.alpha), low = betaQuantile(p.tail, k, p.n + 1 - k), high = betaQuantile(1 - p.tail, k, p.n + 1 - k);
    alpha.stand(p.alpha, short(p.alpha), `alpha ${short(p.alpha)}, ${many(p.n, 'question')}`); eps.stand(p.eps, short(p.eps), `eps ${short(p.eps)}, ${many(p.n, 'question')}`);
    sides.select.value = p.two_sided; sure.select.value = short(p.delta);
    title.textContent = `${many(p.n, 'question')} or more`;
    summary.textContent = p.two_sided ? `With so many, coverage falls between ${tenth(low)} and ${tenth(high)} with ${percent(1 - p.delta)} probability.`
                                      : `With so many, coverage is at least ${tenth(low)} with ${percent(1 - p.delta)} probability.`;
    least.textContent = (p.first < p.n ? `The smallest number that will do is ${count(p.first)}; between the two some do and some do not (the teeth of the band). ` : '')
      + `Below ${many(p.finite, 'question')} there is no finite threshold at this alpha: everything is retrieved.`;
    chart.setAttribute('aria-label', `Band of coverage against n. ${title.textContent}. ${summary.textContent}`);
    Object.assign(root.dataset, { alpha: short(p.alpha), eps: short(p.eps), delta: short(p.delta), sides: p.two_sided ? 2 : 1, n: p.n, first: p.first, finite: p.finite, low: low.toFixed(6), high: high.toFixed(6) });
    if (W) chart.replaceChildren(...planChart(p, chart.clientWidth, id));
  }

  alpha.turned(x => set('alpha', x)); eps.turned(x => set('eps', x));
  el.replaceChildren(root);
  for (const name of ['alpha', 'eps', 'delta', 'two_sided']) model.on('change:' + name, paint);
  paint();
  return follow(root, el, () => { W = root.clientWidth; paint(); });
}

export default { render, sizesNeeded };
