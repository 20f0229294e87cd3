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
var path = (kind, d, more) => svg("path", { class: "cfx-" + kind, d, ...more });
var reach = (x, y, width, height) => svg("rect", { class: "cfx-reach", x, y, width: Math.max(0, width), height: Math.max(0, height) });
var middle = { "text-anchor": "middle" };
var text = (x, y, words, more) => svg("text", { x, y, ...more }, words);
var named = (x, y, words, left) => text(x + (left ? -7 : 7), y, words, { class: "cfx-qhat", "text-anchor": left ? "end" : "start" });

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

// js/contradictions.js
function tally(view, retrieved) {
  const found = view.sides.map((sides) => sides.filter(retrieved).length);
  const every = found.filter((n, i) => n === view.sides[i].length).length;
  return [every, found.filter(Boolean).length - every, found.filter((n) => !n).length];
}
function at(view, alpha) {
  const k = rank(view.n, alpha);
  const tallies = { "within qhat": tally(view, (side) => side.beyond < k) };
  for (const top of [1, view.top_k]) tallies[`top-${top}`] = tally(view, (side) => side.rank <= top);
  return { k, qhat: view.scores[k - 1] ?? Infinity, tallies };
}
function counted(view, shown) {
  const [every, ...others] = shown.tallies["within qhat"].map((n, i) => `${view.words[i]}: ${count(n)}`);
  return [`${every} of ${count(view.sides.length)}`, ...others].join("; ");
}
function hereWords(view, sides, k) {
  const inside = sides.filter((side) => side.beyond < k).length;
  if (inside === sides.length) return view.words[0];
  return view.words[inside ? 1 : 2];
}
function summarise(view, shown, sides) {
  const { k, qhat } = shown;
  const which = qhat < Infinity ? `qhat = ${qhat.toFixed(4)} (k = ${k} of n = ${view.n}).` : "Everything is retrieved.";
  return `${which} This question: ${hereWords(view, sides, k)}. Of all, ${counted(view, shown)}.`;
}
function guaranteed(view, alpha, { k, qhat }) {
  if (qhat === Infinity) return whyInfinite(view, alpha, k);
  return `At least ${percent(1 - alpha)} of questions like those that calibrated get an answer, on average over calibration sets. Either side alone keeps this promise.`;
}
function lineLabel(view, sides, { k, qhat }) {
  const where = (side) => `${side.distance.toFixed(4)}, ${side.beyond < k ? "retrieved" : "left out"}`;
  const words = sides.map((side, i) => `${view.names[i]}: ${where(side)}`);
  const threshold = qhat < Infinity ? `qhat: ${qhat.toFixed(4)}` : "qhat is infinite";
  return `Distances. ${words.join(". ")}. ${threshold}.`;
}
var SHAPES = [
  (x, y) => `M${x - 6} ${y}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z`,
  (x, y) => `M${x - 5.5} ${y - 5.5}h11v11h-11z`,
  (x, y) => `M${x} ${y - 6.5}l6.5 12h-13z`
];
function mark(i, x, y, inside) {
  const out = inside ? "" : " cfx-out";
  return path(`side cfx-side-${i % 3}${out}`, SHAPES[i % 3](+x.toFixed(1), y));
}
var glyph = (i, inside) => svg("svg", { class: "cfx-glyph", width: 16, height: 16, "aria-hidden": true }, mark(i, 8, 8, inside));
function lineFrame(view, sides, W) {
  const ends = [...view.scores.slice(0, 1), ...view.scores.slice(-1)];
  const all = [...view.sides.flat().map((side) => side.distance), ...ends];
  const lo = Math.min(...all);
  const hi = Math.max(...all, lo + 0.01);
  const left = 14, right = W - 46, head = 26;
  return {
    lo,
    hi,
    left,
    right,
    end: W - 8,
    head,
    base: head + 16 + 26 * sides.length,
    X: scale(lo, hi, left, right),
    line: (i) => head + 18 + 26 * i
  };
}
function numberLine(view, sides, { k, qhat }, W) {
  const { lo, hi, left, right, end, head, base, X, line } = lineFrame(view, sides, W);
  const finite = qhat < Infinity;
  const x = finite ? X(qhat) : end;
  const places = sides.map((side, i) => `${X(side.distance).toFixed(1)} ${line(i)}`);
  return [
    reach(0, head - 6, x, base + 20 - head),
    path("axis", `M0 ${base}H${end}`),
    path("far", view.scores.map((score) => `M${X(score).toFixed(1)} ${base + 3}v9`).join("")),
    path("joins", "M" + places.join("L")),
    ...ticks(lo, hi, W < 420 ? 4 : 8).map((d) => text(X(d), base + 28, d.toFixed(2), middle)),
    finite ? null : text(end - 10, base + 28, "inf", middle),
    text((left + right) / 2, base + 46, "distance", middle),
    path("line", `M${x.toFixed(1)} ${head - 12}V${base + 14}`),
    ...sides.map((side, i) => mark(i, X(side.distance), line(i), side.beyond < k)),
    named(x, head - 12, finite ? `qhat ${qhat.toFixed(4)}` : "qhat infinite", x > W * 0.6)
  ].filter(Boolean);
}
function sideCard(view, side, i) {
  const sign = h("span", {});
  const said = h("b", {});
  const numbers = ` · rank ${count(side.rank)} of ${count(view.total)} · distance ${side.distance.toFixed(4)}`;
  const item = h(
    "li",
    { class: `cfx-chunk cfx-side-${i % 3}` },
    paragraph("name", sign, h("b", {}, view.names[i])),
    paragraph("said-so", said, numbers),
    paragraph("where", side.title),
    paragraph("id", [side.document, side.heading].filter(Boolean).join(" › ")),
    paragraph("words", side.text)
  );
  function show(inside) {
    sign.replaceChildren(glyph(i, inside));
    said.textContent = inside ? "retrieved" : "left out";
    item.classList.toggle("cfx-off", !inside);
  }
  return { item, show };
}
function questionBox({ questions }, id) {
  const option = (question, i) => h("option", { value: i }, `${i + 1} of ${questions.length}: ${cut(question)}`);
  const choice = h("select", { id: id + "q" }, ...questions.map(option));
  const step = (sign, to) => h("button", { type: "button", "aria-label": `${to} question` }, sign);
  const previous = step("←", "Previous");
  const next = step("→", "Next");
  const words = h("p", { class: "cfx-saved", "aria-live": "polite" });
  const label = h("label", { for: id + "q" }, "Question");
  const part = div("question", label, div("pick", choice, previous, next), words);
  return { choice, previous, next, words, part };
}
function legend({ names }) {
  const named2 = names.map((name, i) => span("key", glyph(i, true), name));
  return keys(...named2, span("key", glyph(0, false), "hollow: left out"), key("tick", "a calibration score"));
}
function alphaBox(view, id) {
  const summary = summaryOf(id);
  const promise = hint();
  const { parts, stand, turned } = alphaDial(id, "more chunks", (x) => x > 0 && x < 1);
  function paint(alpha, shown, sides) {
    stand(alpha, short(alpha), `alpha ${short(alpha)}, ${counted(view, shown)}`);
    summary.textContent = summarise(view, shown, sides);
    promise.textContent = guaranteed(view, alpha, shown);
  }
  return { part: h("section", { class: "cfx-alpha" }, ...parts, summary, promise), paint, turned };
}
function figures(view) {
  const line = svg("svg", { role: "img" });
  const rows = h("tbody");
  const questions = many(view.questions.length, "question");
  const parts = [
    section(heading("How far the sides are from the question"), line, legend(view)),
    section(heading(`Sides retrieved, of ${questions}`), table(["", ...view.words], rows))
  ];
  function paint(sides, shown, W) {
    const tallyRow = ([rule, numbers]) => row(rule, ...numbers.map(count));
    rows.replaceChildren(...Object.entries(shown.tallies).map(tallyRow));
    line.setAttribute("aria-label", lineLabel(view, sides, shown));
    line.setAttribute("height", 92 + 26 * sides.length);
    if (W) line.replaceChildren(...numberLine(view, sides, shown, W));
  }
  return { parts, paint, width: () => line.clientWidth };
}
function layout(view, id) {
  const question = questionBox(view, id);
  const slider = alphaBox(view, id);
  const charts = figures(view);
  const warning = note("The guarantee is for an alpha chosen beforehand, not for one chosen by what it retrieves.");
  const list = h("ol", { class: "cfx-sides", "aria-label": "Sides" });
  const left = div("left", slider.part, ...charts.parts, warning);
  const attrs = { class: "cfx", role: "group", "aria-label": "Contradiction viewer" };
  const root = h("div", attrs, question.part, div("body", left, list));
  let cards;
  function paint(i, alpha, W) {
    const shown = at(view, alpha);
    const { k, qhat, tallies } = shown;
    slider.paint(alpha, shown, view.sides[i]);
    cards.forEach((card, j) => card.show(view.sides[i][j].beyond < k));
    charts.paint(view.sides[i], shown, W);
    const tally2 = tallies["within qhat"].join(" ");
    Object.assign(root.dataset, { question: i, alpha: short(alpha), k, qhat: qhatOf(qhat), tally: tally2 });
  }
  function show(i) {
    question.choice.value = i;
    question.words.textContent = view.questions[i];
    cards = view.sides[i].map((side, j) => sideCard(view, side, j));
    list.replaceChildren(...cards.map((card) => card.item));
  }
  return { root, question, slider, warning, width: charts.width, paint, show };
}
function render({ model, el }) {
  const view = model.get("view");
  const size = view.questions.length;
  const keep = keeper(model);
  const { root, question, slider, warning, width, ...draw } = layout(view, newId());
  let W = 0;
  const paint = () => draw.paint(model.get("question"), model.get("alpha"), W);
  function show() {
    draw.show(model.get("question"));
    paint();
  }
  function choose(i) {
    keep("question", (i + size) % size);
    show();
  }
  slider.turned((alpha) => {
    keep("alpha", alpha);
    warning.classList.add("cfx-on");
    paint();
  });
  question.choice.addEventListener("change", () => choose(+question.choice.value));
  question.previous.addEventListener("click", () => choose(model.get("question") - 1));
  question.next.addEventListener("click", () => choose(model.get("question") + 1));
  el.replaceChildren(root);
  show();
  onChange(model, { alpha: paint, question: show });
  return follow(root, el, () => {
    W = width();
    paint();
  });
}
var contradictions_default = widget("contradictions", { render, at });
export {
  at,
  contradictions_default as default,
  render
};
