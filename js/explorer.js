// The explorer in the browser. `view` (made by conflare_nb.show.alpha) holds everything about one question, so sliding
// needs no kernel.
import {
  alertBox, card, count, div, folded, follow, h, heading, hint, keeper, many, newId, onChange, onEnter, paragraph,
  patience, sayIn, section, span,
} from './common.js';
import { exactParts, levelOf, levelText, rank } from './rank.js';
import {
  bandWords, beside, cut, middle, named, noBand, path, percent, qhatOf, questionChoice, row, scale,
  short, svg, table, text, ticks, whyInfinite,
} from './sliding.js';
import { EDGE, dragging, ease, mover, still, strip } from './strip.js';
import { widget } from './widget.js';

// The rank of the threshold where alpha may be moved: that of c*alpha, in whole numbers
function movedRank({ n, moved }, alpha) {
  const [p, q] = exactParts(alpha).map(BigInt);
  const [c, of] = moved.c.map(BigInt);
  return n + 1 - Number(BigInt(n + 1) * p * c / (q * of));
}

// What the explorer shows at one alpha, fixed beforehand or moved
export function at(view, alpha, slides = false) {
  const k = slides ? movedRank(view, alpha) : rank(view.n, alpha), i = k - 1;
  if (k > view.scores.length) {
    const sure = view.score.pool || slides ? null : 1;
    return { k, qhat: Infinity, chunks: view.total, tokens: view.total_tokens, low: sure, high: sure };
  }
  const [low, high] = slides ? [null, null] : [view.low[i], view.high[i]];
  return { k, qhat: view.scores[i], chunks: view.within[i], tokens: view.within_tokens[i], low, high };
}

// A short number between two, one that fits
function roundest(from, to, fits) {
  for (const step of [.1, .05, .01, .005, .001, .0005, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]) {
    const first = Math.max(1, Math.ceil(from / step - 1e-9));
    for (const times of [first, first + 1]) {
      const alpha = +(times * step).toPrecision(9);
      if (alpha < to && fits(alpha)) return alpha;
    }
  }
  return null;
}

// Where the slider stops: a level for each place of the line, from the loosest on. Where levels share a place, as where
// the scores of most questions are equal, it is the one that promises most.
export function levels(view, slides = false) {
  const [lo, hi] = slides ? [view.moved.lo, view.moved.hi] : [0, .5];
  const all = (view.n + 1) * (slides ? view.moved.c[0] / view.moved.c[1] : 1);
  const found = [];
  for (let spent = Math.floor(all * hi + 1e-9); spent >= Math.floor(all * lo + 1e-9); spent--) {
    const fits = alpha => alpha >= lo && alpha <= hi && at(view, alpha, slides).k === view.n + 1 - spent;
    const alpha = roundest(Math.max(spent / all, lo), (spent + 1) / all, fits);
    if (alpha == null) continue;
    const { qhat, chunks } = at(view, alpha, slides);
    const last = found.at(-1);
    if (last?.qhat === qhat && last.chunks === chunks) found.pop();
    found.push({ alpha, qhat, chunks });
  }
  return found;
}

// How many chunks of the same ranking have the same guarantee; null = the calibration keeps no labels
export function calibratedK({ n, ks }, alpha) {
  if (!ks) return null;
  return ks[rank(n, alpha) - 1] ?? Infinity;
}

// What the best k chunks are
export function topOf({ total, total_tokens, lengths }, k) {
  if (k >= total) return { chunks: total, tokens: total_tokens };
  return { chunks: k, tokens: lengths[k] };
}

// The questions of a saved page: the first whole, of the others what differs, and the texts that the first has not
export function everyView({ view, others = [], texts = [] }) {
  const all = [...view.chunks, ...texts];
  const chunkOf = ([place, answers, score, distance, p_value, sentences]) =>
    ({ ...all[place], answers, score, distance, p_value, sentences });
  const whole = other => ({ ...view, ...other, chunks: other.chunks.map(chunkOf) });
  return [view, ...others.map(whole)];
}

const listed = ({ sentences }, alpha) => sentences.filter(([, , p]) => p > alpha);

