// Writing questions beside a document. What is kept, and why something is not, is decided and said in the kernel.

function render({ model, el }) {
  const id = 'cfx' + Math.random().toString(36).slice(2), bar = progressBar();
  const question = h('textarea', { rows: 2, id: id + 'q', placeholder: 'as a user would ask it, without this text at hand' });
  const answer = h('input', { type: 'text', id: id + 'a', autocomplete: 'off', placeholder: 'a few words, best as the text has them' });
  const marked = h('p', { class: 'cfx-hint', 'aria-live': 'polite' }), error = h('p', { class: 'cfx-error', role: 'alert', hidden: true });
  const [keep, mark, other, back] = [['submit', 'Keep'], ['button', 'Mark selected words'], ['button', 'Another document'], ['button', 'Take back the last']]
    .map(([type, words]) => h('button', { type }, words));
  const form = h('form', { class: 'cfx-side', novalidate: true }, heading('What would someone ask whom this text helps?'),
    h('label', { for: id + 'q' }, 'Question'), question, h('label', { for: id + 'a' }, 'Short answer'), answer,
    h('div', { class: 'cfx-moves' }, keep, mark, other, back), marked, error, bar.part);
  const where = h('p', { class: 'cfx-where' });
  const text = h('div', { class: 'cfx-passage cfx-page', role: 'region', 'aria-label': 'Document', tabindex: 0, 'data-lm-suppress-shortcuts': 'true' });
  const page = h('article', { class: 'cfx-chunk cfx-current' }, where, text);
  const list = h('ol', { class: 'cfx-list', 'aria-label': 'Written so far' }), written = h('section', {}, heading('Written so far'), list);
  const root = h('div', { class: 'cfx cfx-desk', role: 'group', 'aria-label': 'Writing questions' }, h('div', { class: 'cfx-sides' }, form, h('div', { class: 'cfx-side' }, page, written)));
  const line = wire(model, root, error);
  let words = '', shown;

  function highlight() {
    const all = model.get('view').text, at = words ? all.indexOf(words) : -1;
    text.replaceChildren(...at < 0 ? [all] : [all.slice(0, at), h('mark', {}, words), all.slice(at + words.length)]);
  }

  function show() {
    const v = model.get('view'), now = JSON.stringify([v.key, v.draft]);
    if (now !== shown) {
      shown = now; words = ''; text.scrollTop = 0; marked.textContent = v.note;
      question.value = v.draft.question; answer.value = v.draft.answer;
      if (root.contains(document.activeElement) && v.key) question.focus({ preventScroll: true });
    }
    where.textContent = v.where || v.finished; text.hidden = !v.key; highlight();
    for (const e of [question, answer, keep, mark, other]) e.disabled = !v.key;
    back.disabled = !v.can_undo;
    written.hidden = !v.written.length;
    list.replaceChildren(...v.written.map(w => h('li', { class: 'cfx-chunk' }, h('p', { class: 'cfx-where' }, w.question), h('p', { class: 'cfx-hint' }, w.answer || 'no short answer'))));
    bar.set(v.progress, v.done, v.total);
  }

  mark.addEventListener('mousedown', e => e.preventDefault()); // or the selection would go
  mark.addEventListener('click', () => {
    const chosen = getSelection(), inside = chosen.rangeCount && text.contains(chosen.getRangeAt(0).commonAncestorContainer);
    words = inside ? String(chosen).trim() : '';
    marked.textContent = words ? `Marked: “${words}”` : 'Select words in the document first, then mark them.';
    highlight();
  });
  question.addEventListener('keydown', e => { if (e.key === 'Enter' && !e.shiftKey && !e.isComposing) { e.preventDefault(); answer.focus(); } });
  const send = message => line.send({ ...message, key: model.get('view').key });
  form.addEventListener('submit', e => { e.preventDefault(); send({ type: 'write', question: question.value, answer: answer.value, mark: words }); });
  other.addEventListener('click', () => send({ type: 'put_off' }));
  back.addEventListener('click', () => send({ type: 'undo' }));

  el.replaceChildren(root);
  show(); model.on('change:view', show);
  return follow(root, el);
}

export default { render };
