// The first minute: questions whose answer is known are dots, one puts a line, and a hundred new questions fall.
import { chance, starting } from './chance.js';
import { div, follow, h, heading, keeper, newId, onChange, paragraph, span } from './common.js';
import { path, scale, svg, text } from './sliding.js';
import { widget } from './widget.js';

const ASKED = 100;
const DOT = 7, NEW = 4.5;               // radius of a known and of a new question
const TOP = 26, AXIS = 108;             // heights in the picture: where the line begins, where the dots stand

// The places 0 to size-1 in the order of one draw, the same for the same seed
export function shuffled(size, seed, draw) {
  const start = starting(seed, draw);
  const ticket = Array.from({ length: size }, (_, i) => chance(start, i));
  return ticket.map((_, i) => i).sort((a, b) => ticket[a] - ticket[b] || a - b);
}

// The score behind which one stops reading, where so many of n + 1 may be missed; among n there may be none
export function lineOf(known, misses) {
  const sorted = [...known].sort((a, b) => a - b);
  return sorted[known.length - misses] ?? Infinity;
}

// How high each dot lies on those that stand at its place already
export function piles(xs, width) {
  const high = {};
  return xs.map(x => {
    const bin = Math.round(x / width);
    high[bin] = (high[bin] ?? -1) + 1;
    return high[bin];
  });
}

