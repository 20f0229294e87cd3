// Two models beside each other. `view.models` (made by conflare_nb.two_models) holds a row for each rank of both, so
// dragging needs no kernel. The helpers are those of common.js and sliding.js.

// What is shown of a model at one alpha
function at(m, alpha) {
  const k = rank(m.n, alpha), i = k - 1;
  return k <= m.scores.length ? { k, qhat: m.scores[i], coverage: m.covered[i], chunks: m.chunks[i], low: m.low[i], high: m.high[i] }
                              : { k, qhat: Infinity, coverage: m.coverable, chunks: m.total, low: 1, high: 1 };
}

// The roundest alpha with rank k
function alphaOf(n, k) {
  for (let p = 2; p < 10; p++) for (const step of [5 / 10 ** p, 1 / 10 ** p]) {
    const alpha = +(Math.max(1, Math.ceil((n + 1 - k) / (n + 1) / step - 1e-9)) * step).toPrecision(9);
    if (alpha < 1 && rank(n, alpha) === k) return alpha;
  }
}

const step = (span, most) => {
  const ten = 10 ** Math.floor(Math.log10(span / most));
  return [1, 2, 5, 10].map(x => x * ten).find(s => span / s <= most + 1e-9);
};

function bins(m) {
  const s = m.scores, first = s[0] ?? 0, last = s[s.length - 1] ?? 1, width = step(last - first || Math.abs(last) / 10 || 1, s.length < 80 ? 14 : 30);
  const lo = Math.floor(first / width + 1e-9) * width, hi = Math.max(Math.ceil(last / width - 1e-9) * width, lo + width), ranges = binned(s, lo, hi, width);
  return { lo, hi, ranges, top: tallest(m, ranges) };
}

const frame = W => ({ left: 30, right: W - 46, end: W - 8, base: 148, head: 26 });

// The rank of the score nearest to where the pointer is; beyond the last there is no threshold
function nearest(m, g, W, x) {
  const { left, right, end } = frame(W), d = g.lo + (g.hi - g.lo) * (x - left) / (right - left), s = m.scores;
  if (!s.length || x > (right + end) / 2) return s.length + 1;
  return s.reduce((best, v, i) => Math.abs(v - d) < Math.abs(s[best] - d) ? i : best, 0) + 1;
}

const number = (m, qhat) => qhat < Infinity ? qhat.toFixed(m.digits).replace('-', '−') : 'infinite';

