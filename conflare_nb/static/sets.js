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
var cut = (words) => words.length > 90 ? words.slice(0, 89) + "…" : words;
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

// js/sets.js
function split(n, alpha, share) {
  const budget = n + 1 - rank(n, alpha);
  const rounded = Math.floor(share * budget + 0.5);
  const both = budget > 1 && share > 0 && share < 1;
  const own = both ? Math.min(Math.max(rounded, 1), budget - 1) : rounded;
  return [own, budget - own];
}
var tauOf = (view, m) => (m ? view.taus[view.n - m] : null) ?? Infinity;
var countOf = (view, m) => m ? view.counts[view.n - m] : 0;
function means(view, mRet, mQa) {
  if (!view.tested) return null;
  const sums = view.sums[mRet][countOf(view, mQa)];
  return Object.fromEntries(sums.map((sum, i) => [view.measures[i], sum / view.tested]));
}
var usual = (said) => said.reduce((best, next) => next[1] > best[1] ? next : best)[0];
function merged(found, k) {
  const times = /* @__PURE__ */ new Map();
  for (const { cluster } of found) {
    for (const [words, n] of cluster.said) times.set(words, (times.get(words) ?? 0) + n);
  }
  const said = [...times];
  const count2 = Math.max(...found.map((f) => f.cluster.count));
  return {
    text: usual(said),
    count: count2,
    share: count2 / k,
    said,
    p: Math.max(...found.map((f) => f.p)),
    passages: [...new Set(found.map((f) => f.i))],
    right: found.some((f) => f.cluster.right)
  };
}
function byMeaning(n, asked, [mRet, mQa]) {
  const weighed = (rank2, m) => m ? rank2 / (n + 1) * ((mRet / (n + 1) + mQa / (n + 1)) / (m / (n + 1))) : 1;
  const groups = /* @__PURE__ */ new Map();
  asked.forEach((passage, i) => {
    for (const cluster of passage.clusters) {
      if (cluster.rank <= mQa) continue;
      const p = Math.min(weighed(passage.rank, mRet), weighed(cluster.rank, mQa), 1);
      groups.set(cluster.meaning, [...groups.get(cluster.meaning) ?? [], { cluster, i, p }]);
    }
  });
  return [...groups.values()];
}
function at(view, i, alpha, share) {
  const ranks = split(view.n, alpha, share);
  const [mRet, mQa] = ranks;
  const tau = tauOf(view, mRet);
  const count2 = countOf(view, mQa);
  const asked = view.questions[i].passages.filter((passage) => passage.rank > mRet);
  const answers = byMeaning(view.n, asked, ranks).map((found) => merged(found, view.k));
  return {
    ranks,
    tau,
    count: count2,
    asked: asked.length,
    answers: answers.sort((a, b) => b.p - a.p),
    expected: means(view, mRet, mQa),
    unbounded: !mRet || !mQa || tau === Infinity || count2 === 0 && asked.length > 0
  };
}
function whyUnbounded(view, alpha, share, { ranks, tau, count: samples }) {
  if (share === 0 || share === 1) return "All of alpha is spent on one step, so the other has no threshold.";
  const n = many(view.n, "question");
  if (!ranks[0] || !ranks[1]) {
    const few = Math.max(fewest(share * alpha), fewest((1 - share) * alpha));
    return `${n} are too few for this alpha and this share, about ${count(few)} are needed.`;
  }
  const of = (lost) => `For ${lost.length} of ${many(view.n, "calibration question")}`;
  const pool = `${of(view.taus.filter((tau2) => tau2 == null))} the right passage was not in the pool: passages outside it belong to the set, too.`;
  const never = `${of(view.counts.filter((count2) => !count2))} no sampled answer was right: answers that were never sampled belong to the set, too.`;
  return [tau === Infinity ? pool : "", samples === 0 ? never : ""].join(" ").trim();
}
var kOfN = ({ n }, m) => `k = ${n + 1 - m} of n = ${n}`.replaceAll(" ", " ");
function tauWords(view, { tau, ranks }) {
  const words = tau < Infinity ? `score ≤ tau = ${tau.toFixed(4)}` : "tau is infinite";
  return `${words} (${kOfN(view, ranks[0])})`;
}
function countWords(view, { count: count2, ranks }) {
  const words = count2 ? `at least ${count2} of ${view.k} samples` : "no threshold";
  return `${words} (${kOfN(view, ranks[1])})`;
}
function guaranteed(view, alpha, share, shown) {
  if (shown.unbounded) return `${whyUnbounded(view, alpha, share, shown)} Listed is only what was sampled.`;
  return `For at least ${percent(1 - alpha)} of questions like those that calibrated, a right answer is in the set, on average over calibration sets.`;
}
var askedOf = ({ asked }, { passages }) => `${asked} of ${many(passages.length, "passage")}`;
function summarise(view, question, shown) {
  if (shown.unbounded) return "The set is everything.";
  const asked = askedOf(shown, question);
  return `${many(shown.answers.length, "answer")}. The model is asked about ${asked}, ${count(view.k)} times each.`;
}
function titleOf(question, shown) {
  const size = `${many(shown.answers.length, "answer")} from ${askedOf(shown, question)}`;
  return shown.unbounded ? `Everything; sampled were ${size}` : `${size} in the set`;
}
function emptyWords({ asked }) {
  const why = asked ? " from the passages within" : ": no passage is within";
  return `No answer was sampled often enough${why}. The set is empty, and the question one of the misses.`;
}
function aboutPlane(view, { ranks: [mRet, mQa], unbounded }) {
  const about = `A dot is one of ${many(view.n, "question")} with known answers: how far its passage was, and how often the model said the right thing. `;
  if (unbounded) return about;
  const inside = view.dots.filter((dot) => dot[2] > mRet && dot[3] > mQa).length;
  return `${about}${inside} of ${view.n} lie within both thresholds.`;
}
function aboutTest({ tested }) {
  return `Means over ${many(tested, "question")} that did not calibrate: different answers in the set, passages that the model is asked about. Below, every split of this alpha.`;
}
function splitsLabel({ ranks: [mRet, mQa], expected }) {
  return `Mean number of answers at each split of alpha; now ${mRet} ranks for retrieval and ${mQa} for the answers: ${expected.rouge.toFixed(2)}.`;
}
var disc = (x, y, r) => `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
function planeFrame(view, { passages }, shown, W) {
  const left = 44, right = W - 44, end = W - 12, head = 30, base = 200;
  const scores = [...view.taus.filter((tau) => tau != null), ...passages.map((passage) => passage.score)];
  const lo = scores.length ? Math.min(...scores) : 0;
  const hi = Math.max(...scores, lo + 0.01);
  const place = (score) => left + 6 + (right - left - 12) * (score - lo) / (hi - lo);
  const X = (score) => score == null ? end : place(score);
  const Y = scale(0, view.k, base, head);
  const x = shown.tau < Infinity ? X(shown.tau) : W;
  const y = shown.count ? Y(shown.count - 0.5) : base + 6;
  const wide = Math.max(6, Math.min(18, 0.7 * (right - left) / passages.length));
  return { left, right, end, head, base, lo, hi, X, Y, x, y, wide };
}
function dots(view, [mRet, mQa], { X, Y }) {
  let inside = "", outside = "";
  for (const [score, count2, rRet, rQa] of view.dots) {
    const dot = disc(X(score), Y(count2), 2.6);
    if (rRet > mRet && rQa > mQa) inside += dot;
    else outside += dot;
  }
  return [path("dot-out", outside), path("dot-in", inside)];
}
function passageBars({ passages }, [mRet, mQa], { X, Y, head, base, wide }) {
  let near = "", far = "", stays = "", goes = "", marks = "";
  for (const passage of passages) {
    const x = X(passage.score);
    const within = passage.rank > mRet;
    const column = `M${x.toFixed(1)} ${head}V${base}`;
    if (within) near += column;
    else far += column;
    for (const { count: count2, rank: rank2, right } of passage.clusters) {
      const bar = box(x - wide / 2, Y(count2) + 3, wide, 6);
      if (within && rank2 > mQa) stays += bar;
      else goes += bar;
      if (right) marks += `M${(x + wide / 2 + 7).toFixed(1)} ${(Y(count2) - 4).toFixed(1)}l-4.5 8h9z`;
    }
  }
  return [path("far", far), path("near", near), path("goes", goes), path("stays", stays), path("mark", marks)];
}
function passageNumbers({ passages }, mRet, { X, base }) {
  let last = -9;
  return passages.map((passage, i) => {
    const x = X(passage.score);
    if (x - last < 13) return null;
    last = x;
    return text(x, base + 20, i + 1, { ...middle, class: passage.rank > mRet ? "cfx-qhat" : "" });
  });
}
function plane(view, question, shown, W) {
  const frame = planeFrame(view, question, shown, W);
  const { left, right, end, head, base, lo, hi, X, Y, x, y } = frame;
  const { ranks, tau, count: count2 } = shown;
  const lost = view.taus.includes(null) || tau === Infinity;
  const least = { class: "cfx-qhat cfx-halo", "text-anchor": "end" };
  return [
    reach(left, head - 6, x - left, y - head + 6),
    ...[0.25, 0.5, 0.75, 1].map((share) => path("grid", `M${left} ${Y(share * view.k)}H${right}`)),
    ...[0, 0.5, 1].map((share) => before(left - 6, Y(share * view.k) + 4, percent(share))),
    path("axis", `M${left} ${base}H${W}`),
    ...dots(view, ranks, frame),
    ...passageBars(question, ranks, frame),
    path("line", `M${x.toFixed(1)} ${head - 14}V${base + 4}M${left} ${y.toFixed(1)}H${W}`),
    named(x, head - 11, tau < Infinity ? `tau ${tau.toFixed(4)}` : "tau infinite", x > W * 0.6),
    text(W, y - 5, count2 ? `≥ ${count2}` : "all", least),
    ...passageNumbers(question, ranks[0], frame),
    text(0, base + 20, "passage", { class: "cfx-small" }),
    ...ticks(lo, hi, W < 420 ? 4 : 7).map((score) => text(X(score), base + 39, short(score), middle)),
    lost ? text(end, base + 39, "inf", middle) : null,
    text((left + right) / 2, 258, "retrieval score", middle),
    text(0, 12, "share of samples")
  ].filter(Boolean);
}
function splitsFrame(all, W) {
  const left = 30, head = 28, base = 92;
  const bounded = all.filter((mean) => !mean.unbounded).map((mean) => mean.rouge);
  const top = Math.max(1, ...bounded) * 1.15;
  return { left, head, base, bounded, top, right: W, Y: scale(0, top, base, head), width: (W - left) / all.length };
}
function splitsColumns(all, { left, head, base, width, Y }) {
  const gap = Math.min(2, width / 5);
  let within = "", beyond = "";
  all.forEach((mean, m) => {
    const x = left + m * width + gap / 2;
    if (mean.unbounded) beyond += box(x, base, width - gap, base - head);
    else within += box(x, base, width - gap, base - Y(mean.rouge));
  });
  return { within, beyond };
}
function rankNumbers(budget, { left, right, base, width }) {
  const y = base + 16;
  const first = text(left, y, 0, { "text-anchor": "start" });
  if (!budget) return [first];
  const half = Math.round(budget / 2);
  const last = before(right, y, budget);
  if (half === budget) return [first, last];
  return [first, text(left + (half + 0.5) * width, y, half, middle), last];
}
function splitsChart(view, [mRet, mQa], W, id) {
  const budget = mRet + mQa;
  const all = Array.from({ length: budget + 1 }, (_, m) => means(view, m, budget - m));
  const frame = splitsFrame(all, W);
  const { left, head, base, bounded, top, Y, width } = frame;
  const { unbounded, rouge } = all[mRet];
  const numbers = bounded.length ? ticks(0, top, 4).filter(Boolean) : [];
  const x = left + (mRet + 0.5) * width;
  return [
    hatching(id),
    ...numbers.flatMap((size) => gridLine(left, W, Y(size), short(size))),
    ...bars(splitsColumns(all, frame), id),
    path("axis", `M${left} ${base}H${W}`),
    path("line", `M${x.toFixed(1)} ${head - 12}V${base}`),
    named(x, head - 10, unbounded ? "everything" : `${rouge.toFixed(2)} answers`, x > W * 0.6),
    ...rankNumbers(budget, frame),
    text((left + W) / 2, 124, `ranks for retrieval, of ${budget}`, middle)
  ];
}
var yes = (words) => span("yes", `✓ ${words}`);
var spoken = (said) => said.map(([words, times]) => `“${words}”${times > 1 ? " ×" + times : ""}`).join(", ");
function answerItem({ passages }, answer, i) {
  const title = "samples of its largest cluster, and its p-value: not the probability of being right";
  const numbers = `${percent(+answer.share.toFixed(3))}  p ${answer.p.toFixed(3)}`;
  const from = answer.passages.map((j) => `${j + 1} · ${passages[j].id}`).join("; ");
  return card(
    answer.right,
    folded(
      i + 1,
      answer.text,
      [answer.right ? yes("right") : null, h("span", { class: "cfx-num", title }, numbers)],
      paragraph("id", `sampled: ${spoken(answer.said)}`)
    ),
    hint(`from ${from}`)
  );
}
function clusterRow({ k }, { count: count2, said, right, rank: rank2 }) {
  const bar = h("span", { class: "cfx-bar", style: `--part: ${count2 / k}`, role: "img" });
  const words = h("span", {}, usual(said), right ? yes("right") : null);
  const part = h("li", { class: "cfx-said", title: spoken(said) }, words, span("num", `${count2} of ${k}`), bar);
  function mark(stays, rest) {
    part.classList.toggle("cfx-in", stays);
    part.classList.toggle("cfx-rest", rest);
    bar.setAttribute("aria-label", stays ? "in the set" : "not in the set");
  }
  return { rank: rank2, part, mark };
}
function clusterList(view, passage, i) {
  const clusters = [...passage.clusters].sort((a, b) => b.count - a.count);
  const rows = clusters.map((cluster) => clusterRow(view, cluster));
  const attrs = { class: "cfx-clusters", "aria-label": `Answers from passage ${i + 1}` };
  const list = h("ol", attrs, ...rows.map((row2) => row2.part));
  const more = paragraph("hint cfx-more-said");
  const none = `${passage.abstained} of ${view.k} samples gave no answer.`;
  const part = div("told", list, more, passage.abstained ? hint(none) : null);
  function show(within, mQa) {
    const out = rows.filter((row2) => row2.rank <= mQa);
    const rest = out.length > 4 ? out.slice(3) : [];
    part.hidden = !within;
    rows.forEach((row2) => row2.mark(row2.rank > mQa, rest.includes(row2)));
    more.hidden = !rest.length;
    more.textContent = `and ${rest.length} more below the threshold`;
  }
  return { part, show };
}
function passageItem(view, passage, i) {
  const state = span("asked-now");
  const told = clusterList(view, passage, i);
  const title = "retrieval score, and its p-value: not the probability that the passage answers";
  const numbers = `${passage.score.toFixed(4)}  p ${(passage.rank / (view.n + 1)).toFixed(3)}`;
  const rank2 = `rank ${passage.rank} of ${view.n + 1}: within while retrieval gives fewer ranks away`;
  const item = card(
    passage.gold,
    folded(
      i + 1,
      passage.id,
      [passage.gold ? yes("answers") : null, state, h("span", { class: "cfx-num", title }, numbers)],
      paragraph("id", rank2)
    ),
    passage.text ? paragraph("text", passage.text) : null,
    told.part
  );
  function show([mRet, mQa]) {
    const within = passage.rank > mRet;
    item.classList.toggle("cfx-off", !within);
    state.textContent = within ? "asked" : "not asked";
    told.show(within, mQa);
  }
  return { item, show };
}
function lists() {
  const title = heading();
  const pool = heading();
  const union = h("ol", { class: "cfx-set", "aria-label": "Answers in the set" });
  const list = h("ol", { class: "cfx-pool", "aria-label": "Passages" });
  const rule = "Largest p-value first, with the share of samples. A p-value is not the probability of being right.";
  const attrs = { class: "cfx-scroll", tabindex: 0, role: "region", "aria-label": "Answers and passages" };
  const scroll = h("div", attrs, hint(rule), union, pool, list);
  let items;
  function show(view, { passages }) {
    items = passages.map((passage, i) => passageItem(view, passage, i));
    list.replaceChildren(...items.map(({ item }) => item));
    scroll.scrollTop = 0;
  }
  function paint(view, question, shown) {
    const answers = shown.answers.map((answer, i) => answerItem(question, answer, i));
    title.textContent = titleOf(question, shown);
    union.replaceChildren(...answers.length ? answers : [h("li", {}, hint(emptyWords(shown)))]);
    pool.textContent = `${askedOf(shown, question)} asked: ${many(shown.asked * view.k, "sample")}`;
    items.forEach((item) => item.show(shown.ranks));
    list.style.setProperty("--cut", Math.max(0, shown.count - 0.5) / view.k);
  }
  return { part: h("section", { class: "cfx-right" }, h("div", {}, title, scroll)), show, paint };
}
function measuresRow(name, { unbounded, requests, rouge, covered }) {
  if (unbounded === 1) return row(name, "all", requests.toFixed(2), "—", "100%");
  const [right, all] = [covered, unbounded].map((share) => percent(+share.toFixed(3)));
  return row(name, rouge.toFixed(2), requests.toFixed(2), right, all);
}
function planeFigure() {
  const picture = svg("svg", { height: 266, role: "img" });
  const about = hint();
  const right = key("mark", "right");
  const colours = keys(
    key("dot", "calibration question within both"),
    key("ring", "beyond"),
    key("stays", "answer in the set"),
    key("goes", "not in it"),
    right
  );
  function paint(view, question, shown, label, W) {
    about.textContent = aboutPlane(view, shown);
    picture.setAttribute("aria-label", `${about.textContent} ${label}`);
    right.hidden = !question.known;
    if (W) picture.replaceChildren(...plane(view, question, shown, W));
  }
  const part = section(heading("Both thresholds"), about, picture, colours);
  return { part, paint, width: () => picture.clientWidth };
}
function testFigure(id) {
  const chart = svg("svg", { height: 128, role: "img", class: "cfx-scores" });
  const rows = h("tbody");
  const tested = hint();
  const colours = keys(key("within", "answers in the set"), key("beyond", "the set is everything"));
  const names = ["", "answers", "asked", "right answer in the set", "unbounded"];
  const part = section(heading("On test questions"), tested, chart, colours, table(names, rows));
  function paint(view, alpha, shown, W) {
    part.hidden = !view.tested;
    if (!view.tested) return;
    const half = means(view, ...split(view.n, alpha, 0.5));
    tested.textContent = aboutTest(view);
    rows.replaceChildren(measuresRow("this split", shown.expected), measuresRow("half and half", half));
    chart.setAttribute("aria-label", splitsLabel(shown));
    if (W) chart.replaceChildren(...splitsChart(view, shown.ranks, W, id));
  }
  return { part, paint };
}
function questionBox({ questions }, id) {
  const several = questions.length > 1;
  const options = questions.map(({ text: text2 }, i) => h("option", { value: i }, cut(text2)));
  const choice = h("select", { id: id + "q", hidden: !several }, ...options);
  const words = paragraph("saved");
  const known = hint();
  const label = several ? h("label", { for: id + "q" }, "Question") : h("b", {}, "Question");
  function show(question, i) {
    choice.value = i;
    words.textContent = question.text;
    words.hidden = several && cut(question.text) === question.text;
    known.textContent = question.known ? `Known answers: ${question.references.join("; ")}` : "The right answer is not known.";
  }
  return { choice, part: div("question", label, choice, words, known), show };
}
function shareDial(id) {
  const share = dial(id + "v", {
    name: "share",
    words: "of alpha for retrieval",
    ends: ["more passages", "more answers from each"],
    range: { min: 0, step: 1, "aria-describedby": id + "s" },
    step: 0.05,
    fits: (x) => x >= 0 && x <= 1,
    of: (position) => position / share.slider.max
  });
  return share;
}
function controls(view, id) {
  const alpha = alphaDial(id, "larger sets", (x) => x > 0 && x <= 0.5);
  const share = shareDial(id);
  const tau = paragraph("cut");
  const least = paragraph("cut");
  const summary = summaryOf(id);
  const guarantee = hint();
  const parts = [...alpha.parts, ...share.parts, tau, least, summary, guarantee];
  function stand(now, { ranks: [mRet, mQa], answers }) {
    const budget = mRet + mQa;
    const words = `${mRet} of ${many(budget, "rank")} for retrieval, ${mQa} for the answers`;
    alpha.stand(now.alpha, short(now.alpha), `alpha ${short(now.alpha)}, ${many(answers.length, "answer")}`);
    share.slider.max = budget;
    share.slider.disabled = !budget;
    share.stand(mRet, +now.share.toFixed(3), words);
  }
  function paint(now, question, shown) {
    stand(now, shown);
    tau.replaceChildren(h("b", {}, "passages"), " " + tauWords(view, shown));
    least.replaceChildren(h("b", {}, "answers"), " " + countWords(view, shown));
    summary.textContent = summarise(view, question, shown);
    summary.classList.toggle("cfx-error", shown.unbounded);
    guarantee.textContent = guaranteed(view, now.alpha, now.share, shown);
  }
  const label = () => `${tau.textContent}; ${least.textContent}`;
  return { part: h("section", { class: "cfx-alpha" }, ...parts), alpha, share, paint, label };
}
function facts({ question, alpha, share }, { ranks, tau, count: count2, answers, asked, unbounded }) {
  return {
    question,
    alpha: short(alpha),
    share: short(share),
    ranks: ranks.join(" "),
    tau: tau < Infinity ? tau.toFixed(4) : "inf",
    count: count2,
    answers: answers.length,
    asked,
    unbounded
  };
}
function layout(view, id) {
  const question = questionBox(view, id);
  const dials = controls(view, id);
  const picture = planeFigure();
  const test = testFigure(id);
  const warning = note("The guarantee is for an alpha and a share chosen beforehand, not for those that please on these questions.");
  const right = lists();
  const left = div("left", dials.part, picture.part, test.part, warning);
  const root = h("div", { class: "cfx cfx-answer-sets" }, question.part, div("body", left, right.part));
  function paint(now, W) {
    const asked = view.questions[now.question];
    const shown = at(view, now.question, now.alpha, now.share);
    dials.paint(now, asked, shown);
    right.paint(view, asked, shown);
    picture.paint(view, asked, shown, dials.label(), W);
    test.paint(view, now.alpha, shown, W);
    Object.assign(root.dataset, facts(now, shown));
  }
  function show(i) {
    question.show(view.questions[i], i);
    right.show(view, view.questions[i]);
  }
  return { root, question, dials, warning, width: picture.width, paint, show };
}
function render({ model, el }) {
  const { root, question, dials, warning, width, ...draw } = layout(model.get("view"), newId());
  const keep = keeper(model);
  let W = 0;
  function paint() {
    const now = { question: model.get("question"), alpha: model.get("alpha"), share: model.get("share") };
    draw.paint(now, W);
  }
  function show() {
    draw.show(model.get("question"));
    paint();
  }
  function slide(name, value) {
    warning.classList.add("cfx-on");
    keep(name, value);
    paint();
  }
  dials.alpha.turned((alpha) => slide("alpha", alpha));
  dials.share.turned((share) => slide("share", share));
  question.choice.addEventListener("change", () => {
    keep("question", +question.choice.value);
    show();
  });
  el.replaceChildren(root);
  show();
  onChange(model, { alpha: paint, share: paint, question: show });
  return follow(root, el, () => {
    W = width();
    paint();
  });
}
var sets_default = widget("sets", { render, at });
export {
  at,
  sets_default as default,
  render,
  split
};
