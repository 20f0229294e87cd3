// What judging and writing share: a line to the kernel, one message at a time, and the bar of what is done.

function wire(model, root, error) {
  let waiting;
  const say = words => { error.hidden = !words; error.textContent = words; };
  const busy = on => { clearTimeout(waiting); root.setAttribute('aria-busy', on); waiting = on && patience(say); };
  busy(false);
  model.on('change:heard', () => { busy(false); say(model.get('heard').error); });
  return { send(message) { if (root.getAttribute('aria-busy') !== 'true') { busy(true); say(''); model.send(message); } } };
}

function progressBar() {
  const bar = h('progress', { 'aria-label': 'Progress' }), words = h('p', { class: 'cfx-hint', 'aria-live': 'polite' });
  const set = (text, done, total) => { words.textContent = text; bar.max = total; bar.value = done; };
  return { part: h('div', { class: 'cfx-progress' }, bar, words), set };
}
