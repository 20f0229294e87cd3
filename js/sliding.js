// What has a slider shares: exact ranks, controls, and the pieces of a chart. The helpers are those of common.js.

const svg = maker(tag => document.createElementNS('http://www.w3.org/2000/svg', tag));

const short = x => String(+x.toPrecision(9));
const percent = x => `${+(100 * x).toFixed(4)}%`;

const billionths = alpha => Math.min(Math.max(Math.round(alpha * 1e9), 1), 1e9 - 1);

// k = ceil((n+1)(1-alpha)) in whole numbers, as in conflare_nb.conformal
function rank(n, alpha) {
  const N = (n + 1) * billionths(alpha);
  return n + 1 - (N - N % 1e9) / 1e9;
}

// The smallest calibration set with a finite threshold
const fewest = alpha => Math.ceil(1e9 / billionths(alpha)) - 1;

// A slider and its number, two ways to move one value: `stand` says where they stand, `turned` what to do with a new
// value. The slider's position stands for `of(position)`; a typed number must fit
function dial(id, name, words, ends, range, step, fits, of = x => x) {
  const slider = h('input', { type: 'range', id, ...range }), number = h('input', { type: 'number', 'aria-label': `${name}, as a number`, min: 0, max: 1, step });
  const sides = h('div', { class: 'cfx-ends' }, h('span', {}, `← ${ends[0]}`), h('span', {}, `${ends[1]} →`));
  return { slider, parts: [h('label', { for: id }, h('b', {}, name), ` ${words}`), number, slider, sides],
    stand(at, value, words) {
      slider.value = at;
      slider.setAttribute('aria-valuetext', words);
      if (+number.value !== +value) number.value = value;
      number.setAttribute('aria-invalid', false);
    },
    turned(go) {
      slider.addEventListener('input', () => go(of(+slider.value)));
      number.addEventListener('input', () => { const x = +number.value; number.value && fits(x) ? go(x) : number.setAttribute('aria-invalid', true); });
    } };
}
const alphaDial = (id, more, fits) => dial(id + 'a', 'alpha', 'accepted share of misses', [more, 'more misses'],
  { min: .01, max: .5, step: .005, 'aria-describedby': id + 's' }, .005, fits);

const caution = words => h('p', { class: 'cfx-note' }, words);
const key = (kind, words) => h('span', { class: 'cfx-key' }, h('i', { class: 'cfx-key-' + kind }), words);

const ticks = (lo, hi, most) => {
  const step = [.01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4].find(t => (hi - lo) / t <= most) ?? hi;
  const out = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + 1e-9; i++) out.push(+(i * step).toPrecision(9));
  return out;
};
const box = (x, y, w, up) => `M${x.toFixed(1)} ${y.toFixed(1)}v${-up.toFixed(1)}h${w.toFixed(1)}v${up.toFixed(1)}z`;
const path = (kind, d, more) => svg('path', { class: 'cfx-' + kind, d, ...more });
const text = (x, y, t, more) => svg('text', { x, y, ...more }, t), middle = { 'text-anchor': 'middle' };
const named = (x, y, t, left) => text(x + (left ? -7 : 7), y, t, { class: 'cfx-qhat', 'text-anchor': left ? 'end' : 'start' });
const hatching = id => svg('defs', {}, svg('pattern', { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
  svg('rect', { class: 'cfx-hatch', width: 2.6, height: 5 })));

// Bins of sorted scores as index ranges: at any rank the split bin is cut exactly
function binned(s, lo, hi, width) {
  const out = []; let i = 0;
  for (let b = 1; b <= Math.round((hi - lo) / width); b++) {
    const from = i, edge = lo + b * width - 1e-9;
    while (i < s.length && s[i] < edge) i++;
    out.push([from, i]);
  }
  const last = out.length - 1;
  if (i < s.length) out[last] = [out[last][0], s.length];
  return out;
}
const tallest = (view, ranges) => Math.max(1, view.infinite, ...ranges.map(([a, b]) => b - a));

// The columns of a histogram, cut at rank k, with one for infinite scores at the end
function columns(view, g, { k, qhat }, left, w, end, base, Y) {
  let within = '', beyond = '';
  g.ranges.forEach(([a, b], i) => {
    const n = Math.max(0, Math.min(b, k) - a), rest = b - a - n, from = left + i * w + .5;
    if (n) within += box(from, base, w - 1, base - Y(n));
    if (rest) beyond += box(from, Y(n), w - 1, base - Y(rest));
  });
  if (view.infinite) { const bar = box(end - 16, base, 12, base - Y(view.infinite)); qhat < Infinity ? beyond += bar : within += bar; }
  return { within, beyond };
}
