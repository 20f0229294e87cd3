// Exact ranks, as in conflare_nb.conformal

const billionths = alpha => Math.min(Math.max(Math.round(alpha * 1e9), 1), 1e9 - 1);

// alpha as it is meant, [numerator, denominator]: nine decimals count, and a number with more is the fraction of small
// numbers that it is the nearest to, as in conflare_nb.show.page
export function exactParts(alpha) {
  const whole = billionths(alpha);
  if (whole / 1e9 === alpha) return [whole, 1e9];
  let [p, q, before, under] = [1, 0, 0, 1];
  for (let x = alpha; ; x = 1 / (x - Math.floor(x))) {
    const step = Math.floor(x);
    [p, q, before, under] = [step * p + before, step * q + under, p, q];
    if (!(q <= 1e4)) return [whole, 1e9];
    if (p / q === alpha) return [p, q];
  }
}

// k = ceil((n+1)(1-alpha)) in whole numbers
export function rank(n, alpha) {
  const [p, q] = exactParts(alpha);
  const spent = (n + 1) * p;
  return n + 1 - (spent - spent % q) / q;
}

// The smallest calibration set of which r scores rank from the threshold on; with one, a finite threshold
export function ranked(alpha, r) {
  const [p, q] = exactParts(alpha);
  return Math.ceil(r * q / p) - 1;
}
export const fewest = alpha => ranked(alpha, 1);

// A level as it is typed: a fraction, or a number of which nine decimals count; NaN where it is none
export function levelOf(words) {
  const parts = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(words);
  if (parts) return parts[1] / parts[2];
  return words.trim() ? Math.round(+words * 1e9) / 1e9 : NaN;
}

// And as it stands in the field
export function levelText(alpha) {
  const [p, q] = exactParts(alpha);
  return q === 1e9 ? String(p / q) : `${p}/${q}`;
}
