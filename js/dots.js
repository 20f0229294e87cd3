// The first minute: questions whose answer is known are dots, one puts a line, and a hundred new questions fall.
import { chance, starting } from './chance.js';
import { div, follow, h, heading, keeper, newId, onChange, paragraph, span } from './common.js';
import { path } from './sliding.js';
import { EDGE, circle, colour, dragging, ease, mover, piles, still, strip } from './strip.js';
import { widget } from './widget.js';

const ASKED = 100;
const NEW = 4.5;         // radius of a new question
const AXIS = 108;        // where the known ones stand

// The places 0 to size-1 in the order of one draw, the same for the same seed
function shuffled(size, seed, draw) {
  const start = starting(seed, draw);
  const ticket = Array.from({ length: size }, (_, i) => chance(start, i));
  return ticket.map((_, i) => i).sort((a, b) => ticket[a] - ticket[b] || a - b);
}

// The score behind which one stops reading, where so many of n + 1 may be missed; among n there may be none
function lineOf(known, misses) {
  const sorted = [...known].sort((a, b) => a - b);
  return sorted[known.length - misses] ?? Infinity;
}

const sum = numbers => numbers.reduce((a, b) => a + b, 0);
const ordinal = n => n + (['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th');

// ---- words

function lineWords(known, misses) {
  const n = known.length, all = n + 1, k = all - misses;
  if (!misses) {
    return [`${n} questions cannot promise that nothing is missed.`, 'The honest line is: read everything.'];
  }
  const same = known.filter(score => score === lineOf(known, misses)).length > 1;
  const share = `${k}/${all} = ${Math.round(100 * k / all)}%`;
  const why = `The next question is the ${ordinal(all)}. It is as likely to land in each of the ${all} gaps between the `
    + `dots, and ${k} of these lie left of the line: ${same ? 'at least ' : ''}${share}.`;
  return [`The line stands at dot ${k} of ${n}.`, why];
}

function roundWords(rounds, misses, n) {
  const promised = `Promised, on average: ${Math.round(100 * (n + 1 - misses) / (n + 1))} of ${ASKED}.`;
  if (rounds.length < 2) return `${promised} Draw others and ask again.`;
  const mean = Math.round(sum(rounds) / rounds.length);
  return `${promised} Your ${rounds.length} rounds: ${rounds.slice(-12).join(', ')}. Their mean: ${mean}.`;
}

// ---- the strip, and what falls into it

const pause = ms => new Promise(done => setTimeout(done, still() ? 0 : ms));

const wide = W => Math.max(2 * NEW, W / 62);

function fallingStrip() {
  let news = [];
  const picture = strip({
    ends: () => ['← near the question', 'far away →'],
    axis: () => AXIS,
    depth: W => 26 + 10 * wide(W) + NEW,
    drawn: ({ W, ground, X }) => {
      news.forEach(one => { one.x = X(one.score); });
      news.forEach(fallen);
      return [path('grid', `M${EDGE} ${ground}H${W - EDGE}`), ...news.map(({ dot }) => dot)];
    },
  });

  function fallen(one) {
    const { ground, W } = picture.frame();
    one.dot.setAttribute('cx', one.x.toFixed(1));
    one.dot.setAttribute('cy', (ground - NEW - one.row * wide(W)).toFixed(1));
  }

  function forget() {
    news.forEach(({ dot }) => dot.remove());
    news = [];
  }

  // New questions above their place, with the colour that they will have
  function drop(scores, texts, qhat) {
    forget();
    const { X, W } = picture.frame();
    const xs = scores.map(X);
    const rows = piles(xs, wide(W));
    news = scores.map((score, i) => ({ score, x: xs[i], row: rows[i], dot: circle('new', NEW, texts[i]) }));
    news.forEach(({ dot }, i) => colour(dot, scores[i] <= qhat));
    picture.line.before(...news.map(({ dot }) => dot));
  }

  // One after the other: how many have landed when `t` of the time is over
  function fall(t) {
    let landed = 0;
    news.forEach((one, i) => {
      const own = Math.min(1, Math.max(0, (t * (news.length + 14) - i) / 14));
      fallen(one);
      const end = +one.dot.getAttribute('cy');
      one.dot.setAttribute('cy', (AXIS + (end - AXIS) * own * own).toFixed(1));
      one.dot.toggleAttribute('hidden', own === 0);
      landed += own === 1;
    });
    return landed;
  }
  return { ...picture, drop, fall, forget };
}

// ---- all of it

export function render({ model, el }) {
  const { scores, texts, n, seed } = model.get('view');
  const all = scores.map(score => score ?? Infinity);
  const id = newId();
  const slider = h('input', { type: 'range', id, min: 0, max: n / 2, step: 1, value: model.get('misses') });
  const accepted = h('b');
  const label = h('label', { for: id }, 'You accept ', accepted);
  const ask = h('button', { type: 'submit' }, `Ask ${ASKED} questions`);
  const again = h('button', { type: 'button' }, `Draw another ${n}`);
  const found = h('b'), more = span('hint');
  const said = h('p', { class: 'cfx-dots-said', role: 'status' }, found, ' ', more);
  const picture = fallingStrip();
  const lead = `${n === 20 ? 'Twenty' : n} questions whose answer we know. Each dot says how far from the question its answer lies. `
    + 'Put the line where a search may stop reading.';
  const form = h('form', { class: 'cfx-put' }, label, slider, div('buttons', ask, again));
  const root = h('div', { class: 'cfx cfx-dots', role: 'group', 'aria-label': 'Dots and a line' },
    heading('How far must a search read?'), paragraph('lead', lead), picture.part, form, said);
  const [move, run] = [mover(), mover()];
  let draw = 0, asked = 0, known, rest, rounds = [], touched = false;

  const misses = () => +slider.value;
  const qhat = () => lineOf(known.map(i => all[i]), misses());
  const textsOf = places => places.map(i => texts[i] ?? '');

  function say([first, then]) {
    found.textContent = first;
    more.textContent = then;
  }

  function explain() {
    const of = `${misses() === 1 ? '1 miss' : `${misses() || 'no'} misses`} in ${n + 1}`;
    accepted.textContent = `${of} (alpha ${Math.round(100 * misses() / (n + 1))}%)`;
    const words = lineWords(known.map(i => all[i]), misses());
    slider.setAttribute('aria-valuetext', `${of}. ${words[0]}`);
    picture.root.setAttribute('aria-label', `${n} dots, one for each known question. ${words[0]}`);
    say(words);
  }

  // The line goes to its dot; what was asked of another line is gone
  function put(ms = 350) {
    run(0, () => {});
    picture.forget();
    rounds = [];
    explain();
    const from = picture.at(), to = picture.placeOf(qhat());
    return move(ms, t => picture.stand(from + (to - from) * ease(t)));
  }

  function take(order) {
    known = order.slice(0, n);
    rest = order.slice(n);
  }

  async function another() {
    run(0, () => {});
    const held = rounds;
    const before = picture.places().map(({ x }) => x).sort((a, b) => a - b);
    take(shuffled(all.length, seed, ++draw));
    known.sort((a, b) => all[a] - all[b]);
    picture.show(known.map(i => all[i]), textsOf(known));
    picture.places().forEach((one, i) => { one.from = before[i]; });
    const arrived = await move(500, t => picture.glide(ease(t)));
    if (arrived) await put();
    rounds = held;
  }

  async function askAll() {
    const order = shuffled(rest.length, seed + 1, ++asked).slice(0, ASKED).map(i => rest[i]);
    const line = qhat();
    const hits = order.map(i => all[i] <= line);
    picture.stand(picture.placeOf(line));
    picture.drop(order.map(i => all[i]), textsOf(order), line);
    said.setAttribute('aria-busy', true);
    const landed = await run(2400, t => {
      const now = picture.fall(t);
      say([`${sum(hits.slice(0, now))} of ${now} found.`, roundWords([], misses(), n)]);
    });
    said.removeAttribute('aria-busy');
    if (!landed) return;
    rounds.push(sum(hits));
    say([`${rounds.at(-1)} of ${order.length} found.`, roundWords(rounds, misses(), n)]);
  }

  // Once, where nobody has touched it: a line comes, and the questions fall
  async function play() {
    if (touched || still()) return;
    picture.stand(14);
    await pause(500);
    if (touched || !await put(1400)) return;
    await pause(1200);
    if (!touched) askAll();
  }

  const byHand = go => e => {
    touched = true;
    return go(e);
  };
  const keep = keeper(model);
  slider.addEventListener('input', byHand(() => {
    keep('misses', misses());
    put();
  }));
  onChange(model, { misses: () => {
    if (model.get('misses') === misses()) return;
    slider.value = model.get('misses');
    put();
  } });
  again.addEventListener('click', byHand(another));
  form.addEventListener('submit', byHand(e => {
    e.preventDefault();
    askAll();
  }));
  dragging(picture.root, byHand(x => {
    const beyond = picture.places().filter(one => one.to > x + 7).length;
    const next = Math.min(beyond + 1, n / 2);
    const end = x > picture.placeOf(Infinity) - 7;
    const to = end ? 0 : next;
    if (to === misses()) return;
    slider.value = to;
    keep('misses', to);
    put(120);
  }));

  el.replaceChildren(root);
  take(all.map((_, i) => i));
  known.sort((a, b) => all[a] - all[b]);
  const stop = follow(root, el, () => {
    picture.around(all, picture.root.clientWidth || 600);
    picture.stand(picture.placeOf(qhat()));
  });
  picture.show(known.map(i => all[i]), textsOf(known));
  explain();
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    seen.disconnect();
    play();
  }, { threshold: .6 });
  seen.observe(root);
  return () => {
    seen.disconnect();
    stop();
  };
}

export default widget('dots', { render });
