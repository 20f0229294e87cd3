// js/rank.js
var billionths = (alpha) => Math.min(Math.max(Math.round(alpha * 1e9), 1), 1e9 - 1);
function rank(n, alpha) {
  const spent = (n + 1) * billionths(alpha);
  return n + 1 - (spent - spent % 1e9) / 1e9;
}
var fewest = (alpha) => Math.ceil(1e9 / billionths(alpha)) - 1;

// js/chance.js
var tenth = (x) => `${(100 * x).toFixed(1)}%`;
function mix(x) {
  x = Math.imul(x ^ x >>> 16, 2146121005);
  x = Math.imul(x ^ x >>> 15, 2221713035);
  return (x ^ x >>> 16) >>> 0;
}
var starting = (seed, draw) => mix(mix(seed + 2654435769 | 0) + draw | 0);
var chance = (start, i) => mix(start ^ Math.imul(i + 1, 2654435761));
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
function betaBinomial(m, n, k) {
  const b = n + 1 - k;
  const upTo = new Float64Array(m + 1);
  const fixed = lgamma(m + 1) + lgamma(n + 1) - lgamma(m + n + 1) - lgamma(k) - lgamma(b);
  let sum = 0;
  for (let j = 0; j <= m; j++) {
    sum += Math.exp(fixed + lgamma(j + k) - lgamma(j + 1) + lgamma(m - j + b) - lgamma(m - j + 1));
    upTo[j] = sum;
  }
  return upTo;
}
function coverageLaw(n, alpha, m) {
  const k = rank(n, alpha), b = n + 1 - k;
  if (k > n) return { k, mean: 1, cdf: (x) => x >= 1 ? 1 : 0, quantile: () => 1 };
  const mean = k / (n + 1);
  if (!m) return { k, mean, cdf: (x) => betaCdf(x, k, b), quantile: (p) => betaQuantile(p, k, b) };
  const upTo = betaBinomial(m, n, k);
  const cdf = (x) => x < 0 ? 0 : upTo[Math.min(m, Math.floor(x * m + 1e-9))];
  const quantile = (p) => {
    const j = upTo.findIndex((sum) => sum >= p - 1e-12);
    return (j < 0 ? m : j) / m;
  };
  return { k, mean, cdf, quantile };
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
var box = (x, y, width, up) => `M${x.toFixed(1)} ${y.toFixed(1)}v${-up.toFixed(1)}h${width.toFixed(1)}v${up.toFixed(1)}z`;
var path = (kind, d, more) => svg("path", { class: "cfx-" + kind, d, ...more });
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

// js/lottery.js
var MOST = 2e3;
var LARGEST = 1e3;
var TIMES = { 1: 1, 2: 10, 3: 100 };
var everybody = (model) => Float64Array.from(model.get("scores"), (score) => score ?? Infinity);
function preceded(values, at) {
  const a = values.slice();
  let lo = 0, hi = a.length - 1;
  while (lo < hi) {
    const pivot = a[lo + hi >> 1];
    let i = lo, j = hi;
    while (i <= j) {
      while (a[i] < pivot) i++;
      while (a[j] > pivot) j--;
      if (i > j) break;
      const held = a[i];
      a[i++] = a[j];
      a[j--] = held;
    }
    if (at <= j) hi = j;
    else if (at >= i) lo = i;
    else break;
  }
  return a[at];
}
function uniformTicket(n, k, start) {
  const scores = new Float64Array(n).map((_, i) => (chance(start, i) + 0.5) / 2 ** 32);
  const qhat = k > n ? Infinity : preceded(scores, k - 1);
  return { scores, qhat, coverage: Math.min(qhat, 1) };
}
function ticket(world, n, alpha, start) {
  const k = rank(n, alpha), N = world.length;
  if (!N) return uniformTicket(n, k, start);
  const order = new Float64Array(N).map((_, i) => chance(start, i) * 2 ** 20 + i);
  const cut = preceded(order, n - 1);
  const scores = world.filter((_, i) => order[i] <= cut);
  const qhat = k > n ? Infinity : scores[k - 1];
  let covered = 0;
  for (let i = 0; i < N; i++) {
    if (order[i] > cut && world[i] <= qhat) covered++;
  }
  return { scores, qhat, coverage: covered / (N - n) };
}
function lotteryBins(law, m, asked) {
  const least = Math.min(law.quantile(1e-3), asked);
  const most = law.quantile(0.999);
  const round = [2e-3, 5e-3, 0.01, 0.02, 0.05].find((width2) => (most - least) / width2 <= 34) ?? 0.1;
  const width = Math.max(round, m ? 1 / m : 0);
  const lo = Math.max(0, Math.min(Math.floor(least / width - 1), 1 / width - 8) * width);
  const length = Math.max(8, Math.ceil((Math.min(1, most + width) - lo) / width));
  const below = (i) => law.cdf(lo + i * width - 1e-9);
  const upTo = (i) => i === length ? 1 : below(i);
  const share = (_, i) => upTo(i + 1) - (i ? below(i) : 0);
  return { lo, hi: lo + length * width, width, length, expected: Array.from({ length }, share) };
}
function counted({ lo, width, length }, s) {
  const inside = Array(length).fill(0);
  const outside = Array(length).fill(0);
  for (const coverage of s.coverage) {
    const bin = Math.floor((coverage - lo) / width + 1e-9);
    const counts = s.held(coverage) ? inside : outside;
    counts[Math.min(length - 1, Math.max(0, bin))]++;
  }
  return { inside, outside };
}
function lotteryColumns(bins, { inside, outside }, { left, base, Y, width }) {
  let within = "", beyond = "";
  inside.forEach((n, i) => {
    const x = left + i * width + 0.5;
    if (n) within += box(x, base, width - 1, base - Y(n));
    if (outside[i]) beyond += box(x, Y(n), width - 1, base - Y(outside[i]));
  });
  return { within, beyond };
}
function lawLine({ expected }, draws, { left, base, Y, width }) {
  const step = (share, i) => `V${Y(share * draws).toFixed(1)}H${(left + (i + 1) * width).toFixed(1)}`;
  return `M${left} ${base}${expected.map(step).join("")}V${base}`;
}
function lotteryFrame(bins, s, counts, W) {
  const left = 34, right = W - 18, base = 200, head = 30;
  const draws = s.coverage.length;
  const heights = counts.inside.map((n, i) => n + counts.outside[i]);
  const top = Math.max(3, ...heights, ...bins.expected.map((share) => share * draws));
  const place = scale(bins.lo, bins.hi, left, right);
  const X = (share) => place(Math.min(Math.max(share, bins.lo), bins.hi));
  return { left, right, base, head, top, X, Y: scale(0, top, base, head), width: (right - left) / bins.length };
}
function coverageChart(bins, s, W, id) {
  const counts = counted(bins, s);
  const frame = lotteryFrame(bins, s, counts, W);
  const { left, right, base, head, top, X } = frame;
  const draws = s.coverage.length;
  const x = X(s.asked), low = X(s.low);
  return [
    hatching(id),
    ...countLines(top, frame),
    ...bars(lotteryColumns(bins, counts, frame), id),
    draws ? path("law", lawLine(bins, draws, frame)) : null,
    path("axis", `M${left} ${base}H${right}`),
    path("band", `M${low.toFixed(1)} ${base + 8}H${Math.max(X(s.high), low + 3).toFixed(1)}`),
    draws ? path("mark", `M${X(s.mean).toFixed(1)} ${base + 13}l-6 10h12z`) : null,
    ...ticks(bins.lo, bins.hi, W < 420 ? 4 : 7).map((share) => text(X(share), base + 40, percent(share), middle)),
    text((left + right) / 2, 259, "coverage", middle),
    text(0, 12, "draws"),
    path("line", `M${x.toFixed(1)} ${head - 16}V${base + 14}`),
    named(x, head - 12, `1 - alpha = ${percent(s.asked)}`, x > W * 0.5)
  ].filter(Boolean);
}
function lastLine({ qhat, coverage }, X, W, y) {
  const covers = qhat < Infinity ? `qhat ${qhat.toFixed(4)} covers ${tenth(coverage)}` : "qhat infinite: everything is retrieved";
  const x = X(qhat);
  return [path("line", `M${x.toFixed(1)} 4V${y + 4}`), named(x, 13, covers, x > W * 0.6)];
}
function setChart(world, last, W) {
  const finite = world.filter(Number.isFinite);
  const lo = finite[0] ?? 0, hi = finite.at(-1) ?? 1;
  const left = 16, right = W - 16, y = 34;
  const X = (score) => left + (right - left) * (Math.min(score, hi) - lo) / (hi - lo || 1);
  let near = "", far = "";
  for (const score of last?.scores ?? []) {
    const tick = `M${X(score).toFixed(1)} ${y - 12}v12`;
    if (score <= last.qhat) near += tick;
    else far += tick;
  }
  return [
    path("axis", `M${left} ${y}H${right}`),
    path("near", near),
    path("beyond", far),
    ...ticks(lo, hi, W < 420 ? 5 : 6).map((score) => text(X(score), y + 18, score.toFixed(2), middle)),
    text((left + right) / 2, 69, "score", middle),
    ...last ? lastLine(last, X, W, y) : []
  ];
}
function lotteryWords(s, n, alpha) {
  if (s.k > n) {
    return `A set of ${n} is too small for alpha = ${short(alpha)}: at least ${count(fewest(alpha))} are needed. Every threshold is infinite, everything is retrieved, and coverage says nothing.`;
  }
  const draws = s.coverage.length;
  const [low, high] = [tenth(s.low), tenth(s.high)];
  const exact = `${s.k}/${n + 1} = ${tenth(s.exact)}`;
  const long = `In the long run the mean is ${exact}, at least the 1 - alpha = ${percent(s.asked)} asked for.`;
  if (!draws) return `Nothing is drawn yet. ${long} Nine draws of ten fall between ${low} and ${high}.`;
  const mean = `${many(draws, "draw")}, mean coverage ${tenth(s.mean)}`;
  return `${mean}; ${s.inside} in the 90% band, ${low} to ${high}. ${long}`;
}
var aboutDraws = (N) => N ? `Each draw takes n of ${count(N)} questions as the calibration set; coverage is the share of the others whose score is at most qhat.` : "Each draw is a calibration set of n scores between 0 and 1; coverage is the share of all further scores that are at most qhat.";
var lastWords = (last) => last ? `The scores of the last calibration set; its threshold covers ${tenth(last.coverage)}.` : "No calibration set is drawn yet.";
function sizeDial(id, N) {
  const most = N ? N - 1 : LARGEST;
  const size = dial(id + "n", {
    name: "n",
    words: "questions in a calibration set",
    ends: ["wider spread", "narrower spread"],
    range: { min: 1, max: N ? most : 300, step: 1, "aria-describedby": id + "s" },
    step: 1,
    fits: (n) => Number.isInteger(n) && n >= 1 && n <= most
  });
  Object.assign(size.number, { min: 1, max: most });
  return size;
}
var keyButton = (key2, words) => h("button", { type: "button", "aria-keyshortcuts": key2 }, words, h("kbd", { "aria-hidden": "true" }, key2));
function drawButtons() {
  const buttons = { 0: keyButton("0", "Start over") };
  for (const key2 in TIMES) buttons[key2] = keyButton(key2, `Draw ${TIMES[key2]}`);
  return buttons;
}
function press(model, key2) {
  const keep = keeper(model);
  const draws = model.get("draws");
  if (key2 === "0") {
    keep("seed", model.get("seed") + 1);
    keep("draws", 0);
  } else if (draws < MOST) keep("draws", Math.min(MOST, draws + TIMES[key2]));
}
function listen(root, buttons, go) {
  for (const key2 in buttons) buttons[key2].addEventListener("click", () => go(key2));
  root.addEventListener("keydown", (e) => {
    if (!buttons[e.key] || e.ctrlKey || e.altKey || e.metaKey || e.target.type === "number") return;
    e.preventDefault();
    go(e.key);
  });
}
function drawer(world) {
  let coverage = [], made, law, bins;
  return ({ n, alpha, draws, seed }) => {
    const draw = (j) => ticket(world, n, alpha, starting(seed, j));
    const now = `${n} ${alpha} ${seed}`;
    if (now !== made || coverage.length > draws) {
      const others = world.length && world.length - n;
      made = now;
      coverage = [];
      law = coverageLaw(n, alpha, others);
      bins = lotteryBins(law, others, 1 - alpha);
    }
    while (coverage.length < draws) coverage.push(draw(coverage.length).coverage);
    const low = law.quantile(0.05), high = law.quantile(0.95);
    const held = (share) => share >= low - 1e-12 && share <= high + 1e-12;
    const mean = coverage.reduce((sum, share) => sum + share, 0) / draws;
    const inside = coverage.filter(held).length;
    const s = { coverage, asked: 1 - alpha, k: law.k, exact: law.mean, low, high, mean, held, inside };
    return { s, bins, last: draws ? draw(draws - 1) : null };
  };
}
function pictures(id, world) {
  const title = heading();
  const summary = summaryOf(id);
  const chart = svg("svg", { height: 264, role: "img" });
  const lastSet = svg("svg", { height: 72, role: "img" });
  const colours = keys(
    key("within", "in the 90% band"),
    key("beyond", "outside"),
    key("law", "expected by the exact law"),
    key("mark", "mean of the draws")
  );
  function paint({ n, alpha, draws }, { s, bins, last }, W) {
    title.textContent = `Coverage of ${many(draws, "threshold")}`;
    summary.textContent = lotteryWords(s, n, alpha);
    chart.setAttribute("aria-label", `Histogram. ${summary.textContent}`);
    lastSet.setAttribute("aria-label", lastWords(last));
    if (!W) return;
    chart.replaceChildren(...coverageChart(bins, s, chart.clientWidth, id));
    lastSet.replaceChildren(...setChart(world, last, lastSet.clientWidth));
  }
  const about = hint(aboutDraws(world.length));
  const small2 = section(heading("The last calibration set"), about, lastSet);
  return { small: small2, large: section(title, chart, colours, summary), paint };
}
function facts({ n, alpha, draws, seed }, { mean, inside, low, high }) {
  const six = (x) => x.toFixed(6);
  return { n, alpha: short(alpha), draws, seed, mean: draws ? six(mean) : "", inside, low: six(low), high: six(high) };
}
function render({ model, el }) {
  const id = newId();
  const world = everybody(model);
  const keep = keeper(model);
  const size = sizeDial(id, world.length);
  const alpha = alphaDial(id, "fewer misses", (x) => x > 0 && x < 1);
  const buttons = drawButtons();
  const { small: small2, large, paint: paintPictures } = pictures(id, world);
  const controls = h("section", { class: "cfx-alpha" }, ...size.parts, ...alpha.parts);
  const row = div("buttons", buttons[1], buttons[2], buttons[3], buttons[0]);
  const root = h(
    "div",
    { class: "cfx", "aria-label": "Coverage lottery", role: "group" },
    div("body", div("left", controls, row, small2), large)
  );
  const drawn = drawer(world);
  let W = 0;
  function paint() {
    const [n, share, draws, seed] = ["n", "alpha", "draws", "seed"].map((name) => model.get(name));
    const now = { n, alpha: share, draws, seed };
    const results = drawn(now);
    size.stand(now.n, now.n, many(now.n, "question"));
    alpha.stand(now.alpha, short(now.alpha), `alpha ${short(now.alpha)}`);
    for (const key2 in TIMES) buttons[key2].setAttribute("aria-disabled", now.draws >= MOST);
    Object.assign(root.dataset, facts(now, results.s));
    paintPictures(now, results, W);
  }
  size.turned((n) => keep("n", n));
  alpha.turned((alpha2) => keep("alpha", alpha2));
  listen(root, buttons, (key2) => press(model, key2));
  el.replaceChildren(root);
  onChange(model, { n: paint, alpha: paint, draws: paint, seed: paint });
  paint();
  return follow(root, el, () => {
    W = root.clientWidth;
    paint();
  });
}
var lottery_default = widget("lottery", { render, ticket, starting, coverageLaw });
export {
  lottery_default as default,
  render,
  ticket
};
