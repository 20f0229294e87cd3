// Two models beside each other. `view.models` (made by conflare_nb.show.two_models) holds a row for each rank of both,
// so dragging needs no kernel.
import { count, div, follow, h, heading, many, newId, onChange } from './common.js';
import { rank } from './rank.js';
import {
  alphaDial, axisTitle, bars, binned, columns, countLines, foundBandWords, hatching, scoresFrame, key, keys, middle, named, note,
  path, percent, reach, roundStep, row, short, summaryOf, svg, tallest, text, towers, withinRank,
} from './sliding.js';
import { widget } from './widget.js';

// What is shown of a model at one alpha
export function at(model, alpha) {
  const k = rank(model.n, alpha), i = k - 1;
  if (k > model.scores.length) {
    const sure = model.score.pool ? null : 1;
    return { k, qhat: Infinity, coverage: model.coverable, chunks: model.total, low: sure, high: sure };
  }
  const coverage = model.covered[i], chunks = model.chunks[i];
  return { k, qhat: model.scores[i], coverage, chunks, low: model.low[i], high: model.high[i], tied: model.tied[i] };
}

// The roundest alpha with rank k
export function alphaOf(n, k) {
  const least = (n + 1 - k) / (n + 1);
  for (let places = 2; places < 10; places++) {
    for (const step of [5 / 10 ** places, 1 / 10 ** places]) {
      const alpha = +(Math.max(1, Math.ceil(least / step - 1e-9)) * step).toPrecision(9);
      if (alpha < 1 && rank(n, alpha) === k) return alpha;
    }
  }
}

// ---- the histogram

function binScores(model) {
  const { scores } = model;
  const first = scores[0] ?? 0;
  const last = scores.at(-1) ?? 1;
  const span = last - first || Math.abs(last) / 10 || 1;
  const width = roundStep(span, scores.length < 80 ? 14 : 30);
  const lo = Math.floor(first / width + 1e-9) * width;
  const hi = Math.max(Math.ceil(last / width - 1e-9) * width, lo + width);
  const ranges = binned(scores, lo, hi, width);
  return { lo, hi, ranges, top: tallest(model, ranges) };
}

const frameOf = (bins, W) => scoresFrame(bins, W, 148);

// The rank of the score nearest to where the pointer is; beyond the last there is no threshold
function nearest({ scores }, bins, W, x) {
  const { left, right, end } = frameOf(bins, W);
  if (!scores.length || x > (right + end) / 2) return scores.length + 1;
  const pointed = bins.lo + (bins.hi - bins.lo) * (x - left) / (right - left);
  const closer = (best, score, i) => Math.abs(score - pointed) < Math.abs(scores[best] - pointed) ? i : best;
  return scores.reduce(closer, 0) + 1;
}

const minus = number => number.replace('-', '−');
const qhatWords = ({ digits }, qhat) => qhat < Infinity ? minus(qhat.toFixed(digits)) : 'infinite';

// The numbers below the axis
function scoreScale({ lo, hi }, W, X, y) {
  const step = roundStep(hi - lo, W < 420 ? 5 : 8);
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(lo / step - 1e-6);
  const length = Math.floor((hi - lo) / step + 1e-6) + 2;
  const numbers = Array.from({ length }, (_, i) => (first + i) * step).filter(score => score <= hi + step * 1e-6);
  const words = score => minus((score + 0).toFixed(places).replace(/^-(0\.?0*)$/, '$1'));
  return numbers.map(score => text(X(score), y, words(score), middle));
}

// What can be dragged: the line of the threshold with its grip
const grip = (x, base, head) => [
  path('line', `M${x.toFixed(1)} ${head - 12}V${base + 4}`),
  svg('circle', { class: 'cfx-grip', cx: x.toFixed(1), cy: base + 12, r: 8 }),
  path('chevrons', `M${(x - 2).toFixed(1)} ${base + 9}l-3 3l3 3m4 -6l3 3l-3 3`),
];

function chart(model, bins, shown, W, id) {
  const frame = frameOf(bins, W);
  const { left, right, end, base, head, X } = frame;
  const x = shown.qhat < Infinity ? X(shown.qhat) : end;
  return [
    hatching(id),
    reach(left, head - 6, x - left, base + 6 - head),
    ...countLines(bins.top, frame),
    ...bars(columns(model, bins, shown, frame), id),
    ...towers(bins, frame, x),
    path('axis', `M${left} ${base}H${end}`),
    ...scoreScale(bins, W, X, base + 36),
    text(end - 10, base + 36, 'inf', middle),
    text((left + right) / 2, 209, axisTitle(model.score), middle),
    text(0, 12, 'questions'),
    ...grip(x, base, head),
    named(Math.max(x, 58), head - 10, `qhat ${qhatWords(model, shown.qhat)}`, x > W * .6),
  ];
}

// Follow the pointer from where it is pressed; a finger that moves up or down scrolls the page
function dragged(chart, go) {
  let held = false;
  const to = e => { if (held) go(e.clientX - chart.getBoundingClientRect().left); };
  chart.addEventListener('pointerdown', e => {
    if (e.button) return;
    e.preventDefault();
    chart.setPointerCapture(e.pointerId);
    held = true;
  });
  chart.addEventListener('pointermove', to);
  chart.addEventListener('pointerup', to);
  chart.addEventListener('lostpointercapture', () => { held = false; });
}

