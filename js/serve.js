// The page of a served folder: ask, choose alpha, open a document at a passage, add files. All that is shown comes as data
// and becomes text.
import { alertBox, div, h, heading, hint, many, newId, onEnter, paragraph, sayIn, span } from './common.js';
import { percent, svg } from './sliding.js';

// ---- the server

async function call(path, options) {
  const reply = await fetch(path, options);
  const data = await reply.json().catch(() => ({}));
  if (reply.ok) return data;
  throw Object.assign(new Error(data.error ?? `The server says ${reply.status}.`), { status: reply.status });
}

function post(path, data, signal) {
  const headers = { 'content-type': 'application/json' };
  return call(path, { method: 'POST', headers, body: JSON.stringify(data), signal });
}

const unreachable = error => error instanceof TypeError ? 'The server does not answer. Is it still running?' : error.message;

const button = (words, go, attrs) => {
  const made = h('button', { type: 'button', ...attrs }, words);
  made.addEventListener('click', go);
  return made;
};

// ---- words

// When something was, seen from today
export function dayWords(when, now) {
  const day = time => new Date(time.getFullYear(), time.getMonth(), time.getDate());
  const ago = Math.round((day(now) - day(when)) / 864e5);
  if (ago === 0) return 'today';
  if (ago === 1) return 'yesterday';
  return `on ${when.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })}`;
}

export function stateWords({ alpha, levels = [], questions, within, status, rule, state, missing }, now) {
  const day = `calibrated ${dayWords(new Date(state.calibrated), now)}`;
  const level = levels.length ? `alpha ${alpha}` : percent(1 - alpha);     // a moved alpha promises no share
  if (missing.length) return `Nothing is promised: ${missing.join('; ')}. ${many(questions, 'question')}, ${day}`;
  if (status !== 'promised') return `${level}: ${rule}. ${many(questions, 'question')}, ${day}`;
  return `${level}: ${within} of ${many(questions, 'question')}, ${day}`;
}

export const changingWords = names => names.length ? `${many(names.length, 'file')} changed: recalibrating` : '';

// ---- the corner: how the folder stands, asked again and again

function corner(changed) {
  const words = h('span', {});
  const now = h('span', { class: 'serve-changing' });
  const news = h('p', {});
  const problem = alertBox();
  const part = h('div', { class: 'serve-state' }, h('p', { role: 'status' }, words, now), news, problem);
  let timer;

  function show(state) {
    if (words.textContent !== stateWords(state, new Date())) words.textContent = stateWords(state, new Date());
    now.textContent = changingWords(state.changing);
    now.hidden = !state.changing.length;
    sayIn(news, state.news.join(' '));
    sayIn(problem, state.problem && `The newest files are not taken up: ${state.problem}`);
    changed(state);
  }
  async function look() {
    clearTimeout(timer);
    let next = 4e3;
    try {
      const state = await call('/api/state');
      if (state.changing.length) next = 1500;
      show(state);
    } catch (error) {
      sayIn(problem, unreachable(error));
    }
    timer = setTimeout(look, next);
  }
  return { part, look };
}

// ---- a document, opened at a passage

// A text as it was read, without the marks of its file: what stands between fences is code. From `from` to `to` is marked.
function shown(kind, text, from = 0, to = 0) {
  const blocks = [];
  let at = 0, begin = 0, fence = '';
  const add = end => {
    const between = (start, stop) => text.slice(Math.max(start, begin), Math.max(start, begin, Math.min(stop, end)));
    const inside = between(from, to);
    const mark = inside && h('mark', { tabindex: -1 }, inside);
    const words = [between(0, from), mark, between(to, text.length)].filter(Boolean);
    if (words.length) blocks.push(fence ? h('pre', {}, h('code', {}, ...words)) : paragraph(kind, ...words));
  };
  for (const line of text.split('\n')) {
    const sign = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (sign?.startsWith(fence)) {
      add(at);
      fence = fence ? '' : sign;
      begin = at + line.length + 1;
    }
    at += line.length + 1;
  }
  add(text.length);
  return blocks;
}

function textPart({ sections }) {
  return sections.map(({ heading: name, page, parts: [before, inside = '', after = ''] }) => {
    const where = [name, page == null ? '' : `page ${page}`].filter(Boolean).join(' › ');
    const from = before.length;
    const blocks = shown('words', before + inside + after, from, from + inside.length);
    return h('section', {}, where ? heading(where) : null, ...blocks);
  });
}

function pagePart({ page, title, rectangles, version }, file) {
  const width = Math.min(2000, Math.round(1000 * Math.min(devicePixelRatio, 2)));
  const src = `/api/page?${new URLSearchParams({ document: file, page, width, version })}`;
  const picture = h('img', { src, alt: `Page ${page} of ${title}`, width });
  const boxes = rectangles.map(([left, top, right, bottom]) =>
    svg('rect', { x: left, y: top, width: right - left, height: bottom - top }));
  const over = svg('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': true }, ...boxes);
  return [div('page', picture, over)];
}

