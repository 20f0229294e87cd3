// The sample-size planner in the browser.
import { betaQuantile, ranked, sizesNeeded, tenth } from './chance.js';
import { count, div, follow, h, heading, hint, keeper, many, newId, onChange, section } from './common.js';
import { fewest, rank } from './rank.js';
import {
  alphaDial, before, dial, hatched, hatching, key, keys, middle, named, path, percent, scale, short, summaryOf, svg,
  text, ticks,
} from './sliding.js';
import { widget } from './widget.js';

const SIDES = { false: 'not more than eps below 1 - alpha', true: 'within eps of 1 - alpha, on both sides' };
const CONFIDENCE = { .2: '80%', .1: '90%', .05: '95%', .01: '99%' };

// ---- numbers

// The plan for what is wanted
function planned(alpha, eps, delta, two_sided) {
  const tail = two_sided ? delta / 2 : delta;
  const needed = sizesNeeded(alpha, eps, tail, two_sided);
  const plan = { alpha, eps, delta, two_sided, tail, finite: fewest(alpha), ...needed };
  return { ...plan, low: coverageAt(plan, plan.n, tail), high: coverageAt(plan, plan.n, 1 - tail) };
}

// The coverage that n questions stay below with this probability
function coverageAt({ alpha }, n, probability) {
  const k = rank(n, alpha);
  return betaQuantile(probability, k, n + 1 - k);
}

// Every small n, then about as many for each octave; and both sides of the first teeth
function sizes(plan, most) {
  const out = [plan.n, most];
  for (let n = plan.finite; n < most; n = Math.max(n + 1, Math.round(n * 1.05))) out.push(n);
  for (let r = 2; r <= 30; r++) out.push(ranked(plan.alpha, r) - 1, ranked(plan.alpha, r));
  return out.filter(n => n >= plan.finite && n <= most).sort((a, b) => a - b);
}

// ---- the chart

function planFrame(plan, W) {
  const left = 44, right = W - 24, base = 226, head = 26;
  const most = 10 ** Math.ceil(Math.log10(Math.max(3 * plan.n, 300)));
  const span = Math.max(2.5 * plan.eps, .06);
  const lo = Math.max(0, 1 - plan.alpha - span);
  const hi = Math.min(1, 1 - plan.alpha + span);
  const height = scale(lo, hi, base, head);
  return {
    left, right, base, head, most, lo, hi,
    X: n => left + (right - left) * Math.log10(n) / Math.log10(most),
    Y: share => height(Math.min(Math.max(share, lo), hi)),
  };
}

// Where coverage falls, from the upper end to the right and back along the lower one
function band(plan, { most, X, Y }) {
  const corner = (n, probability) => `${X(n).toFixed(1)} ${Y(coverageAt(plan, n, probability)).toFixed(1)}`;
  const rising = sizes(plan, most);
  const upper = rising.map(n => corner(n, 1 - plan.tail));
  const lower = rising.reverse().map(n => corner(n, plan.tail));
  return `M${[...upper, ...lower].join('L')}z`;
}

// The n without a finite threshold
function hopeless(plan, { left, base, head, X }, id) {
  const end = X(Math.max(1, plan.finite - .5));
  const width = Math.max(0, end - left);
  return svg('rect', {
    class: 'cfx-beyond', x: left, y: head, width, height: base - head, ...hatched(id), opacity: .45,
  });
}

function powersOfTen({ most, X, base }) {
  const length = Math.round(Math.log10(most)) + 1;
  return Array.from({ length }, (_, i) => text(X(10 ** i), base + 18, count(10 ** i), middle));
}

function coverageLines({ left, right, lo, hi, Y }) {
  const line = share => [
    path('grid', `M${left} ${Y(share).toFixed(1)}H${right}`),
    before(left - 6, Y(share) + 4, percent(share)),
  ];
  return ticks(lo, hi, 6).flatMap(line);
}

