// js/common.js
var maker = (create) => (tag, attrs = {}, ...kids) => {
  const e = create(tag);
  for (const [name, value] of Object.entries(attrs)) {
    if (value !== false && value != null) e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...kids.filter((child) => child != null));
  return e;
};
var h = maker((tag) => {
  const e = document.createElement(tag);
  if (/^(button|input|ol|select|summary|textarea)$/.test(tag)) e.dataset.lmSuppressShortcuts = true;
  return e;
});
var div = (kind, ...kids) => h("div", { class: "cfx-" + kind }, ...kids);
var paragraph = (kind, ...kids) => h("p", { class: "cfx-" + kind }, ...kids);
var span = (kind, ...kids) => h("span", { class: "cfx-" + kind }, ...kids);
var section = (...kids) => h("section", {}, ...kids);
var hint = (words) => paragraph("hint", words);
var heading = (words) => h("div", { class: "cfx-heading", role: "heading", "aria-level": 3 }, words);
var alertBox = () => h("p", { class: "cfx-error", role: "alert", hidden: true });
var sayIn = (element, words) => {
  element.hidden = !words;
  element.textContent = words;
};
var card = (answers, ...kids) => h("li", { class: answers ? "cfx-chunk cfx-answers" : "cfx-chunk" }, ...kids);
var folded = (number, where, more, ...kids) => h("details", {}, h("summary", {}, span("rank", number), span("where", where), ...more), ...kids);
var newId = () => "cfx" + Math.random().toString(36).slice(2);
var count = (n) => n.toLocaleString("en-US");
var many = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
var keeper = (model) => (name, value) => {
  model.set(name, value);
  model.save_changes();
};
function onChange(model, draws) {
  for (const name in draws) model.on("change:" + name, draws[name]);
}
function onEnter(field, go) {
  field.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    go();
  });
}
function lightness(element) {
  const parts = getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0];
  const [red, green, blue, opacity = 1] = parts.map(Number);
  return opacity > 0.5 ? red + green + blue : null;
}
function onDark(el) {
  for (let element = el; element; element = element.parentElement) {
    const light = lightness(element);
    if (light != null) return light < 384;
  }
  const probe = el.appendChild(h("i", { style: "background:Canvas" }));
  const dark = lightness(probe) < 384;
  probe.remove();
  return dark;
}
function follow(root, el, resized) {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => root.classList.toggle("cfx-dark", onDark(el));
  let width;
  scheme.addEventListener("change", theme);
  new ResizeObserver(() => {
    if (width === root.clientWidth) return;
    width = root.clientWidth;
    theme();
    resized?.();
  }).observe(root);
  return () => scheme.removeEventListener("change", theme);
}
var patience = (say) => setTimeout(say, 2e4, "Still waiting for the kernel. If it was restarted, run the cell again.");

// js/rank.js
var billionths = (alpha) => Math.min(Math.max(Math.round(alpha * 1e9), 1), 1e9 - 1);
function rank(n, alpha) {
  const spent = (n + 1) * billionths(alpha);
  return n + 1 - (spent - spent % 1e9) / 1e9;
}
var fewest = (alpha) => Math.ceil(1e9 / billionths(alpha)) - 1;

