// What has a slider shares: controls, and the pieces of a chart.
import { count, h, many, maker, paragraph, span } from './common.js';
import { fewest, levelOf, levelText } from './rank.js';

export const svg = maker(tag => document.createElementNS('http://www.w3.org/2000/svg', tag));

export const short = x => String(+x.toPrecision(9));
export const percent = x => `${+(100 * x).toFixed(4)}%`;

// The band of a test in words: rounded outwards, from below only where scores tie, or that there is none
const noBandWords = 'too few documents for a band';
export function foundBandWords(low, high, tied) {
  if (low === null) return noBandWords;
  const least = percent(Math.floor(low * 1000 + 1e-6) / 1000);
  return tied ? `at least ${least}` : `${least} to ${percent(Math.ceil(high * 1000 - 1e-6) / 1000)}`;
}
// That of a threshold, which ends at 1 only where scores tie
export const noBand = (low, high) => low === 0 && high === 1;
export const bandWords = (low, high) => noBand(low, high) ? noBandWords : foundBandWords(low, high, high === 1);
export const qhatOf = qhat => qhat < Infinity ? qhat.toFixed(4) : 'inf';
export const cut = words => words.length > 90 ? words.slice(0, 89) + '…' : words;

// What stands beside a score: a share where it is one's logarithm
export const shareText = share => `${+(100 * share).toPrecision(2)}%`;
export function beside({ shares }, score) {
  if (!shares) return '';
  return score ? `share ${shareText(Math.exp(-score))}` : 'best chunk';
}
// A choice among the questions of a page, which says the chosen one in full; one alone is only said
export function questionChoice(texts, id) {
  const several = texts.length > 1;
  const options = texts.map((text, i) => h('option', { value: i }, cut(text)));
  const choice = h('select', { id: id + 'q', hidden: !several }, ...options);
  const label = several ? h('label', { for: id + 'q' }, 'Question') : h('b', {}, 'Question');
  const words = paragraph('saved');
  function show(i) {
    choice.value = i;
    words.textContent = texts[i];
    words.hidden = several && cut(texts[i]) === texts[i];
  }
  return { choice, parts: [label, choice, words], show };
}

// Why there is no threshold
export function whyInfinite(view, alpha, k) {
  const n = many(view.n, 'question');
  if (k <= view.n) return `For ${view.infinite} of ${n}, no chunk that answers was found.`;
  const few = view.n === 1 ? 'is too few' : 'are too few';
  return `${n} ${few} for alpha = ${short(alpha)}; at least ${count(fewest(alpha))} are needed.`;
}

// ---- controls and tables

// A slider and its number, two ways to move one value. `words` say what it is, `ends` where the slider leads, and
// `fits` whether a typed number will do. The slider's position stands for the value `of(position)`. Where `level` is true
// a fraction may be typed, too.
export function dial(id, { name, words, ends, range, step, fits, of = x => x, level = false }) {
  const kind = level ? { type: 'text', inputmode: 'decimal' } : { type: 'number', min: 0, max: 1, step };
  const read = level ? levelOf : text => text ? +text : NaN;
  const slider = h('input', { type: 'range', id, ...range });
  const number = h('input', { ...kind, class: 'cfx-number', 'aria-label': `${name}, as a number` });
  const label = h('label', { for: id }, h('b', {}, name), ` ${words}`);
  const sides = h('div', { class: 'cfx-ends' }, h('span', {}, `← ${ends[0]}`), h('span', {}, `${ends[1]} →`));
  const invalid = is => number.setAttribute('aria-invalid', is);

  // Where both stand now
  function stand(position, value, words) {
    slider.value = position;
    slider.setAttribute('aria-valuetext', words);
    const [now, text] = level ? [position, levelText(position)] : [+value, value];
    if (read(number.value) !== now) number.value = text;
    invalid(false);
  }

  // What to do with a new value
  function turned(go) {
    slider.addEventListener('input', () => go(of(+slider.value)));
    number.addEventListener('input', () => {
      const value = read(number.value);
      if (fits(value)) go(value);
      else invalid(true);
    });
  }
  return { slider, number, parts: [label, number, slider, sides], stand, turned };
}

