// js/rank.js
var billionths = (alpha) => Math.min(Math.max(Math.round(alpha * 1e9), 1), 1e9 - 1);
function rank(n, alpha) {
  const spent = (n + 1) * billionths(alpha);
  return n + 1 - (spent - spent % 1e9) / 1e9;
}
var fewest = (alpha) => Math.ceil(1e9 / billionths(alpha)) - 1;

// js/chance.js
var tenth = (x) => `${(100 * x).toFixed(1)}%`;
function lgamma(x) {
  let shift = 0;
  while (x < 15) shift -= Math.log(x++);
  const y = 1 / (x * x);
  const series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x;
  return shift + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
function betaFraction(x, a, b) {
  const some = (v) => Math.abs(v) < 1e-300 ? 1e-300 : v;
  let c = 1;
  let d = 1 / some(1 - (a + b) * x / (a + 1));
  let fraction = d;
  const step = (term) => {
    d = 1 / some(1 + term * d);
    c = some(1 + term / c);
    fraction *= c * d;
  };
  for (let m = 1; m < 1e4; m++) {
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return fraction;
}
function betaCdf(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const scale2 = lgamma(a + b) - lgamma(a) - lgamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return betaFraction(x, a, b) * Math.exp(scale2) / a;
}
function betaQuantile(p, a, b) {
  let lo = 0, hi = 1;
  for (let i = 0; i < 52; i++) {
    const x = (lo + hi) / 2;
    if (betaCdf(x, a, b) < p) lo = x;
    else hi = x;
  }
  return (lo + hi) / 2;
}
var ranked = (alpha, r) => Math.ceil(r * 1e9 / billionths(alpha)) - 1;
function firstThat(from, to, does) {
  let lo = from, hi = to;
  while (lo < hi) {
    const n = lo + hi >> 1;
    if (does(n)) hi = n;
    else lo = n + 1;
  }
  return lo;
}
function sizesNeeded(alpha, eps, tail, both) {
  const asked = 1 - alpha;
  const low = (n, r) => betaCdf(asked - eps, n + 1 - r, r) <= tail;
  const high = (n, r) => !both || betaCdf(alpha - eps, r, n + 1 - r) <= tail;
  let first;
  let last = ranked(alpha, 1) - 1;
  for (let r = 1; ranked(alpha, r) < 1.2 * last + 1e3 || !first; r++) {
    const from = ranked(alpha, r);
    const to = ranked(alpha, r + 1) - 1;
    if (to < from) continue;
    const start = firstThat(from, to + 1, (n) => low(n, r));
    if (start <= to && high(start, r)) first ??= start;
    if (!high(to, r)) last = to;
    else if (start > from) last = start - 1;
  }
  return { first, n: last + 1 };
}

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
var summaryOf = (id) => h("p", { class: "cfx-summary", id: id + "s", "aria-live": "polite" });
var key = (kind, words) => span("key", h("i", { class: "cfx-key-" + kind }), words);
var keys = (...kids) => paragraph("keys", ...kids);
function ticks(lo, hi, most) {
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4];
  const step = steps.find((t) => (hi - lo) / t <= most) ?? hi;
  const out = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + 1e-9; i++) out.push(+(i * step).toPrecision(9));
  return out;
}
var scale = (lo, hi, from, to) => (x) => from + (to - from) * (x - lo) / (hi - lo);
var path = (kind, d, more) => svg("path", { class: "cfx-" + kind, d, ...more });
var middle = { "text-anchor": "middle" };
var text = (x, y, words, more) => svg("text", { x, y, ...more }, words);
var before = (x, y, words) => text(x, y, words, { "text-anchor": "end" });
var named = (x, y, words, left) => text(x + (left ? -7 : 7), y, words, { class: "cfx-qhat", "text-anchor": left ? "end" : "start" });
function hatching(id) {
  const lines = { id, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return svg("defs", {}, svg("pattern", lines, svg("rect", { class: "cfx-hatch", width: 2.6, height: 5 })));
}
var hatched = (id) => ({ fill: `url(#${id})` });

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

// js/planner.js
var SIDES = { false: "not more than eps below 1 - alpha", true: "within eps of 1 - alpha, on both sides" };
var CONFIDENCE = { 0.2: "80%", 0.1: "90%", 0.05: "95%", 0.01: "99%" };
function planned(alpha, eps, delta, two_sided) {
  const tail = two_sided ? delta / 2 : delta;
  const needed = sizesNeeded(alpha, eps, tail, two_sided);
  const plan = { alpha, eps, delta, two_sided, tail, finite: fewest(alpha), ...needed };
  return { ...plan, low: coverageAt(plan, plan.n, tail), high: coverageAt(plan, plan.n, 1 - tail) };
}
function coverageAt({ alpha }, n, probability) {
  const k = rank(n, alpha);
  return betaQuantile(probability, k, n + 1 - k);
}
function sizes(plan, most) {
  const out = [plan.n, most];
  for (let n = plan.finite; n < most; n = Math.max(n + 1, Math.round(n * 1.05))) out.push(n);
  for (let r = 2; r <= 30; r++) out.push(ranked(plan.alpha, r) - 1, ranked(plan.alpha, r));
  return out.filter((n) => n >= plan.finite && n <= most).sort((a, b) => a - b);
}
function planFrame(plan, W) {
  const left = 44, right = W - 24, base = 226, head = 26;
  const most = 10 ** Math.ceil(Math.log10(Math.max(3 * plan.n, 300)));
  const span2 = Math.max(2.5 * plan.eps, 0.06);
  const lo = Math.max(0, 1 - plan.alpha - span2);
  const hi = Math.min(1, 1 - plan.alpha + span2);
  const height = scale(lo, hi, base, head);
  return {
    left,
    right,
    base,
    head,
    most,
    lo,
    hi,
    X: (n) => left + (right - left) * Math.log10(n) / Math.log10(most),
    Y: (share) => height(Math.min(Math.max(share, lo), hi))
  };
}
function band(plan, { most, X, Y }) {
  const corner = (n, probability) => `${X(n).toFixed(1)} ${Y(coverageAt(plan, n, probability)).toFixed(1)}`;
  const rising = sizes(plan, most);
  const upper = rising.map((n) => corner(n, 1 - plan.tail));
  const lower = rising.reverse().map((n) => corner(n, plan.tail));
  return `M${[...upper, ...lower].join("L")}z`;
}
function hopeless(plan, { left, base, head, X }, id) {
  const end = X(Math.max(1, plan.finite - 0.5));
  const width = Math.max(0, end - left);
  return svg("rect", {
    class: "cfx-beyond",
    x: left,
    y: head,
    width,
    height: base - head,
    ...hatched(id),
    opacity: 0.45
  });
}
function powersOfTen({ most, X, base }) {
  const length = Math.round(Math.log10(most)) + 1;
  return Array.from({ length }, (_, i) => text(X(10 ** i), base + 18, count(10 ** i), middle));
}
function coverageLines({ left, right, lo, hi, Y }) {
  const line = (share) => [
    path("grid", `M${left} ${Y(share).toFixed(1)}H${right}`),
    before(left - 6, Y(share) + 4, percent(share))
  ];
  return ticks(lo, hi, 6).flatMap(line);
}
function planChart(plan, W, id) {
  const frame = planFrame(plan, W);
  const { left, right, base, head, lo, hi, X, Y } = frame;
  const asked = 1 - plan.alpha;
  const x = X(plan.n);
  const wish = (share) => share > lo && share < hi ? path("wish", `M${left} ${Y(share).toFixed(1)}H${right}`) : null;
  return [
    hatching(id),
    hopeless(plan, frame, id),
    ...coverageLines(frame),
    path("bands", band(plan, frame)),
    path("axis", `M${left} ${base}H${right}`),
    path("axis", `M${left} ${Y(asked)}H${right}`),
    wish(asked - plan.eps),
    plan.two_sided ? wish(asked + plan.eps) : null,
    ...powersOfTen(frame),
    text((left + right) / 2, 262, "n, questions that calibrate", middle),
    text(0, 12, "coverage"),
    path("line", `M${x.toFixed(1)} ${head - 12}V${base + 4}`),
    named(x, head - 8, `n = ${count(plan.n)}`, x > W * 0.55)
  ].filter(Boolean);
}
function planWords({ two_sided, low, high, delta }) {
  const falls = two_sided ? `falls between ${tenth(low)} and ${tenth(high)}` : `is at least ${tenth(low)}`;
  return `With so many, coverage ${falls} with ${percent(1 - delta)} probability.`;
}
function leastWords({ first, n, finite }) {
  const teeth = first < n ? `The smallest number that will do is ${count(first)}; between the two some do and some do not (the teeth of the band). ` : "";
  const none = "there is no finite threshold at this alpha: everything is retrieved.";
  return `${teeth}Below ${many(finite, "question")} ${none}`;
}
function choice(id, words, options, chosen) {
  const option = ([value, words2]) => h("option", { value }, words2);
  const select = h("select", { id }, ...Object.entries(options).map(option));
  select.addEventListener("change", () => chosen(select.value));
  return { select, part: div("choice", h("label", { for: id }, words), select) };
}
function controls(id, keep) {
  const alpha = alphaDial(id, "fewer misses", (x) => x >= 1e-3 && x <= 0.999);
  const eps = dial(id + "e", {
    name: "eps",
    words: "shortfall of coverage you can live with",
    ends: ["closer, more questions", "looser, fewer"],
    range: { min: 0.01, max: 0.2, step: 5e-3, "aria-describedby": id + "s" },
    step: 5e-3,
    fits: (x) => x >= 5e-3 && x <= 0.5
  });
  const sides = choice(id + "w", "wanted", SIDES, (value) => keep("two_sided", value === "true"));
  const sure = choice(id + "d", "confidence", CONFIDENCE, (value) => keep("delta", +value));
  const part = h("section", { class: "cfx-alpha" }, ...alpha.parts, ...eps.parts, sides.part, sure.part);
  alpha.turned((x) => keep("alpha", x));
  eps.turned((x) => keep("eps", x));
  function stand(plan) {
    const questions = many(plan.n, "question");
    alpha.stand(plan.alpha, short(plan.alpha), `alpha ${short(plan.alpha)}, ${questions}`);
    eps.stand(plan.eps, short(plan.eps), `eps ${short(plan.eps)}, ${questions}`);
    sides.select.value = plan.two_sided;
    sure.select.value = short(plan.delta);
  }
  return { part, stand };
}
function facts({ alpha, eps, delta, two_sided, n, first, finite, low, high }) {
  const words = { alpha: short(alpha), eps: short(eps), delta: short(delta), sides: two_sided ? 2 : 1 };
  return { ...words, n, first, finite, low: low.toFixed(6), high: high.toFixed(6) };
}
function render({ model, el }) {
  const id = newId();
  const { part, stand } = controls(id, keeper(model));
  const title = heading();
  const summary = summaryOf(id);
  const least = hint();
  const chart = svg("svg", { height: 270, role: "img" });
  const colours = keys(
    key("bands", "where coverage falls"),
    key("wish", "wanted"),
    key("beyond", "no finite threshold: everything is retrieved")
  );
  const needed = h("section", { class: "cfx-needed" }, title, summary, least);
  const right = section(heading("Coverage against the number of questions"), chart, colours);
  const root = h(
    "div",
    { class: "cfx", "aria-label": "Sample-size planner", role: "group" },
    div("body", div("left", part, needed), right)
  );
  let W = 0;
  function paint() {
    const plan = planned(...["alpha", "eps", "delta", "two_sided"].map((name) => model.get(name)));
    stand(plan);
    title.textContent = `${many(plan.n, "question")} or more`;
    summary.textContent = planWords(plan);
    least.textContent = leastWords(plan);
    chart.setAttribute("aria-label", `Band of coverage against n. ${title.textContent}. ${summary.textContent}`);
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
var planner_default = widget("planner", { render, sizesNeeded });
export {
  planner_default as default,
  render
};
