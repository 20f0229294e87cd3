// Writing questions beside a document. What is kept, and why something is not, is decided and said in the kernel.
import { alertBox, div, follow, h, heading, hint, newId, onEnter, paragraph, section } from './common.js';
import { entries, progressBar, sides, wire } from './person.js';
import { widget } from './widget.js';

function writingForm(id, error, bar) {
  const question = h('textarea', {
    rows: 2, id: id + 'q', placeholder: 'as a user would ask it, without having seen this text',
  });
  const answer = h('input', {
    type: 'text', id: id + 'a', autocomplete: 'off', placeholder: 'a few words, copied from the text if possible',
  });
  const button = (type, words) => h('button', { type }, words);
  const keep = button('submit', 'Keep');
  const mark = button('button', 'Mark selected words');
  const other = button('button', 'Another document');
  const back = button('button', 'Undo the last one');
  const marked = h('p', { class: 'cfx-hint', 'aria-live': 'polite' });
  const form = h(
    'form', { class: 'cfx-side', novalidate: true },
    heading('What might someone ask that this text answers?'),
    h('label', { for: id + 'q' }, 'Question'), question,
    h('label', { for: id + 'a' }, 'Short answer'), answer,
    div('moves', keep, mark, other, back), marked, error, bar,
  );
  onEnter(question, () => answer.focus());
  return { form, question, answer, keep, mark, other, back, marked };
}

// What the buttons do: `marked` marks what is selected, `send` tells the kernel, `words` are those that are marked
function listen({ form, question, answer, marked: note, mark, other, back }, marked, send, words) {
  mark.addEventListener('mousedown', e => e.preventDefault()); // or the selection would go
  mark.addEventListener('click', () => {
    const chosen = marked();
    note.textContent = chosen ? `Marked: “${chosen}”` : 'Select words in the document first, then mark them.';
  });
  form.addEventListener('submit', e => {
    e.preventDefault();
    send({ type: 'write', question: question.value, answer: answer.value, mark: words() });
  });
  other.addEventListener('click', () => send({ type: 'put_off' }));
  back.addEventListener('click', () => send({ type: 'undo' }));
}

// The document, with the marked words in it
function documentPage() {
  const where = paragraph('where');
  const text = h('div', {
    class: 'cfx-passage cfx-page', role: 'region', 'aria-label': 'Document', tabindex: 0,
    'data-lm-suppress-shortcuts': 'true',
  });
  const part = h('article', { class: 'cfx-chunk cfx-current' }, where, text);
  function highlight(all, words) {
    const at = words ? all.indexOf(words) : -1;
    if (at < 0) text.replaceChildren(all);
    else text.replaceChildren(all.slice(0, at), h('mark', {}, words), all.slice(at + words.length));
  }
  return { part, where, text, highlight };
}

// The words selected in the document, if they are all in it
function selectedIn(text) {
  const chosen = getSelection();
  const inside = chosen.rangeCount && text.contains(chosen.getRangeAt(0).commonAncestorContainer);
  return inside ? String(chosen).trim() : '';
}

function writtenItem({ question, answer }) {
  return h('li', { class: 'cfx-chunk' }, paragraph('where', question), hint(answer || 'no short answer'));
}

function writtenList() {
  const list = entries('Written so far');
  const part = section(heading('Written so far'), list);
  function show({ written }) {
    part.hidden = !written.length;
    list.replaceChildren(...written.map(writtenItem));
  }
  return { part, show };
}

export function render({ model, el }) {
  const bar = progressBar();
  const error = alertBox();
  const asked = writingForm(newId(), error, bar.part);
  const page = documentPage();
  const written = writtenList();
  const attrs = { class: 'cfx cfx-desk', role: 'group', 'aria-label': 'Writing questions' };
  const root = h('div', attrs, sides(asked.form, page.part, written.part));
  const line = wire(model, root, error);
  let words = '', shown;

  const highlight = () => page.highlight(model.get('view').text, words);

  function begin(view) {
    words = '';
    page.text.scrollTop = 0;
    asked.marked.textContent = view.note;
    asked.question.value = view.draft.question;
    asked.answer.value = view.draft.answer;
    if (root.contains(document.activeElement) && view.key) asked.question.focus({ preventScroll: true });
  }

  function show() {
    const view = model.get('view');
    const now = JSON.stringify([view.key, view.draft]);
    if (now !== shown) begin(view);
    shown = now;
    page.where.textContent = view.where || view.finished;
    page.text.hidden = !view.key;
    highlight();
    for (const name of ['question', 'answer', 'keep', 'mark', 'other']) asked[name].disabled = !view.key;
    asked.back.disabled = !view.can_undo;
    written.show(view);
    bar.set(view);
  }

  const marked = () => {
    words = selectedIn(page.text);
    highlight();
    return words;
  };
  listen(asked, marked, line.send, () => words);

  el.replaceChildren(root);
  show();
  model.on('change:view', show);
  return follow(root, el);
}

export default widget('writing', { render });
