// Both sides of a contradiction in the browser. `view` (made by conflare_nb.show.contradictions) holds ranks, score
// and the number of smaller calibration scores of every side, so sliding needs no kernel.
import {
  count, div, follow, h, heading, hint, keeper, many, newId, onChange, paragraph, section, span,
} from './common.js';
import { rank } from './rank.js';
import {
  alphaDial, axisTitle, beside, capital, cut, key, keys, middle, named, note, path, percent, qhatOf, qhatWords, reach,
  row, scale, scoreText, short, summaryOf, svg, table, text, ticks, whyInfinite,
} from './sliding.js';
import { widget } from './widget.js';

// How many questions have all their sides retrieved, some of them, and none
function tally(view, retrieved) {
  const found = view.sides.map(sides => sides.filter(retrieved).length);
  const every = found.filter((n, i) => n === view.sides[i].length).length;
  return [every, found.filter(Boolean).length - every, found.filter(n => !n).length];
}

// What the viewer shows at one alpha
export function at(view, alpha) {
  const k = rank(view.n, alpha);
  const tallies = { 'within qhat': tally(view, side => side.beyond < k) };
  for (const top of [1, view.top_k]) tallies[`top-${top} by distance`] = tally(view, side => side.nearest <= top);
  return { k, qhat: view.scores[k - 1] ?? Infinity, tallies };
}

// ---- words

function counted(view, shown) {
  const [every, ...others] = shown.tallies['within qhat'].map((n, i) => `${view.words[i]}: ${count(n)}`);
  return [`${every} of ${count(view.sides.length)}`, ...others].join('; ');
}

function hereWords(view, sides, k) {
  const inside = sides.filter(side => side.beyond < k).length;
  if (inside === sides.length) return view.words[0];
  return view.words[inside ? 1 : 2];
}

function summarise(view, shown, sides) {
  const { k, qhat } = shown;
  const which = qhat < Infinity
    ? `qhat = ${qhatWords(view, qhat)} (k = ${k} of n = ${view.n}).`
    : `${capital(view.score.everything)} is retrieved.`;
  const here = `Retrieved for this question: ${hereWords(view, sides, k)}.`;
  return `${which} ${here} For all questions, ${counted(view, shown)}.`;
}

function guaranteed(view, alpha, { k, qhat }) {
  if (qhat === Infinity) return whyInfinite(view, alpha, k);
  return `For at least ${percent(1 - alpha)} of questions like the calibration questions, a chunk that answers is `
    + `retrieved, or ${view.score.everything} is, on average over calibration sets. `
    + 'One side alone is enough to keep this promise.';
}

function lineLabel(view, sides, { k, qhat }) {
  const number = ({ score }) => score == null ? 'not in the pool' : scoreText(view.score, score);
  const where = side => `${number(side)}, ${side.beyond < k ? 'retrieved' : 'left out'}`;
  const words = sides.map((side, i) => `${view.names[i]}: ${where(side)}`);
  const threshold = qhat < Infinity ? `qhat: ${scoreText(view.score, qhat)}` : 'qhat is infinite';
  return `${capital(view.score.label)}. ${words.join('. ')}. ${threshold}.`;
}

// ---- the sides as marks

// One mark for each side, told apart by shape and colour: filled = retrieved, hollow = left out
const SHAPES = [
  (x, y) => `M${x - 6} ${y}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z`,
  (x, y) => `M${x - 5.5} ${y - 5.5}h11v11h-11z`,
  (x, y) => `M${x} ${y - 6.5}l6.5 12h-13z`,
];

function mark(i, x, y, inside) {
  const out = inside ? '' : ' cfx-out';
  return path(`side cfx-side-${i % 3}${out}`, SHAPES[i % 3](+x.toFixed(1), y));
}

const glyph = (i, inside) =>
  svg('svg', { class: 'cfx-glyph', width: 16, height: 16, 'aria-hidden': true }, mark(i, 8, 8, inside));

