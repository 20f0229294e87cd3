// Cells of the site that a reader can edit and run: those whose first line begins with `# Run on the page`.
import { h } from './common.js';

const MARK = '# Run on the page';
const SECONDS = 5;        // that a run may take
const LOADING = 60;       // seconds until MicroPython is given up

const button = words => h('button', { type: 'button' }, words);

// Run a text once; `say` hears what it prints, and `ended` how it ended. Returns how to stop it.
function start(text, say, ended) {
  const worker = new Worker(new URL('onpage-worker.js', import.meta.url), { type: 'module' });
  let timer;
  function end(words) {
    clearTimeout(timer);
    worker.terminate();
    ended(words);
  }
  const within = (seconds, words) => {
    clearTimeout(timer);
    timer = setTimeout(end, seconds * 1000, words);
  };
  worker.onerror = () => end('Python could not be loaded on this page.');
  worker.onmessage = ({ data }) => {
    if (data.ready) {
      within(SECONDS, `Stopped after ${SECONDS} seconds.`);
      worker.postMessage(text);
    } else if (data.end == null) say(data.text);
    else end(data.end);
  };
  within(LOADING, 'Python could not be loaded on this page.');
  return () => end('Stopped.');
}

// A cell with its code in a field, buttons, and a place for what it prints
function enliven(cell, pre) {
  const code = pre.textContent;
  const saved = [...cell.querySelectorAll('.cell-output')];
  const lines = code.split('\n').length;
  const field = h('textarea', { rows: lines + 1, spellcheck: 'false', autocapitalize: 'off', 'aria-label': 'Python, to edit and run' });
  const run = button('Run');
  const reset = button('Reset');
  const printed = h('pre', { class: 'onpage-printed', role: 'status', hidden: true });
  let stop;

  function running(on) {
    run.textContent = on ? 'Stop' : 'Run';
    printed.setAttribute('aria-busy', on);
    if (!on) stop = null;
  }

  function begin() {
    let wrote = '';
    for (const output of saved) output.hidden = true;
    printed.hidden = false;
    printed.textContent = 'Running …';
    running(true);
    const show = text => {
      wrote += text;
      printed.textContent = wrote;
    };
    stop = start(field.value, show, words => {
      show([wrote && words && !wrote.endsWith('\n') ? '\n' : '', words || (wrote ? '' : 'It ran and printed nothing.')].join(''));
      running(false);
    });
  }

  const press = () => stop ? stop() : begin();
  run.addEventListener('click', press);
  reset.addEventListener('click', () => {
    stop?.();
    field.value = code;
    printed.hidden = true;
    for (const output of saved) output.hidden = false;
  });
  field.addEventListener('keydown', e => {
    if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey || e.shiftKey)) return;
    e.preventDefault();
    if (!stop) begin();
  });

  field.value = code;
  const shell = pre.closest('.code-copy-outer-scaffold') ?? pre;
  shell.replaceWith(h('div', { class: 'onpage' }, field, h('div', { class: 'onpage-buttons' }, run, reset), printed));
}

for (const pre of document.querySelectorAll('.cell pre.cell-code')) {
  if (pre.textContent.startsWith(MARK)) enliven(pre.closest('.cell'), pre);
}