// The text of a chunk in pieces, every second of them a sentence that is listed; places count characters, as Python does
export function pieces(chunk, alpha) {
  const letters = [...chunk.text];
  const cuts = listed(chunk, alpha).flatMap(([start, end]) => [start, end]);
  return [0, ...cuts].map((from, i) => letters.slice(from, cuts[i]).join(''));
}

// ---- words

// alpha as a count of misses
export function missesWords(alpha) {
  for (const q of [...Array.from({ length: 19 }, (_, i) => i + 2), 25, 50, 100, 200, 500, 1000]) {
    const p = Math.round(alpha * q);
    if (p && Math.abs(p / q - alpha) < 1e-9) return `${many(p, 'miss').replace('misss', 'misses')} in ${count(q)}`;
  }
  const of = 10 ** Math.max(2, 1 - Math.floor(Math.log10(alpha)));
  return `about ${Math.round(alpha * of)} in ${count(of)}`;
}

const times = alpha => count(+(1 / alpha).toPrecision(2));

function readWords(view, { qhat, chunks }) {
  const passages = many(chunks, 'passage');
  if (qhat < Infinity) return chunks ? `Reads ${passages}.` : 'Reads nothing: no passage is near enough.';
  return `Reads ${view.score.everything}: ${passages}.`;
}

// Whether what answers was read: the kind of the words, and the words
function foundWords(view, alpha, { chunks }, slides, promised) {
  const first = firstAnswer(view);
  if (first == null) return ['hint', 'Nobody has said what answers it.'];
  if (first && first <= chunks) return ['yes', 'Found.'];
  if (!first && view.outside) return ['no', 'Missed: what answers is not in the pool.'];
  if (!promised) return ['no', 'Missed.'];
  if (slides) return ['no', `Missed: that counts ${times(alpha)}.`];
  return ['no', `Missed: one of the ${percent(alpha)} that you allow.`];
}

function movedWords({ moved, population }) {
  const [lo, hi] = [percent(moved.lo), percent(moved.hi)];
  const between = moved.lo < .1 && moved.hi > .1 ? 'at 10% ten, ' : '';
  return `Slide between ${lo} and ${hi} as you like, also after seeing the list. Count every question you ask: a miss at `
    + `${lo} counts ${times(moved.lo)}, ${between}at ${hi} ${times(moved.hi)}; a hit, or a list of everything, counts `
    + `nothing. On average over ${population}, and over calibration sets, that is at most 1 a question. However you `
    + `slide, at most ${Math.ceil(100 * moved.c[0] / moved.c[1] * moved.hi - 1e-9)}% of such questions are missed.`;
}

const qhatText = ({ score }, qhat) =>
  [qhat.toFixed(Math.min(2, score.digits)), beside(score, qhat)].filter(Boolean).join(', ');

function summarise(view, alpha, { k, qhat, chunks, tokens }) {
  const size = `${many(chunks, 'chunk')}, ${many(tokens, 'token')}`;
  if (qhat < Infinity) return `alpha = ${short(alpha)}, qhat = ${qhatText(view, qhat)} (k = ${k} of n = ${view.n}): ${size}.`;
  return `alpha = ${short(alpha)}, qhat infinite: ${view.score.everything} is retrieved, ${size}.`;
}

// Whose thresholds these are: everybody's, or one group's
const ofWhom = (view, words) => view.group_label ? `${words} of ${view.group_label}` : words;

const EVERYTHING = 'Every question that the knowledge base answers is covered, at the price of retrieving all of it.';
const POOL = 'Every question that a chunk in the pool answers is covered; the others are not.';

const UNPROMISED = 'These thresholds promise nothing.';

function guaranteed(view, alpha, { qhat }) {
  if (qhat === Infinity) return view.score.pool ? POOL : EVERYTHING;
  const lost = `${view.infinite} of ${many(view.n, 'calibration question')}`;
  const beyond = view.infinite
    ? ` Nothing that answers was found for ${lost}, so a finite one can cover less than this.`
    : '';
  return `For at least ${percent(1 - alpha)} of ${view.population}, a chunk that answers is retrieved, `
    + `or ${view.score.everything} is, on average over calibration sets.${beyond}`;
}

