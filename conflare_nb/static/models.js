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
var heading = (words) => h("div", { class: "cfx-heading", role: "heading", "aria-level": 3 }, words);
var newId = () => "cfx" + Math.random().toString(36).slice(2);
var count = (n) => n.toLocaleString("en-US");
var many = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
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

// js/sliding.js
var svg = maker((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
var short = (x) => String(+x.toPrecision(9));
var percent = (x) => `${+(100 * x).toFixed(4)}%`;
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

// js/models.js
function at(model, alpha) {
  const k = rank(model.n, alpha), i = k - 1;
  if (k > model.scores.length) {
    return { k, qhat: Infinity, coverage: model.coverable, chunks: model.total, low: 1, high: 1 };
  }
  const coverage = model.covered[i], chunks = model.chunks[i];
  return { k, qhat: model.scores[i], coverage, chunks, low: model.low[i], high: model.high[i] };
}
function alphaOf(n, k) {
  const least = (n + 1 - k) / (n + 1);
  for (let places = 2; places < 10; places++) {
    for (const step of [5 / 10 ** places, 1 / 10 ** places]) {
      const alpha = +(Math.max(1, Math.ceil(least / step - 1e-9)) * step).toPrecision(9);
      if (alpha < 1 && rank(n, alpha) === k) return alpha;
    }
  }
}
function roundStep(span2, most) {
  const ten = 10 ** Math.floor(Math.log10(span2 / most));
  return [1, 2, 5, 10].map((x) => x * ten).find((step) => span2 / step <= most + 1e-9);
}
function binScores(model) {
  const { scores } = model;
  const first = scores[0] ?? 0;
  const last = scores.at(-1) ?? 1;
  const span2 = last - first || Math.abs(last) / 10 || 1;
  const width = roundStep(span2, scores.length < 80 ? 14 : 30);
  const lo = Math.floor(first / width + 1e-9) * width;
  const hi = Math.max(Math.ceil(last / width - 1e-9) * width, lo + width);
  const ranges = binned(scores, lo, hi, width);
  return { lo, hi, ranges, top: tallest(model, ranges) };
}
var frameOf = (bins, W) => scoresFrame(bins, W, 148);
function nearest({ scores }, bins, W, x) {
  const { left, right, end } = frameOf(bins, W);
  if (!scores.length || x > (right + end) / 2) return scores.length + 1;
  const pointed = bins.lo + (bins.hi - bins.lo) * (x - left) / (right - left);
  const closer = (best, score, i) => Math.abs(score - pointed) < Math.abs(scores[best] - pointed) ? i : best;
  return scores.reduce(closer, 0) + 1;
}
var minus = (number) => number.replace("-", "−");
var qhatWords = ({ digits }, qhat) => qhat < Infinity ? minus(qhat.toFixed(digits)) : "infinite";
function scoreScale({ lo, hi }, W, X, y) {
  const step = roundStep(hi - lo, W < 420 ? 5 : 8);
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(lo / step - 1e-6);
  const length = Math.floor((hi - lo) / step + 1e-6) + 2;
  const numbers = Array.from({ length }, (_, i) => (first + i) * step).filter((score) => score <= hi + step * 1e-6);
  const words = (score) => minus((score + 0).toFixed(places).replace(/^-(0\.?0*)$/, "$1"));
  return numbers.map((score) => text(X(score), y, words(score), middle));
}
var grip = (x, base, head) => [
  path("line", `M${x.toFixed(1)} ${head - 12}V${base + 4}`),
  svg("circle", { class: "cfx-grip", cx: x.toFixed(1), cy: base + 12, r: 8 }),
  path("chevrons", `M${(x - 2).toFixed(1)} ${base + 9}l-3 3l3 3m4 -6l3 3l-3 3`)
];
function chart(model, bins, shown, W, id) {
  const frame = frameOf(bins, W);
  const { left, right, end, base, head, X } = frame;
  const x = shown.qhat < Infinity ? X(shown.qhat) : end;
  return [
    hatching(id),
    reach(left, head - 6, x - left, base + 6 - head),
    ...countLines(bins.top, frame),
    ...bars(columns(model, bins, shown, frame), id),
    path("axis", `M${left} ${base}H${end}`),
    ...scoreScale(bins, W, X, base + 36),
    text(end - 10, base + 36, "inf", middle),
    text((left + right) / 2, 209, "score", middle),
    text(0, 12, "questions"),
    ...grip(x, base, head),
    named(x, head - 10, `qhat ${qhatWords(model, shown.qhat)}`, x > W * 0.6)
  ];
}
function dragged(chart2, go) {
  let held = false;
  const to = (e) => {
    if (held) go(e.clientX - chart2.getBoundingClientRect().left);
  };
  chart2.addEventListener("pointerdown", (e) => {
    if (e.button) return;
    e.preventDefault();
    chart2.setPointerCapture(e.pointerId);
    held = true;
  });
  chart2.addEventListener("pointermove", to);
  chart2.addEventListener("pointerup", to);
  chart2.addEventListener("lostpointercapture", () => {
    held = false;
  });
}
function facts(model, { k, qhat, coverage, chunks, low, high }) {
  const band = qhat < Infinity ? `${percent(low)} to ${percent(high)}` : "all that has an answer";
  const which = `k = ${k} of n = ${model.n}`.replaceAll(" ", " ");
  return [
    row("chunks, mean", `${chunks.toFixed(1)} of ${count(model.total)}`),
    row("held-out coverage", `${percent(coverage)} of ${many(model.tested, "question")}`),
    row("its 90% band", band),
    row("qhat", `${qhatWords(model, qhat)} (${which})`)
  ];
}
function chartLabel(model, { k, qhat }) {
  const scores = many(model.n, "calibration score");
  return `Histogram of ${scores} of ${model.name}. qhat ${qhatWords(model, qhat)}, ${Math.max(0, model.n - k)} scores rank beyond.`;
}
function alphaOfModel(name, id, about) {
  const control = alphaDial(id, "more chunks", (x) => x > 0 && x < 1, `of ${name}`, about);
  control.number.setAttribute("aria-label", `alpha of ${name}, as a number`);
  return control;
}
function panelBox(model, scores, control, rows) {
  const colours = keys(
    key("within", "within qhat"),
    key("beyond", "beyond"),
    h("span", {}, "drag the line, or use the slider")
  );
  return h(
    "section",
    { class: "cfx-left cfx-model", role: "group", "aria-label": model.name },
    h("div", {}, heading(model.name), scores, colours),
    div("alpha", ...control.parts, h("table", {}, rows))
  );
}
function panel(model, id, about, go) {
  const bins = binScores(model);
  const scores = svg("svg", { class: "cfx-scores cfx-drag", height: 214, role: "img" });
  const rows = h("tbody");
  const control = alphaOfModel(model.name, id, about);
  const box2 = panelBox(model, scores, control, rows);
  let shown, W = 0;
  function show(alpha) {
    shown = at(model, alpha);
    control.stand(alpha, short(alpha), `alpha ${short(alpha)}, ${shown.chunks.toFixed(1)} chunks`);
    rows.replaceChildren(...facts(model, shown));
    scores.setAttribute("aria-label", chartLabel(model, shown));
    if (W) scores.replaceChildren(...chart(model, bins, shown, W, id));
    const qhat = shown.qhat < Infinity ? shown.qhat.toFixed(model.digits) : "inf";
    Object.assign(box2.dataset, { alpha: short(alpha), qhat });
    return shown;
  }
  const resize = () => {
    W = scores.clientWidth;
  };
  control.turned(go);
  dragged(scores, (x) => {
    const k = nearest(model, bins, W, x);
    if (Math.min(shown.k, model.scores.length + 1) !== k) go(alphaOf(model.n, k));
  });
  return { box: box2, show, resize };
}
function compared(models, alphas, linked, [a, b]) {
  const [A, B] = models;
  if (!linked) {
    const words = (model, { qhat, chunks: chunks2, coverage }) => `${model.name} within ${qhatWords(model, qhat)}: ${chunks2.toFixed(1)} chunks, ${percent(coverage)} covered`;
    return `${words(A, a)}; ${words(B, b)}.`;
  }
  const asked = 1 - alphas[0];
  const both = [a, b].every((shown) => Math.abs(shown.coverage - asked) <= 0.05);
  const covered = both ? `both cover about ${percent(asked)}.` : `they cover ${percent(a.coverage)} and ${percent(b.coverage)}.`;
  const chunks = `${a.chunks.toFixed(1)} chunks with ${A.name}, ${b.chunks.toFixed(1)} with ${B.name}`;
  return `At alpha = ${short(alphas[0])}: ${chunks}; ${covered}`;
}
function render({ model, el }) {
  const { models } = model.get("view");
  const id = newId();
  const summary = summaryOf(id);
  const same = h("input", { type: "checkbox" });
  const warning = note("The guarantee is for a model and an alpha chosen beforehand, on other questions.");
  const panels = models.map((one, i) => panel(one, id + i, id + "s", (alpha) => {
    warning.classList.add("cfx-on");
    set(i, alpha);
  }));
  const root = h(
    "div",
    { class: "cfx" },
    div("compared", summary, h("label", {}, same, " same alpha for both")),
    div("body cfx-pair", ...panels.map((p) => p.box)),
    warning
  );
  function paint() {
    const alphas = model.get("alphas");
    const linked = model.get("linked");
    const shown = panels.map((panel2, i) => panel2.show(alphas[i]));
    same.checked = linked;
    summary.textContent = compared(models, alphas, linked, shown);
  }
  function set(i, alpha) {
    const linked = same.checked;
    model.set("linked", linked);
    model.set("alphas", model.get("alphas").map((old, j) => j === i || linked ? alpha : old));
    model.save_changes();
    paint();
  }
  same.addEventListener("change", () => set(0, model.get("alphas")[0]));
  el.replaceChildren(root);
  paint();
  onChange(model, { alphas: paint, linked: paint });
  return follow(root, el, () => {
    panels.forEach((panel2) => panel2.resize());
    paint();
  });
}
var models_default = widget("models", { render, at, alphaOf });
export {
  alphaOf,
  at,
  models_default as default,
  render
};
