// The strip: known questions are dots on an axis, a histogram where they are many, and a line up to which one reads. The
// first minute and the explorer draw it; what else stands in it they add by `drawn`.
import { count, div, newId, paragraph } from './common.js';
import { box, path, roundStep, scale, svg, tallest, text } from './sliding.js';

export const TOP = 26, EDGE = 14;       // where the line begins, and the axis
const MANY = 150;                       // beyond so many dots they are columns
const DOT = 7;                          // radius of a known question

// How high each dot lies on those that stand at its place already
export function piles(xs, width) {
  const high = {};
  return xs.map(x => {
    const bin = Math.round(x / width);
    high[bin] = (high[bin] ?? -1) + 1;
    return high[bin];
  });
}

// ---- motion

export const ease = t => 1 - (1 - t) ** 3;
export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// Call `step` with 0 to 1 until the time is over; a later motion of the same kind ends an earlier one
export function mover() {
  let current = 0;
  return (ms, step) => new Promise(done => {
    const mine = ++current;
    if (still()) {
      step(1);
      return done(true);
    }
    const begun = performance.now();
    const frame = () => {
      if (mine !== current) return done(false);
      const t = Math.min(1, (performance.now() - begun) / ms);
      step(t);
      if (t < 1) requestAnimationFrame(frame);
      else done(true);
    };
    frame();
  });
}

// Say where in the picture somebody pulls; what `apart` selects is not pulled
export function dragging(root, go, apart) {
  const place = e => go(e.clientX - root.getBoundingClientRect().left);
  root.addEventListener('pointerdown', e => {
    if (e.button || apart && e.target.closest(apart)) return;
    root.setPointerCapture(e.pointerId);
    place(e);
  });
  root.addEventListener('pointermove', e => { if (root.hasPointerCapture(e.pointerId)) place(e); });
}

// ---- the picture

export const circle = (kind, r, words) => {
  const dot = svg('circle', { class: 'cfx-dot', r, 'data-kind': kind });
  if (words) dot.words = words;
  return dot;
};

export function colour(dot, found) {
  dot.setAttribute('class', found ? 'cfx-dot cfx-found' : 'cfx-dot cfx-missed');
}