function coverageWords(view, { qhat, low, high }) {
  if (low == null && qhat < Infinity) return 'The coverage of an alpha that moves is no number.';
  if (low == null) {
    return 'Questions with no answer in the pool are not covered, and how many there are is not known.';
  }
  if (qhat === Infinity) return 'Everything is retrieved, so every question that the knowledge base answers is covered.';
  const words = `Coverage with this calibration set: ${bandWords(low, high)}`;
  if (noBand(low, high)) return `${words} (n = ${view.n}).`;
  const ties = high === 1 ? ' Scores tie with the threshold, so it may cover more.' : '';
  return `${words} (90% band, n = ${view.n}).${ties}`;
}

function aboutScores(view) {
  const { label, word, shares } = view.score;
  const lost = view.infinite ? ` For ${view.infinite} of them, no such chunk was found (inf).` : '';
  const kind = word === 'score' ? `, ${label}` : '';
  const best = shares ? ' A score of 0 means that the best chunk answers.' : '';
  const asked = ofWhom(view, many(view.n, 'calibration question'));
  const each = view.n === 1 ? '' : 'each of ';
  return `The nonconformity score of ${each}${asked}: `
    + `the ${word} of the first chunk that answers it${kind}.${best}${lost}`;
}

// The rank of the first chunk that answers; 0 = none that is ranked, null = not known
const firstAnswer = ({ answer_ranks }) => answer_ranks && (answer_ranks[0] ?? 0);

// ---- pictures

const NEAR = { distance: '← near the question', rank: '← first', score: '← fits best' };
const FAR = { distance: 'far away →', rank: 'last →', score: 'fits worse →' };

// The passages of the question as ticks below the axis: read or not, and what answers
function passages({ chunk_scores, answer_ranks }, chunks, { X, axis, W }) {
  let near = '', far = '', answers = '';
  const seen = chunk_scores.filter(score => X(score) < W - 24);
  seen.forEach((score, i) => {
    const tick = `M${X(score).toFixed(1)} ${axis + 4}v14`;
    if (i < chunks) near += tick;
    else far += tick;
  });
  for (const rank of answer_ranks ?? []) {
    const x = rank <= seen.length ? X(seen[rank - 1]) : W - EDGE;
    if (rank <= chunk_scores.length) answers += `M${x.toFixed(1)} ${axis + 3}v16m0 1l-5 8h10z`;
  }
  return [path('far', far), path('near', near), path('mark', answers)];
}

function bandChart(alpha, { low, high }, W) {
  const asked = 1 - alpha;
  const lo = Math.min(asked, .4);
  const left = 16, right = W - 20, y = 30;
  const place = scale(lo, 1, left, right);
  const X = share => place(Math.max(share, lo));
  const x = X(asked);
  return [
    path('track', `M${left} ${y}H${right}`),
    low == null || noBand(low, high) ? null : path('band', `M${X(low).toFixed(1)} ${y}H${Math.max(X(high), X(low) + 3).toFixed(1)}`),
    ...ticks(lo, 1, W < 420 ? 4 : 7).map(share => text(X(share), y + 24, percent(share), middle)),
    path('line', `M${x.toFixed(1)} 8V${y + 10}`),
    named(x, 15, `asked for: ${W < 420 ? '' : '1 - alpha = '}${percent(asked)}`, x > W * .5),
  ].filter(Boolean);
}

// ---- the chunks, and the table that compares

// On a page that can open documents, what asks it to
function opener(chunk) {
  const button = h('button', { type: 'button' }, 'Open the document here');
  const detail = { bubbles: true, detail: chunk };
  button.addEventListener('click', () => button.dispatchEvent(new CustomEvent('cfx-open', detail)));
  return button;
}

