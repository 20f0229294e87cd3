// The sample-size planner in the browser.
import { betaQuantile, sizesNeeded, tenth } from './chance.js';
import { count, div, follow, h, heading, hint, keeper, many, newId, onChange, section } from './common.js';
import { BET_DELTA, everyPlan } from './planning.js';
import { fewest, rank, ranked } from './rank.js';
import {
  alphaDial, before, dial, hatched, hatching, key, keys, middle, named, path, percent, scale, short, summaryOf, svg,
  text, ticks,
} from './sliding.js';
import { widget } from './widget.js';

const SIDES = { false: 'not more than eps below 1 - alpha', true: 'within eps of 1 - alpha, on both sides' };
const GUARANTEES = {
  threshold: 'threshold: a fixed level, coverage on average over calibration sets',
  slider: 'slider: I slide, among a half of alpha, alpha and its double',
  'this set': 'this set: coverage with this calibration set (PAC)',
  groups: 'groups: coverage of each kind of question',
  'answer sets': 'answer sets: a right answer in the set',
  gate: 'gate: coverage behind a gate for foreign questions',
  'risk control': 'risk control: relevant chunks missed, on average',
  'tested limit': 'tested limit: relevant chunks missed, with confidence',
  'two limits': 'two limits: chunks missed and a budget, with confidence',
  budget: 'budget: an answer within a token budget',
  weights: 'weights: coverage of other questions',
  audit: "audit: a judge's labels, checked",
};
// What the share is a share of, where there is one, and where it starts
const USUAL = { groups: .1, weights: .5 };
const SHARES = {
  groups: ['of questions of the rarest kind', ['rarer: more questions', 'more common: fewer']],
  weights: ['of the questions that weights leave (effective)', ['smaller: more questions', 'larger: fewer']],
};
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

// What every guarantee takes; worked out once for a wish, since sliding asks many times
function remembering(plans) {
  let known, found;
  return wish => {
    const asked = JSON.stringify(wish);
    if (asked !== known) found = plans(wish);
    known = asked;
    return found;
  };
}

