// A prediction that is locked before the number is seen, and what the intervals of a reader cover. With a kernel the
// trait `given` goes to the file of conflare_nb.show.prediction; a page without one keeps it in the browser's own store.
import { alertBox, div, follow, h, hint, keeper, many, newId, onChange, onEnter, sayIn, span, uncover } from './common.js';
import { read, words } from './number.js';
import { rank } from './rank.js';
import { widget } from './widget.js';

// ---- what is kept on a page

const STORE = 'conflare_nb predictions';
const SCHEMA = 'conflare_nb.predictions/1';
const BROKEN = 'What this browser keeps of your predictions cannot be read.';
const UNKEPT = 'This browser keeps nothing for this page: what you lock is gone when you leave it.';
const CHANGED = 'conflare_nb-predictions';     // said to the other parts of the page

const sound = p => p && [p.low, p.high, p.truth].every(Number.isFinite) && p.low < p.high && typeof p.unit === 'string';

// {question: {low, high, truth, unit}}; an error where the store holds something else, or is closed
function stored() {
  const text = localStorage.getItem(STORE) ?? '{}';
  let kept = [];
  try {
    kept = JSON.parse(text) ?? kept;
  } catch {
    throw new Error(BROKEN);
  }
  if (!Object.values(kept).every(sound)) throw new Error(BROKEN);
  return kept;
}

const why = error => error.message === BROKEN ? BROKEN : UNKEPT;

function store(kept) {
  localStorage.setItem(STORE, JSON.stringify(kept));
  dispatchEvent(new Event(CHANGED));
}

// ---- one prediction

// The numbers that texts say, in the unit of the question: of 80% and .8, in per cent, 80. Nothing where one is none.
export function meant(texts, unit) {
  const numbers = texts.map(read);
  if (numbers.includes(null)) return null;
  if (unit !== '%') return numbers;
  const percent = texts.map(text => text.includes('%'));
  const shares = numbers.every((x, i) => percent[i] || Math.abs(x) <= 1);
  return numbers.map((x, i) => shares || percent[i] ? Math.round(x * 1e11) / 1e9 : x);
}

const number = (x, unit) => unit === '%' ? `${x}%` : `${x}`;
const between = ([low, high], unit) => `${number(low, unit)} to ${number(high, unit)}`;

// What is wrong with numbers before they are locked
export function refusal(numbers) {
  if (!numbers) return 'Type two numbers, such as 12 and 30.5.';
  if (numbers[0] < numbers[1]) return '';
  return 'The second number must be larger than the first.';
}

// What is said of locked numbers
export function verdict({ truth, unit, said }, [low, high]) {
  const it = `It is ${number(truth, unit)}. `;
  let found = 'covers it.';
  if (high < truth) found = 'misses it: too low.';
  if (truth < low) found = 'misses it: too high.';
  return `${it}Your interval, ${between([low, high], unit)}, ${found} ${said}`.trim();
}

function predict({ model, el }) {
  const asked = model.get('asked');
  const { question, unit } = asked;
  const onPage = model.get('static');
  const id = newId();
  const field = name => h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', 'aria-label': name, 'aria-describedby': id });
  const fields = [field('from'), field('to')];
  const lock = h('button', { type: 'submit' }, 'Lock');
  const said = h('p', { class: 'cfx-verdict', role: 'status', id, tabindex: -1 });
  const sure = hint('Be 90% sure: of ten such intervals, nine should hold the number. Once locked, it stays.');
  const wrong = alertBox();
  const form = h('form', {}, h('fieldset', {}, h('legend', {}, ...words(question)), 'between', fields[0], 'and', fields[1], unit, lock));
  const root = h('div', { class: 'cfx cfx-prediction', role: 'group', 'aria-label': 'Prediction' }, form, sure, said, wrong);
  const keep = keeper(model);
  const typed = () => meant(fields.map(f => f.value), unit);

  function begin() {      // on a page, what this browser has
    try {
      const before = stored()[question];
      if (before) model.set('given', [before.low, before.high]);
    } catch (error) {
      sayIn(wrong, why(error));
    }
  }

  function keepHere([low, high]) {
    try {
      store({ ...stored(), [question]: { low, high, truth: asked.truth, unit } });
    } catch (error) {
      sayIn(wrong, why(error));
    }
  }

  function show() {
    const given = model.get('given');
    if (!given.length) return;
    fields.forEach((f, i) => {
      f.value = given[i];
      f.readOnly = true;
      f.setAttribute('aria-invalid', false);
    });
    lock.hidden = sure.hidden = true;
    said.classList.toggle('cfx-yes', given[0] <= asked.truth && asked.truth <= given[1]);
    said.replaceChildren(...words(verdict(asked, given)));
    uncover(root);
  }

  form.addEventListener('input', () => {      // how it is read, before it is locked
    const now = typed();
    said.textContent = refusal(now) ? '' : `You say: ${between(now, unit)}.`;
  });
  form.addEventListener('submit', e => {
    e.preventDefault();
    if (model.get('given').length) return;
    const now = typed();
    const refused = refusal(now);
    for (const f of fields) f.setAttribute('aria-invalid', !!refused);
    if (refused) {
      said.textContent = refused;
      return;
    }
    if (onPage) keepHere(now);
    keep('given', now);
    show();
    said.focus();
  });
  onEnter(form, () => form.requestSubmit());   // JupyterLab keeps the key from forms
  el.replaceChildren(root);
  if (onPage) begin();
  show();
  onChange(model, { given: show, fault: () => sayIn(wrong, model.get('fault')) });
  return follow(root, el);
}