function lineFrame(view, sides, W) {
  const ends = [...view.scores.slice(0, 1), ...view.scores.slice(-1)];
  const all = [...view.sides.flat().map(side => side.score), ...ends].filter(score => score != null);
  const lo = Math.min(...all);
  const hi = Math.max(...all, lo + .01);
  const left = 14, right = W - 46, head = 26;
  return {
    lo, hi, left, right, end: W - 8, head,
    base: head + 16 + 26 * sides.length,
    X: scale(lo, hi, left, right),
    line: i => head + 18 + 26 * i,
  };
}

// The sides of one question, and the calibration scores as ticks below
function numberLine(view, sides, { k, qhat }, W) {
  const { lo, hi, left, right, end, head, base, X, line } = lineFrame(view, sides, W);
  const finite = qhat < Infinity;
  const x = finite ? X(qhat) : end;
  const at = ({ score }) => score == null ? end - 10 : X(score);
  const places = sides.map((side, i) => `${at(side).toFixed(1)} ${line(i)}`);
  const lost = sides.some(side => side.score == null);
  const digits = Math.min(view.score.digits, hi - lo < 4 ? 2 : 0);
  return [
    reach(0, head - 6, x, base + 20 - head),
    path('axis', `M0 ${base}H${end}`),
    path('far', view.scores.map(score => `M${X(score).toFixed(1)} ${base + 3}v9`).join('')),
    path('joins', 'M' + places.join('L')),
    ...ticks(lo, hi, W < 420 ? 4 : 8).map(d => text(X(d), base + 28, d.toFixed(digits), middle)),
    finite && !lost ? null : text(end - 10, base + 28, 'inf', middle),
    text((left + right) / 2, base + 46, axisTitle(view.score), middle),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base + 14}`),
    ...sides.map((side, i) => mark(i, at(side), line(i), side.beyond < k)),
    named(x, head - 12, finite ? `qhat ${qhatWords(view, qhat)}` : 'qhat infinite', x > Math.min(W * .6, W - 180)),
  ].filter(Boolean);
}

// ---- the parts

// Where a side stands: by the score, and, where that is another order, by distance
function sideNumbers({ score, total }, side) {
  const nearest = `rank ${count(side.nearest)} of ${count(total)}`;
  if (side.score == null) return `not in the pool; by distance ${nearest}`;
  const number = [scoreText(score, side.score), beside(score, side.score)].filter(Boolean).join(', ');
  if (score.nearest) return [nearest, score.digits ? `${score.word} ${number}` : null].filter(Boolean).join(' · ');
  return `rank ${count(side.rank)} · score ${number} · by distance ${nearest}`;
}

function sideCard(view, side, i) {
  const sign = h('span', {});
  const said = h('b', {});
  const numbers = ` · ${sideNumbers(view, side)}`;
  const item = h(
    'li', { class: `cfx-chunk cfx-side-${i % 3}` },
    paragraph('name', sign, h('b', {}, view.names[i])),
    paragraph('said-so', said, numbers),
    paragraph('where', side.title),
    paragraph('id', [side.document, side.heading].filter(Boolean).join(' › ')),
    paragraph('words', side.text),
  );
  function show(inside) {
    sign.replaceChildren(glyph(i, inside));
    said.textContent = inside ? 'retrieved' : 'left out';
    item.classList.toggle('cfx-off', !inside);
  }
  return { item, show };
}

function questionBox({ questions }, id) {
  const option = (question, i) => h('option', { value: i }, `${i + 1} of ${questions.length}: ${cut(question)}`);
  const choice = h('select', { id: id + 'q' }, ...questions.map(option));
  const step = (sign, to) => h('button', { type: 'button', 'aria-label': `${to} question` }, sign);
  const previous = step('←', 'Previous');
  const next = step('→', 'Next');
  const words = h('p', { class: 'cfx-saved', 'aria-live': 'polite' });
  const label = h('label', { for: id + 'q' }, 'Question');
  const part = div('question', label, div('pick', choice, previous, next), words);
  return { choice, previous, next, words, part };
}

function legend({ names }) {
  const named = names.map((name, i) => span('key', glyph(i, true), name));
  return keys(...named, span('key', glyph(0, false), 'hollow: left out'), key('tick', 'a calibration score'));
}

function alphaBox(view, id) {
  const summary = summaryOf(id);
  const promise = hint();
  const { parts, stand, turned } = alphaDial(id, 'more chunks', x => x > 0 && x < 1);
  function paint(alpha, shown, sides) {
    stand(alpha, short(alpha), `alpha ${short(alpha)}, ${counted(view, shown)}`);
    summary.textContent = summarise(view, shown, sides);
    promise.textContent = guaranteed(view, alpha, shown);
  }
  return { part: h('section', { class: 'cfx-alpha' }, ...parts, summary, promise), paint, turned };
}

function figures(view) {
  const line = svg('svg', { role: 'img' });
  const rows = h('tbody');
  const questions = many(view.questions.length, 'question');
  const title = view.score.word === 'distance' ? 'Distance of each side from the question' : 'Score of each side';
  const parts = [
    section(heading(title), line, legend(view)),
    section(heading(`Sides retrieved, for ${questions}`), table(['', ...view.words], rows)),
  ];
  function paint(sides, shown, W) {
    const tallyRow = ([rule, numbers]) => row(rule, ...numbers.map(count));
    rows.replaceChildren(...Object.entries(shown.tallies).map(tallyRow));
    line.setAttribute('aria-label', lineLabel(view, sides, shown));
    line.setAttribute('height', 92 + 26 * sides.length);
    if (W) line.replaceChildren(...numberLine(view, sides, shown, W));
  }
  return { parts, paint, width: () => line.clientWidth };
}

// The parts, and how to draw them again
function layout(view, id) {
  const question = questionBox(view, id);
  const slider = alphaBox(view, id);
  const charts = figures(view);
  const warning = note('The guarantee holds for an alpha chosen beforehand, not for one picked by what it retrieves.');
  const list = h('ol', { class: 'cfx-sides', 'aria-label': 'Sides' });
  const left = div('left', slider.part, ...charts.parts, warning);
  const attrs = { class: 'cfx', role: 'group', 'aria-label': 'Contradiction viewer' };
  const root = h('div', attrs, question.part, div('body', left, list));
  let cards;

  function paint(i, alpha, W) {
    const shown = at(view, alpha);
    const { k, qhat, tallies } = shown;
    slider.paint(alpha, shown, view.sides[i]);
    cards.forEach((card, j) => card.show(view.sides[i][j].beyond < k));
    charts.paint(view.sides[i], shown, W);
    const tally = tallies['within qhat'].join(' ');
    Object.assign(root.dataset, { question: i, alpha: short(alpha), k, qhat: qhatOf(qhat), tally });
  }

  function show(i) {
    question.choice.value = i;
    question.words.textContent = view.questions[i];
    cards = view.sides[i].map((side, j) => sideCard(view, side, j));
    list.replaceChildren(...cards.map(card => card.item));
  }
  return { root, question, slider, warning, width: charts.width, paint, show };
}

export function render({ model, el }) {
  const view = model.get('view');
  const size = view.questions.length;
  const keep = keeper(model);
  const { root, question, slider, warning, width, ...draw } = layout(view, newId());
  let W = 0;

  const paint = () => draw.paint(model.get('question'), model.get('alpha'), W);
  function show() {
    draw.show(model.get('question'));
    paint();
  }

  function choose(i) {
    keep('question', (i + size) % size);
    show();
  }
  slider.turned(alpha => {
    keep('alpha', alpha);
    warning.classList.add('cfx-on');
    paint();
  });
  question.choice.addEventListener('change', () => choose(+question.choice.value));
  question.previous.addEventListener('click', () => choose(model.get('question') - 1));
  question.next.addEventListener('click', () => choose(model.get('question') + 1));

  el.replaceChildren(root);
  show();
  onChange(model, { alpha: paint, question: show });
  return follow(root, el, () => {
    W = width();
    paint();
  });
}

export default widget('contradictions', { render, at });
