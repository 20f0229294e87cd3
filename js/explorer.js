// The explorer in the browser. `view` (made by conflare_nb.explorer) holds everything about one question,
// so sliding needs no kernel. The helpers are those of common.js and sliding.js.

// What the explorer shows at one alpha
function at(view, alpha) {
  const k = rank(view.n, alpha), i = k - 1, finite = k <= view.scores.length;
  return finite ? { k, qhat: view.scores[i], chunks: view.within[i], tokens: view.within_tokens[i], low: view.low[i], high: view.high[i] }
                : { k, qhat: Infinity, chunks: view.total, tokens: view.total_tokens, low: 1, high: 1 };
}

function summarise(view, alpha, s) {
  const size = `${many(s.chunks, 'chunk')}, ${many(s.tokens, 'token')}`;
  if (s.qhat < Infinity) return `qhat = ${s.qhat.toFixed(4)} (k = ${s.k} of n = ${view.n}): ${size}.`;
  const why = s.k > view.n ? `${many(view.n, 'question')} are too few for alpha = ${short(alpha)}, at least ${count(fewest(alpha))} are needed.`
                           : `For ${view.infinite} of ${many(view.n, 'question')} nothing that answers was found.`;
  return `Everything is retrieved: ${size}. ${why}`;
}

function guaranteed(alpha, s) {
  if (s.qhat === Infinity) return 'Whatever the knowledge base can answer is covered, at the price of everything it holds.';
  return `For at least ${percent(1 - alpha)} of questions like those that calibrated, an answer is among the chunks, on average over calibration sets.`;
}

function bins(view) {
  const s = view.scores, near = view.distances[0] ?? Infinity;
  let lo = Math.min(s[0] ?? 0, near), hi = Math.max(s[s.length - 1] ?? 1, lo + .1);
  const width = [.01, .02, .05, .1, .2].find(w => (hi - lo) / w <= (s.length < 80 ? 14 : 30)) ?? .5;
  lo = Math.floor(lo / width + 1e-9) * width; hi = Math.ceil(hi / width + 1e-9) * width;
  const ranges = binned(s, lo, hi, width);
  return { lo, hi, ranges, top: tallest(view, ranges) };
}

function scoresChart(view, g, s, W, id) {
  const H = 208, left = 30, right = W - 46, base = 142, head = 26, end = W - 8;
  const X = d => left + (right - left) * (d - g.lo) / (g.hi - g.lo), Y = n => base - (base - head) * n / g.top;
  const finite = s.qhat < Infinity, x = finite ? X(s.qhat) : end, w = (right - left) / g.ranges.length, on = x > W * .6;
  const { within, beyond } = columns(view, g, s, left, w, end, base, Y);
  let near = '', far = '', marks = '';
  view.distances.forEach((d, i) => {
    if (d > g.hi) return;
    const tick = `M${X(d).toFixed(1)} ${base + 4}v13`;
    i < s.chunks ? near += tick : far += tick;
  });
  for (const r of view.answer_ranks ?? []) {
    const d = view.distances[r - 1];
    if (d <= g.hi) marks += `M${X(d).toFixed(1)} ${base + 19}l-5 8h10z`;
  }
  return [
    hatching(id),
    svg('rect', { class: 'cfx-reach', x: left, y: head - 6, width: Math.max(0, x - left), height: base + 30 - head }),
    ...ticks(0, g.top, 3).filter(n => n && n % 1 === 0).flatMap(n =>
      [path('grid', `M${left} ${Y(n)}H${right}`), text(left - 5, Y(n) + 4, n, { 'text-anchor': 'end' })]),
    path('within', within), path('beyond', beyond, { fill: `url(#${id})` }),
    path('axis', `M${left} ${base}H${end}`),
    path('far', far), path('near', near), path('mark', marks),
    ...ticks(g.lo, g.hi, W < 420 ? 5 : 8).map(d => text(X(d), base + 42, d.toFixed(2), middle)),
    view.infinite || !finite ? text(end - 10, base + 42, 'inf', middle) : null,
    text((left + right) / 2, H - 5, 'distance', middle), text(0, 12, 'questions'),
    path('line', `M${x.toFixed(1)} ${head - 12}V${base + 24}`),
    named(x, head - 10, finite ? `qhat ${s.qhat.toFixed(4)}` : 'qhat infinite', on),
  ].filter(Boolean);
}