function chunkItem(view, chunk, i) {
  const { score } = view;
  const page = chunk.page == null ? '' : `page ${chunk.page}`;
  const where = [chunk.title, chunk.heading, page].filter(Boolean).join(' › ');
  const title = `${score.label} and p-value; the p-value is not the probability that the chunk answers`;
  const said = [chunk.score.toFixed(Math.min(2, score.digits)), beside(score, chunk.score), `p ${chunk.p_value.toFixed(2)}`];
  const numbers = said.filter(Boolean).join('  ');
  const far = score.word === 'distance' ? '' : ` · distance ${chunk.distance.toFixed(2)}`;
  return card(
    chunk.answers,
    folded(
      i + 1, where,
      [chunk.answers ? span('yes', '✓ answers') : null],
      h('p', { class: 'cfx-num', title }, numbers),
      paragraph('id', `${chunk.id} · ${many(chunk.tokens, 'token')}${far}`),
      view.opens ? opener(chunk) : null,
    ),
    paragraph('text', chunk.text),
  );
}

const RULE = 'A chunk is retrieved when p\u00a0>\u00a0alpha; p is not the probability that it answers.';
const MOVED_RULE = RULE.replace('alpha', 'c*alpha');

const marked = (chunk, alpha) => pieces(chunk, alpha).map((words, i) => i % 2 ? h('mark', {}, words) : words);

function markedWords({ quoted }, alpha, shown, promised) {
  const all = quoted.filter(p => p > alpha).length;
  const here = shown.reduce((sum, chunk) => sum + listed(chunk, alpha).length, 0);
  const own = promised ? ', with a promise of their own' : '';
  return `: sentences that may answer; ${all} listed${own}, ${here} of them in the chunks shown`;
}

const LIVELY = 12;      // so many passages come and go with motion, more at once

function chunkList(promised) {
  const list = h('ol', { class: 'cfx-chunks', tabindex: 0, 'aria-label': 'Retrieved chunks' });
  const more = h('li', { class: 'cfx-more' });
  const ghost = h('li', { class: 'cfx-ghost', hidden: true });
  const legend = hint();
  let items, seen, answer;

  function show(view) {
    items = view.chunks.map((chunk, i) => chunkItem(view, chunk, i));
    items.forEach(item => { item.hidden = true; });
    legend.hidden = !view.quoted;
    seen = null;
    answer = firstAnswer(view);
    ghost.hidden = true;
    list.replaceChildren(...items, ghost, more);
    list.scrollTop = 0;
  }

  function mark(view, alpha, chunks) {
    const shown = view.chunks.slice(0, chunks);
    shown.forEach((chunk, i) => items[i].lastChild.replaceChildren(...marked(chunk, alpha)));
    legend.replaceChildren(h('mark', {}, 'marked'), markedWords(view, alpha, shown, promised));
  }

  function come(item, lively) {
    clearTimeout(item.going);
    item.hidden = false;
    item.classList.remove('cfx-leaving');
    item.classList.toggle('cfx-coming', lively);
  }
  function go(item, lively) {
    item.classList.remove('cfx-coming', 'cfx-glows');
    item.classList.toggle('cfx-leaving', lively);
    if (lively) item.going = setTimeout(() => { item.hidden = true; }, 200);
    else item.hidden = true;
  }

  // What answers glows when it comes, and leaves a place when it is lost
  function follow(before, last) {
    if (!answer) return;
    const [was, is] = [answer <= before, answer <= last];
    if (is && !was) items[answer - 1]?.classList.add('cfx-glows');
    if (was && !is) ghost.textContent = `The answer was here: passage ${answer}.`;
    if (was !== is) ghost.hidden = is;
  }

  function paint(view, alpha, { chunks, tokens, qhat }) {
    if (view.quoted) mark(view, alpha, chunks);
    const last = Math.min(chunks, items.length), before = seen ?? 0;
    const lively = seen != null && !still() && Math.abs(last - seen) <= LIVELY;
    for (let i = before; i < last; i++) come(items[i], lively);
    for (let i = last; i < before; i++) go(items[i], lively);
    if (seen != null) follow(before, last);
    seen = last;
    more.hidden = chunks > 0 && chunks <= items.length;
    more.textContent = chunks
      ? `and ${count(chunks - items.length)} more, counted above but not listed here`
      : 'No passage lies within the threshold: the answer is farther away, or not in this knowledge base.';
    Object.assign(list.dataset, { n: chunks, alpha: short(alpha), qhat: qhatOf(qhat), tokens });
  }

  function lead(rank) {
    const item = items[rank - 1];
    item?.scrollIntoView({ block: 'nearest' });
    item?.querySelector('summary').focus();
  }
  return { part: h('section', { class: 'cfx-passages' }, legend, list), show, paint, lead };
}

