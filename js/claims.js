// The sentences of an answer, of which some fade as alpha moves. `view` (made by conflare_nb.show.claims) holds the support
// of each, and for both losses a row a level: the threshold (null: nothing is kept), and what it keeps and leaves empty.
import { choice } from './choice.js';
import { follow, h, heading, hint, keeper, newId, onChange, section, span } from './common.js';
import { dial, short, summaryOf } from './sliding.js';
import { widget } from './widget.js';

const FIRST = .01, STEP = .005, LAST = .5;
const whole = share => Math.round(100 * share) + '%';
const LOSSES = [['any', 'no unsupported sentence is kept'], ['share', 'few of the kept sentences are unsupported']];

// The row of the largest level that is not above alpha
export function levelAt(rows, alpha) {
  const i = Math.floor((alpha - FIRST) / STEP + 1e-6);
  return rows[Math.max(0, Math.min(i, rows.length - 1))];
}

// One sentence with the one behind it folded up
function sentence({ text, support, nearest, source }) {
  const mark = span('rank', '');
  const words = span('claim', text);
  const behind = hint(`support ${support.toFixed(3)}; backed up best by: “${nearest}” (${source})`);
  const part = h('li', { class: 'cfx-chunk' }, h('details', {}, h('summary', {}, mark, words), behind));
  const keep = kept => {
    part.classList.toggle('cfx-dropped', !kept);
    mark.textContent = kept ? 'kept' : 'dropped';
  };
  return { part, keep, support };
}

export function render({ model, el }) {
  const id = newId(), keeps = keeper(model), view = model.get('view');
  const change = (name, value) => {
    keeps(name, value);
    paint();
  };
  const alpha = dial(id + 'a', {
    name: 'alpha', words: 'the share of mistakes you allow', ends: ['fewer sentences', 'more mistakes'],
    range: { min: FIRST, max: LAST, step: STEP, 'aria-describedby': id + 's' }, step: STEP,
    fits: x => x >= FIRST && x <= LAST,
  });
  const mode = choice(id, 'What is promised', LOSSES, loss => change('loss', loss));
  const sentences = view.claims.map(sentence);
  const summary = summaryOf(id), price = hint('');
  const root = h(
    'div', { class: 'cfx' },
    section(heading(view.question), ...alpha.parts, mode.part), summary, price,
    h('ol', { class: 'cfx-claims' }, ...sentences.map(one => one.part)),
  );

  function paint() {
    const at = model.get('alpha'), loss = model.get('loss');
    const [threshold, kept, empty] = levelAt(view.levels[loss], at);
    const stays = sentences.map(one => threshold != null && one.support > threshold);
    sentences.forEach((one, i) => one.keep(stays[i]));
    const count = stays.filter(Boolean).length;
    alpha.stand(at, short(at), `alpha ${short(at)}: ${count} sentences kept`);
    mode.show(loss);
    summary.textContent = `${count} of ${stays.length} sentences are kept.`;
    price.textContent = `Of the ${view.n} answers that calibrate, ${whole(empty)} are left empty, and ${whole(kept)} of their ` +
      'sentences are kept.';
  }

  el.replaceChildren(root);
  paint();
  onChange(model, { alpha: paint, loss: paint });
  alpha.turned(value => change('alpha', value));
  return follow(root, el);
}

export default widget('claims', { render, levelAt });
