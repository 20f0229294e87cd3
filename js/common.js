// What everything drawn in the browser shares. Every text from outside enters the page as text, never as markup.

export const maker = create => (tag, attrs = {}, ...kids) => {
  const e = create(tag);
  for (const [name, value] of Object.entries(attrs)) {
    if (value !== false && value != null) e.setAttribute(name, value === true ? '' : value);
  }
  e.append(...kids.filter(child => child != null));
  return e;
};

export const h = maker(tag => {
  const e = document.createElement(tag);
  // its keys are not JupyterLab's
  if (/^(button|input|ol|select|summary|textarea)$/.test(tag)) e.dataset.lmSuppressShortcuts = true;
  return e;
});

// Elements of one class
export const div = (kind, ...kids) => h('div', { class: 'cfx-' + kind }, ...kids);
export const paragraph = (kind, ...kids) => h('p', { class: 'cfx-' + kind }, ...kids);
export const span = (kind, ...kids) => h('span', { class: 'cfx-' + kind }, ...kids);
export const section = (...kids) => h('section', {}, ...kids);

export const hint = words => paragraph('hint', words);
export const heading = words => h('div', { class: 'cfx-heading', role: 'heading', 'aria-level': 3 }, words);
export const alertBox = () => h('p', { class: 'cfx-error', role: 'alert', hidden: true });
export const sayIn = (element, words) => {
  element.hidden = !words;
  element.textContent = words;
};

// An entry of a list, marked where it answers; and what is seen of it before it is opened
export const card = (answers, ...kids) =>
  h('li', { class: answers ? 'cfx-chunk cfx-answers' : 'cfx-chunk' }, ...kids);
export const folded = (number, where, more, ...kids) =>
  h('details', {}, h('summary', {}, span('rank', number), span('where', where), ...more), ...kids);

export const newId = () => 'cfx' + Math.random().toString(36).slice(2);
export const count = n => n.toLocaleString('en-US');
export const many = (n, word) => `${count(n)} ${word}${n === 1 ? '' : 's'}`;

export const keeper = model => (name, value) => {
  model.set(name, value);
  model.save_changes();
};

// What to call when a trait changes, by the trait's name
export function onChange(model, draws) {
  for (const name in draws) model.on('change:' + name, draws[name]);
}

// Enter does something; with Shift it begins a new line
export function onEnter(field, go) {
  field.addEventListener('keydown', e => {
    if (e.key !== 'Enter' || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    go();
  });
}

// How light the ground of an element is, from 0 to 765; nothing where it has none
function lightness(element) {
  const parts = getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0];
  const [red, green, blue, opacity = 1] = parts.map(Number);
  return opacity > .5 ? red + green + blue : null;
}

// Whether the page around an element is dark: its own ground tells, and without any the browser's canvas
function onDark(el) {
  for (let element = el; element; element = element.parentElement) {
    const light = lightness(element);
    if (light != null) return light < 384;
  }
  const probe = el.appendChild(h('i', { style: 'background:Canvas' }));
  const dark = lightness(probe) < 384;
  probe.remove();
  return dark;
}

// Keep `root` as dark as the page around it, and say when it has another width; returns how to stop
export function follow(root, el, resized) {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const theme = () => root.classList.toggle('cfx-dark', onDark(el));
  let width;
  scheme.addEventListener('change', theme);
  new ResizeObserver(() => {
    if (width === root.clientWidth) return;
    width = root.clientWidth;
    theme();
    resized?.();
  }).observe(root);
  return () => scheme.removeEventListener('change', theme);
}

// Say after a while that no answer comes; returns the timer
export const patience = say =>
  setTimeout(say, 2e4, 'Still waiting for the kernel. If it was restarted, run the cell again.');

// On a page: open what comes out below a box, if that is folded before the next box or section
export function uncover(box) {
  const places = [...document.querySelectorAll('h2, .cfx-prediction, .cfx-exercise, details.reveal')];
  const next = places[places.indexOf(box) + 1];
  if (next?.matches('details.reveal')) next.open = true;
}