// Whether one of these chunks answers; `first` is the rank of the first that does, and `lead` leads to it in the list
function holdsAnswer(first, chunks, lead, no) {
  if (first == null) return 'unknown';
  if (!first || first > chunks) return span('no', `✗ ${no}`);
  const words = `✓ yes, rank ${first}`;
  const button = h('button', { type: 'button', class: 'cfx-yes' }, words);
  button.addEventListener('click', () => lead(first));
  return button;
}

// Three ways to read one ranking: the list has every rank of theirs
function comparedRows(view, alpha, now, slides, lead) {
  const { outside, top_k } = view;
  const first = firstAnswer(view);
  const no = first === 0 && outside ? 'not in the pool' : 'no';
  const promised = slides ? 'moved' : `≥ ${percent(1 - alpha)}`;
  const line = (name, { chunks, tokens }, guarantee) =>
    row(name, count(chunks), count(tokens), holdsAnswer(first, chunks, lead, no), guarantee);
  const rows = [line('within qhat', now, promised)];
  const k = slides ? null : calibratedK(view, alpha);
  if (k != null) {
    const calibrated = topOf(view, k);
    rows.push(line(`calibrated k = ${calibrated.chunks}`, calibrated, promised));
  }
  return [...rows, line(`top-${top_k}`, topOf(view, top_k), 'none')];
}

// The numbers, each named as the field names it
function numbers(lead, promised) {
  const summary = paragraph('summary'), guarantee = hint(), coverage = hint(), about = hint(), rule = hint();
  const title = heading(), rows = h('tbody');
  const band = svg('svg', { height: 60, role: 'img' });
  const names = ['retrieved by', 'chunks', 'tokens', 'has an answer', ...(promised ? ['guaranteed coverage'] : [])];
  const parts = [
    section(summary, guarantee), section(table(names, rows)), section(title, about, rule),
    ...(promised ? [section(heading('Coverage'), band, coverage)] : []),
  ];
  const part = h('details', { class: 'cfx-numbers' }, h('summary', {}, 'more: the numbers by name'), div('two', ...parts));

  function show(view) {
    const { word, nearest } = view.score;
    title.textContent = ofWhom(view, 'Calibration scores');
    about.textContent = aboutScores(view);
    rule.replaceChildren(`A passage is a chunk; ${nearest ? 'nearest' : 'best'} first, with ${word} and p-value. `, '');
  }

  function paint(view, alpha, now, slides) {
    const compared = comparedRows(view, alpha, now, slides, lead);
    if (!promised) compared.forEach(line => line.lastElementChild.remove());
    rows.replaceChildren(...compared);
    summary.textContent = summarise(view, alpha, now);
    sayIn(guarantee, !promised ? UNPROMISED : slides ? '' : guaranteed(view, alpha, now));
    rule.lastChild.textContent = slides ? MOVED_RULE.replace('c*', `${(view.moved.c[0] / view.moved.c[1]).toFixed(2)}\u00a0`) : RULE;
    coverage.textContent = coverageWords(view, now);
    band.setAttribute('aria-label', coverage.textContent);
    if (part.open) band.replaceChildren(...bandChart(alpha, now, band.clientWidth || 500));
  }
  return { part, show, paint };
}

// ---- what is asked, and what a model answers

function exampleChoice(questions) {
  const options = questions.map(question => h('option', { value: question }, cut(question)));
  return h('select', { 'aria-label': 'Examples' }, h('option', { value: '' }, 'or choose an example …'), ...options);
}

function questionBox(model, live, id) {
  const field = h('textarea', {
    rows: 1, id: id + 'q', placeholder: 'Ask something, or try to fool it', spellcheck: 'false',
  });
  const search = h('button', { type: 'submit' }, 'Search');
  const ask = h('button', { type: 'button', title: 'Have the model answer from the chunks retrieved at this alpha' });
  const examples = exampleChoice(live ? model.get('questions') : []);
  const buttons = [search, model.get('can_ask') ? ask : null, examples.length > 1 ? examples : null];
  const parts = [h('label', { for: id + 'q' }, 'Question'), field, div('buttons', ...buttons)];
  const form = h('form', { class: 'cfx-question' }, ...parts);
  return { form, field, search, ask, examples, error: alertBox() };
}

