// The explorer in the browser. `view` (made by conflare_nb.show.alpha) holds everything about one question, so sliding
// needs no kernel.
import {
  alertBox, card, count, div, folded, follow, h, heading, hint, keeper, many, newId, onChange, onEnter, paragraph,
  patience, sayIn, section, span,
} from './common.js';
import { rank } from './rank.js';
import {
  alphaDial, axisTitle, bandWords, bars, beside, binned, capital, columns, countLines, cut, hatching, scoresFrame, key,
  keys, middle, named, noBand, note, path, percent, qhatOf, qhatWords, questionChoice, reach, roundStep, row, scale, scoreText, shareText, short,
  summaryOf, svg, table, tallest, text, ticks, towers, whyInfinite, withinRank,
} from './sliding.js';
import { widget } from './widget.js';

// What the explorer shows at one alpha
export function at(view, alpha) {
  const k = rank(view.n, alpha), i = k - 1;
  if (k > view.scores.length) {
    const sure = view.score.pool ? null : 1;
    return { k, qhat: Infinity, chunks: view.total, tokens: view.total_tokens, low: sure, high: sure };
  }
  const chunks = view.within[i], tokens = view.within_tokens[i];
  return { k, qhat: view.scores[i], chunks, tokens, low: view.low[i], high: view.high[i] };
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

function summarise(view, alpha, { k, qhat, chunks, tokens }) {
  const size = `${many(chunks, 'chunk')}, ${many(tokens, 'token')}`;
  if (qhat < Infinity) return `qhat = ${qhatWords(view, qhat)} (k = ${k} of n = ${view.n}): ${size}.`;
  return `${capital(view.score.everything)} is retrieved: ${size}. ${whyInfinite(view, alpha, k)}`;
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
    ? ` No threshold reaches an answer for ${lost}, so a finite one can cover less than this.`
    : '';
  return `For at least ${percent(1 - alpha)} of ${view.population}, a chunk that answers is retrieved, `
    + `or ${view.score.everything} is, on average over calibration sets.${beyond}`;
}

function coverageWords(view, { qhat, low, high }) {
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

// ---- charts

function binScores(view) {
  const { scores, chunk_scores, score } = view;
  const least = score.digits ? .01 : 1;
  const first = Math.min(scores[0] ?? 0, chunk_scores[0] ?? Infinity);
  const last = Math.max(scores.at(-1) ?? 1, first + 10 * least);
  const most = scores.length < 80 ? 14 : 30;
  const width = Math.max(least, roundStep(last - first, score.digits ? most : 90));
  // zeros, and ranks that have a column each, stand in its middle
  const lo = score.digits && first ? Math.floor(first / width + 1e-9) * width : first - (score.digits ? width : 1) / 2;
  const hi = lo + Math.ceil((last - lo) / width + 1e-9) * width;
  const ranges = binned(scores, lo, hi, width);
  return { lo, hi, ranges, top: tallest(view, ranges) };
}

// The chunks of this question as ticks below the axis, with marks where they answer
function chunkTicks({ chunk_scores, answer_ranks }, { hi }, { chunks }, { X, base }) {
  let near = '', far = '', marks = '';
  chunk_scores.forEach((score, i) => {
    if (score > hi) return;
    const tick = `M${X(score).toFixed(1)} ${base + 4}v13`;
    if (i < chunks) near += tick;
    else far += tick;
  });
  for (const rank of answer_ranks ?? []) {
    const score = chunk_scores[rank - 1];
    if (score <= hi) marks += `M${X(score).toFixed(1)} ${base + 19}l-5 8h10z`;
  }
  return [path('far', far), path('near', near), path('mark', marks)];
}

// The numbers below the axis, and the shares that they stand for
function scoreScale({ score }, { lo, hi }, W, { X, base }) {
  const places = hi - lo < 4 ? 2 : 0;
  return ticks(lo, hi, W < 420 ? 5 : 8).flatMap(x => [
    text(X(x), base + 42, x.toFixed(Math.min(places, score.digits)), middle),
    score.shares ? text(X(x), base + 57, x ? shareText(Math.exp(-x)) : 'best', middle) : null,
  ]);
}

const chartHeight = ({ score }) => score.shares ? 223 : 208;

function scoresChart(view, bins, now, W, id) {
  const frame = scoresFrame(bins, W, 142);
  const { left, right, end, base, head, X } = frame;
  const finite = now.qhat < Infinity;
  const x = finite ? X(now.qhat) : end;
  return [
    hatching(id),
    reach(left, head - 6, x - left, base + 30 - head),
    ...countLines(bins.top, frame),
    ...bars(columns(view, bins, now, frame), id),
    ...towers(bins, frame, x),
    path('axis', `M${left} ${base}H${end}`),
    ...chunkTicks(view, bins, now, frame),
    ...scoreScale(view, bins, W, frame),
    view.infinite || !finite ? text(end - 10, base + 42, 'inf', middle) : null,
    text((left + right) / 2, chartHeight(view) - 5, axisTitle(view.score), middle),
    text(0, 12, 'questions'),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base + 24}`),
    named(Math.max(x, 58), head - 10, finite ? `qhat ${qhatWords(view, now.qhat)}` : 'qhat infinite', x > W * .6),
  ].filter(Boolean);
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
  const said = [scoreText(score, chunk.score), beside(score, chunk.score), `p ${chunk.p_value.toFixed(3)}`];
  const numbers = said.filter(Boolean).join('  ');
  const far = score.word === 'distance' ? '' : ` · distance ${chunk.distance.toFixed(4)}`;
  return card(
    chunk.answers,
    folded(
      i + 1, where,
      [chunk.answers ? span('yes', '✓ answers') : null, h('span', { class: 'cfx-num', title }, numbers)],
      paragraph('id', `${chunk.id} · ${many(chunk.tokens, 'token')}${far}`),
      view.opens ? opener(chunk) : null,
    ),
    paragraph('text', chunk.text),
  );
}

const RULE = 'A chunk is retrieved when p\u00a0>\u00a0alpha; p is not the probability that it answers.';

const marked = (chunk, alpha) => pieces(chunk, alpha).map((words, i) => i % 2 ? h('mark', {}, words) : words);

function markedWords({ quoted }, alpha, shown, promised) {
  const all = quoted.filter(p => p > alpha).length;
  const here = shown.reduce((sum, chunk) => sum + listed(chunk, alpha).length, 0);
  const own = promised ? ', with a promise of their own' : '';
  return `: sentences that may answer; ${all} listed${own}, ${here} of them in the chunks shown`;
}

function chunkList(promised) {
  const title = heading();
  const list = h('ol', { class: 'cfx-chunks', tabindex: 0, 'aria-label': 'Retrieved chunks' });
  const more = h('li', { class: 'cfx-more' });
  const rule = hint();
  const legend = hint();
  let items, seen;

  function show(view) {
    const { word, nearest } = view.score;
    rule.textContent = `${nearest ? 'Nearest' : 'Best'} first, with ${word} and p-value. ${RULE}`;
    items = view.chunks.map((chunk, i) => chunkItem(view, chunk, i));
    items.forEach(item => { item.hidden = true; });
    legend.hidden = !view.quoted;
    seen = 0;
    list.replaceChildren(...items, more);
    list.scrollTop = 0;
  }

  function mark(view, alpha, chunks) {
    const shown = view.chunks.slice(0, chunks);
    shown.forEach((chunk, i) => items[i].lastChild.replaceChildren(...marked(chunk, alpha)));
    legend.replaceChildren(h('mark', {}, 'marked'), markedWords(view, alpha, shown, promised));
  }

  function paint(view, alpha, { chunks, tokens, qhat }) {
    if (view.quoted) mark(view, alpha, chunks);
    const last = Math.min(chunks, items.length);
    for (; seen < last; seen++) items[seen].hidden = false;
    for (; seen > last; seen--) items[seen - 1].hidden = true;
    more.hidden = chunks > 0 && chunks <= items.length;
    more.textContent = chunks
      ? `and ${count(chunks - items.length)} more, counted above but not listed here`
      : 'No chunk lies within the threshold: the answer is farther away, or not in this knowledge base.';
    title.textContent = `${many(chunks, 'chunk')} retrieved, ${many(tokens, 'token')}`;
    Object.assign(list.dataset, { n: chunks, alpha: short(alpha), qhat: qhatOf(qhat), tokens });
  }

  function lead(rank) {
    const item = items[rank - 1];
    item?.scrollIntoView({ block: 'nearest' });
    item?.querySelector('summary').focus();
  }
  return { part: h('div', {}, title, rule, legend, list), show, paint, lead };
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
function comparedRows(view, alpha, now, lead) {
  const { answer_ranks, outside, top_k } = view;
  const first = answer_ranks && (answer_ranks[0] ?? 0);
  const no = first === 0 && outside ? 'not in the pool' : 'no';
  const promised = `≥ ${percent(1 - alpha)}`;
  const line = (name, { chunks, tokens }, guarantee) =>
    row(name, count(chunks), count(tokens), holdsAnswer(first, chunks, lead, no), guarantee);
  const rows = [line('within qhat', now, promised)];
  const k = calibratedK(view, alpha);
  if (k != null) {
    const calibrated = topOf(view, k);
    rows.push(line(`calibrated k = ${calibrated.chunks}`, calibrated, promised));
  }
  return [...rows, line(`top-${top_k}`, topOf(view, top_k), 'none')];
}

function figures(id, lead, promised) {
  const scores = svg('svg', { class: 'cfx-scores', role: 'img' });
  const band = svg('svg', { height: 60, role: 'img' });
  const answers = key('mark', 'answers');
  const title = heading();
  const about = hint(), coverage = hint(), rows = h('tbody');
  const colours = keys(
    key('within', 'within qhat'), key('beyond', 'beyond qhat'), key('tick', 'a chunk, scored for this question'), answers,
  );
  const names = ['retrieved by', 'chunks', 'tokens', 'has an answer', ...(promised ? ['guaranteed coverage'] : [])];
  const parts = [
    section(title, about, scores, colours),
    ...(promised ? [section(heading('Coverage'), band, coverage)] : []),
    section(table(names, rows)),
  ];
  let bins;

  function show(view) {
    bins = binScores(view);
    scores.setAttribute('height', chartHeight(view));
    answers.hidden = !view.answer_ranks?.length;
    title.textContent = ofWhom(view, 'Calibration scores');
    about.textContent = aboutScores(view);
  }

  function paint(view, alpha, now, summary, W) {
    const compared = comparedRows(view, alpha, now, lead);
    if (!promised) compared.forEach(line => line.lastElementChild.remove());
    rows.replaceChildren(...compared);
    coverage.textContent = coverageWords(view, now);
    band.setAttribute('aria-label', coverage.textContent);
    const said = `Histogram of ${many(view.n, 'calibration score')}. ${summary}`;
    const beyond = Math.max(0, view.n - withinRank(view, now.k));
    scores.setAttribute('aria-label', `${said} Scores beyond qhat: ${beyond}.`);
    if (!W) return;
    scores.replaceChildren(...scoresChart(view, bins, now, W, id));
    band.replaceChildren(...bandChart(alpha, now, W));
  }
  return { parts, show, paint, width: () => scores.clientWidth };
}

// ---- what is asked, and what a model answers

function exampleChoice(questions) {
  const options = questions.map(question => h('option', { value: question }, cut(question)));
  return h('select', { 'aria-label': 'Examples' }, h('option', { value: '' }, 'or choose an example …'), ...options);
}

function questionBox(model, live, id) {
  const field = h('textarea', {
    rows: 2, id: id + 'q', placeholder: 'Type a question and press Enter', spellcheck: 'false',
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
  form.replaceChildren(...parts, hint(`This page is saved: ${works}. To type a question of your own, run the notebook.`));
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
  const part = h('section', { class: 'cfx-reply', 'aria-label': 'Answer', hidden: true }, from, forecast, words);
  function show(reply) {
    ask.textContent = reply.running ? 'Stop' : 'Write';
    part.hidden = reply.alpha == null;
    if (part.hidden) return;
    part.setAttribute('aria-busy', !!reply.running);
    from.textContent = replyWords(reply);
    sayIn(forecast, reply.forecast || '');
    words.textContent = [reply.text, reply.error].filter(Boolean).join('\n\n');
    words.classList.toggle('cfx-error', !!reply.error);
  }
  return { part, show };
}

function alphaBox(id, promised) {
  const summary = summaryOf(id);
  const guarantee = hint();
  const { parts, stand, turned } = alphaDial(id, 'more to read', x => x > 0 && x < 1);
  function paint(view, alpha, now, words) {
    stand(alpha, short(alpha), `alpha ${short(alpha)}, ${many(now.chunks, 'chunk')}`);
    summary.textContent = words;
    guarantee.textContent = promised ? guaranteed(view, alpha, now) : UNPROMISED;
  }
  return { part: h('section', { class: 'cfx-alpha' }, ...parts, summary, guarantee), paint, turned };
}

// ---- all of it

function layout(id, question, promised, asks) {
  const reply = replyBox(question.ask);
  const slider = alphaBox(id, promised);
  const chunks = chunkList(promised);
  const charts = figures(id, chunks.lead, promised);
  const warning = note('The guarantee holds for an alpha chosen beforehand, not for one picked by what it retrieves.');
  const left = div('left', slider.part, ...charts.parts, promised ? warning : null);
  const right = h('section', { class: 'cfx-right' }, chunks.part);
  const form = asks ? question.form : null;
  const root = h('div', { class: 'cfx' }, form, question.error, reply.part, div('body', left, right));
  let waiting;

  function busy(on, error) {
    const say = words => sayIn(question.error, words);
    root.setAttribute('aria-busy', on);
    question.search.disabled = on;
    question.search.textContent = on ? 'Searching …' : 'Search';
    clearTimeout(waiting);
    if (on) waiting = patience(say);
    say(error);
  }
  return { root, reply, slider, chunks, charts, warning, busy };
}

export function render({ model, el }) {
  const id = newId();
  const live = !model.get('static');
  const keep = keeper(model);
  const question = questionBox(model, live, id);
  if (!live) savedBox(model, question.form, id);
  const promised = model.get('promised') !== false;
  const { root, reply, slider, chunks, charts, warning, busy } = layout(id, question, promised, model.get('asks') !== false);
  let view, W = 0;

  function paint() {
    const alpha = model.get('alpha');
    const now = at(view, alpha);
    const summary = summarise(view, alpha, now);
    slider.paint(view, alpha, now, summary);
    charts.paint(view, alpha, now, summary, W);
    chunks.paint(view, alpha, now);
  }
  const search = () => busy(live && model.get('query') !== view.query, model.get('error') || '');
  const answered = () => {
    const said = model.get('reply') || {};
    reply.show(live || said.query === view.query ? said : {});
  };
  function show() {
    view = model.get('view');
    if (!live) answered();
    charts.show(view);
    chunks.show(view);
    if (question.field.value !== view.query) question.field.value = view.query;
    paint();
    search();
  }

  slider.turned(alpha => {
    keep('alpha', alpha);
    warning.classList.add('cfx-on');
    paint();
  });
  listen(model, question, query => {
    if (query === view.query) return;
    model.set('error', '');
    keep('query', query);
    search();
  });

  el.replaceChildren(root);
  show();
  answered();
  onChange(model, { alpha: paint, view: show, query: search, error: search, reply: answered });
  return follow(root, el, () => {
    W = charts.width();
    paint();
  });
}

export default widget('explorer', { render, rank, at, calibratedK, topOf, everyView, pieces });