// js/sliding.js
var svg = maker((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
var short = (x) => String(+x.toPrecision(9));
var percent = (x) => `${+(100 * x).toFixed(4)}%`;
var qhatOf = (qhat) => qhat < Infinity ? qhat.toFixed(4) : "inf";
var cut = (words) => words.length > 90 ? words.slice(0, 89) + "…" : words;
function whyInfinite(view, alpha, k) {
  const n = many(view.n, "question");
  if (k <= view.n) return `For ${view.infinite} of ${n} nothing that answers was found.`;
  return `${n} are too few for alpha = ${short(alpha)}, at least ${count(fewest(alpha))} are needed.`;
}
function dial(id, { name, words, ends, range, step, fits, of = (x) => x }) {
  const slider = h("input", { type: "range", id, ...range });
  const number = h("input", { type: "number", "aria-label": `${name}, as a number`, min: 0, max: 1, step });
  const label = h("label", { for: id }, h("b", {}, name), ` ${words}`);
  const sides = h("div", { class: "cfx-ends" }, h("span", {}, `← ${ends[0]}`), h("span", {}, `${ends[1]} →`));
  const invalid = (is) => number.setAttribute("aria-invalid", is);
  function stand(position, value, words2) {
    slider.value = position;
    slider.setAttribute("aria-valuetext", words2);
    if (+number.value !== +value) number.value = value;
    invalid(false);
  }
  function turned(go) {
    slider.addEventListener("input", () => go(of(+slider.value)));
    number.addEventListener("input", () => {
      const value = +number.value;
      if (number.value && fits(value)) go(value);
      else invalid(true);
    });
  }
  return { slider, number, parts: [label, number, slider, sides], stand, turned };
}
var small = (id) => ({ min: 0.01, max: 0.5, step: 5e-3, "aria-describedby": id });
var alphaDial = (id, more, fits, words = "accepted share of misses", about = id + "s") => dial(id + "a", {
  name: "alpha",
  words,
  ends: [more, "more misses"],
  range: small(about),
  step: 5e-3,
  fits
});
var note = (words) => paragraph("note", words);
var summaryOf = (id) => h("p", { class: "cfx-summary", id: id + "s", "aria-live": "polite" });
var key = (kind, words) => span("key", h("i", { class: "cfx-key-" + kind }), words);
var keys = (...kids) => paragraph("keys", ...kids);
var row = (name, ...cells) => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell)));
function table(names, rows) {
  const heads = names.map((name) => h("th", { scope: "col" }, name));
  return h("table", {}, h("thead", {}, h("tr", {}, ...heads)), rows);
}
function ticks(lo, hi, most) {
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4];
  const step = steps.find((t) => (hi - lo) / t <= most) ?? hi;
  const out = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + 1e-9; i++) out.push(+(i * step).toPrecision(9));
  return out;
}
var scale = (lo, hi, from, to) => (x) => from + (to - from) * (x - lo) / (hi - lo);
var box = (x, y, width, up) => `M${x.toFixed(1)} ${y.toFixed(1)}v${-up.toFixed(1)}h${width.toFixed(1)}v${up.toFixed(1)}z`;
var path = (kind, d, more) => svg("path", { class: "cfx-" + kind, d, ...more });
var reach = (x, y, width, height) => svg("rect", { class: "cfx-reach", x, y, width: Math.max(0, width), height: Math.max(0, height) });
var middle = { "text-anchor": "middle" };
var text = (x, y, words, more) => svg("text", { x, y, ...more }, words);
var before = (x, y, words) => text(x, y, words, { "text-anchor": "end" });
var named = (x, y, words, left) => text(x + (left ? -7 : 7), y, words, { class: "cfx-qhat", "text-anchor": left ? "end" : "start" });
var gridLine = (left, right, y, words) => [path("grid", `M${left} ${y}H${right}`), before(left - 5, y + 4, words)];
var countLines = (top, { left, right, Y }) => ticks(0, top, 3).filter((n) => n && n % 1 === 0).flatMap((n) => gridLine(left, right, Y(n), n));
function hatching(id) {
  const lines = { id, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return svg("defs", {}, svg("pattern", lines, svg("rect", { class: "cfx-hatch", width: 2.6, height: 5 })));
}
var hatched = (id) => ({ fill: `url(#${id})` });
var bars = ({ within, beyond }, id) => [path("within", within), path("beyond", beyond, hatched(id))];
function binned(scores, lo, hi, width) {
  const out = [];
  let i = 0;
  for (let bin = 1; bin <= Math.round((hi - lo) / width); bin++) {
    const from = i;
    const edge = lo + bin * width - 1e-9;
    while (i < scores.length && scores[i] < edge) i++;
    out.push([from, i]);
  }
  if (i < scores.length) out.at(-1)[1] = scores.length;
  return out;
}
var tallest = (view, ranges) => Math.max(1, view.infinite, ...ranges.map(([from, to]) => to - from));
function scoresFrame({ lo, hi, top, ranges }, W, base) {
  const left = 30, right = W - 46, head = 26;
  return {
    left,
    right,
    end: W - 8,
    base,
    head,
    X: scale(lo, hi, left, right),
    Y: scale(0, top, base, head),
    width: (right - left) / ranges.length
  };
}
function columns(view, { ranges }, { k, qhat }, { left, end, base, width, Y }) {
  let within = "";
  let beyond = "";
  ranges.forEach(([from, to], i) => {
    const inside = Math.max(0, Math.min(to, k) - from);
    const rest = to - from - inside;
    const x = left + i * width + 0.5;
    if (inside) within += box(x, base, width - 1, base - Y(inside));
    if (rest) beyond += box(x, Y(inside), width - 1, base - Y(rest));
  });
  if (view.infinite) {
    const bar = box(end - 16, base, 12, base - Y(view.infinite));
    if (qhat < Infinity) beyond += bar;
    else within += bar;
  }
  return { within, beyond };
}

// js/widget.js
function standIn(state) {
  const heard = {};
  return {
    get: (name) => state[name],
    on: (event, draw) => (heard[event] ??= []).push(draw),
    set(name, value) {
      state[name] = value;
      heard["change:" + name]?.forEach((draw) => draw());
    },
    save_changes() {
    },
    send() {
    }
  };
}
function widget(name, parts) {
  const waiting = globalThis.document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`) ?? [];
  for (const host of waiting) {
    host.dataset.done = 1;
    queueMicrotask(() => {
      const state = JSON.parse(host.querySelector('script[type="application/json"]').textContent);
      parts.render({ model: standIn(state), el: host.querySelector("div") });
    });
  }
  return parts;
}

// js/explorer.js
function at(view, alpha) {
  const k = rank(view.n, alpha), i = k - 1;
  if (k > view.scores.length) {
    return { k, qhat: Infinity, chunks: view.total, tokens: view.total_tokens, low: 1, high: 1 };
  }
  const chunks = view.within[i], tokens = view.within_tokens[i];
  return { k, qhat: view.scores[i], chunks, tokens, low: view.low[i], high: view.high[i] };
}
function summarise(view, alpha, { k, qhat, chunks, tokens }) {
  const size = `${many(chunks, "chunk")}, ${many(tokens, "token")}`;
  if (qhat < Infinity) return `qhat = ${qhat.toFixed(4)} (k = ${k} of n = ${view.n}): ${size}.`;
  return `Everything is retrieved: ${size}. ${whyInfinite(view, alpha, k)}`;
}
function guaranteed(alpha, { qhat }) {
  if (qhat === Infinity) {
    return "Whatever the knowledge base can answer is covered, at the price of everything it holds.";
  }
  return `For at least ${percent(1 - alpha)} of questions like those that calibrated, an answer is among the chunks, on average over calibration sets.`;
}
function coverageWords(view, { qhat, low, high }) {
  if (qhat === Infinity) return "Coverage is complete where everything is retrieved.";
  const [from, to] = [low, high].map((share) => percent(+share.toFixed(3)));
  return `Coverage of this calibration: ${from} to ${to} (90% band, n = ${view.n}).`;
}
function aboutScores(view) {
  const lost = view.infinite ? ` For ${view.infinite} of them nothing was found (inf).` : "";
  return `How far ${many(view.n, "question")} with known answers had to look: the distance of the first chunk that answers.${lost}`;
}
function binScores(view) {
  const { scores, distances } = view;
  const first = Math.min(scores[0] ?? 0, distances[0] ?? Infinity);
  const last = Math.max(scores.at(-1) ?? 1, first + 0.1);
  const most = scores.length < 80 ? 14 : 30;
  const width = [0.01, 0.02, 0.05, 0.1, 0.2].find((width2) => (last - first) / width2 <= most) ?? 0.5;
  const lo = Math.floor(first / width + 1e-9) * width;
  const hi = Math.ceil(last / width + 1e-9) * width;
  const ranges = binned(scores, lo, hi, width);
  return { lo, hi, ranges, top: tallest(view, ranges) };
}
function chunkTicks({ distances, answer_ranks }, { hi }, { chunks }, { X, base }) {
  let near = "", far = "", marks = "";
  distances.forEach((d, i) => {
    if (d > hi) return;
    const tick = `M${X(d).toFixed(1)} ${base + 4}v13`;
    if (i < chunks) near += tick;
    else far += tick;
  });
  for (const rank2 of answer_ranks ?? []) {
    const d = distances[rank2 - 1];
    if (d <= hi) marks += `M${X(d).toFixed(1)} ${base + 19}l-5 8h10z`;
  }
  return [path("far", far), path("near", near), path("mark", marks)];
}
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
    path("axis", `M${left} ${base}H${end}`),
    ...chunkTicks(view, bins, now, frame),
    ...ticks(bins.lo, bins.hi, W < 420 ? 5 : 8).map((d) => text(X(d), base + 42, d.toFixed(2), middle)),
    view.infinite || !finite ? text(end - 10, base + 42, "inf", middle) : null,
    text((left + right) / 2, 203, "distance", middle),
    text(0, 12, "questions"),
    path("line", `M${x.toFixed(1)} ${head - 12}V${base + 24}`),
    named(x, head - 10, finite ? `qhat ${now.qhat.toFixed(4)}` : "qhat infinite", x > W * 0.6)
  ].filter(Boolean);
}
function bandChart(alpha, { low, high }, W) {
  const asked = 1 - alpha;
  const lo = Math.min(asked, 0.4);
  const left = 16, right = W - 20, y = 30;
  const place = scale(lo, 1, left, right);
  const X = (share) => place(Math.max(share, lo));
  const x = X(asked);
  return [
    path("track", `M${left} ${y}H${right}`),
    path("band", `M${X(low).toFixed(1)} ${y}H${Math.max(X(high), X(low) + 3).toFixed(1)}`),
    ...ticks(lo, 1, W < 420 ? 4 : 7).map((share) => text(X(share), y + 24, percent(share), middle)),
    path("line", `M${x.toFixed(1)} 8V${y + 10}`),
    named(x, 15, `asked for: 1 - alpha = ${percent(asked)}`, x > W * 0.5)
  ];
}
function chunkItem(chunk, i) {
  const page = chunk.page == null ? "" : `page ${chunk.page}`;
  const where = [chunk.title, chunk.heading, page].filter(Boolean).join(" › ");
  const title = "cosine distance, and its p-value: not the probability that the chunk answers";
  const numbers = `${chunk.distance.toFixed(4)}  p ${chunk.p_value.toFixed(3)}`;
  return card(
    chunk.answers,
    folded(
      i + 1,
      where,
      [chunk.answers ? span("yes", "✓ answers") : null, h("span", { class: "cfx-num", title }, numbers)],
      paragraph("id", `${chunk.id} · ${many(chunk.tokens, "token")}`)
    ),
    paragraph("text", chunk.text)
  );
}
function chunkList() {
  const title = heading();
  const list = h("ol", { class: "cfx-chunks", tabindex: 0, "aria-label": "Retrieved chunks" });
  const more = h("li", { class: "cfx-more" });
  const rule = hint(
    "Nearest first, with distance and p-value (not the probability that it answers). A chunk is retrieved when p > alpha."
  );
  let items, seen;
  function show(chunks) {
    items = chunks.map(chunkItem);
    items.forEach((item) => {
      item.hidden = true;
    });
    seen = 0;
    list.replaceChildren(...items, more);
    list.scrollTop = 0;
  }
  function paint(alpha, { chunks, tokens, qhat }) {
    const last = Math.min(chunks, items.length);
    for (; seen < last; seen++) items[seen].hidden = false;
    for (; seen > last; seen--) items[seen - 1].hidden = true;
    more.hidden = chunks > 0 && chunks <= items.length;
    more.textContent = chunks ? `and ${count(chunks - items.length)} more, counted above and not listed here` : "No chunk lies within the threshold: this knowledge base may hold nothing about the question.";
    title.textContent = `${many(chunks, "chunk")} retrieved, ${many(tokens, "token")}`;
    Object.assign(list.dataset, { n: chunks, alpha: short(alpha), qhat: qhatOf(qhat), tokens });
  }
  function lead(rank2) {
    const item = items[rank2 - 1];
    item?.scrollIntoView({ block: "nearest" });
    item?.querySelector("summary").focus();
  }
  return { part: h("div", {}, title, rule, list), show, paint, lead };
}
function holdsAnswer(first, chunks, lead) {
  if (first == null) return "unknown";
  if (first > chunks) return span("no", "✗ no");
  const button = h("button", { type: "button", class: "cfx-yes" }, `✓ yes, rank ${first}`);
  button.addEventListener("click", () => lead(first));
  return button;
}
function comparedRows(view, alpha, now, lead) {
  const first = view.answer_ranks && (view.answer_ranks[0] ?? Infinity);
  const compare = (name, chunks, tokens, guarantee) => row(name, count(chunks), count(tokens), holdsAnswer(first, chunks, lead), guarantee);
  return [
    compare("within qhat", now.chunks, now.tokens, `≥ ${percent(1 - alpha)}`),
    compare(`top-${view.top_k}`, Math.min(view.top_k, view.total), view.top_tokens, "none")
  ];
}
function figures(id, lead) {
  const scores = svg("svg", { class: "cfx-scores", height: 208, role: "img" });
  const band = svg("svg", { height: 60, role: "img" });
  const answers = key("mark", "answers");
  const about = hint(), coverage = hint(), rows = h("tbody");
  const colours = keys(
    key("within", "within qhat"),
    key("beyond", "beyond"),
    key("tick", "a chunk of this question"),
    answers
  );
  const names = ["", "chunks", "tokens", "holds an answer", "guarantee"];
  const parts = [
    section(heading("Calibration scores"), about, scores, colours),
    section(heading("Coverage"), band, coverage),
    section(table(names, rows))
  ];
  let bins;
  function show(view) {
    bins = binScores(view);
    answers.hidden = !view.answer_ranks?.length;
    about.textContent = aboutScores(view);
  }
  function paint(view, alpha, now, summary, W) {
    rows.replaceChildren(...comparedRows(view, alpha, now, lead));
    coverage.textContent = coverageWords(view, now);
    band.setAttribute("aria-label", coverage.textContent);
    const said = `Histogram of ${many(view.n, "calibration score")}. ${summary}`;
    scores.setAttribute("aria-label", `${said} ${Math.max(0, view.n - now.k)} scores rank beyond.`);
    if (!W) return;
    scores.replaceChildren(...scoresChart(view, bins, now, W, id));
    band.replaceChildren(...bandChart(alpha, now, W));
  }
  return { parts, show, paint, width: () => scores.clientWidth };
}
function exampleChoice(questions) {
  const options = questions.map((question) => h("option", { value: question }, cut(question)));
  return h("select", { "aria-label": "Examples" }, h("option", { value: "" }, "or choose an example …"), ...options);
}
function questionBox(model, live, id) {
  const field = h("textarea", {
    rows: 2,
    id: id + "q",
    placeholder: "Type a question and press Enter",
    spellcheck: "false"
  });
  const search = h("button", { type: "submit" }, "Search");
  const ask = h("button", { type: "button", title: "Answer with the chunks retrieved at this alpha" });
  const examples = exampleChoice(live ? model.get("questions") : []);
  const buttons = [search, model.get("can_ask") ? ask : null, examples.length > 1 ? examples : null];
  const saved = "This page is saved: the slider works, and a live notebook lets you type another question.";
  const parts = live ? [field, div("buttons", ...buttons)] : [paragraph("saved", model.get("view").query), hint(saved)];
  const form = h("form", { class: "cfx-question" }, h("label", { for: id + "q" }, "Question"), ...parts);
  return { form, field, search, ask, examples, error: alertBox() };
}
function listen(model, { form, field, ask, examples }, begin) {
  const submit = () => {
    const query = field.value.trim();
    if (query) begin(query);
    return query;
  };
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    submit();
  });
  onEnter(field, submit);
  examples.addEventListener("change", () => {
    field.value = examples.value;
    examples.value = "";
    submit();
  });
  ask.addEventListener("click", () => {
    if (model.get("reply")?.running) return model.send({ type: "stop" });
    const query = submit();
    if (query) model.send({ type: "ask", query, alpha: model.get("alpha") });
  });
}
function replyWords({ running, query, alpha, chunks }) {
  const from = chunks == null ? "" : `, from ${many(chunks, "chunk")}`;
  const words = `${running ? "Answering" : "Answer to"} “${query}” at alpha = ${short(alpha)}${from}`;
  return running ? words + " …" : words;
}
function replyBox(ask) {
  const from = hint();
  const words = paragraph("words");
  const part = h("section", { class: "cfx-reply", "aria-label": "Answer", hidden: true }, from, words);
  function show(reply) {
    ask.textContent = reply.running ? "Stop" : "Ask the model";
    part.hidden = reply.alpha == null;
    if (part.hidden) return;
    part.setAttribute("aria-busy", !!reply.running);
    from.textContent = replyWords(reply);
    words.textContent = [reply.text, reply.error].filter(Boolean).join("\n\n");
    words.classList.toggle("cfx-error", !!reply.error);
  }
  return { part, show };
}
function alphaBox(id) {
  const summary = summaryOf(id);
  const guarantee = hint();
  const { parts, stand, turned } = alphaDial(id, "more chunks", (x) => x > 0 && x < 1);
  function paint(alpha, now, words) {
    stand(alpha, short(alpha), `alpha ${short(alpha)}, ${many(now.chunks, "chunk")}`);
    summary.textContent = words;
    guarantee.textContent = guaranteed(alpha, now);
  }
  return { part: h("section", { class: "cfx-alpha" }, ...parts, summary, guarantee), paint, turned };
}
function layout(id, question) {
  const reply = replyBox(question.ask);
  const slider = alphaBox(id);
  const chunks = chunkList();
  const charts = figures(id, chunks.lead);
  const warning = note("The guarantee is for an alpha chosen beforehand, not for one chosen by what it retrieves.");
  const left = div("left", slider.part, ...charts.parts, warning);
  const right = h("section", { class: "cfx-right" }, chunks.part);
  const root = h("div", { class: "cfx" }, question.form, question.error, reply.part, div("body", left, right));
  let waiting;
  function busy(on, error) {
    const say = (words) => sayIn(question.error, words);
    root.setAttribute("aria-busy", on);
    question.search.disabled = on;
    question.search.textContent = on ? "Searching …" : "Search";
    clearTimeout(waiting);
    if (on) waiting = patience(say);
    say(error);
  }
  return { root, reply, slider, chunks, charts, warning, busy };
}
function render({ model, el }) {
  const id = newId();
  const live = !model.get("static");
  const keep = keeper(model);
  const question = questionBox(model, live, id);
  const { root, reply, slider, chunks, charts, warning, busy } = layout(id, question);
  let view, W = 0;
  function paint() {
    const alpha = model.get("alpha");
    const now = at(view, alpha);
    const summary = summarise(view, alpha, now);
    slider.paint(alpha, now, summary);
    charts.paint(view, alpha, now, summary, W);
    chunks.paint(alpha, now);
  }
  const search = () => busy(live && model.get("query") !== view.query, model.get("error") || "");
  const answered = () => reply.show(model.get("reply") || {});
  function show() {
    view = model.get("view");
    charts.show(view);
    chunks.show(view.chunks);
    question.field.value = view.query;
    paint();
    search();
  }
  slider.turned((alpha) => {
    keep("alpha", alpha);
    warning.classList.add("cfx-on");
    paint();
  });
  listen(model, question, (query) => {
    if (query === view.query) return;
    model.set("error", "");
    keep("query", query);
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
var explorer_default = widget("explorer", { render, rank, at });
export {
  at,
  explorer_default as default,
  render
};
