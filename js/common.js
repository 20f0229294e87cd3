// What everything drawn in the browser shares. Every text from outside enters the page as text, never as markup.

const maker = create => (tag, attrs = {}, ...kids) => {
  const e = create(tag);
  for (const [k, v] of Object.entries(attrs)) if (v !== false && v != null) e.setAttribute(k, v === true ? '' : v);
  e.append(...kids.filter(k => k != null));
  return e;
};
const h = maker(tag => {
  const e = document.createElement(tag);
  // its keys are not JupyterLab's
  if (/^(button|input|ol|select|summary|textarea)$/.test(tag)) e.dataset.lmSuppressShortcuts = true;
  return e;
});

const hint = words => h('p', { class: 'cfx-hint' }, words);
const heading = words => h('div', { class: 'cfx-heading', role: 'heading', 'aria-level': 3 }, words);

const count = n => n.toLocaleString('en-US');
const many = (n, word) => `${count(n)} ${word}${n === 1 ? '' : 's'}`;

// Whether the page around an element is dark: its own ground tells, and without any the browser's canvas
function onDark(el) {
  const shade = e => {
    const [r, g, b, a = 1] = (getComputedStyle(e).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    return a > .5 ? r + g + b : null;
  };
  for (let e = el; e; e = e.parentElement) if (shade(e) != null) return shade(e) < 384;
  const probe = el.appendChild(h('i', { style: 'background:Canvas' })), dark = shade(probe) < 384;
  probe.remove();
  return dark;
}

// Keep `root` as dark as the page around it, and say when it has another width; returns how to stop
function follow(root, el, resized) {
  const theme = () => root.classList.toggle('cfx-dark', onDark(el)), scheme = matchMedia('(prefers-color-scheme: dark)');
  let W;
  scheme.addEventListener('change', theme);
  new ResizeObserver(() => { if (W !== root.clientWidth) { W = root.clientWidth; theme(); resized?.(); } }).observe(root);
  return () => scheme.removeEventListener('change', theme);
}

// Say after a while that no answer comes; returns the timer
const patience = say => setTimeout(say, 2e4, 'Still waiting for the kernel. If it was restarted, run the cell again.');