// On a saved page the questions that it holds can be chosen; no kernel searches for another one
function savedBox(model, form, id) {
  const views = everyView({ view: model.get('view'), others: model.get('others'), texts: model.get('texts') });
  const { choice, parts, show } = questionChoice(views.map(view => view.query), id);
  const works = views.length > 1 ? `the slider and ${views.length} questions work` : 'the slider works';
  form.replaceChildren(...parts, hint(`This page is saved: ${works}. To ask your own, use conflare ask, conflare serve or a notebook.`));
  choice.addEventListener('change', () => {
    show(choice.value);
    model.set('view', views[choice.value]);
  });
  show(0);
}

// Search for what is typed or chosen, and ask for an answer with what is found; `begin` begins a search
function listen(model, { form, field, ask, examples }, begin) {
  const submit = () => {
    const query = field.value.trim();
    if (query) begin(query);
    return query;
  };
  form.addEventListener('submit', e => {
    e.preventDefault();
    submit();
  });
  onEnter(field, submit);
  examples.addEventListener('change', () => {
    field.value = examples.value;
    examples.value = '';
    submit();
  });
  ask.addEventListener('click', () => {
    if (model.get('reply')?.running) return model.send({ type: 'stop' });
    const query = submit();
    if (query) model.send({ type: 'ask', query, alpha: model.get('alpha') });
  });
}

function replyWords({ running, query, alpha, chunks }) {
  const from = chunks == null ? '' : `, from ${many(chunks, 'chunk')}`;
  const asked = `“${query}” at alpha = ${short(alpha)}${from}`;
  return running ? `Writing an answer to ${asked} …` : `The model’s answer to ${asked}`;
}

function replyBox(ask) {
  const from = hint(), forecast = hint();
  const words = paragraph('words');
  const unlike = paragraph('unlike');
  const part = h('section', { class: 'cfx-reply', 'aria-label': 'Answer', hidden: true }, from, unlike, forecast, words);
  function show(reply) {
    ask.textContent = reply.running ? 'Stop' : 'Write';
    part.hidden = reply.alpha == null;
    if (part.hidden) return;
    part.setAttribute('aria-busy', !!reply.running);
    from.textContent = replyWords(reply);
    sayIn(unlike, reply.warning || '');
    sayIn(forecast, reply.forecast || '');
    words.textContent = [reply.text, reply.error].filter(Boolean).join('\n\n');
    words.classList.toggle('cfx-error', !!reply.error);
  }
  return { part, show };
}

// ---- the strip, with its slider under the axis

const SPAN = 1000;      // of the slider

// A way to say alpha in numbers, and whether it is fixed beforehand or moved
function modes(id) {
  const radio = (value, words) => {
    const input = h('input', { type: 'radio', name: id + 'm', value });
    const price = span('price');
    return { input, price, part: h('label', {}, input, h('b', {}, words), ' ', price) };
  };
  const fixed = radio('fixed', 'fixed'), moved = radio('moved', 'I slide');
  const part = h('div', { class: 'cfx-modes', role: 'radiogroup', 'aria-label': 'alpha is' }, fixed.part, moved.part);
  function paint(view, alpha, slides) {
    part.hidden = !view.moved;
    if (!view.moved) return;
    fixed.input.checked = !slides;
    moved.input.checked = slides;
    const { lo, hi } = view.moved;
    const there = Math.min(hi, Math.max(lo, alpha));
    const [one, other] = [at(view, alpha).chunks, at(view, there, true).chunks];
    const more = other > one ? `, ${count(other - one)} more` : '';
    fixed.price.textContent = many(one, 'passage');
    moved.price.textContent = many(other, 'passage') + (there === alpha ? more : ` at ${percent(there)}`);
  }
  const turned = go => [fixed, moved].forEach(({ input }) => input.addEventListener('change', () => go(moved.input.checked)));
  return { part, paint, turned };
}