const sum = numbers => numbers.reduce((a, b) => a + b, 0);
const ordinal = n => n + (['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th');
const ease = t => 1 - (1 - t) ** 3;
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

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

// ---- motion

// Call `step` with 0 to 1 until the time is over; a later motion of the same kind ends an earlier one
function mover() {
  let current = 0;
  return (ms, step) => new Promise(done => {
    const mine = ++current;
    if (still()) {
      step(1);
      return done(true);
    }
    const begun = performance.now();
    const frame = () => {
      if (mine !== current) return done(false);
      const t = Math.min(1, (performance.now() - begun) / ms);
      step(t);
      if (t < 1) requestAnimationFrame(frame);
      else done(true);
    };
    frame();
  });
}

const pause = ms => new Promise(done => setTimeout(done, still() ? 0 : ms));

// ---- the picture

const circle = (kind, r, words) =>
  svg('circle', { class: 'cfx-dot', r, 'data-kind': kind }, words ? svg('title', {}, words) : null);

// Where a picture of this width has its scores, and its ground
function frameOf(scores, W) {
  const finite = scores.filter(Number.isFinite);
  const lo = Math.min(...finite), hi = Math.max(...finite);
  const space = (hi - lo || 1) * .03;
  const place = scale(lo - space, hi + space, 14, W - 40);
  const wide = Math.max(2 * NEW, W / 62);
  return { W, wide, ground: AXIS + 26 + 10 * wide, X: score => score < Infinity ? place(score) : W - 16 };
}

function axis({ W, ground }) {
  return [
    path('axis', `M14 ${AXIS}H${W - 14}`),
    text(14, AXIS + 18, '← near the question'),
    text(W - 14, AXIS + 18, 'far away →', { 'text-anchor': 'end' }),
    path('grid', `M14 ${ground + NEW}H${W - 14}`),
  ];
}

function colour(dot, found) {
  dot.setAttribute('class', found ? 'cfx-dot cfx-found' : 'cfx-dot cfx-missed');
}

// The strip: dots of known questions, dots of new ones, and the line. `shown` says how far each motion is.
function strip() {
  const root = svg('svg', { class: 'cfx-strip', role: 'img' });
  const line = svg('g', { class: 'cfx-stop' });
  const behind = svg('rect', { class: 'cfx-reach', y: TOP });
  let frame, known = [], news = [], lineX = 0;

  function layKnown(scores, texts) {
    known = scores.map((score, i) => ({ score, dot: circle('known', DOT, texts[i]), x: null }));
    news = [];
    lay();
  }

  function lay() {
    if (!frame) return;
    const xs = known.map(({ score }) => frame.X(score));
    const rows = piles(xs, 2 * DOT + 1);
    known.forEach((one, i) => {
      Object.assign(one, { from: one.x ?? xs[i], to: xs[i] });
      one.dot.setAttribute('cy', AXIS - DOT - 3 - rows[i] * (2 * DOT + 1));
    });
    root.setAttribute('height', frame.ground + 12);
    line.replaceChildren(
      path('line', `M0 ${TOP}V${frame.ground + NEW}`), svg('circle', { class: 'cfx-grip', r: 9, cy: AXIS }),
      text(0, 16, 'stop reading here', { class: 'cfx-qhat' }),
    );
    root.replaceChildren(behind, ...axis(frame), ...[...known, ...news].map(({ dot }) => dot), line);
    glide(1);
    news.forEach(fallen);
    stand(lineX);
  }

  function glide(t) {
    known.forEach(one => {
      one.x = one.from + (one.to - one.from) * t;
      one.dot.setAttribute('cx', one.x.toFixed(1));
    });
    stand(lineX);
  }

  // The line at a place of the picture: what lies before it is read
  function stand(x) {
    lineX = x;
    const words = line.lastChild;
    if (!frame || !words) return;
    line.setAttribute('transform', `translate(${x.toFixed(1)} 0)`);
    words.setAttribute('text-anchor', x < 70 ? 'start' : x > frame.W - 70 ? 'end' : 'middle');
    behind.setAttribute('width', Math.max(0, x - 14));
    behind.setAttribute('x', 14);
    behind.setAttribute('height', frame.ground + NEW - TOP);
    known.forEach(one => colour(one.dot, one.x <= x));
  }

  // Just behind the dot where it stops, and never behind the next
  const placeOf = score => score < Infinity ? frame.X(score) + .5 : frame.W - 14;

  function fallen(one) {
    one.dot.setAttribute('cx', one.x.toFixed(1));
    one.dot.setAttribute('cy', (frame.ground - one.row * frame.wide).toFixed(1));
  }

  // New questions above their place, with the colour that they will have
  function drop(scores, texts, qhat) {
    news.forEach(({ dot }) => dot.remove());
    const xs = scores.map(frame.X);
    const rows = piles(xs, frame.wide);
    news = scores.map((score, i) => ({ score, x: xs[i], row: rows[i], dot: circle('new', NEW, texts[i]) }));
    news.forEach(({ dot }, i) => colour(dot, scores[i] <= qhat));
    line.before(...news.map(({ dot }) => dot));
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

  function forget() {
    news.forEach(({ dot }) => dot.remove());
    news = [];
  }

  function resize(scores, W) {
    frame = frameOf(scores, W);
    news.forEach(one => { one.x = frame.X(one.score); });
    known.forEach(one => { one.x = null; });
    lay();
  }
  return { root, layKnown, glide, stand, placeOf, drop, fall, forget, resize, at: () => lineX, places: () => known };
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
  const said = h('p', { class: 'cfx-said', role: 'status' }, found, ' ', more);
  const picture = strip();
  const lead = `${n === 20 ? 'Twenty' : n} questions whose answer we know. Each dot says how far from the question its answer lies. `
    + 'Put the line where a search may stop reading.';
  const form = h('form', { class: 'cfx-put' }, label, slider, div('buttons', ask, again));
  const root = h('div', { class: 'cfx cfx-dots', role: 'group', 'aria-label': 'Dots and a line' },
    heading('How far must a search read?'), paragraph('lead', lead), picture.root, form, said);
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
    picture.layKnown(known.map(i => all[i]), textsOf(known));
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
  function dragged(e) {
    const x = e.clientX - picture.root.getBoundingClientRect().left;
    const beyond = picture.places().filter(one => one.to > x + DOT).length;
    const next = Math.min(beyond + 1, n / 2);
    const end = x > picture.placeOf(Infinity) - DOT;
    const to = end ? 0 : next;
    if (to === misses()) return;
    slider.value = to;
    keep('misses', to);
    put(120);
  }
  picture.root.addEventListener('pointerdown', byHand(e => {
    picture.root.setPointerCapture(e.pointerId);
    dragged(e);
  }));
  picture.root.addEventListener('pointermove', e => { if (e.buttons) dragged(e); });

  el.replaceChildren(root);
  take(all.map((_, i) => i));
  known.sort((a, b) => all[a] - all[b]);
  const stop = follow(root, el, () => {
    picture.resize(all, picture.root.clientWidth || 600);
    picture.stand(picture.placeOf(qhat()));
  });
  picture.layKnown(known.map(i => all[i]), textsOf(known));
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

export default widget('dots', { render, shuffled, lineOf, piles });
