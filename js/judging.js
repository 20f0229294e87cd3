// Judging by keys. The kernel decides what comes next and says it in words; here it is shown, and each answer
// goes back with the key of the text it is about, so that a key pressed too early counts for nothing.
import { alertBox, card, div, folded, follow, h, heading, hint, paragraph, section, span } from './common.js';
import { entries, progressBar, sides, wire } from './person.js';
import { widget } from './widget.js';

function move(key, sign, words) {
  return h(
    'button', { type: 'button', class: 'cfx-move', 'aria-keyshortcuts': key },
    h('span', { 'aria-hidden': 'true' }, sign), words, h('kbd', { 'aria-hidden': 'true' }, key),
  );
}

const allMoves = () => ({
  y: move('y', '✓', 'Yes'),
  n: move('n', '✗', 'No'),
  u: move('u', '↶', 'Undo'),
  l: move('l', '→', 'Later'),
});

const messages = {
  y: { type: 'answer', answers: true },
  n: { type: 'answer', answers: false },
  u: { type: 'undo' },
  l: { type: 'put_off' },
};

function saidItem(chunk) {
  const mark = chunk.answers ? span('yes', '✓ yes') : span('no', '✗ no');
  return card(chunk.answers, folded(chunk.rank, chunk.where, [mark], paragraph('passage', chunk.text)));
}

// What is asked, and the moves
function questionSide(moves, error, bar) {
  const question = h('p', { class: 'cfx-asked', 'aria-live': 'polite' });
  const answer = hint();
  const keys = paragraph(
    'hint',
    span('idle', 'Click here to use the keys y, n, u and l.'),
    span('ready', 'The keys y, n, u and l work now.'),
  );
  const part = h(
    'section', { class: 'cfx-side' },
    heading('Does the text answer the question?'), question, answer,
    div('moves', moves.y, moves.n, moves.u, moves.l), keys, error, bar,
  );
  function show(view) {
    const may = { y: view.chunk, n: view.chunk, u: view.can_undo, l: view.can_put_off };
    for (const key in may) moves[key].setAttribute('aria-disabled', !may[key]);
    question.textContent = view.question || view.finished;
    answer.textContent = view.answer ? `Known answer: ${view.answer}` : '';
    answer.hidden = !view.answer;
  }
  return { part, show };
}

// The text to judge
function textSide() {
  const where = paragraph('where');
  const place = hint();
  const text = paragraph('passage');
  const part = h('article', { class: 'cfx-chunk cfx-current', 'aria-live': 'polite' }, where, place, text);
  function show({ chunk, place: words }) {
    part.hidden = !chunk;
    if (!chunk) return;
    where.textContent = chunk.where;
    place.textContent = words;
    text.textContent = chunk.text;
  }
  return { part, show };
}

// What is judged already
function saidSide() {
  const title = 'Judged so far for this question';
  const list = entries(title);
  const part = section(heading(title), list);
  function show({ said }) {
    part.hidden = !said.length;
    list.replaceChildren(...said.map(saidItem).reverse());
  }
  return { part, list, show };
}

// A key presses its button, once however long it is held
function listen(root, moves) {
  root.addEventListener('keydown', e => {
    const chosen = moves[e.key.toLowerCase()];
    if (!chosen || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    if (!e.repeat) chosen.click();
  });
}

export function render({ model, el }) {
  const moves = allMoves();
  const bar = progressBar();
  const error = alertBox();
  const asked = questionSide(moves, error, bar.part);
  const text = textSide();
  const said = saidSide();
  const attrs = {
    class: 'cfx cfx-desk', role: 'group', 'aria-label': 'Judging', tabindex: 0, 'data-lm-suppress-shortcuts': 'true',
  };
  const root = h('div', attrs, sides(asked.part, text.part, said.part));
  const line = wire(model, root, error);

  function show() {
    const view = model.get('view');
    const held = said.list.contains(document.activeElement);
    for (const side of [asked, text, said]) side.show(view);
    bar.set(view);
    if (held) root.focus({ preventScroll: true });
  }

  for (const key in messages) {
    moves[key].addEventListener('click', () => {
      if (moves[key].getAttribute('aria-disabled') !== 'true') line.send(messages[key]);
    });
  }
  listen(root, moves);

  el.replaceChildren(root);
  show();
  model.on('change:view', show);
  return follow(root, el);
}

export default widget('judging', { render });