function bandChart(view, alpha, s, W) {
  const asked = 1 - alpha, lo = Math.min(asked, .4), left = 16, right = W - 20, y = 30;
  const X = c => left + (right - left) * (Math.max(c, lo) - lo) / (1 - lo), x = X(asked), on = x > W * .5;
  return [
    path('track', `M${left} ${y}H${right}`),
    path('band', `M${X(s.low).toFixed(1)} ${y}H${Math.max(X(s.high), X(s.low) + 3).toFixed(1)}`),
    ...ticks(lo, 1, W < 420 ? 4 : 7).map(c => text(X(c), y + 24, percent(c), middle)),
    path('line', `M${x.toFixed(1)} 8V${y + 10}`),
    named(x, 15, `asked for: 1 - alpha = ${percent(asked)}`, on),
  ];
}

function chunkItem(c, i) {
  const where = [c.title, c.heading, c.page == null ? '' : `page ${c.page}`].filter(Boolean).join(' › ');
  return h('li', { class: c.answers ? 'cfx-chunk cfx-answers' : 'cfx-chunk' },
    h('details', {}, h('summary', {}, h('span', { class: 'cfx-rank' }, i + 1), h('span', { class: 'cfx-where' }, where),
        c.answers ? h('span', { class: 'cfx-yes' }, '✓ answers') : null,
        h('span', { class: 'cfx-num', title: 'cosine distance, and its p-value: not the probability that the chunk answers' },
          `${c.distance.toFixed(4)}  p ${c.p_value.toFixed(3)}`)),
      h('p', { class: 'cfx-id' }, `${c.id} · ${many(c.tokens, 'token')}`)),
    h('p', { class: 'cfx-text' }, c.text));
}

// `first`: rank of the first chunk that answers; `go` leads there
function compareRow(name, chunks, tokens, first, guarantee, go) {
  const holds = first == null ? 'unknown' : first > chunks ? h('span', { class: 'cfx-no' }, '✗ no')
    : h('button', { type: 'button', class: 'cfx-yes' }, `✓ yes, rank ${first}`);
  if (holds.type) holds.addEventListener('click', go);
  return h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, count(chunks)), h('td', {}, count(tokens)), h('td', {}, holds), h('td', {}, guarantee));
}

function questionBox(model, live, id) {
  const text = h('textarea', { rows: 2, id: id + 'q', placeholder: 'Type a question and press Enter', spellcheck: 'false' });
  const search = h('button', { type: 'submit' }, 'Search');
  const ask = h('button', { type: 'button', title: 'Answer with the chunks retrieved at this alpha' });
  const examples = h('select', { 'aria-label': 'Examples' }, h('option', { value: '' }, 'or choose an example …'),
    ...(live ? model.get('questions') : []).map(q => h('option', { value: q }, q.length > 90 ? q.slice(0, 89) + '…' : q)));
  const parts = live ? [text, h('div', { class: 'cfx-buttons' }, search, model.get('can_ask') ? ask : null, examples.length > 1 ? examples : null)]
    : [h('p', { class: 'cfx-saved' }, model.get('view').query), hint('This page is saved: the slider works, and a live notebook lets you type another question.')];
  const form = h('form', { class: 'cfx-question' }, h('label', { for: id + 'q' }, 'Question'), ...parts);
  const error = h('p', { class: 'cfx-error', role: 'alert', hidden: true }), from = hint(), words = h('p', { class: 'cfx-words' });
  const reply = h('section', { class: 'cfx-reply', 'aria-label': 'Answer', hidden: true }, from, words);
  return { form, text, search, ask, examples, error, reply, from, words };
}