// ---- one model

function facts(model, { k, qhat, coverage, chunks, low, high, tied }) {
  const coverable = `every question with an answer${model.score.pool ? ' in the pool' : ''}`;
  const band = qhat < Infinity ? foundBandWords(low, high, tied) : coverable;
  const which = `k = ${k} of n = ${model.n}`.replaceAll(' ', '\u00a0');
  return [
    row('mean chunks', `${chunks.toFixed(1)} of ${count(model.total)}`),
    row('held-out coverage', `${percent(coverage)} of ${many(model.tested, 'question')}`),
    row('its 90% band', band),
    row('qhat', `${qhatWords(model, qhat)} (${which})`),
  ];
}

function chartLabel(model, { k, qhat }) {
  const scores = many(model.n, 'calibration score');
  return `Histogram of ${scores} of ${model.name}. `
    + `qhat ${qhatWords(model, qhat)}; scores beyond it: ${Math.max(0, model.n - withinRank(model, k))}.`;
}

function alphaOfModel(name, id, about) {
  const control = alphaDial(id, 'more chunks', x => x > 0 && x < 1, `of ${name}`, about);
  control.number.setAttribute('aria-label', `alpha of ${name}, as a number`);
  return control;
}

function panelBox(model, scores, control, rows) {
  const colours = keys(
    key('within', 'within qhat'), key('beyond', 'beyond qhat'), h('span', {}, 'drag the line, or use the slider'));
  return h(
    'section', { class: 'cfx-left cfx-model', role: 'group', 'aria-label': model.name },
    h('div', {}, heading(model.name), scores, colours),
    div('alpha', ...control.parts, h('table', {}, rows)),
  );
}

// One model: its histogram, its slider and what both mean; `go(alpha)` when one of them moves
function panel(model, id, about, go) {
  const bins = binScores(model);
  const scores = svg('svg', { class: 'cfx-scores cfx-drag', height: 214, role: 'img' });
  const rows = h('tbody');
  const control = alphaOfModel(model.name, id, about);
  const box = panelBox(model, scores, control, rows);
  let shown, W = 0;

  function show(alpha) {
    shown = at(model, alpha);
    control.stand(alpha, short(alpha), `alpha ${short(alpha)}, ${shown.chunks.toFixed(1)} chunks`);
    rows.replaceChildren(...facts(model, shown));
    scores.setAttribute('aria-label', chartLabel(model, shown));
    if (W) scores.replaceChildren(...chart(model, bins, shown, W, id));
    const qhat = shown.qhat < Infinity ? shown.qhat.toFixed(model.digits) : 'inf';
    Object.assign(box.dataset, { alpha: short(alpha), qhat });
    return shown;
  }
  const resize = () => { W = scores.clientWidth; };

  control.turned(go);
  dragged(scores, x => {
    const k = nearest(model, bins, W, x);
    if (Math.min(shown.k, model.scores.length + 1) !== k) go(alphaOf(model.n, k));
  });
  return { box, show, resize };
}

// ---- both

function compared(models, alphas, linked, [a, b]) {
  const [A, B] = models;
  if (!linked) {
    const words = (model, { qhat, chunks, coverage }) =>
      `${model.name} at qhat ${qhatWords(model, qhat)}: ${chunks.toFixed(1)} chunks, ${percent(coverage)} covered`;
    return `${words(A, a)}; ${words(B, b)}.`;
  }
  const asked = 1 - alphas[0];
  const both = [a, b].every(shown => Math.abs(shown.coverage - asked) <= .05);
  const covered = both
    ? `both cover about ${percent(asked)}.`
    : `they cover ${percent(a.coverage)} and ${percent(b.coverage)}.`;
  const chunks = `${a.chunks.toFixed(1)} chunks with ${A.name}, ${b.chunks.toFixed(1)} with ${B.name}`;
  return `At alpha = ${short(alphas[0])}: ${chunks}; ${covered}`;
}

export function render({ model, el }) {
  const { models } = model.get('view');
  const id = newId();
  const summary = summaryOf(id);
  const same = h('input', { type: 'checkbox' });
  const warning = note('The guarantee holds for a model and an alpha chosen beforehand, on other questions.');
  const panels = models.map((one, i) => panel(one, id + i, id + 's', alpha => {
    warning.classList.add('cfx-on');
    set(i, alpha);
  }));
  const root = h(
    'div', { class: 'cfx' },
    div('compared', summary, h('label', {}, same, ' same alpha for both')),
    div('body cfx-pair', ...panels.map(p => p.box)), warning,
  );

  function paint() {
    const alphas = model.get('alphas');
    const linked = model.get('linked');
    const shown = panels.map((panel, i) => panel.show(alphas[i]));
    same.checked = linked;
    summary.textContent = compared(models, alphas, linked, shown);
  }
  function set(i, alpha) {
    const linked = same.checked;
    model.set('linked', linked);
    model.set('alphas', model.get('alphas').map((old, j) => j === i || linked ? alpha : old));
    model.save_changes();
    paint();
  }
  same.addEventListener('change', () => set(0, model.get('alphas')[0]));

  el.replaceChildren(root);
  paint();
  onChange(model, { alphas: paint, linked: paint });
  return follow(root, el, () => {
    panels.forEach(panel => panel.resize());
    paint();
  });
}

export default widget('models', { render, at, alphaOf });
