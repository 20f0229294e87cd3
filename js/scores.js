// Several scores of one question beside each other. `view` (made by conflare_nb.show.scores) says of every chunk how many
// calibration scores lie below its own, so sliding needs no kernel.
import {
  card, count, div, folded, follow, h, heading, hint, keeper, many, newId, onChange, paragraph, section, span,
} from './common.js';
import { rank } from './rank.js';
import { alphaDial, box, key, keys, note, path, percent, questionChoice, short, summaryOf, svg, whyInfinite } from './sliding.js';
import { widget } from './widget.js';

// What one score keeps of one question: the chunks that fewer than k calibration scores lie below
export function kept({ n, scores }, { steps, answers }, alpha) {
  const k = rank(n, alpha);
  const qhat = k > scores.length ? Infinity : scores[k - 1];
  const [, chunks, tokens] = steps.findLast(([below]) => below < k) ?? [0, 0, 0];
  const answered = answers && answers.some(place => place <= chunks);
  return { k, qhat, chunks, tokens, answered };
}

export const at = (view, question, alpha) =>
  view.scores.map((score, i) => kept(score, view.questions[question].columns[i], alpha));

// ---- words

function summarise({ scores }, alpha, shown) {
  const sizes = scores.map(({ name }, i) => `${name} ${count(shown[i].chunks)}`);
  return `Chunks at alpha = ${short(alpha)}: ${sizes.join(', ')}.`;
}

const guaranteed = alpha => `Each score makes the same promise: for at least ${percent(1 - alpha)} of questions like `
  + 'the calibration questions, a chunk that answers is retrieved, or everything in the score’s reach is, '
  + 'on average over calibration sets.';

function limitWords(score, alpha, { k, qhat }) {
  if (qhat === Infinity) return `No finite threshold, so ${score.everything} is kept. ${whyInfinite(score, alpha, k)}`;
  return `${score.label} up to ${short(+qhat.toFixed(4))}`;
}

function answerWords({ answers }, { answered }) {
  if (answers == null) return span('unknown', 'Which chunks answer is not known.');
  if (answered) return span('yes', `✓ answered, rank ${answers[0]}`);
  if (!answers.length) return span('no', '✗ no chunk in its reach answers');
  return span('no', `✗ not answered; the chunk of rank ${answers[0]} would`);
}

// ---- one score

// A square for each chunk that is kept, a triangle where it answers
const most = 400, size = 9, gap = 3;

function tally({ answers }, { chunks }, W) {
  const across = Math.max(1, Math.floor((W + gap) / (size + gap)));
  const drawn = Math.min(chunks, most);
  const right = new Set(answers ?? []);
  let squares = '', marks = '';
  for (let i = 0; i < drawn; i++) {
    const x = i % across * (size + gap);
    const y = Math.floor(i / across) * (size + gap) + size;
    if (right.has(i + 1)) marks += `M${x + size / 2} ${y - size}l${size / 2} ${size}h${-size}z`;
    else squares += box(x, y, size, size);
  }
  return { height: Math.ceil(drawn / across) * (size + gap), parts: [path('within', squares), path('mark', marks)] };
}

function chunkItem(score, { chunks }, { answers }, [place, below], i) {
  const chunk = chunks[place];
  const answer = !!answers?.includes(i + 1);
  const page = chunk.page == null ? '' : `page ${chunk.page}`;
  const where = [chunk.title, chunk.heading, page].filter(Boolean).join(' › ');
  const p = (score.n + 1 - below) / (score.n + 1);
  const title = 'p-value (not the probability that the chunk answers)';
  const numbers = h('span', { class: 'cfx-num', title }, `p ${p.toFixed(3)}`);
  return card(answer, folded(
    i + 1, where, [answer ? span('yes', '✓ answers') : null, numbers],
    paragraph('text', chunk.text), paragraph('id', `${chunk.id} · ${many(chunk.tokens, 'token')}`),
  ));
}

// One column; `show` another question, `paint` another alpha
function column(score) {
  const picture = svg('svg', { 'aria-hidden': true });
  const chunks = paragraph('size'), answer = paragraph('answer'), limit = hint(), more = hint();
  const list = h('ol', { class: 'cfx-chunks', 'aria-label': `Chunks kept by ${score.name}` });
  const part = section(heading(score.name), chunks, answer, picture, limit, list, more);
  let items;

  function show(view, its) {
    items = its.listed.map((row, i) => chunkItem(score, view, its, row, i));
    list.replaceChildren(...items);
  }

  function paint(its, alpha, shown, W) {
    const { chunks: found, tokens, qhat } = shown;
    const { height, parts } = tally(its, shown, W);
    const rest = found - items.length;
    items.forEach((item, i) => { item.hidden = i >= found; });
    list.hidden = !found;
    chunks.replaceChildren(h('b', {}, many(found, 'chunk')), span('tokens', many(tokens, 'token')));
    answer.replaceChildren(answerWords(its, shown));
    limit.textContent = limitWords(score, alpha, shown);
    more.textContent = rest > 0 ? `and ${count(rest)} more, counted but not listed` : '';
    picture.setAttribute('height', height);
    picture.replaceChildren(...parts);
    Object.assign(part.dataset, { n: found, tokens, qhat: qhat < Infinity ? short(qhat) : 'inf' });
  }
  return { part, show, paint, width: () => part.clientWidth };
}

// ---- controls, and all of it

function alphaBox(id) {
  const summary = summaryOf(id);
  const guarantee = hint();
  const { parts, stand, turned } = alphaDial(id, 'more chunks', x => x > 0 && x < 1);
  function paint(alpha, words) {
    stand(alpha, short(alpha), `alpha ${short(alpha)}`);
    summary.textContent = words;
    guarantee.textContent = guaranteed(alpha);
  }
  return { part: h('section', { class: 'cfx-alpha' }, ...parts, summary, guarantee), paint, turned };
}

export function render({ model, el }) {
  const id = newId();
  const keep = keeper(model);
  const view = model.get('view');
  const question = questionChoice(view.questions.map(({ text }) => text), id);
  const alphas = alphaBox(id);
  const columns = view.scores.map(column);
  const warning = note('The guarantee holds for a score and an alpha chosen beforehand, '
    + 'not for ones picked because they look good here.');
  const colours = keys(key('within', 'a chunk that is kept'), key('mark', 'one that answers'));
  const grid = div('compared-scores', ...columns.map(({ part }) => part));
  const root = h('div', { class: 'cfx' }, div('question', ...question.parts), alphas.part, colours, grid, warning);
  let W = 0;

  const asked = () => view.questions[model.get('question')].columns;
  function paint() {
    const alpha = model.get('alpha');
    const shown = at(view, model.get('question'), alpha);
    alphas.paint(alpha, summarise(view, alpha, shown));
    columns.forEach((one, i) => one.paint(asked()[i], alpha, shown[i], W));
    root.dataset.alpha = short(alpha);
  }
  function show() {
    question.show(model.get('question'));
    columns.forEach((one, i) => one.show(view, asked()[i]));
    paint();
  }

  alphas.turned(alpha => {
    warning.classList.add('cfx-on');
    keep('alpha', alpha);
    paint();
  });
  question.choice.addEventListener('change', () => {
    keep('question', +question.choice.value);
    show();
  });

  el.replaceChildren(root);
  show();
  onChange(model, { alpha: paint, question: show });
  return follow(root, el, () => {
    W = columns[0].width();
    paint();
  });
}

export default widget('scores', { render, rank, at });
