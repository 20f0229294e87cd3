// One of several ways, by radio buttons.
import { h } from './common.js';

// `options` are [value, words]; `choose` is told the value
export function choice(id, label, options, choose) {
  const inputs = new Map();
  const labels = options.map(([value, words]) => {
    const input = h('input', { type: 'radio', name: id });
    input.addEventListener('change', () => choose(value));
    inputs.set(value, input);
    return h('label', {}, input, ` ${words}`);
  });
  const part = h('div', { class: 'cfx-mode', role: 'radiogroup', 'aria-label': label }, ...labels);
  const show = value => { inputs.get(value).checked = true; };
  return { part, show };
}
