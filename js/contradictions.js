// Both sides of a contradiction in the browser. `view` (made by conflare_nb.contradictions) holds rank, distance and the
// number of smaller calibration scores of every side, so sliding needs no kernel. The helpers are those of common.js and sliding.js.

// What the viewer shows at one alpha
function at(view, alpha) {
  const k = rank(view.n, alpha);
  const tally = inside => {
    const found = view.sides.map(q => q.filter(inside).length), every = found.filter((n, i) => n === view.sides[i].length).length;
    return [every, found.filter(Boolean).length - every, found.filter(n => !n).length];
  };
  const tallies = { 'within qhat': tally(s => s.beyond < k) };
  for (const t of [1, view.top_k]) tallies[`top-${t}`] = tally(s => s.rank <= t);
  return { k, qhat: view.scores[k - 1] ?? Infinity, tallies };
}

const counted = (view, tally) => view.words.map((w, i) => `${w}: ${count(tally[i])}${i ? '' : ` of ${count(view.sides.length)}`}`).join('; ');

function summarise(view, s, sides) {
  const n = sides.filter(x => x.beyond < s.k).length, here = view.words[n === sides.length ? 0 : n ? 1 : 2];
  const qhat = s.qhat < Infinity ? `qhat = ${s.qhat.toFixed(4)} (k = ${s.k} of n = ${view.n}).` : 'Everything is retrieved.';
  return `${qhat} This question: ${here}. Of all, ${counted(view, s.tallies['within qhat'])}.`;
}

function guaranteed(view, alpha, s) {
  if (s.k > view.n) return `${many(view.n, 'question')} are too few for alpha = ${short(alpha)}, at least ${count(fewest(alpha))} are needed.`;
  if (s.qhat === Infinity) return `For ${view.infinite} of ${many(view.n, 'question')} nothing that answers was found.`;
  return `At least ${percent(1 - alpha)} of questions like those that calibrated get an answer, on average over calibration sets. Either side alone keeps this promise.`;
}

// One mark for each side, told apart by shape and colour: filled = retrieved, hollow = left out
const shapes = [(x, y) => `M${x - 6} ${y}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z`, (x, y) => `M${x - 5.5} ${y - 5.5}h11v11h-11z`, (x, y) => `M${x} ${y - 6.5}l6.5 12h-13z`];
const mark = (i, x, y, inside) => path(`side cfx-side-${i % 3}${inside ? '' : ' cfx-out'}`, shapes[i % 3](+x.toFixed(1), y));
const glyph = (i, inside) => svg('svg', { class: 'cfx-glyph', width: 16, height: 16, 'aria-hidden': true }, mark(i, 8, 8, inside));