function alphaBox(id) {
  const summary = h('p', { class: 'cfx-summary', id: id + 's', 'aria-live': 'polite' }), guarantee = hint();
  const a = alphaDial(id, 'more chunks', x => x > 0 && x < 1);
  return { ...a, summary, guarantee, alpha: h('section', { class: 'cfx-alpha' }, ...a.parts, summary, guarantee) };
}

function figures() {
  const scores = svg('svg', { class: 'cfx-scores', height: 208, role: 'img' }), band = svg('svg', { height: 60, role: 'img' });
  const answers = key('mark', 'answers');
  const about = hint(), coverage = hint(), rows = h('tbody');
  const heads = ['', 'chunks', 'tokens', 'holds an answer', 'guarantee'].map(t => h('th', { scope: 'col' }, t));
  const keys = h('p', { class: 'cfx-keys' }, key('within', 'within qhat'), key('beyond', 'beyond'), key('tick', 'a chunk of this question'), answers);
  const parts = [[heading('Calibration scores'), about, scores, keys], [heading('Coverage'), band, coverage], [h('table', {}, h('thead', {}, h('tr', {}, ...heads)), rows)]];
  return { scores, band, answers, about, coverage, rows, parts: parts.map(p => h('section', {}, ...p)) };
}

function render({ model, el }) {
  const live = !model.get('static'), id = 'cfx' + Math.random().toString(36).slice(2);
  const q = questionBox(model, live, id), a = alphaBox(id), f = figures();
  const note = caution('The guarantee is for an alpha chosen beforehand, not for one chosen by what it retrieves.');
  const title = heading(), list = h('ol', { class: 'cfx-chunks', tabindex: 0, 'aria-label': 'Retrieved chunks' }), more = h('li', { class: 'cfx-more' });
  const rule = hint('Nearest first, with distance and p-value (not the probability that it answers). A chunk is retrieved when p\u00a0>\u00a0alpha.');
  const root = h('div', { class: 'cfx' }, q.form, q.error, q.reply, h('div', { class: 'cfx-body' },
    h('div', { class: 'cfx-left' }, a.alpha, ...f.parts, note), h('section', { class: 'cfx-right' }, h('div', {}, title, rule, list))));
  let view, g, items, shown, W = 0, waiting;

  function paintFigures(alpha, s, summary) {
    f.coverage.textContent = s.qhat === Infinity ? 'Coverage is complete where everything is retrieved.'
      : `Coverage of this calibration: ${percent(+s.low.toFixed(3))} to ${percent(+s.high.toFixed(3))} (90% band, n = ${view.n}).`;
    f.band.setAttribute('aria-label', f.coverage.textContent);
    f.scores.setAttribute('aria-label', `Histogram of ${many(view.n, 'calibration score')}. ${summary} ${Math.max(0, view.n - s.k)} scores rank beyond.`);
    if (!W) return;
    f.scores.replaceChildren(...scoresChart(view, g, s, W, id));
    f.band.replaceChildren(...bandChart(view, alpha, s, W));
  }

  function paintChunks(s) {
    const n = Math.min(s.chunks, items.length);
    for (; shown < n; shown++) items[shown].hidden = false;
    for (; shown > n; shown--) items[shown - 1].hidden = true;
    more.hidden = s.chunks > 0 && s.chunks <= items.length;
    more.textContent = s.chunks ? `and ${count(s.chunks - items.length)} more, counted above and not listed here`
                                : 'No chunk lies within the threshold: this knowledge base may hold nothing about the question.';
    title.textContent = `${many(s.chunks, 'chunk')} retrieved, ${many(s.tokens, 'token')}`;
  }

  function paint() {
    const alpha = model.get('alpha'), s = at(view, alpha), summary = summarise(view, alpha, s), first = view.answer_ranks && (view.answer_ranks[0] ?? Infinity);
    a.stand(alpha, short(alpha), `alpha ${short(alpha)}, ${many(s.chunks, 'chunk')}`);
    a.summary.textContent = summary; a.guarantee.textContent = guaranteed(alpha, s);
    f.rows.replaceChildren(compareRow('within qhat', s.chunks, s.tokens, first, `≥ ${percent(1 - alpha)}`, go),
      compareRow(`top-${view.top_k}`, Math.min(view.top_k, view.total), view.top_tokens, first, 'none', go));
    paintFigures(alpha, s, summary); paintChunks(s);
    Object.assign(list.dataset, { n: s.chunks, alpha: short(alpha), qhat: s.qhat < Infinity ? s.qhat.toFixed(4) : 'inf', tokens: s.tokens });
  }

  function show() {
    view = model.get('view'); g = bins(view);
    items = view.chunks.map(chunkItem); items.forEach(li => { li.hidden = true; }); shown = 0;
    list.replaceChildren(...items, more); list.scrollTop = 0;
    q.text.value = view.query;
    f.answers.hidden = !view.answer_ranks?.length;
    f.about.textContent = `How far ${many(view.n, 'question')} with known answers had to look: the distance of the first chunk that answers.`
      + (view.infinite ? ` For ${view.infinite} of them nothing was found (inf).` : '');
    paint(); busy();
  }

  function busy() {
    const on = live && model.get('query') !== view.query, say = words => { q.error.hidden = !words; q.error.textContent = words; };
    root.setAttribute('aria-busy', on); q.search.disabled = on; q.search.textContent = on ? 'Searching …' : 'Search';
    clearTimeout(waiting);
    if (on) waiting = patience(say);
    say(model.get('error') || '');
  }

  function answered() {
    const r = model.get('reply') || {};
    q.ask.textContent = r.running ? 'Stop' : 'Ask the model';
    q.reply.hidden = r.alpha == null; if (q.reply.hidden) return;
    q.reply.setAttribute('aria-busy', !!r.running);
    q.from.textContent = `${r.running ? 'Answering' : 'Answer to'} “${r.query}” at alpha = ${short(r.alpha)}`
      + (r.chunks == null ? '' : `, from ${many(r.chunks, 'chunk')}`) + (r.running ? ' …' : '');
    q.words.textContent = [r.text, r.error].filter(Boolean).join('\n\n');
    q.words.classList.toggle('cfx-error', !!r.error);
  }

  const set = (name, value) => { model.set(name, value); model.save_changes(); };
  const go = () => { const li = items[view.answer_ranks[0] - 1]; li?.scrollIntoView({ block: 'nearest' }); li?.querySelector('summary').focus(); };
  const slide = alpha => { set('alpha', alpha); note.classList.add('cfx-on'); paint(); };
  const submit = () => {
    const query = q.text.value.trim();
    if (query && query !== view.query) { model.set('error', ''); set('query', query); busy(); }
    return query;
  };
  a.turned(slide);
  q.form.addEventListener('submit', e => { e.preventDefault(); submit(); });
  q.text.addEventListener('keydown', e => { if (e.key === 'Enter' && !e.shiftKey && !e.isComposing) { e.preventDefault(); submit(); } });
  q.examples.addEventListener('change', () => { q.text.value = q.examples.value; q.examples.value = ''; submit(); });
  q.ask.addEventListener('click', () => {
    if (model.get('reply')?.running) return model.send({ type: 'stop' });
    const query = submit();
    if (query) model.send({ type: 'ask', query, alpha: model.get('alpha') });
  });

  el.replaceChildren(root);
  show(); answered();
  for (const [name, draw] of Object.entries({ alpha: paint, view: show, query: busy, error: busy, reply: answered })) model.on('change:' + name, draw);
  return follow(root, el, () => { W = f.scores.clientWidth; paint(); });
}

export default { render, rank, at };