function viewer() {
  const id = newId();
  const title = h('h2', { id });
  const note = hint();
  const text = h('div', { class: 'serve-document', tabindex: 0, role: 'region', 'aria-labelledby': id });
  const close = button('Close', () => dialog.close());
  const head = h('div', { class: 'serve-head' }, title, close);
  const dialog = h('dialog', { 'aria-labelledby': id }, head, note, text);

  function reach() {
    const mark = text.querySelector('mark, rect');
    if (mark) mark.scrollIntoView({ block: 'center' });
    else text.scrollTop = 0;
  }
  async function open(location, source) {
    title.textContent = source;
    sayIn(note, 'Opening …');
    text.replaceChildren();
    if (!dialog.open) dialog.showModal();
    try {
      const found = await post('/api/passage', location);
      sayIn(note, found.note);
      text.replaceChildren(...(found.sections ? textPart(found) : pagePart(found, location.document)));
      await text.querySelector('img')?.decode();
      reach();
    } catch (error) {
      text.replaceChildren();
      sayIn(note, error.name === 'EncodingError' ? 'The page cannot be drawn; open it again.' : unreachable(error));
    }
  }
  note.setAttribute('role', 'status');
  return { dialog, open };
}

// ---- the quotes

function quotesPart(open) {
  const warning = h('p', { class: 'serve-warning', hidden: true });
  const first = h('div', { class: 'serve-first' });
  const promise = h('details', { class: 'serve-promise' });
  const listed = h('details', {});
  const live = h('div', { 'aria-live': 'polite' }, warning, first);
  const part = h('section', { 'aria-label': 'Quotes', hidden: true }, live, promise, listed);

  const source = ({ location, source: name }) => {
    const title = `Open ${location.document} at this passage`;
    return button(name, () => open(location, name), { class: 'serve-source', title });
  };
  const item = quote => h('li', {},
    ...shown('quote', quote.text), source(quote),
    quote.p_value == null ? null : span('num', `  p ${quote.p_value.toFixed(3)}`));

  // What changes with alpha
  function list({ listed: found, promise: said, unit }) {
    const { promised, short, exact } = said;
    promise.className = promised ? 'serve-promise' : 'serve-promise serve-missing';
    promise.replaceChildren(h('summary', {}, short), paragraph('hint', exact));
    const rows = found.map(item);
    listed.replaceChildren(h('summary', {}, `${many(rows.length, unit.slice(0, -1))} listed`), h('ol', {}, ...rows));
  }
  function show(answer) {
    part.hidden = false;
    sayIn(warning, answer.warning);
    first.replaceChildren(...(answer.first
      ? [h('blockquote', {}, ...shown('quote', answer.first.text)), source(answer.first)]
      : [h('p', {}, 'Nothing is stored.')]));
    list(answer);
  }
  return { part, show, list };
}

// ---- alpha: the stops of the folder, moved while the list is in view

function stopsPart(turned) {
  const name = newId();
  const part = h('fieldset', { class: 'serve-stops', hidden: true });
  function show({ levels, alpha }) {
    const stop = level => {
      const field = h('input', { type: 'radio', name, value: level, checked: level === alpha });
      field.addEventListener('change', () => turned(level));
      return h('label', {}, field, ` ${level}`);
    };
    part.hidden = !levels.length;
    const hints = [span('hint', 'lists more'), span('hint', 'misses more')];
    part.replaceChildren(h('legend', {}, 'alpha'), hints[0], ...levels.map(stop), hints[1]);
  }
  return { part, show };
}

// ---- answers in other words: a person says whether a sentence is meant

function offerRow({ question, text, answer, document, sentence }, done) {
  const said = h('span', { role: 'status' });
  async function confirm() {
    yes.disabled = true;
    said.textContent = 'Calibrating again …';
    try {
      await post('/api/confirm', { question, sentence });
      said.textContent = 'Thank you.';
      done();
    } catch (error) {
      yes.disabled = false;
      said.textContent = unreachable(error);
    }
  }
  const yes = button('Yes', confirm, { 'aria-label': `Yes: ${sentence}` });
  return h('li', {}, h('p', {}, h('b', {}, text), ` The answer was given as “${answer}”. ${document} says:`),
    h('p', { class: 'serve-offer' }, sentence), yes, ' ', said);
}

function offersPart(done) {
  const summary = h('summary', {});
  const rows = h('ul', {});
  const part = h('details', { class: 'serve-offers', hidden: true }, summary, rows);
  let shown = '';
  function show(offers) {
    const now = JSON.stringify(offers);
    if (now === shown) return;
    shown = now;
    part.hidden = !offers.length;
    summary.textContent = `Is this what you meant? ${many(offers.length, 'calibration question')} to look at`;
    rows.replaceChildren(...offers.map(offer => offerRow(offer, done)));
  }
  return { part, show };
}

// ---- files

function fileRow(file, sent) {
  const said = h('span', { role: 'status' });
  const row = h('li', {}, h('b', {}, file.name), ' ', said);
  async function send(replace) {
    said.textContent = 'is sent …';
    try {
      const sends = new URLSearchParams({ name: file.name, replace });
      const { name } = await call(`/api/files?${sends}`, { method: 'PUT', body: file });
      said.textContent = name === file.name ? 'is added.' : `is added as ${name}.`;
      sent();
    } catch (error) {
      said.replaceChildren(unreachable(error));
      if (error.status === 409) row.append(again);
    }
  }
  const again = button('Replace it', () => {
    again.remove();
    send('yes');
  });
  return { row, send };
}