function stripBox(id, ask) {
  const allowed = span('allowed'), read = h('b'), missed = h('b');
  const said = h('p', { class: 'cfx-verdict', id: id + 's', 'aria-live': 'polite' }, allowed, ' ', read, ' ', missed);
  const why = hint();
  const slider = h('input', { type: 'range', id: id + 'a', min: 0, max: SPAN, step: 'any', 'aria-describedby': id + 's' });
  const number = h('input', {
    type: 'text', inputmode: 'decimal', class: 'cfx-number', 'aria-label': 'alpha, as a number',
  });
  const means = h('span');
  const label = h('label', { for: id + 'a' }, h('b', {}, 'alpha'), means);
  let view, stops, now, go;
  const strokes = svg('g', { 'pointer-events': 'none' });
  const mark = frame => strokes.replaceChildren(...passages(view, now?.view === view ? now.chunks : 0, frame));
  const picture = strip({
    ends: () => [NEAR[view.score.word], FAR[view.score.word]],
    axis: W => W < 560 ? 84 : 128,
    depth: () => 24,
    low: 38,
    drawn: frame => {
      mark(frame);
      return [];
    },
    over: strokes,
    next: score => Math.min(...[view.scores, view.chunk_scores].map(all => all.find(each => each > score) ?? Infinity)),
    ask,
  });
  const stick = div('stick', said, why, picture.part, slider);
  const move = mover();

  const placeOf = ({ qhat }) => picture.placeOf(qhat);
  function nearest(x) {
    const far = stops.map(stop => Math.abs(placeOf(stop) - x));
    return stops[far.indexOf(Math.min(...far))];
  }
  const width = () => picture.frame().W - 2 * EDGE;
  const index = () => stops.findLastIndex(({ qhat, chunks }) => qhat <= now.qhat && chunks <= now.chunks);
  const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -1e9, End: 1e9 };
  slider.addEventListener('keydown', e => {
    const step = STEPS[e.key];
    if (!step || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    const to = Math.min(stops.length - 1, Math.max(0, index() + step));
    go(stops[to].alpha);
  });
  slider.addEventListener('input', () => go(nearest(EDGE + slider.value / SPAN * width()).alpha));
  dragging(picture.root, x => go(nearest(x).alpha), '[data-ask]');
  number.addEventListener('input', () => {
    const value = levelOf(number.value);
    const fits = value > 0 && value < 1 && (!now.slides || value >= view.moved.lo && value <= view.moved.hi);
    number.setAttribute('aria-invalid', !fits);
    if (fits) go(value);
  });

  const known = ({ scores, infinite }) => [...scores, ...Array(infinite).fill(Infinity)];
  function around() {
    picture.around([...view.scores, ...view.chunk_scores.slice(0, 1)], picture.root.clientWidth || 600);
    slider.style.width = `${width() + 20}px`;
    slider.style.marginLeft = `${EDGE - 10}px`;
  }
  function show(newView) {
    view = newView;
    stops = null;
    picture.show(known(view), view.known ?? []);
  }
  function stand() {
    if (!picture.frame()) return;
    const to = placeOf(now);
    slider.value = SPAN * (to - EDGE) / width();
    return to;
  }

  function paint(alpha, found, slides, promised) {
    if (!stops || slides !== now.slides) stops = levels(view, slides);
    const first = now?.view !== view;
    now = { ...found, slides, view };
    means.textContent = slides ? ', moved as you like' : ', the share of misses you allow';
    const [kind, words] = foundWords(view, alpha, now, slides, promised);
    allowed.textContent = slides ? `A miss counts ${times(alpha)}.` : `You allow ${missesWords(alpha)}.`;
    read.textContent = readWords(view, now);
    missed.textContent = words;
    missed.className = 'cfx-' + kind;
    sayIn(why, now.qhat < Infinity ? '' : whyInfinite(view, alpha, now.k));
    slider.setAttribute('aria-valuetext', `alpha ${short(alpha)}, ${many(now.chunks, 'passage')}`);
    if (levelOf(number.value) !== alpha) number.value = levelText(alpha);
    number.setAttribute('aria-invalid', false);
    const beyond = now.qhat < Infinity ? known(view).filter(score => score > now.qhat).length : 0;
    picture.root.setAttribute('aria-label', `${many(view.n, 'calibration score')} and a line. ${said.textContent} Scores beyond qhat: ${beyond}.`);
    const to = stand();
    if (to == null) return;
    mark(picture.frame());
    const from = picture.at();
    if (first) picture.stand(to);
    else move(250, t => picture.stand(from + (to - from) * ease(t)));
  }
  return {
    stick, label, number, show, paint,
    turned: call => { go = call; },
    resized: () => {
      around();
      if (now?.view !== view) return;
      move(0, () => {});
      picture.stand(stand());
    },
  };
}