function planChart(plan, W, id) {
  const frame = planFrame(plan, W);
  const { left, right, base, head, lo, hi, X, Y } = frame;
  const asked = 1 - plan.alpha;
  const x = X(plan.n);
  const wish = share =>
    share > lo && share < hi ? path('wish', `M${left} ${Y(share).toFixed(1)}H${right}`) : null;
  return [
    hatching(id),
    hopeless(plan, frame, id),
    ...coverageLines(frame),
    path('bands', band(plan, frame)),
    path('axis', `M${left} ${base}H${right}`),
    path('axis', `M${left} ${Y(asked)}H${right}`),
    wish(asked - plan.eps),
    plan.two_sided ? wish(asked + plan.eps) : null,
    ...powersOfTen(frame),
    text((left + right) / 2, 262, 'n, questions that calibrate', middle),
    text(0, 12, 'coverage'),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base + 4}`),
    named(x, head - 8, `n = ${count(plan.n)}`, x > W * .55),
  ].filter(Boolean);
}

// ---- words

function planWords({ two_sided, low, high, delta }) {
  const falls = two_sided ? `falls between ${tenth(low)} and ${tenth(high)}` : `is at least ${tenth(low)}`;
  return `With so many, coverage ${falls} with ${percent(1 - delta)} probability.`;
}

function leastWords({ first, n, finite }) {
  const teeth = first < n
    ? `The smallest number that will do is ${count(first)}; `
      + 'between the two some do and some do not (the teeth of the band). '
    : '';
  const none = 'there is no finite threshold at this alpha: all is retrieved that the score ranks.';
  return `${teeth}Below ${many(finite, 'question')} ${none}`;
}

// ---- controls

function choice(id, words, options, chosen) {
  const option = ([value, words]) => h('option', { value }, words);
  const select = h('select', { id }, ...Object.entries(options).map(option));
  select.addEventListener('change', () => chosen(select.value));
  return { select, part: div('choice', h('label', { for: id }, words), select) };
}

function controls(id, keep) {
  const alpha = alphaDial(id, 'fewer misses', x => x >= .001 && x <= .999);
  const eps = dial(id + 'e', {
    name: 'eps',
    words: 'shortfall of coverage you can live with',
    ends: ['closer, more questions', 'looser, fewer'],
    range: { min: .01, max: .2, step: .005, 'aria-describedby': id + 's' },
    step: .005,
    fits: x => x >= .005 && x <= .5,
  });
  const sides = choice(id + 'w', 'wanted', SIDES, value => keep('two_sided', value === 'true'));
  const sure = choice(id + 'd', 'confidence', CONFIDENCE, value => keep('delta', +value));
  const part = h('section', { class: 'cfx-alpha' }, ...alpha.parts, ...eps.parts, sides.part, sure.part);
  alpha.turned(x => keep('alpha', x));
  eps.turned(x => keep('eps', x));

  function stand(plan) {
    const questions = many(plan.n, 'question');
    alpha.stand(plan.alpha, short(plan.alpha), `alpha ${short(plan.alpha)}, ${questions}`);
    eps.stand(plan.eps, short(plan.eps), `eps ${short(plan.eps)}, ${questions}`);
    sides.select.value = plan.two_sided;
    sure.select.value = short(plan.delta);
  }
  return { part, stand };
}

// ---- all of it

function facts({ alpha, eps, delta, two_sided, n, first, finite, low, high }) {
  const words = { alpha: short(alpha), eps: short(eps), delta: short(delta), sides: two_sided ? 2 : 1 };
  return { ...words, n, first, finite, low: low.toFixed(6), high: high.toFixed(6) };
}

export function render({ model, el }) {
  const id = newId();
  const { part, stand } = controls(id, keeper(model));
  const title = heading();
  const summary = summaryOf(id);
  const least = hint();
  const chart = svg('svg', { height: 270, role: 'img' });
  const colours = keys(
    key('bands', 'where coverage falls'), key('wish', 'wanted'),
    key('beyond', 'no finite threshold'),
  );
  const needed = h('section', { class: 'cfx-needed' }, title, summary, least);
  const right = section(heading('Coverage against the number of questions'), chart, colours);
  const root = h(
    'div', { class: 'cfx', 'aria-label': 'Sample-size planner', role: 'group' },
    div('body', div('left', part, needed), right),
  );
  let W = 0;

  function paint() {
    const plan = planned(...['alpha', 'eps', 'delta', 'two_sided'].map(name => model.get(name)));
    stand(plan);
    title.textContent = `${many(plan.n, 'question')} or more`;
    summary.textContent = planWords(plan);
    least.textContent = leastWords(plan);
    chart.setAttribute('aria-label', `Band of coverage against n. ${title.textContent}. ${summary.textContent}`);
    Object.assign(root.dataset, facts(plan));
    if (W) chart.replaceChildren(...planChart(plan, chart.clientWidth, id));
  }

  el.replaceChildren(root);
  onChange(model, { alpha: paint, eps: paint, delta: paint, two_sided: paint });
  paint();
  return follow(root, el, () => {
    W = root.clientWidth;
    paint();
  });
}

export default widget('planner', { render, sizesNeeded });