// ---- the charts

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
    text((left + right) / 2, 262, 'n, calibration questions', middle),
    text(0, 12, 'coverage'),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base + 4}`),
    named(x, head - 8, `n = ${count(plan.n)}`, x > W * .55),
  ].filter(Boolean);
}

// Every guarantee in a row: from the number that has a promise to the one that is worth while
function rowsChart(plans, chosen, W) {
  const names = Object.keys(plans);
  const left = 96, right = W - 58, head = 8, step = 24;
  const base = head + step * names.length;
  const most = 10 ** Math.ceil(Math.log10(Math.max(...names.map(name => plans[name].n), 100)));
  const X = n => left + (right - left) * Math.log10(Math.max(1, n)) / Math.log10(most);
  const powers = Array.from({ length: Math.round(Math.log10(most)) + 1 }, (_, i) => 10 ** i);
  const row = (name, i) => {
    const { finite, n } = plans[name];
    const y = head + step * (i + .5);
    const [from, to] = [X(finite), X(n)];
    const is = { class: name === chosen ? 'cfx-row cfx-chosen' : 'cfx-row' };
    return svg(
      'g', is,
      text(left - 10, y + 4, name, { 'text-anchor': 'end' }),
      path('span', `M${from.toFixed(1)} ${y}H${to.toFixed(1)}`),
      svg('circle', { class: 'cfx-from', cx: from.toFixed(1), cy: y, r: 4 }),
      svg('circle', { class: 'cfx-to', cx: to.toFixed(1), cy: y, r: 5 }),
      text(to + 10, y + 4, count(n)),
    );
  };
  return [
    ...powers.map(n => path('grid', `M${X(n).toFixed(1)} ${head}V${base}`)),
    ...names.map(row),
    ...powers.filter((_, i) => W > 500 || i % 2 === 0).map(n => text(X(n), base + 16, count(n), middle)),
    text((left + right) / 2, base + 36, 'questions (labels for an audit)', middle),
  ];
}

// ---- words

// What is promised, and what is worth while
function promiseWords(name, { alpha, eps, delta, share }, steps) {
  const [asked, miss, sure] = [1 - alpha, alpha, 1 - delta].map(percent);
  const low = percent(Math.max(0, 1 - alpha - eps));
  const most = percent(Math.min(1, alpha + eps));
  const rate = percent(alpha - eps > 1e-9 ? alpha - eps : alpha / 2);
  const near = `coverage is at least ${low}, with ${sure} probability`;
  const shown = `is shown to hold, with 80% probability, if really ${rate}`;
  const missed = 'are missed and each question has one relevant chunk';
  const relevant = `on average over questions, at most ${miss} of the chunks relevant to a question are missed`;
  const half = Math.round(alpha * 5e8) / 1e9;
  return {
    slider: [
      'alpha may be moved to a half of it, or (below 50%) to its double, after looking: a miss counts 1/alpha, '
      + 'and that is on average at most 1 a question',
      `a threshold at ${percent(half)}, about where it stands at ${miss}, covers at least `
      + `${percent(Math.max(0, 1 - half - eps))}, with ${sure} probability; `
      + 'on the medication guide a moved 10% reads 1.8 chunks, a fixed one 1.3',
    ],
    'this set': [
      `with ${sure} probability, at least ${asked} of questions are covered with this calibration set`,
      `coverage is at most ${percent(Math.min(1, 1 - alpha + eps))} on average, so little more is read than has to be`,
    ],
    groups: [
      `at least ${asked} of each kind of question are covered, on average; the rarest kind makes up ${percent(share)}`,
      `coverage of each kind is at least ${low}, with ${sure} probability, once it has enough questions`,
    ],
    'answer sets': [
      `for at least ${asked} of questions a right answer is in the set, or the set is everything, on average`,
      `both steps together miss at most ${most}, with ${sure} probability`,
    ],
    gate: [
      `a fifth of alpha pays for the gate, and at least ${asked} of questions are still covered, on average`,
      near,
    ],
    'risk control': [
      `${relevant}, or everything is retrieved`,
      `at most ${most} are missed with your set, with ${sure} probability, if each question has one relevant chunk`,
    ],
    'tested limit': [`${relevant}, with ${sure} probability`, `the limit ${shown} ${missed}`],
    'two limits': [
      `${relevant}, and a limit on the budget holds, both with ${sure} probability`,
      `the limit on missed chunks ${shown} ${missed}`,
    ],
    budget: [
      `with ${sure} probability, an answer fits the budget for at least ${asked} of questions`,
      `the promise ${shown} do not fit`,
    ],
    weights: [
      `about ${asked} of other questions are covered, by weights that leave an effective ${percent(share)} of these`,
      `${near}; a question with a large weight needs more`,
    ],
    audit: [
      'if no label that you look at comes too early, part of alpha is left; '
      + `the audit misleads with at most ${percent(BET_DELTA)} probability`,
      `half of alpha is left if none comes too early, and a threshold then needs ${many(steps, 'question')}`,
    ],
  }[name];
}

function planWords({ two_sided, low, high, delta }) {
  const sure = `with ${percent(1 - delta)} probability`;
  if (!two_sided) return `With that many, coverage is at least ${tenth(low)} ${sure}.`;
  return `With that many, coverage lies between ${tenth(low)} and ${tenth(high)} ${sure}, if no scores tie.`;
}

function leastWords({ first, n, finite }) {
  const teeth = first < n
    ? `The smallest number that will do is ${count(first)}; `
      + 'between the two, some will do and some will not (the teeth of the band). '
    : '';
  const none = 'there is no finite threshold at this alpha, and everything that the score ranks is retrieved.';
  return `${teeth}With fewer than ${many(finite, 'question')}, ${none}`;
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
    ends: ['closer: more questions', 'looser: fewer'],
    range: { min: .01, max: .2, step: .005, 'aria-describedby': id + 's' },
    step: .005,
    fits: x => x >= .005 && x <= .5,
  });
  const sides = choice(id + 'w', 'coverage should be', SIDES, value => keep('two_sided', value === 'true'));
  const sure = choice(id + 'd', 'confidence', CONFIDENCE, value => keep('delta', +value));
  const what = choice(id + 'g', 'guarantee', GUARANTEES, value => {
    if (value in USUAL) keep('share', USUAL[value]);
    keep('guarantee', value);
  });
  const share = dial(id + 'p', {
    name: 'share',
    words: '',
    ends: ['', ''],
    range: { min: .02, max: .95, step: .01, 'aria-describedby': id + 's' },
    step: .01,
    fits: x => x > 0 && x < 1,
  });
  const [label, , , ends] = share.parts;
  const part = h(
    'section', { class: 'cfx-alpha' },
    what.part, ...alpha.parts, ...eps.parts, ...share.parts, sides.part, sure.part,
  );
  share.turned(x => keep('share', x));
  alpha.turned(x => keep('alpha', x));
  eps.turned(x => keep('eps', x));

  // The share, where the guarantee has one
  function standShare(guarantee, value) {
    const [words, sides] = SHARES[guarantee] ?? ['', ['', '']];
    share.parts.forEach(part => { part.hidden = !words; });
    label.lastChild.textContent = ` ${words}`;
    [...ends.children].forEach((end, i) => { end.textContent = i ? `${sides[i]} →` : `← ${sides[i]}`; });
    share.stand(value, short(value), `share ${short(value)}`);
  }

  function stand(plan, guarantee, value) {
    const questions = many(plan.n, 'question');
    what.select.value = guarantee;
    sides.part.hidden = guarantee !== 'threshold';
    standShare(guarantee, value);
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

const NAMES = ['alpha', 'eps', 'delta', 'two_sided', 'guarantee', 'share'];

export function render({ model, el }) {
  const id = newId();
  const { part, stand } = controls(id, keeper(model));
  const plansOf = remembering(everyPlan);
  const title = heading();
  const summary = summaryOf(id);
  const least = hint();
  const chart = svg('svg', { height: 270, role: 'img' });
  const colours = keys(
    key('bands', 'band of coverage, without ties'), key('wish', 'wanted'),
    key('beyond', 'no finite threshold'),
  );
  const rows = svg('svg', { height: 340, role: 'img' });
  const ends = keys(key('from', 'fewer promise nothing'), key('to', 'worthwhile from here on'));
  const needed = h('section', { class: 'cfx-needed' }, title, summary, least);
  const bands = section(heading('Coverage against the number of questions'), chart, colours);
  const all = section(heading('What each guarantee takes'), rows, ends);
  const root = h(
    'div', { class: 'cfx', 'aria-label': 'Sample-size planner', role: 'group' },
    div('body', div('left', part, needed), div('charts', bands, all)),
  );
  let W = 0;

  // The words, and what the page knows of the plan
  function sayThreshold(plan) {
    title.textContent = `At least ${many(plan.n, 'question')}`;
    summary.textContent = planWords(plan);
    least.textContent = leastWords(plan);
  }

  function sayOther(guarantee, wish, { finite, n }, plans) {
    const [promised, worth] = promiseWords(guarantee, wish, plans['answer sets'].finite);
    const unit = guarantee === 'audit' ? 'label' : 'question';
    title.textContent = `At least ${many(n, unit)}`;
    summary.textContent = `With that many, ${worth}.`;
    least.textContent = `The promise: ${promised}. With fewer than ${many(finite, unit)}, nothing is promised.`;
  }

  function paint() {
    const [alpha, eps, delta, two_sided, chosen, kept] = NAMES.map(name => model.get(name));
    const guarantee = chosen ?? 'threshold';
    const share = kept ?? USUAL.groups;
    const shares = { ...USUAL, [guarantee]: share };
    const plans = plansOf({ alpha, eps, delta, rarest: shares.groups, worth: shares.weights });
    const own = planned(alpha, eps, delta, two_sided);
    const plan = guarantee === 'threshold' ? own : { ...own, ...plans[guarantee], first: plans[guarantee].n };
    stand(plan, guarantee, share);
    if (guarantee === 'threshold') sayThreshold(plan);
    else sayOther(guarantee, { alpha, eps, delta, share }, plans[guarantee], plans);
    const needs = `At least ${many(own.n, 'question')}`;
    chart.setAttribute('aria-label', `Band of coverage against n. ${needs}. ${planWords(own)}`);
    bands.hidden = guarantee !== 'threshold';
    const said = Object.entries(plans).map(([name, { finite, n }]) => `${name} ${count(finite)} to ${count(n)}`);
    rows.setAttribute('aria-label', `Questions that each guarantee takes: ${said.join(', ')}.`);
    Object.assign(root.dataset, facts(plan), { guarantee, share: short(share) });
    if (!W) return;
    if (!bands.hidden) chart.replaceChildren(...planChart(plan, chart.clientWidth, id));
    rows.replaceChildren(...rowsChart(plans, guarantee, rows.clientWidth));
  }

  el.replaceChildren(root);
  onChange(model, Object.fromEntries(NAMES.map(name => [name, paint])));
  paint();
  return follow(root, el, () => {
    W = root.clientWidth;
    paint();
  });
}

export default widget('planner', { render, sizesNeeded, everyPlan });
