// One module for both ways to be seen: anywidget imports it and calls `render` of its default export; in a saved page,
// where nobody calls, it draws what waits.

// A stand-in for the model of a kernel: it holds the state, and says when a part of it changes
export function standIn(state) {
  const heard = {};
  return {
    get: name => state[name],
    on: (event, draw) => (heard[event] ??= []).push(draw),
    set(name, value) {
      state[name] = value;
      heard['change:' + name]?.forEach(draw => draw());
    },
    save_changes() {},
    send() {},
  };
}

// Draw every waiting host of this name, once. What fails in one stops neither the others nor the import.
export function widget(name, parts) {
  const waiting = globalThis.document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`) ?? [];
  for (const host of waiting) {
    host.dataset.done = 1;
    queueMicrotask(() => {
      const state = JSON.parse(host.querySelector('script[type="application/json"]').textContent);
      parts.render({ model: standIn(state), el: host.querySelector('div') });
    });
  }
  return parts;
}
