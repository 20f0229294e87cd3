// Chance and its laws: the numbers of conflare_nb.show.lottery and scipy.stats, computed in the browser.
import { rank, ranked } from './rank.js';

export const tenth = x => `${(100 * x).toFixed(1)}%`;

// ---- draws, the same as in Python

// A hash of 32 bits (C. Wellons' lowbias32)
export function mix(x) {
  x = Math.imul(x ^ x >>> 16, 0x7feb352d);
  x = Math.imul(x ^ x >>> 15, 0x846ca68b);
  return (x ^ x >>> 16) >>> 0;
}

// Where a draw of a seed starts, and the i-th number of that draw
export const starting = (seed, draw) => mix(mix(seed + 0x9e3779b9 | 0) + draw | 0);
export const chance = (start, i) => mix(start ^ Math.imul(i + 1, 0x9e3779b1));

// ---- the Beta law

// The logarithm of the gamma function: Stirling's series from 15 on
function lgamma(x) {
  let shift = 0;
  while (x < 15) shift -= Math.log(x++);
  const y = 1 / (x * x);
  const series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x;
  return shift + (x - .5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}

// The continued fraction of the incomplete beta function (Lentz)
function betaFraction(x, a, b) {
  const some = v => Math.abs(v) < 1e-300 ? 1e-300 : v;
  let c = 1;
  let d = 1 / some(1 - (a + b) * x / (a + 1));
  let fraction = d;
  const step = term => {
    d = 1 / some(1 + term * d);
    c = some(1 + term / c);
    fraction *= c * d;
  };
  for (let m = 1; m < 1e4; m++) {
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return fraction;
}

// Beta(a, b) at x
export function betaCdf(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const scale = lgamma(a + b) - lgamma(a) - lgamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return betaFraction(x, a, b) * Math.exp(scale) / a;
}

export function betaQuantile(p, a, b) {
  let lo = 0, hi = 1;
  for (let i = 0; i < 52; i++) {
    const x = (lo + hi) / 2;
    if (betaCdf(x, a, b) < p) lo = x;
    else hi = x;
  }
  return (lo + hi) / 2;
}

// ---- the coverage of one threshold

// The probability of at most j covered of `m`, for each j (BetaBinomial)
function betaBinomial(m, n, k) {
  const b = n + 1 - k;
  const upTo = new Float64Array(m + 1);
  const fixed = lgamma(m + 1) + lgamma(n + 1) - lgamma(m + n + 1) - lgamma(k) - lgamma(b);
  let sum = 0;
  for (let j = 0; j <= m; j++) {
    sum += Math.exp(fixed + lgamma(j + k) - lgamma(j + 1) + lgamma(m - j + b) - lgamma(m - j + 1));
    upTo[j] = sum;
  }
  return upTo;
}

// Its law: over everybody (Beta), or over the `m` that did not calibrate (BetaBinomial)
export function coverageLaw(n, alpha, m) {
  const k = rank(n, alpha), b = n + 1 - k;
  if (k > n) return { k, mean: 1, cdf: x => x >= 1 ? 1 : 0, quantile: () => 1 };
  const mean = k / (n + 1);
  if (!m) return { k, mean, cdf: x => betaCdf(x, k, b), quantile: p => betaQuantile(p, k, b) };
  const upTo = betaBinomial(m, n, k);
  const cdf = x => x < 0 ? 0 : upTo[Math.min(m, Math.floor(x * m + 1e-9))];
  const quantile = p => {
    const j = upTo.findIndex(sum => sum >= p - 1e-12);
    return (j < 0 ? m : j) / m;
  };
  return { k, mean, cdf, quantile };
}

// ---- how many questions

// The first number from `from` on that will do, or `to` where none before does
export function firstThat(from, to, does) {
  let lo = from, hi = to;
  while (lo < hi) {
    const n = lo + hi >> 1;
    if (does(n)) hi = n;
    else lo = n + 1;
  }
  return lo;
}

// For coverage short of 1 - alpha by `eps` with probability `tail` at most, and beyond by `eps` as rarely if `both`:
// the smallest n that does, and the n from which on every one does. With r ranks above the threshold a larger n covers
// more, so each r has a stretch of n whose ends are its worst.
export function sizesNeeded(alpha, eps, tail, both) {
  const asked = 1 - alpha;
  const low = (n, r) => betaCdf(asked - eps, n + 1 - r, r) <= tail;
  const high = (n, r) => !both || betaCdf(alpha - eps, r, n + 1 - r) <= tail;
  let first;
  let last = ranked(alpha, 1) - 1;                                // the last n that will not do
  for (let r = 1; ranked(alpha, r) < 1.2 * last + 1000 || !first; r++) {
    const from = ranked(alpha, r);
    const to = ranked(alpha, r + 1) - 1;
    if (to < from) continue;
    const start = firstThat(from, to + 1, n => low(n, r));
    if (start <= to && high(start, r)) first ??= start;
    if (!high(to, r)) last = to;
    else if (start > from) last = start - 1;
  }
  return { first, n: last + 1 };
}