const small = id => ({ min: .01, max: .5, step: .005, 'aria-describedby': id });
export const alphaDial = (id, more, fits, words = 'the share of misses you allow', about = id + 's') => dial(id + 'a', {
  name: 'alpha', words, ends: [more, 'more misses'], range: small(about), fits, level: true,
});
export const note = words => paragraph('note', words);
export const summaryOf = id => h('p', { class: 'cfx-summary', id: id + 's', 'aria-live': 'polite' });

export const key = (kind, words) => span('key', h('i', { class: 'cfx-key-' + kind }), words);
export const keys = (...kids) => paragraph('keys', ...kids);

export const row = (name, ...cells) =>
  h('tr', {}, h('th', { scope: 'row' }, name), ...cells.map(cell => h('td', {}, cell)));
export function table(names, rows) {
  const heads = names.map(name => h('th', { scope: 'col' }, name));
  return h('table', {}, h('thead', {}, h('tr', {}, ...heads)), rows);
}

// ---- pieces of a chart

// Round numbers of a scale
export function ticks(lo, hi, most) {
  const steps = [.01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4];
  const step = steps.find(t => (hi - lo) / t <= most) ?? hi;
  const out = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + 1e-9; i++) out.push(+(i * step).toPrecision(9));
  return out;
}

// A round step of which at most so many fit in
export function roundStep(span, most) {
  const ten = 10 ** Math.floor(Math.log10(span / most));
  return [1, 2, 5, 10].map(x => x * ten).find(step => span / step <= most + 1e-9);
}

// The way from a number between `lo` and `hi` to its place between `from` and `to`
export const scale = (lo, hi, from, to) => x => from + (to - from) * (x - lo) / (hi - lo);

export const box = (x, y, width, up) =>
  `M${x.toFixed(1)} ${y.toFixed(1)}v${-up.toFixed(1)}h${width.toFixed(1)}v${up.toFixed(1)}z`;
export const path = (kind, d, more) => svg('path', { class: 'cfx-' + kind, d, ...more });
export const reach = (x, y, width, height) =>
  svg('rect', { class: 'cfx-reach', x, y, width: Math.max(0, width), height: Math.max(0, height) });

export const middle = { 'text-anchor': 'middle' };
export const text = (x, y, words, more) => svg('text', { x, y, ...more }, words);
export const before = (x, y, words) => text(x, y, words, { 'text-anchor': 'end' });
export const named = (x, y, words, left) =>
  text(x + (left ? -7 : 7), y, words, { class: 'cfx-qhat', 'text-anchor': left ? 'end' : 'start' });

// A line of the grid at a height, with its number before it
export const gridLine = (left, right, y, words) =>
  [path('grid', `M${left} ${y}H${right}`), before(left - 5, y + 4, words)];
export const countLines = (top, { left, right, Y }) =>
  ticks(0, top, 3).filter(n => n && n % 1 === 0).flatMap(n => gridLine(left, right, Y(n), n));

export function hatching(id) {
  const lines = { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  return svg('defs', {}, svg('pattern', lines, svg('rect', { class: 'cfx-hatch', width: 2.6, height: 5 })));
}
export const hatched = id => ({ fill: `url(#${id})` });
export const bars = ({ within, beyond }, id) => [path('within', within), path('beyond', beyond, hatched(id))];

// ---- histograms of calibration scores

// How high it is drawn. A column that towers over all others, as where most scores are 0, is cut off.
export function tallest(view, ranges) {
  const counts = [view.infinite, ...ranges.map(([from, to]) => to - from)];
  const [most, next = 0] = counts.sort((a, b) => b - a);
  return next > 2 && most > 4 * next ? 2 * next : Math.max(1, most);
}
