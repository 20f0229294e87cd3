// What judging and writing share: a line to the kernel, one message at a time, and the bar of what is done.
import { div, h, patience, sayIn } from './common.js';

export function wire(model, root, error) {
  let waiting;
  const say = words => sayIn(error, words);
  const busy = on => {
    clearTimeout(waiting);
    root.setAttribute('aria-busy', on);
    waiting = on && patience(say);
  };
  busy(false);
  model.on('change:heard', () => {
    busy(false);
    say(model.get('heard').error);
  });

  function send(message) {
    if (root.getAttribute('aria-busy') === 'true') return;
    busy(true);
    say('');
    model.send({ ...message, key: model.get('view').key });
  }
  return { send };
}

export function progressBar() {
  const bar = h('progress', { 'aria-label': 'Progress' });
  const words = h('p', { class: 'cfx-hint', 'aria-live': 'polite' });
  const set = ({ progress, done, total }) => {
    words.textContent = progress;
    bar.max = total;
    bar.value = done;
  };
  return { part: div('progress', bar, words), set };
}

// Two columns: what is asked, and what it is about
export const sides = (asked, ...about) => div('sides', asked, div('side', ...about));

export const entries = label => h('ol', { class: 'cfx-list', 'aria-label': label });
