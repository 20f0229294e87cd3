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
var section = (...kids) => h("section", {}, ...kids);
var hint = (words) => paragraph("hint", words);
var heading = (words) => h("div", { class: "cfx-heading", role: "heading", "aria-level": 3 }, words);
var alertBox = () => h("p", { class: "cfx-error", role: "alert", hidden: true });
var sayIn = (element, words) => {
  element.hidden = !words;
  element.textContent = words;
};
var newId = () => "cfx" + Math.random().toString(36).slice(2);
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

// js/writing.js
function writingForm(id, error, bar) {
  const question = h("textarea", {
    rows: 2,
    id: id + "q",
    placeholder: "as a user would ask it, without this text at hand"
  });
  const answer = h("input", {
    type: "text",
    id: id + "a",
    autocomplete: "off",
    placeholder: "a few words, best as the text has them"
  });
  const button = (type, words) => h("button", { type }, words);
  const keep = button("submit", "Keep");
  const mark = button("button", "Mark selected words");
  const other = button("button", "Another document");
  const back = button("button", "Take back the last");
  const marked = h("p", { class: "cfx-hint", "aria-live": "polite" });
  const form = h(
    "form",
    { class: "cfx-side", novalidate: true },
    heading("What would someone ask whom this text helps?"),
    h("label", { for: id + "q" }, "Question"),
    question,
    h("label", { for: id + "a" }, "Short answer"),
    answer,
    div("moves", keep, mark, other, back),
    marked,
    error,
    bar
  );
  onEnter(question, () => answer.focus());
  return { form, question, answer, keep, mark, other, back, marked };
}
function listen({ form, question, answer, marked: note, mark, other, back }, marked, send, words) {
  mark.addEventListener("mousedown", (e) => e.preventDefault());
  mark.addEventListener("click", () => {
    const chosen = marked();
    note.textContent = chosen ? `Marked: “${chosen}”` : "Select words in the document first, then mark them.";
  });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    send({ type: "write", question: question.value, answer: answer.value, mark: words() });
  });
  other.addEventListener("click", () => send({ type: "put_off" }));
  back.addEventListener("click", () => send({ type: "undo" }));
}
function documentPage() {
  const where = paragraph("where");
  const text = h("div", {
    class: "cfx-passage cfx-page",
    role: "region",
    "aria-label": "Document",
    tabindex: 0,
    "data-lm-suppress-shortcuts": "true"
  });
  const part = h("article", { class: "cfx-chunk cfx-current" }, where, text);
  function highlight(all, words) {
    const at = words ? all.indexOf(words) : -1;
    if (at < 0) text.replaceChildren(all);
    else text.replaceChildren(all.slice(0, at), h("mark", {}, words), all.slice(at + words.length));
  }
  return { part, where, text, highlight };
}
function selectedIn(text) {
  const chosen = getSelection();
  const inside = chosen.rangeCount && text.contains(chosen.getRangeAt(0).commonAncestorContainer);
  return inside ? String(chosen).trim() : "";
}
function writtenItem({ question, answer }) {
  return h("li", { class: "cfx-chunk" }, paragraph("where", question), hint(answer || "no short answer"));
}
function writtenList() {
  const list = entries("Written so far");
  const part = section(heading("Written so far"), list);
  function show({ written }) {
    part.hidden = !written.length;
    list.replaceChildren(...written.map(writtenItem));
  }
  return { part, show };
}
function render({ model, el }) {
  const bar = progressBar();
  const error = alertBox();
  const asked = writingForm(newId(), error, bar.part);
  const page = documentPage();
  const written = writtenList();
  const attrs = { class: "cfx cfx-desk", role: "group", "aria-label": "Writing questions" };
  const root = h("div", attrs, sides(asked.form, page.part, written.part));
  const line = wire(model, root, error);
  let words = "", shown;
  const highlight = () => page.highlight(model.get("view").text, words);
  function begin(view) {
    words = "";
    page.text.scrollTop = 0;
    asked.marked.textContent = view.note;
    asked.question.value = view.draft.question;
    asked.answer.value = view.draft.answer;
    if (root.contains(document.activeElement) && view.key) asked.question.focus({ preventScroll: true });
  }
  function show() {
    const view = model.get("view");
    const now = JSON.stringify([view.key, view.draft]);
    if (now !== shown) begin(view);
    shown = now;
    page.where.textContent = view.where || view.finished;
    page.text.hidden = !view.key;
    highlight();
    for (const name of ["question", "answer", "keep", "mark", "other"]) asked[name].disabled = !view.key;
    asked.back.disabled = !view.can_undo;
    written.show(view);
    bar.set(view);
  }
  const marked = () => {
    words = selectedIn(page.text);
    highlight();
    return words;
  };
  listen(asked, marked, line.send, () => words);
  el.replaceChildren(root);
  show();
  model.on("change:view", show);
  return follow(root, el);
}
var writing_default = widget("writing", { render });
export {
  writing_default as default,
  render
};
