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

// The sentences of a question as a view of their own, with the same names: they slide as chunks do
export function sentencesOf(view) {
  const { places, passages, ...own } = view.sentences;
  const whole = passages.map(passage => view.chunks[passage] ?? passage);
  const answering = new Set(own.answer_ranks);
  const items = places.map(([passage, start, end], i) => ({
    ...whole[passage], start, end, score: own.chunk_scores[i], p_value: view.quoted[i], answers: answering.has(i + 1),
  }));
  return { low: view.low, high: view.high, ...own, outside: 0, chunks: items, unit: 'sentence' };
}

// The questions of a saved page: the first whole, of the others what differs, and the texts that the first has not
export function everyView({ view, others = [], texts = [] }) {
  const all = [...view.chunks, ...texts];
  const chunkOf = ([place, answers, score, distance, p_value, sentences]) =>
    ({ ...all[place], answers, score, distance, p_value, sentences });
  const whole = other => ({
    ...view, ...other,
    chunks: other.chunks.map(chunkOf),
    sentences: view.sentences && { ...view.sentences, ...other.sentences },
  });
  return [view, ...others.map(whole)];
}

// ---- words

const unitOf = view => view.unit ?? 'chunk';
const verb = view => view.unit ? 'listed' : 'retrieved';

function summarise(view, alpha, { k, qhat, chunks, tokens }) {
  const size = `${many(chunks, unitOf(view))}, ${many(tokens, 'token')}`;
  if (qhat < Infinity) return `qhat = ${qhatWords(view, qhat)} (k = ${k} of n = ${view.n}): ${size}.`;
  return `${capital(view.score.everything)} is ${verb(view)}: ${size}. ${whyInfinite(view, alpha, k)}`;
}

// Whose thresholds these are: everybody's, or one group's; sentences are calibrated by themselves
const ofWhom = (view, words) => view.group_label && !view.unit ? `${words} of ${view.group_label}` : words;

const EVERYTHING = 'Whatever the knowledge base can answer is covered, at the price of everything it holds.';
const POOL = 'What the pool can answer is covered; what lies outside the pool is not.';
const SENTENCES = 'What the best chunks say is covered; what stands elsewhere is not.';

const UNPROMISED = 'Nothing is promised by these thresholds.';

function guaranteed(view, alpha, { qhat }) {
  if (qhat === Infinity) return view.unit ? SENTENCES : view.score.pool ? POOL : EVERYTHING;
  const what = view.unit
    ? 'a sentence that answers is listed, or all of these sentences are'
    : 'an answer is among the chunks, or everything is retrieved';
  const whose = ofWhom(view, 'questions');
  const lost = `${view.infinite} of ${many(view.n, 'calibration question')}`;
  const beyond = view.infinite
    ? ` No threshold reaches an answer for ${lost}, so with a finite one coverage can be lower.`
    : '';
  return `For at least ${percent(1 - alpha)} of ${whose} like those that calibrated, ${what}, `
    + `on average over calibration sets.${beyond}`;
}

function coverageWords(view, { qhat, low, high }) {
  if (low == null) {
    const where = view.unit ? 'stands in none of these sentences' : 'lies outside the pool';
    return `Questions whose answer ${where} are not covered, and how many there are is not known.`;
  }
  if (qhat === Infinity) return 'Coverage is complete where everything is retrieved.';
  const words = `Coverage of this calibration: ${bandWords(low, high)}`;
  if (noBand(low, high)) return `${words} (n = ${view.n}).`;
  const ties = high === 1 ? ' Scores tie with the threshold: more may be covered.' : '';
  return `${words} (90% band, n = ${view.n}).${ties}`;
}

