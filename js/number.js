// Numbers as people type them, and texts with code between backticks
import { h } from './common.js';

// As in conflare_nb.show.exercise: a comma before three digits could mean two things
const NUMBER =
  /^[ \u00a0\u202f]*(?![+-]?[1-9][0-9]{0,2},[0-9]{3}(?![0-9]))([+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+))[ \u00a0\u202f]*(%?)[ \u00a0\u202f]*$/;

// Nothing where it is no number
export function read(text) {
  const found = NUMBER.exec(text.replace('\u2212', '-'));
  if (!found) return null;
  const number = Number(found[1].replace(',', '.'));
  return found[2] ? number / 100 : number;
}

// What stands between backticks is code
export const words = text => text.split('`').map((part, i) => i % 2 ? h('code', {}, part) : part);
