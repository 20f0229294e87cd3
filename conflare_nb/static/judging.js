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

// js/person.js
function wire(model, root, error) {
  let waiting;
  const say = (words) => sayIn(error, words);
  const busy = (on) => {
    clearTimeout(waiting);
    root.setAttribute("aria-busy", on);
    waiting = on && patience(say);
  };
  busy(false);
  model.on("change:heard", () => {
    busy(false);
    say(model.get("heard").error);
  });
  function send(message) {
    if (root.getAttribute("aria-busy") === "true") return;
    busy(true);
    say("");
    model.send({ ...message, key: model.get("view").key });
  }
  return { send };
}
function progressBar() {
  const bar = h("progress", { "aria-label": "Progress" });
  const words = h("p", { class: "cfx-hint", "aria-live": "polite" });
  const set = ({ progress, done, total }) => {
    words.textContent = progress;
    bar.max = total;
    bar.value = done;
  };
  return { part: div("progress", bar, words), set };
}
var sides = (asked, ...about) => div("sides", asked, div("side", ...about));
var entries = (label) => h("ol", { class: "cfx-list", "aria-label": label });

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

// js/judging.js
function move(key, sign, words) {
  return h(
    "button",
    { type: "button", class: "cfx-move", "aria-keyshortcuts": key },
    h("span", { "aria-hidden": "true" }, sign),
    words,
    h("kbd", { "aria-hidden": "true" }, key)
  );
}
var allMoves = () => ({
  y: move("y", "✓", "Yes"),
  n: move("n", "✗", "No"),
  u: move("u", "↶", "Undo"),
  l: move("l", "→", "Later")
});
var messages = {
  y: { type: "answer", answers: true },
  n: { type: "answer", answers: false },
  u: { type: "undo" },
  l: { type: "put_off" }
};
function saidItem(chunk) {
  const mark = chunk.answers ? span("yes", "✓ yes") : span("no", "✗ no");
  return card(chunk.answers, folded(chunk.rank, chunk.where, [mark], paragraph("passage", chunk.text)));
}
function questionSide(moves, error, bar) {
  const question = h("p", { class: "cfx-asked", "aria-live": "polite" });
  const answer = hint();
  const keys = paragraph(
    "hint",
    span("idle", "Click here, and the keys y, n, u and l will work."),
    span("ready", "The keys y, n, u and l work now.")
  );
  const part = h(
    "section",
    { class: "cfx-side" },
    heading("Does the text answer the question?"),
    question,
    answer,
    div("moves", moves.y, moves.n, moves.u, moves.l),
    keys,
    error,
    bar
  );
  function show(view) {
    const may = { y: view.chunk, n: view.chunk, u: view.can_undo, l: view.can_put_off };
    for (const key in may) moves[key].setAttribute("aria-disabled", !may[key]);
    question.textContent = view.question || view.finished;
    answer.textContent = view.answer ? `Known answer: ${view.answer}` : "";
    answer.hidden = !view.answer;
  }
  return { part, show };
}
function textSide() {
  const where = paragraph("where");
  const place = hint();
  const text = paragraph("passage");
  const part = h("article", { class: "cfx-chunk cfx-current", "aria-live": "polite" }, where, place, text);
  function show({ chunk, place: words }) {
    part.hidden = !chunk;
    if (!chunk) return;
    where.textContent = chunk.where;
    place.textContent = words;
    text.textContent = chunk.text;
  }
  return { part, show };
}
function saidSide() {
  const title = "Judged so far for this question";
  const list = entries(title);
  const part = section(heading(title), list);
  function show({ said }) {
    part.hidden = !said.length;
    list.replaceChildren(...said.map(saidItem).reverse());
  }
  return { part, list, show };
}
function listen(root, moves) {
  root.addEventListener("keydown", (e) => {
    const chosen = moves[e.key.toLowerCase()];
    if (!chosen || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    if (!e.repeat) chosen.click();
  });
}
function render({ model, el }) {
  const moves = allMoves();
  const bar = progressBar();
  const error = alertBox();
  const asked = questionSide(moves, error, bar.part);
  const text = textSide();
  const said = saidSide();
  const attrs = {
    class: "cfx cfx-desk",
    role: "group",
    "aria-label": "Judging",
    tabindex: 0,
    "data-lm-suppress-shortcuts": "true"
  };
  const root = h("div", attrs, sides(asked.part, text.part, said.part));
  const line = wire(model, root, error);
  function show() {
    const view = model.get("view");
    const held = said.list.contains(document.activeElement);
    for (const side of [asked, text, said]) side.show(view);
    bar.set(view);
    if (held) root.focus({ preventScroll: true });
  }
  for (const key in messages) {
    moves[key].addEventListener("click", () => {
      if (moves[key].getAttribute("aria-disabled") !== "true") line.send(messages[key]);
    });
  }
  listen(root, moves);
  el.replaceChildren(root);
  show();
  model.on("change:view", show);
  return follow(root, el);
}
var judging_default = widget("judging", { render });
export {
  judging_default as default,
  render
};
