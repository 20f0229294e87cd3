// An exercise that replies. `exercise` (made by conflare_nb.show.exercise) lists what is said to which numbers, the
// right ones first; a choice is the number of its place. So all that is left is to read what was given.
import { div, follow, h, keeper, newId, onChange, onEnter, uncover } from './common.js';
import { read, words } from './number.js';
import { widget } from './widget.js';

export { read };

// The first of the replies in whose range a number lies
export function replyTo({ replies, unread }, number) {
  if (number == null) return unread;
  return replies.find(reply => reply.low <= number && number <= reply.high) ?? unread;
}

function numberField({ question }, id) {
  const input = h('input', { id, type: 'text', inputmode: 'decimal', autocomplete: 'off', 'aria-describedby': id + 's' });
  const label = h('label', { for: id }, ...words(question));
  const set = text => { input.value = text; };
  return { parts: [label, input], marked: input, get: () => input.value, set, number: () => read(input.value) };
}

function choiceField({ question, choices }, id) {
  const inputs = choices.map((_, i) => h('input', { type: 'radio', name: id, value: i }));
  const labels = choices.map((choice, i) => h('label', {}, inputs[i], h('span', {}, ...words(choice))));
  const attrs = { role: 'radiogroup', 'aria-labelledby': id + 'q', 'aria-describedby': id + 's' };
  const group = h('fieldset', attrs, h('legend', { id: id + 'q' }, ...words(question)), ...labels);
  const place = () => inputs.findIndex(input => input.checked);
  const set = text => inputs.forEach((input, i) => { input.checked = choices[i] === text; });
  return {
    parts: [group], marked: group, set,
    get: () => choices[place()] ?? '',
    number: () => place() < 0 ? null : place(),
  };
}

// Folded until it is asked for; then the keyboard and the voice of a screen reader are there
function folded(title, text) {
  if (!text) return null;
  const body = h('p', { class: 'cfx-words', tabindex: -1 }, ...words(text));
  const part = h('details', {}, h('summary', {}, title), body);
  part.addEventListener('toggle', () => { if (part.open) body.focus(); });
  return part;
}

const PATIENCE = 3;   // wrong answers until the hint is offered

export function render({ model, el }) {
  const exercise = model.get('exercise');
  const id = newId();
  const field = exercise.choices.length ? choiceField(exercise, id) : numberField(exercise, id);
  const said = h('p', { class: 'cfx-verdict', role: 'status', id: id + 's' });
  const form = h('form', {}, ...field.parts, h('button', { type: 'submit' }, 'Check'));
  const folds = div('folds', folded('Hint', exercise.hint), folded('Worked solution', exercise.solution));
  const root = h('div', { class: 'cfx cfx-exercise', role: 'group', 'aria-label': 'Exercise' }, form, said, folds);
  const keep = keeper(model);
  let wrong = 0;

  function reply() {
    const found = replyTo(exercise, field.number());
    const right = found === exercise.replies[0];
    if (!right && found !== exercise.unread) wrong += 1;
    field.marked.setAttribute('aria-invalid', !right);
    said.classList.toggle('cfx-yes', right);
    if (right) uncover(root);
    said.replaceChildren(...words([found.words, right || wrong < PATIENCE ? '' : exercise.offer].join(' ').trim()));
  }

  function show() {
    if (field.get() === model.get('given')) return;
    field.set(model.get('given'));
    reply();
  }

  form.addEventListener('submit', e => {
    e.preventDefault();
    reply();
    keep('given', field.get());
  });
  onEnter(form, () => form.requestSubmit());   // JupyterLab keeps the key from forms
  el.replaceChildren(root);
  show();
  onChange(model, { given: show });
  return follow(root, el);
}

export default widget('exercise', { render });