function filesPart(most, sent) {
  const id = newId();
  const field = h('input', { type: 'file', multiple: true, id });
  const rows = h('ul', {});
  const label = h('label', { for: id }, 'Add files: drop them anywhere on this page, or choose');
  const part = h('section', { class: 'serve-files', 'aria-label': 'Add files' }, label, field, rows);

  async function add(files) {
    for (const file of files) {
      const { row, send } = fileRow(file, sent);
      rows.append(row);
      if (file.size > most()) row.lastChild.textContent = `holds more than ${many(most(), 'byte')}; it was not sent.`;
      else await send('');
    }
  }
  field.addEventListener('change', async () => {
    await add([...field.files]);
    field.value = '';
  });
  return { part, add };
}

// Files over the page, wherever they are let go
function dropping(add) {
  const over = on => document.body.classList.toggle('serve-dropping', on);
  const files = event => event.dataTransfer?.types.includes('Files');
  addEventListener('dragover', event => {
    if (!files(event)) return;
    event.preventDefault();
    over(true);
  });
  addEventListener('dragleave', event => { if (!event.relatedTarget) over(false); });
  addEventListener('drop', event => {
    if (!files(event)) return;
    event.preventDefault();
    over(false);
    add([...event.dataTransfer.files]);
    document.querySelector('.serve-files').scrollIntoView({ block: 'nearest' });
  });
}

// ---- all of it

function askBox(id) {
  const field = h('textarea', { rows: 2, id, maxlength: 2000, placeholder: 'Type a question and press Enter' });
  const ask = h('button', { type: 'submit' }, 'Ask');
  const examples = h('div', { class: 'cfx-buttons', role: 'group', 'aria-label': 'Examples' });
  const label = h('label', { for: id }, 'Question');
  const form = h('form', { class: 'serve-ask' }, label, div('row', field, ask), examples);
  onEnter(field, () => form.requestSubmit());
  return { form, field, ask, examples };
}

export function serve(root) {
  const name = h('h1', {});
  const error = alertBox();
  const busy = hint();
  const { form, field, ask, examples } = askBox(newId());
  const { dialog, open } = viewer();
  const quotes = quotesPart(open);
  const old = h('p', { class: 'serve-warning', role: 'status', hidden: true });
  let answer, alpha, state, wanted;

  // The newest question wins; a moved alpha changes the list alone
  async function asked(question, whole) {
    wanted?.abort();
    wanted = new AbortController();
    const { signal } = wanted;
    sayIn(error, '');
    sayIn(busy, whole ? 'Looking …' : '');
    ask.setAttribute('aria-busy', whole);
    try {
      const found = await post('/api/ask', alpha == null ? { question } : { question, alpha }, signal);
      const same = found.state.fingerprint === answer?.state.fingerprint;
      if (whole) show(found);
      else if (same) quotes.list(found);
      else return asked(question, true);
    } catch (failure) {
      if (failure.name === 'AbortError') return;
      sayIn(error, unreachable(failure));
    }
    sayIn(busy, '');
    ask.setAttribute('aria-busy', false);
  }
  const stops = stopsPart(now => {
    alpha = now;
    asked(answer.question, false);
  });
  function show(found) {
    answer = found;
    examples.remove();
    quotes.show(found);
    stops.show(found);
    outdated();
  }
  function outdated() {
    const is = answer && answer.state.fingerprint !== state?.state.fingerprint;
    old.hidden = !is;
    if (!is || old.firstChild) return;
    old.append('The documents have changed since this answer. ', button('Ask again', () => asked(answer.question, true)));
  }
  function known(now) {
    state = now;
    document.title = `${now.folder}: ask`;
    name.textContent = now.folder;
    offers.show(now.offers);
    if (!examples.childElementCount) examples.append(span('hint', 'such as'), ...now.examples.map(exampleButton));
    outdated();
  }
  const exampleButton = text => button(text, () => {
    field.value = text;
    form.requestSubmit();
  });

  const { part: stands, look } = corner(known);
  const offers = offersPart(look);
  const { part: files, add } = filesPart(() => state?.most_bytes ?? Infinity, look);
  form.addEventListener('submit', event => {
    event.preventDefault();
    if (field.value.trim()) asked(field.value.trim(), true);
  });
  dropping(add);
  busy.setAttribute('role', 'status');
  sayIn(busy, '');
  const top = h('header', { class: 'serve-top' }, name, stands);
  const api = h('p', { class: 'cfx-hint' }, h('a', { href: '/api' }, 'Ask from a program (API)'));
  root.replaceChildren(top, form, busy, error, old, quotes.part, stops.part, offers.part, files, api, dialog);
  look();
  field.focus();
}

const root = globalThis.document?.getElementById('serve');
if (root) {
  const { token } = Object.fromEntries(new URLSearchParams(location.search));
  if (token) history.replaceState(null, '', '/');
  serve(root);
}