// The sides of one question, and the calibration scores as ticks below
function numberLine(view, sides, s, W) {
  const all = [...view.sides.flat().map(x => x.distance), ...view.scores.slice(0, 1), ...view.scores.slice(-1)], lo = Math.min(...all), hi = Math.max(...all, lo + .01);
  const left = 14, right = W - 46, end = W - 8, head = 26, base = head + 16 + 26 * sides.length, finite = s.qhat < Infinity;
  const X = d => left + (right - left) * (d - lo) / (hi - lo), x = finite ? X(s.qhat) : end, row = i => head + 18 + 26 * i;
  return [
    svg('rect', { class: 'cfx-reach', x: 0, y: head - 6, width: x, height: base + 20 - head }),
    path('axis', `M0 ${base}H${end}`), path('far', view.scores.map(d => `M${X(d).toFixed(1)} ${base + 3}v9`).join('')),
    path('joins', 'M' + sides.map((c, i) => `${X(c.distance).toFixed(1)} ${row(i)}`).join('L')),
    ...ticks(lo, hi, W < 420 ? 4 : 8).map(d => text(X(d), base + 28, d.toFixed(2), middle)),
    finite ? null : text(end - 10, base + 28, 'inf', middle),
    text((left + right) / 2, base + 46, 'distance', middle),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base + 14}`),
    ...sides.map((c, i) => mark(i, X(c.distance), row(i), c.beyond < s.k)),
    named(x, head - 12, finite ? `qhat ${s.qhat.toFixed(4)}` : 'qhat infinite', x > W * .6),
  ].filter(Boolean);
}

function sideCard(view, c, i) {
  const sign = h('span', {}), said = h('b', {});
  const item = h('li', { class: `cfx-chunk cfx-side-${i % 3}` }, h('p', { class: 'cfx-name' }, sign, h('b', {}, view.names[i])),
    h('p', { class: 'cfx-said-so' }, said, ` · rank ${count(c.rank)} of ${count(view.total)} · distance ${c.distance.toFixed(4)}`),
    h('p', { class: 'cfx-where' }, c.title), h('p', { class: 'cfx-id' }, [c.document, c.heading].filter(Boolean).join(' › ')), h('p', { class: 'cfx-words' }, c.text));
  return { item, show(inside) {
    sign.replaceChildren(glyph(i, inside));
    said.textContent = inside ? 'retrieved' : 'left out';
    item.classList.toggle('cfx-off', !inside);
  } };
}

function questionBox(view, id) {
  const cut = t => t.length > 90 ? t.slice(0, 89) + '…' : t, words = h('p', { class: 'cfx-saved', 'aria-live': 'polite' });
  const choice = h('select', { id: id + 'q' }, ...view.questions.map((q, i) => h('option', { value: i }, `${i + 1} of ${view.questions.length}: ${cut(q)}`)));
  const step = (sign, to) => h('button', { type: 'button', 'aria-label': `${to} question` }, sign), before = step('←', 'Previous'), after = step('→', 'Next');
  const box = h('div', { class: 'cfx-question' }, h('label', { for: id + 'q' }, 'Question'), h('div', { class: 'cfx-pick' }, choice, before, after), words);
  return { choice, before, after, words, box };
}

function render({ model, el }) {
  const view = model.get('view'), id = 'cfx' + Math.random().toString(36).slice(2), q = questionBox(view, id), a = alphaDial(id, 'more chunks', x => x > 0 && x < 1);
  const summary = h('p', { class: 'cfx-summary', id: id + 's', 'aria-live': 'polite' }), promise = hint();
  const line = svg('svg', { role: 'img' }), rows = h('tbody'), list = h('ol', { class: 'cfx-sides', 'aria-label': 'Sides' });
  const keys = h('p', { class: 'cfx-keys' }, ...view.names.map((n, i) => h('span', { class: 'cfx-key' }, glyph(i, true), n)), h('span', { class: 'cfx-key' }, glyph(0, false), 'hollow: left out'), key('tick', 'a calibration score'));
  const heads = ['', ...view.words].map(w => h('th', { scope: 'col' }, w)), note = caution('The guarantee is for an alpha chosen beforehand, not for one chosen by what it retrieves.');
  const root = h('div', { class: 'cfx', role: 'group', 'aria-label': 'Contradiction viewer' }, q.box, h('div', { class: 'cfx-body' },
    h('div', { class: 'cfx-left' }, h('section', { class: 'cfx-alpha' }, ...a.parts, summary, promise),
      h('section', {}, heading('How far the sides are from the question'), line, keys),
      h('section', {}, heading(`Sides retrieved, of ${many(view.questions.length, 'question')}`), h('table', {}, h('thead', {}, h('tr', {}, ...heads)), rows)), note), list));
  let cards, W = 0;

  function paint() {
    const alpha = model.get('alpha'), i = model.get('question'), sides = view.sides[i], s = at(view, alpha);
    a.stand(alpha, short(alpha), `alpha ${short(alpha)}, ${counted(view, s.tallies['within qhat'])}`);
    summary.textContent = summarise(view, s, sides); promise.textContent = guaranteed(view, alpha, s);
    cards.forEach((c, j) => c.show(sides[j].beyond < s.k));
    rows.replaceChildren(...Object.entries(s.tallies).map(([rule, tally]) => h('tr', {}, h('th', { scope: 'row' }, rule), ...tally.map(n => h('td', {}, count(n))))));
    line.setAttribute('aria-label', `Distances. ${sides.map((c, j) => `${view.names[j]}: ${c.distance.toFixed(4)}, ${c.beyond < s.k ? 'retrieved' : 'left out'}`).join('. ')}. ${s.qhat < Infinity ? `qhat: ${s.qhat.toFixed(4)}` : 'qhat is infinite'}.`);
    line.setAttribute('height', 92 + 26 * sides.length);
    if (W) line.replaceChildren(...numberLine(view, sides, s, W));
    Object.assign(root.dataset, { question: i, alpha: short(alpha), k: s.k, qhat: s.qhat < Infinity ? s.qhat.toFixed(4) : 'inf', tally: s.tallies['within qhat'].join(' ') });
  }

  function show() {
    const i = model.get('question');
    q.choice.value = i; q.words.textContent = view.questions[i];
    cards = view.sides[i].map((c, j) => sideCard(view, c, j));
    list.replaceChildren(...cards.map(c => c.item));
    paint();
  }

  const set = (name, value) => { model.set(name, value); model.save_changes(); }, size = view.questions.length;
  const choose = i => { set('question', (i + size) % size); show(); };
  a.turned(alpha => { set('alpha', alpha); note.classList.add('cfx-on'); paint(); });
  q.choice.addEventListener('change', () => choose(+q.choice.value));
  q.before.addEventListener('click', () => choose(model.get('question') - 1));
  q.after.addEventListener('click', () => choose(model.get('question') + 1));

  el.replaceChildren(root);
  show();
  model.on('change:alpha', paint); model.on('change:question', show);
  return follow(root, el, () => { W = line.clientWidth; paint(); });
}

export default { render, at };
