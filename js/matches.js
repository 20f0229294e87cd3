// Words of a question above those of a passage. `view` (made by conflare_nb.show.matches) holds the cosine of each with each;
// texts come in pieces, every second of them a word.
import { choice } from './choice.js';
import { follow, h, heading, hint, keeper, newId, onChange, section } from './common.js';
import { widget } from './widget.js';

const two = x => x.toFixed(2);
const inText = (pieces, make) => pieces.map((words, i) => i % 2 ? make(words, (i - 1) / 2) : words);
const wordAt = (pieces, i) => pieces[2 * i + 1];

// How strong a word of the passage is lit, in percent: most cosines of words that have nothing in common are about .2
export const shade = cosine => Math.round(60 * Math.max(cosine, 0) ** 2);

function summarise({ asked, passage, weights, cosines, best, similarity }, i, mean) {
  if (mean) return `One mean vector each: cosine ${two(similarity)}. Which words match is lost in the mean.`;
  const found = `“${wordAt(passage, best[i])}”, cosine ${two(cosines[i][best[i]])}`;
  return `“${wordAt(asked, i)}” counts ${Math.round(100 * weights[i])}%. Best match: ${found}.`;
}

// The words of the question: one is chosen by pointing at it, or by Tab and the arrow keys
function questionWords({ asked, weights }, pick) {
  const most = Math.max(...weights);
  const words = [];
  const row = h('p', { class: 'cfx-asked', role: 'group', 'aria-label': 'Words of the question' });
  row.append(...inText(asked, (text, i) => {
    const size = .85 + .75 * Math.sqrt(weights[i] / most);
    const word = h('button', { type: 'button', class: 'cfx-word', style: `--size: ${two(size)}em` }, text);
    for (const name of ['focus', 'pointerenter', 'click']) word.addEventListener(name, () => pick(i));
    words.push(word);
    return word;
  }));
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -words.length, End: words.length };
  row.addEventListener('keydown', e => {
    if (!(e.key in steps)) return;
    e.preventDefault();
    const next = words.indexOf(e.target) + steps[e.key];
    words[Math.max(0, Math.min(next, words.length - 1))].focus();
  });
  return { row, words };
}

const WAYS = [[true, 'one mean vector each'], [false, 'word by word']];

export function render({ model, el }) {
  const keep = keeper(model);
  const view = model.get('view');
  const change = (name, value) => {
    if (model.get(name) === value) return;
    keep(name, value);
    paint();
  };
  const mode = choice(newId(), 'How they are compared', WAYS, mean => change('mean', mean));
  const { row, words } = questionWords(view, i => change('word', i));
  const found = [];
  const passage = h('p', { class: 'cfx-passage' }, ...inText(view.passage, (text, j) => {
    found.push(h('span', { class: view.leads[j] ? 'cfx-led' : null }, text));
    return found[j];
  }));
  const summary = h('p', { class: 'cfx-summary', 'aria-live': 'polite' });
  const totals = hint(`All best matches, weighed: MX ${two(view.match)}. The best sentence, underlined: MX ${two(view.led)}.`);
  const about = hint('The larger a word, the more it counts. Point at one, or move with Tab and the arrow keys.');
  const root = h(
    'div', { class: 'cfx' },
    mode.part, section(heading('Question'), row, about), summary, totals,
    section(heading('Passage, as the model reads it'), hint(view.source), passage),
  );

  function paint() {
    const mean = model.get('mean'), chosen = model.get('word');
    mode.show(mean);
    root.classList.toggle('cfx-mean', mean);
    summary.textContent = summarise(view, chosen, mean);
    totals.hidden = about.hidden = mean;
    words.forEach((word, i) => {
      word.disabled = mean;
      word.tabIndex = i === chosen ? 0 : -1;
      word.setAttribute('aria-pressed', !mean && i === chosen);
    });
    found.forEach((word, j) => {
      const cosine = view.cosines[chosen][j];
      word.style.setProperty('--shade', `${mean ? 0 : shade(cosine)}%`);
      if (!mean && j === view.best[chosen]) word.dataset.cosine = two(cosine);
      else delete word.dataset.cosine;
    });
  }

  el.replaceChildren(root);
  paint();
  onChange(model, { word: paint, mean: paint });
  return follow(root, el);
}

export default widget('matches', { render, shade });
