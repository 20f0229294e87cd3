// Numbers as people type them, and texts with code between backticks
import { h } from './common.js';

// A comma before three digits could mean two things
const NUMBER =
  /^[ \u00a0\u202f]*(?![+-]?[1-9][0-9]{0,2},[0-9]{3}(?![0-9]))([+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+))[ \u00a0\u202f]*(%?)[ \u00a0\u202f]*$/;

// Nothing where it is no number
function readOne(text) {
  const found = NUMBER.exec(text.replace('\u2212', '-'));
  if (!found) return null;
  const number = Number(found[1].replace(',', '.'));
  return found[2] ? number / 100 : number;
}

// A number, or a fraction such as 16/21
export function read(text) {
  const [above, below = 1] = text.split('/', 3).map(readOne);
  if (above == null || below == null || below === 0 || text.split('/').length > 2) return null;
  return above / below;
}

// What stands between backticks is code
export const words = text => text.split('`').map((part, i) => i % 2 ? h('code', {}, part) : part);