function aboutScores(view) {
  const { label, word, shares } = view.score;
  const lost = view.infinite ? ` For ${view.infinite} of them nothing was found (inf).` : '';
  const kind = word === 'score' ? `, ${label}` : '';
  const best = shares ? ` A score of 0 means that the best ${unitOf(view)} answers.` : '';
  const looked = ofWhom(view, many(view.n, 'question'));
  return `How far ${looked} with known answers had to look: `
    + `the ${word} of the first ${unitOf(view)} that answers${kind}.${best}${lost}`;
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

function chunkItem(view, chunk, i) {
  const { score } = view;
  const page = chunk.page == null ? '' : `page ${chunk.page}`;
  const where = [chunk.title, chunk.heading, page].filter(Boolean).join(' › ');
  const title = `${score.label}, and its p-value: not the probability that the ${unitOf(view)} answers`;
  const said = [scoreText(score, chunk.score), beside(score, chunk.score), `p ${chunk.p_value.toFixed(3)}`];
  const numbers = said.filter(Boolean).join('  ');
  const far = score.word === 'distance' ? '' : ` · distance ${chunk.distance.toFixed(4)}`;
  const more = view.unit
    ? paragraph('passage', ...inPlace(chunk))
    : paragraph('id', `${chunk.id} · ${many(chunk.tokens, 'token')}${far}`);
  return card(
    chunk.answers,
    folded(
      i + 1, where,
      [chunk.answers ? span('yes', '✓ answers') : null, h('span', { class: 'cfx-num', title }, numbers)],
      more,
    ),
    view.unit ? paragraph('quoted', ...inPlace(chunk, 60)) : paragraph('text', chunk.text),
  );
}

// A sentence marked in its passage: all of it, or whole words of some letters around it
function inPlace({ text, start, end }, most = Infinity) {
  const letters = [...text];
  const before = letters.slice(0, start).join('');
  const after = letters.slice(end).join('');
  const near = before.length > most + 20 ? '… ' + before.slice(-most).replace(/^\S*\s/, '') : before;
  const next = after.length > most + 20 ? after.slice(0, most).replace(/\s\S*$/, '') + ' …' : after;
  return [near, h('mark', {}, letters.slice(start, end).join('')), next];
}

const listedAt = (sentences, alpha) => sentences.filter(([, , p]) => p > alpha);
const RULES = {
  chunk: '(not the probability that it answers). A chunk is retrieved when p\u00a0>\u00a0alpha.',
  sentence: '(not the probability that it answers). A sentence is listed when p\u00a0>\u00a0alpha.',
};

// The text of a chunk, its sentences with p > alpha marked; their places count characters
function markedText({ text, sentences }, alpha) {
  const letters = [...text];
  const piece = (start, end) => letters.slice(start, end).join('');
  let at = 0;
  const parts = listedAt(sentences, alpha).flatMap(([start, end]) => {
    const before = piece(at, start);
    at = end;
    return [before, h('mark', {}, piece(start, end))];
  });
  return [...parts, piece(at)];
}

function chunkList() {
  const title = heading();
  const list = h('ol', { class: 'cfx-chunks', tabindex: 0, 'aria-label': 'Retrieved chunks' });
  const more = h('li', { class: 'cfx-more' });
  const rule = hint();
  const legend = hint();
  let items, seen;

  function show(view) {
    const { word, nearest } = view.score;
    rule.textContent = `${nearest ? 'Nearest' : 'Best'} first, with ${word} and p-value ${RULES[unitOf(view)]}`;
    list.setAttribute('aria-label', view.unit ? 'Listed sentences' : 'Retrieved chunks');
    items = view.chunks.map((chunk, i) => chunkItem(view, chunk, i));
    items.forEach(item => { item.hidden = true; });
    legend.hidden = !view.quoted;
    seen = 0;
    list.replaceChildren(...items, more);
    list.scrollTop = 0;
  }

  function light(view, alpha, chunks) {
    let lit = 0;
    view.chunks.forEach((chunk, i) => {
      if (!chunk.sentences.length) return;
      items[i].querySelector('.cfx-text').replaceChildren(...markedText(chunk, alpha));
      if (i < chunks) lit += listedAt(chunk.sentences, alpha).length;
    });
    const away = view.quoted.filter(p => p > alpha).length - lit;
    const rest = away ? `; ${count(away)} more in chunks not shown` : '';
    legend.replaceChildren(h('mark', {}, 'marked'), `: sentences that may answer, with a promise of their own${rest}`);
  }

  function paint(view, alpha, { chunks, tokens, qhat }) {
    if (view.quoted) light(view, alpha, chunks);
    const last = Math.min(chunks, items.length);
    for (; seen < last; seen++) items[seen].hidden = false;
    for (; seen > last; seen--) items[seen - 1].hidden = true;
    more.hidden = chunks > 0 && chunks <= items.length;
    more.textContent = chunks
      ? `and ${count(chunks - items.length)} more, counted above and not listed here`
      : `No ${unitOf(view)} lies within the threshold: this knowledge base may hold nothing about the question.`;
    title.textContent = `${many(chunks, unitOf(view))} ${verb(view)}, ${many(tokens, 'token')}`;
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
function holdsAnswer(first, chunks, lead, no = 'no') {
  if (first == null) return 'unknown';
  if (!first || first > chunks) return span('no', `✗ ${no}`);
  const words = `✓ yes, rank ${first}`;
  if (!lead) return span('yes', words);
  const button = h('button', { type: 'button', class: 'cfx-yes' }, words);
  button.addEventListener('click', () => lead(first));
  return button;
}

// Sentences stand beside the chunks that the same alpha retrieves
function besideChunks(view, whole, alpha, now, lead) {
  const chunks = at(whole, alpha);
  const first = ({ answer_ranks }) => answer_ranks && (answer_ranks[0] ?? 0);
  const promised = `≥ ${percent(1 - alpha)}`;
  const own = holdsAnswer(first(view), now.chunks, lead);
  const theirs = holdsAnswer(first(whole), chunks.chunks);
  return [
    row('sentences', count(now.chunks), count(now.tokens), own, promised),
    row('chunks', count(chunks.chunks), count(chunks.tokens), theirs, promised),
  ];
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
  const tick = key('tick', '');
  const colours = keys(key('within', 'within qhat'), key('beyond', 'beyond'), tick, answers);
  const names = ['', 'number', 'tokens', 'holds an answer', ...(promised ? ['guarantee'] : [])];
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
    tick.lastChild.textContent = `a ${unitOf(view)} of this question`;
    title.textContent = ofWhom(view, 'Calibration scores');
    about.textContent = aboutScores(view);
  }

  function paint(view, whole, alpha, now, summary, W) {
    const compared = view.unit ? besideChunks(view, whole, alpha, now, lead) : comparedRows(view, alpha, now, lead);
    if (!promised) compared.forEach(line => line.lastElementChild.remove());
    rows.replaceChildren(...compared);
    coverage.textContent = coverageWords(view, now);
    band.setAttribute('aria-label', coverage.textContent);
    const said = `Histogram of ${many(view.n, 'calibration score')}. ${summary}`;
    scores.setAttribute('aria-label', `${said} ${Math.max(0, view.n - withinRank(view, now.k))} scores lie beyond.`);
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
  const quote = h('button', { type: 'button', title: 'Quote the sentence to read first' }, 'Quote');
  const ask = h('button', { type: 'button', title: 'Let the model write from what is shown at this alpha' });
  const examples = exampleChoice(live ? model.get('questions') : []);
  const buttons = [
    search, model.get('can_quote') ? quote : null, model.get('can_ask') ? ask : null,
    examples.length > 1 ? examples : null,
  ];
  const parts = [h('label', { for: id + 'q' }, 'Question'), field, div('buttons', ...buttons)];
  const form = h('form', { class: 'cfx-question' }, ...parts);
  return { form, field, search, quote, ask, examples, error: alertBox() };
}

// On a saved page the questions that it holds can be chosen; no kernel searches for another one
function savedBox(model, form, id) {
  const views = everyView({ view: model.get('view'), others: model.get('others'), texts: model.get('texts') });
  const { choice, parts, show } = questionChoice(views.map(view => view.query), id);
  const works = views.length > 1 ? `the slider and ${views.length} questions work` : 'the slider works';
  form.replaceChildren(...parts, hint(`This page is saved: ${works}, and a live notebook lets you type another question.`));
  choice.addEventListener('change', () => {
    show(choice.value);
    model.set('view', views[choice.value]);
  });
  show(0);
}

// Search for what is typed or chosen, and ask for an answer with what is found; `begin` begins a search
function listen(model, { form, field, quote, ask, examples }, begin) {
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
  quote.addEventListener('click', () => {
    const query = submit();
    if (query) model.send({ type: 'quote', query, alpha: model.get('alpha') });
  });
}

// Which of the two alpha slides over: two radio buttons, moved by the arrow keys
function unitChoice(model, id, changed) {
  const choose = (unit, words) => {
    const input = h('input', { type: 'radio', name: id + 'u', value: unit });
    input.addEventListener('change', () => changed(unit));
    return [input, h('label', {}, input, ' ' + words)];
  };
  const [chunks, first] = choose('chunks', 'whole chunks');
  const [sentences, second] = choose('sentences', 'single sentences');
  const legend = h('legend', {}, 'alpha chooses among');
  const part = h('fieldset', { class: 'cfx-unit' }, legend, first, second);
  function show(offered) {
    part.hidden = !offered;
    chunks.checked = model.get('unit') !== 'sentences';
    sentences.checked = !chunks.checked;
  }
  return { part, show };
}

function replyWords({ running, query, alpha, chunks, unit = 'chunk', source }) {
  const where = `“${query}” at alpha = ${short(alpha)}`;
  if (source != null) return `Quoted for ${where}, the first of ${many(chunks, 'sentence')} listed: ${source}`;
  const from = chunks == null ? '' : `, from ${many(chunks, unit)}`;
  const words = `${running ? 'Writing an answer to' : 'Written by the model for'} ${where}${from}`;
  return running ? words + ' …' : words;
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
    stand(alpha, short(alpha), `alpha ${short(alpha)}, ${many(now.chunks, unitOf(view))}`);
    summary.textContent = words;
    guarantee.textContent = promised ? guaranteed(view, alpha, now) : UNPROMISED;
  }
  return { part: h('section', { class: 'cfx-alpha' }, ...parts, summary, guarantee), paint, turned };
}

// ---- all of it

function layout(id, question, unit, promised) {
  const reply = replyBox(question.ask);
  const slider = alphaBox(id, promised);
  const chunks = chunkList();
  const charts = figures(id, chunks.lead, promised);
  const warning = note('The guarantee is for an alpha chosen beforehand, not for one chosen by what it retrieves.');
  const left = div('left', slider.part, ...charts.parts, promised ? warning : null);
  const right = h('section', { class: 'cfx-right' }, chunks.part);
  const root = h('div', { class: 'cfx' }, question.form, question.error, reply.part, unit.part, div('body', left, right));
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
  const unit = unitChoice(model, id, chosen => {
    keep('unit', chosen);
    show();
  });
  const { root, reply, slider, chunks, charts, warning, busy } = layout(id, question, unit, model.get('promised') !== false);
  let view, whole, W = 0;

  function paint() {
    const alpha = model.get('alpha');
    const now = at(view, alpha);
    const summary = summarise(view, alpha, now);
    slider.paint(view, alpha, now, summary);
    charts.paint(view, whole, alpha, now, summary, W);
    chunks.paint(view, alpha, now);
  }
  const search = () => busy(live && model.get('query') !== whole.query, model.get('error') || '');
  const answered = () => {
    const said = model.get('reply') || {};
    reply.show(live || said.query === whole.query ? said : {});
  };
  function show() {
    whole = model.get('view');
    if (!live) answered();
    view = whole.sentences && model.get('unit') === 'sentences' ? sentencesOf(whole) : whole;
    unit.show(whole.sentences);
    charts.show(view);
    chunks.show(view);
    if (question.field.value !== whole.query) question.field.value = whole.query;
    paint();
    search();
  }

  slider.turned(alpha => {
    keep('alpha', alpha);
    warning.classList.add('cfx-on');
    paint();
  });
  listen(model, question, query => {
    if (query === whole.query) return;
    model.set('error', '');
    keep('query', query);
    search();
  });

  el.replaceChildren(root);
  show();
  answered();
  onChange(model, { alpha: paint, unit: show, view: show, query: search, error: search, reply: answered });
  return follow(root, el, () => {
    W = charts.width();
    paint();
  });
}

export default widget('explorer', { render, rank, at, calibratedK, topOf, sentencesOf, everyView });