function chart(m, g, s, W, id) {
  const { left, right, end, base, head } = frame(W), H = 214, finite = s.qhat < Infinity, w = (right - left) / g.ranges.length;
  const X = d => left + (right - left) * (d - g.lo) / (g.hi - g.lo), Y = n => base - (base - head) * n / g.top, x = finite ? X(s.qhat) : end;
  const { within, beyond } = columns(m, g, s, left, w, end, base, Y), by = step(g.hi - g.lo, W < 420 ? 5 : 8), places = Math.max(0, -Math.floor(Math.log10(by) + 1e-9));
  const scale = Array.from({ length: Math.floor((g.hi - g.lo) / by + 1e-6) + 2 }, (_, i) => (Math.ceil(g.lo / by - 1e-6) + i) * by).filter(d => d <= g.hi + by * 1e-6);
  return [
    hatching(id), svg('rect', { class: 'cfx-reach', x: left, y: head - 6, width: Math.max(0, x - left), height: base + 6 - head }),
    ...ticks(0, g.top, 3).filter(n => n && n % 1 === 0).flatMap(n => [path('grid', `M${left} ${Y(n)}H${right}`), text(left - 5, Y(n) + 4, n, { 'text-anchor': 'end' })]),
    path('within', within), path('beyond', beyond, { fill: `url(#${id})` }), path('axis', `M${left} ${base}H${end}`),
    ...scale.map(d => text(X(d), base + 36, (d + 0).toFixed(places).replace(/^-(0\.?0*)$/, '$1').replace('-', '−'), middle)), text(end - 10, base + 36, 'inf', middle),
    text((left + right) / 2, H - 5, 'score', middle), text(0, 12, 'questions'),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base + 4}`), svg('circle', { class: 'cfx-grip', cx: x.toFixed(1), cy: base + 12, r: 8 }),
    path('chevrons', `M${(x - 2).toFixed(1)} ${base + 9}l-3 3l3 3m4 -6l3 3l-3 3`),
    named(x, head - 10, `qhat ${number(m, s.qhat)}`, x > W * .6),
  ];
}

// Follow the pointer from where it is pressed; a finger that moves up or down scrolls the page
function dragged(chart, go) {
  let held = false;
  const to = e => { if (held) go(e.clientX - chart.getBoundingClientRect().left); };
  chart.addEventListener('pointerdown', e => {
    if (e.button) return;
    e.preventDefault(); chart.setPointerCapture(e.pointerId); held = true;
  });
  chart.addEventListener('pointermove', to); chart.addEventListener('pointerup', to);
  chart.addEventListener('lostpointercapture', () => { held = false; });
}

// One model: its histogram, its slider and what both mean; `go(alpha)` when one of them moves
function panel(m, id, about, go) {
  const g = bins(m), scores = svg('svg', { class: 'cfx-scores cfx-drag', height: 214, role: 'img' }), rows = h('tbody');
  const d = dial(id + 'a', 'alpha', `of ${m.name}`, ['more chunks', 'more misses'], { min: .01, max: .5, step: .005, 'aria-describedby': about }, .005, x => x > 0 && x < 1);
  d.parts[1].setAttribute('aria-label', `alpha of ${m.name}, as a number`);
  let W = 0, now;
  d.turned(go);
  dragged(scores, x => { const k = nearest(m, g, W, x); if (Math.min(now.k, m.scores.length + 1) !== k) go(alphaOf(m.n, k)); });
  const row = (name, ...words) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, ...words));
  function show(alpha) {
    const s = now = at(m, alpha), finite = s.qhat < Infinity;
    d.stand(alpha, short(alpha), `alpha ${short(alpha)}, ${s.chunks.toFixed(1)} chunks`);
    rows.replaceChildren(row('chunks, mean', `${s.chunks.toFixed(1)} of ${count(m.total)}`), row('held-out coverage', `${percent(s.coverage)} of ${many(m.tested, 'question')}`),
      row('its 90% band', finite ? `${percent(s.low)} to ${percent(s.high)}` : 'all that has an answer'), row('qhat', `${number(m, s.qhat)} (${`k = ${s.k} of n = ${m.n}`.replaceAll(' ', '\u00a0')})`));
    scores.setAttribute('aria-label', `Histogram of ${many(m.n, 'calibration score')} of ${m.name}. qhat ${number(m, s.qhat)}, ${Math.max(0, m.n - s.k)} scores rank beyond.`);
    if (W) scores.replaceChildren(...chart(m, g, s, W, id));
    Object.assign(box.dataset, { alpha: short(alpha), qhat: finite ? s.qhat.toFixed(m.digits) : 'inf' });
    return s;
  }
  const keys = h('p', { class: 'cfx-keys' }, key('within', 'within qhat'), key('beyond', 'beyond'), h('span', {}, 'drag the line, or use the slider'));
  const box = h('section', { class: 'cfx-left cfx-model', role: 'group', 'aria-label': m.name }, h('div', {}, heading(m.name), scores, keys),
    h('div', { class: 'cfx-alpha' }, ...d.parts, h('table', {}, rows)));
  return { box, show, resize: () => { W = scores.clientWidth; } };
}

function compared(models, alphas, linked, [a, b]) {
  const [A, B] = models.map(m => m.name);
  if (!linked) return [a, b].map((s, i) => `${[A, B][i]} within ${number(models[i], s.qhat)}: ${s.chunks.toFixed(1)} chunks, ${percent(s.coverage)} covered`).join('; ') + '.';
  const asked = 1 - alphas[0], both = [a, b].every(s => Math.abs(s.coverage - asked) <= .05);
  return `At alpha = ${short(alphas[0])}: ${a.chunks.toFixed(1)} chunks with ${A}, ${b.chunks.toFixed(1)} with ${B}; `
    + (both ? `both cover about ${percent(asked)}.` : `they cover ${percent(a.coverage)} and ${percent(b.coverage)}.`);
}

function render({ model, el }) {
  const { models } = model.get('view'), id = 'cfx' + Math.random().toString(36).slice(2);
  const summary = h('p', { class: 'cfx-summary', id: id + 's', 'aria-live': 'polite' }), same = h('input', { type: 'checkbox' });
  const note = caution('The guarantee is for a model and an alpha chosen beforehand, on other questions.');
  const panels = models.map((m, i) => panel(m, id + i, id + 's', alpha => { note.classList.add('cfx-on'); set(i, alpha); }));
  const root = h('div', { class: 'cfx' }, h('div', { class: 'cfx-compared' }, summary, h('label', {}, same, ' same alpha for both')),
    h('div', { class: 'cfx-body cfx-pair' }, ...panels.map(p => p.box)), note);

  function paint() {
    const alphas = model.get('alphas'), linked = model.get('linked');
    same.checked = linked;
    summary.textContent = compared(models, alphas, linked, panels.map((p, i) => p.show(alphas[i])));
  }
  function set(i, alpha) {
    const linked = same.checked;
    model.set('linked', linked);
    model.set('alphas', model.get('alphas').map((old, j) => j === i || linked ? alpha : old));
    model.save_changes(); paint();
  }
  same.addEventListener('change', () => set(0, model.get('alphas')[0]));

  el.replaceChildren(root);
  paint();
  for (const name of ['alphas', 'linked']) model.on('change:' + name, paint);
  return follow(root, el, () => { panels.forEach(p => p.resize()); paint(); });
}

export default { render, at, alphaOf };
