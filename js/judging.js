// Judging by keys. The kernel decides what comes next and says it in words; here it is shown, and each answer
// goes back with the key of the text it is about, so that a key pressed too early counts for nothing.

function move(key, sign, words) {
  return h('button', { type: 'button', class: 'cfx-move', 'aria-keyshortcuts': key },
    h('span', { 'aria-hidden': 'true' }, sign), words, h('kbd', { 'aria-hidden': 'true' }, key));
}

function saidItem(c) {
  const mark = c.answers ? h('span', { class: 'cfx-yes' }, '✓ yes') : h('span', { class: 'cfx-no' }, '✗ no');
  return h('li', { class: c.answers ? 'cfx-chunk cfx-answers' : 'cfx-chunk' },
    h('details', {}, h('summary', {}, h('span', { class: 'cfx-rank' }, c.rank), h('span', { class: 'cfx-where' }, c.where), mark), h('p', { class: 'cfx-passage' }, c.text)));
}

function render({ model, el }) {
  const moves = { y: move('y', '✓', 'Yes'), n: move('n', '✗', 'No'), u: move('u', '↶', 'Undo'), l: move('l', '→', 'Later') };
  const bar = progressBar(), question = h('p', { class: 'cfx-asked', 'aria-live': 'polite' }), answer = hint();
  const keys = h('p', { class: 'cfx-hint' }, h('span', { class: 'cfx-idle' }, 'Click here, and the keys y, n, u and l will work.'), h('span', { class: 'cfx-ready' }, 'The keys y, n, u and l work now.'));
  const error = h('p', { class: 'cfx-error', role: 'alert', hidden: true });
  const where = h('p', { class: 'cfx-where' }), place = hint(), text = h('p', { class: 'cfx-passage' });
  const chunk = h('article', { class: 'cfx-chunk cfx-current', 'aria-live': 'polite' }, where, place, text);
  const list = h('ol', { class: 'cfx-list', 'aria-label': 'Judged so far for this question' }), before = h('section', {}, heading('Judged so far for this question'), list);
  const root = h('div', { class: 'cfx cfx-desk', role: 'group', 'aria-label': 'Judging', tabindex: 0, 'data-lm-suppress-shortcuts': 'true' },
    h('div', { class: 'cfx-sides' }, h('section', { class: 'cfx-side' }, heading('Does the text answer the question?'), question, answer,
      h('div', { class: 'cfx-moves' }, moves.y, moves.n, moves.u, moves.l), keys, error, bar.part), h('div', { class: 'cfx-side' }, chunk, before)));
  const line = wire(model, root, error);

  function show() {
    const v = model.get('view'), held = list.contains(document.activeElement);
    for (const [key, may] of Object.entries({ y: v.chunk, n: v.chunk, u: v.can_undo, l: v.can_put_off })) moves[key].setAttribute('aria-disabled', !may);
    question.textContent = v.question || v.finished;
    answer.textContent = v.answer ? `Known answer: ${v.answer}` : '';
    answer.hidden = !v.answer; chunk.hidden = !v.chunk;
    if (v.chunk) { where.textContent = v.chunk.where; place.textContent = v.place; text.textContent = v.chunk.text; }
    before.hidden = !v.said.length; list.replaceChildren(...v.said.map(saidItem).reverse());
    bar.set(v.progress, v.done, v.total);
    if (held) root.focus({ preventScroll: true });
  }

  const say = (key, message) => { if (moves[key].getAttribute('aria-disabled') !== 'true') line.send({ ...message, key: model.get('view').key }); };
  moves.y.addEventListener('click', () => say('y', { type: 'answer', answers: true }));
  moves.n.addEventListener('click', () => say('n', { type: 'answer', answers: false }));
  moves.u.addEventListener('click', () => say('u', { type: 'undo' }));
  moves.l.addEventListener('click', () => say('l', { type: 'put_off' }));
  root.addEventListener('keydown', e => {
    const chosen = moves[e.key.toLowerCase()];
    if (!chosen || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault(); e.stopPropagation();
    if (!e.repeat) chosen.click();
  });

  el.replaceChildren(root);
  show(); model.on('change:view', show);
  return follow(root, el);
}

export default { render };