// ---- all of it

const BEFOREHAND = 'The guarantee holds for an alpha chosen beforehand, not for one picked by what it retrieves';

export function render({ model, el }) {
  const id = newId();
  const live = !model.get('static');
  const keep = keeper(model);
  const question = questionBox(model, live, id);
  if (!live) savedBox(model, question.form, id);
  const promised = model.get('promised') !== false;
  const asks = model.get('asks') !== false;
  const reply = replyBox(question.ask);
  const box = stripBox(id, live && asks ? begin : null);
  const mode = modes(id);
  const chunks = chunkList(promised);
  const more = numbers(chunks.lead, promised);
  const unlike = h('p', { class: 'cfx-unlike', role: 'status', hidden: true });
  const warning = paragraph('note');
  const set = div('set-alpha', box.label, box.number, mode.part);
  const body = div('body', unlike, box.stick, set, warning, chunks.part, more.part);
  const root = h('div', { class: 'cfx cfx-explorer' }, asks ? question.form : null, question.error, reply.part, body);
  let view, moved = false, waiting;

  const slides = () => !!(view.moved && model.get('slides'));
  function paint() {
    const alpha = model.get('alpha');
    const now = at(view, alpha, slides());
    box.paint(alpha, now, slides(), promised);
    mode.paint(view, alpha, slides());
    chunks.paint(view, alpha, now);
    more.paint(view, alpha, now, slides());
    const rather = view.moved ? ': for that, choose “I slide”.' : '.';
    sayIn(warning, slides() ? movedWords(view) : moved && promised ? BEFOREHAND + rather : '');
  }
  function busy(on, error) {
    const say = words => sayIn(question.error, words);
    root.setAttribute('aria-busy', on);
    question.search.disabled = on;
    question.search.textContent = on ? 'Searching …' : 'Search';
    clearTimeout(waiting);
    if (on) waiting = patience(say);
    say(error);
  }
  const search = () => busy(live && model.get('query') !== view.query, model.get('error') || '');
  const answered = () => {
    const said = model.get('reply') || {};
    reply.show(live || said.query === view.query ? said : {});
  };
  function show() {
    view = model.get('view');
    if (!live) answered();
    sayIn(unlike, view.warning ?? '');
    box.show(view);
    more.show(view);
    chunks.show(view);
    if (question.field.value !== view.query) question.field.value = view.query;
    resized();
    paint();
    search();
  }
  function resized() {
    if (root.isConnected && view) box.resized();
  }
  function begin(query) {
    if (query === view.query) return;
    model.set('error', '');
    keep('query', query);
    search();
  }

  box.turned(alpha => {
    moved = true;
    keep('alpha', alpha);
    paint();
  });
  mode.turned(on => {
    const alpha = model.get('alpha');
    const { lo, hi } = view.moved;
    if (on && (alpha < lo || alpha > hi)) model.set('alpha', Math.min(hi, Math.max(lo, alpha)));
    keep('slides', on);
    paint();
  });
  more.part.addEventListener('toggle', paint);
  listen(model, question, begin);

  el.replaceChildren(root);
  show();
  answered();
  onChange(model, { alpha: paint, slides: paint, view: show, query: search, error: search, reply: answered });
  return follow(root, el, resized);
}

export default widget('explorer', { render, rank, at, levels, calibratedK, topOf, everyView, pieces, missesWords });