// ---- all of them

// As conflare_nb.show.prediction has it: by how many of its own widths each interval misses, negative where it covers
const scoreOf = ({ low, high, truth }) => Math.max(low - truth, truth - high) / (high - low);

export function yourCoverage(kept, alpha = .1) {
  const scores = Object.values(kept).map(scoreOf).sort((a, b) => a - b);
  const place = rank(scores.length, alpha);
  return {
    n: scores.length, covered: scores.filter(s => s <= 0).length, place, widening: scores[place - 1] ?? Infinity,
  };
}

export function coverageWords({ n, covered, place, widening }) {
  if (!n) return ['No interval is locked yet: lock some in the lessons of the path, and come back.'];
  const said = [`${covered} of your ${many(n, 'interval')} held the number: ${Math.round(100 * covered / n)}%. You meant to be right nine times in ten.`];
  const at = `The threshold stands at place ⌈${n + 1} × .9⌉ = ${place} of ${n}`;
  if (widening === Infinity) {
    return [...said, `${at}, and there is no such place: a promise of 90% needs 9 intervals. With fewer, the only interval that can be promised is everything, from −∞ to ∞.`];
  }
  const times = (1 + 2 * widening).toFixed(2);
  const how = widening > 0 ? `Widen each interval at both ends by ${widening.toFixed(2)} of its own width`
    : `You can afford to narrow each interval at both ends by ${(-widening).toFixed(2)} of its own width`;
  return [...said, `${at}. ${how}, so that it is ${times} times as wide, and ${place} of the ${n} hold their number. Do the same with your next interval: if it is one like these, it holds its number with a probability of at least 90%.`];
}

const HEADS = ['question', 'your interval', 'it is', 'score, in widths'];

function tableOf(kept) {
  const rows = Object.entries(kept).map(([question, p]) => {
    const score = scoreOf(p);
    const found = [score <= 0 ? 'held ' : span('no', 'missed '), score.toFixed(2)];
    const cells = [words(question), [between([p.low, p.high], p.unit)], [number(p.truth, p.unit)], found];
    return h('tr', {}, ...cells.map((cell, i) => h('td', { 'data-head': HEADS[i] }, ...cell)));
  });
  const heads = HEADS.map(name => h('th', { scope: 'col' }, name));
  return h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows));
}

function download(kept) {
  const text = JSON.stringify({ schema: SCHEMA, predictions: kept }, null, 1);
  return h('a', { download: 'predictions.json', href: 'data:application/json;charset=utf-8,' + encodeURIComponent(text) }, 'Download them');
}

function review({ model, el }) {
  const onPage = model.get('static');
  const root = h('div', { class: 'cfx cfx-prediction', role: 'group', 'aria-label': 'Your coverage' });
  const forget = h('button', { type: 'button' }, 'Forget them all');

  function show() {
    let kept;
    try {
      kept = onPage ? stored() : model.get('entries');
    } catch (error) {
      const broken = why(error) === BROKEN;
      root.replaceChildren(h('p', { role: 'alert' }, why(error)), broken ? div('buttons', forget) : '');
      return;
    }
    const found = yourCoverage(kept);
    const where = onPage ? 'They are kept in this browser and nowhere else.' : `They are kept in ${model.get('where')} and nowhere else. Delete the file to begin again.`;
    const keptWords = h('p', { class: 'cfx-hint' }, where, ' ', Object.keys(kept).length ? download(kept) : null);
    const parts = coverageWords(found).map(text => h('p', { class: 'cfx-words' }, text));
    root.replaceChildren(...parts, found.n ? tableOf(kept) : '', keptWords, onPage && Object.keys(kept).length ? div('buttons', forget) : '');
  }

  forget.addEventListener('click', () => {
    localStorage.removeItem(STORE);
    dispatchEvent(new Event(CHANGED));
  });
  el.replaceChildren(root);
  show();
  addEventListener(CHANGED, show);
  addEventListener('storage', show);      // another page of the site
  const stop = follow(root, el);
  return () => {
    removeEventListener(CHANGED, show);
    removeEventListener('storage', show);
    stop();
  };
}

const render = parts => parts.model.get('asked') ? predict(parts) : review(parts);

export default widget('prediction', { render });