// Columns of sorted scores, each up to and with its right end, so that a line behind a score takes all that equal it
function columns(scores, { X, axis }) {
  const finite = scores.filter(Number.isFinite);
  const infinite = scores.length - finite.length;
  const width = roundStep((finite.at(-1) - finite[0]) || 1, 80);
  const bins = [];
  for (const score of finite) {
    const bin = Math.max(0, Math.ceil((score - finite[0]) / width - 1e-9));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const ranges = Array.from(bins, n => [0, n ?? 0]);
  const top = tallest({ infinite }, ranges);
  const Y = scale(0, top, 0, axis - TOP - 12);
  let d = '', high = [];
  ranges.forEach(([, n], bin) => {
    const right = X(finite[0] + bin * width);
    const left = Math.max(EDGE, X(finite[0] + (bin - 1) * width));
    if (n) d += box(left + .5, axis, Math.max(1, right - left - 1), Y(Math.min(n, top)));
    if (n > top) high.push(text(right + 5, TOP + 12, `${count(n)} ↑`, { class: 'cfx-tower' }));
  });
  if (infinite) d += box(X(Infinity) - 5, axis, 10, Y(Math.min(infinite, top)));
  return { d, high };
}

// `ends` are the words at both ends of the axis, `axis` its height and `depth` what is below it in a picture so wide,
// `drawn` what else is in it, and `over` what is before the line. The line keeps away from the dot where it stops, where
// `next` says which score comes then. A question is asked where `ask` is given and its dot clicked.
export function strip({ ends, axis, depth, low = 18, drawn = () => [], over = null, next, ask = null }) {
  const id = newId();
  const root = svg('svg', { class: 'cfx-strip', role: 'img' });
  const line = svg('g', { class: 'cfx-stop' });
  const behind = svg('rect', { class: 'cfx-reach', y: TOP, x: EDGE });
  const cut = svg('rect', { x: 0, y: 0, height: 1e3 });
  const tip = paragraph('tip');
  const part = div('picture', root, tip);
  let frame, known = [], lineX = 0;

  function show(scores, texts) {
    const grouped = scores.length > MANY;
    known = grouped ? [] : scores.map((score, i) => ({ score, dot: circle('known', DOT, texts[i]), x: null }));
    known.grouped = grouped ? [...scores].sort((a, b) => a - b) : null;
    lay();
  }

  function around(scores, W) {
    const finite = scores.filter(Number.isFinite);
    const [lo, hi] = finite.length ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
    const space = (hi - lo || 1) * .03;
    const place = scale(lo - space, hi + space, EDGE, W - 40);
    const high = axis(W);
    const X = score => score < Infinity ? place(score) : W - 16;
    frame = { W, axis: high, ground: high + depth(W), X };
    known.forEach(one => { one.x = null; });
    lay();
  }

  function layDots() {
    const r = Math.min(DOT, Math.max(3.5, frame.W / (1.2 * known.length)));
    const xs = known.map(({ score }) => frame.X(score));
    const rows = piles(xs, 2 * r + 1);
    const step = Math.min(2 * r + 1, (frame.axis - TOP - 2 * r - 12) / Math.max(...rows));
    root.classList.toggle('cfx-dense', step < r);
    known.forEach((one, i) => {
      Object.assign(one, { from: one.x ?? xs[i], to: xs[i] });
      one.dot.setAttribute('r', r);
      one.dot.setAttribute('cy', frame.axis - r - 3 - rows[i] * step);
      one.dot.toggleAttribute('data-ask', !!ask && !!one.dot.words);
    });
    return known.map(({ dot }) => dot);
  }

  function layColumns() {
    const { d, high } = columns(known.grouped, frame);
    return [path('missed', d), path('found', d, { 'clip-path': `url(#${id})` }), ...high];
  }

  function lay() {
    if (!frame) return;
    const { W, axis, ground } = frame;
    root.setAttribute('height', ground + 12);
    line.replaceChildren(
      path('line', `M0 ${TOP}V${ground}`), svg('circle', { class: 'cfx-grip', r: 9, cy: axis }),
      text(0, 16, 'stop reading here', { class: 'cfx-qhat' }),
    );
    const [near, far] = ends();
    root.replaceChildren(
      svg('defs', {}, svg('clipPath', { id }, cut)), behind, path('axis', `M${EDGE} ${axis}H${W - EDGE}`),
      text(EDGE, axis + low, near), text(W - EDGE, axis + low, far, { 'text-anchor': 'end' }),
      ...(known.grouped ? layColumns() : layDots()), ...drawn(frame), line, ...[over].filter(Boolean),
    );
    glide(1);
  }

  function glide(t) {
    known.forEach(one => {
      one.x = one.from + (one.to - one.from) * t;
      one.dot.setAttribute('cx', one.x.toFixed(1));
    });
    stand(lineX);
  }

  // The line at a place of the picture: what lies before it is read
  function stand(x) {
    lineX = x;
    const words = line.lastChild;
    if (!frame || !words) return;
    line.setAttribute('transform', `translate(${x.toFixed(1)} 0)`);
    words.setAttribute('text-anchor', x < 70 ? 'start' : x > frame.W - 70 ? 'end' : 'middle');
    const read = Math.max(0, x - EDGE);
    behind.setAttribute('width', read);
    behind.setAttribute('height', frame.ground - TOP);
    cut.setAttribute('width', x.toFixed(1));
    for (const one of known) {
      const found = one.x <= x;
      if (one.found !== found) colour(one.dot, found);
      one.found = found;
    }
  }

  // Just behind the dot where it stops, and never behind the next
  function placeOf(score) {
    if (score === Infinity) return frame.W - EDGE;
    const x = frame.X(score);
    if (!next || known.grouped) return x + .5;
    return Math.max(x + .5, Math.min(x + 10, (x + frame.X(next(score))) / 2));
  }

  root.addEventListener('pointerover', ({ target }) => {
    tip.textContent = target.words ?? '';
    if (!target.words) return;
    const x = +target.getAttribute('cx');
    tip.style.left = `${Math.max(0, Math.min(x - 130, frame.W - 260))}px`;
    tip.style.top = `${+target.getAttribute('cy') + 14}px`;
  });
  root.addEventListener('pointerleave', () => { tip.textContent = ''; });
  root.addEventListener('click', ({ target }) => { if (target.hasAttribute('data-ask')) ask(target.words); });
  return {
    part, root, line, show, around, lay, glide, stand, placeOf,
    at: () => lineX, places: () => known, frame: () => frame,
  };
}
