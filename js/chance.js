// Chance and its laws: the numbers of conflare_nb.lottery and scipy.stats, drawn and computed in the browser.

const tenth = x => `${(100 * x).toFixed(1)}%`;

// A hash of 32 bits (C. Wellons' lowbias32): the i-th number of a draw, the same as in Python
function mix(x) {
  x = Math.imul(x ^ x >>> 16, 0x7feb352d);
  x = Math.imul(x ^ x >>> 15, 0x846ca68b);
  return (x ^ x >>> 16) >>> 0;
}
const starting = (seed, draw) => mix(mix(seed + 0x9e3779b9 | 0) + draw | 0);
const chance = (start, i) => mix(start ^ Math.imul(i + 1, 0x9e3779b1));

function lgamma(x) {
  let c = 0;
  while (x < 15) c -= Math.log(x++);
  const y = 1 / (x * x);
  return c + (x - .5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x;
}

// Beta(a, b) at x, by the continued fraction (Lentz)
function betaCdf(x, a, b) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const some = v => Math.abs(v) < 1e-300 ? 1e-300 : v;
  let c = 1, d = 1 / some(1 - (a + b) * x / (a + 1)), f = d;
  for (let m = 1; m < 1e4; m++) {
    for (const t of [m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))]) {
      d = 1 / some(1 + t * d); c = some(1 + t / c); f *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return f * Math.exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
}

function betaQuantile(p, a, b) {
  let lo = 0, hi = 1;
  for (let i = 0; i < 52; i++) { const x = (lo + hi) / 2; betaCdf(x, a, b) < p ? lo = x : hi = x; }
  return (lo + hi) / 2;
}

// The law of the coverage of one threshold: over everybody (Beta), or over the `m` that did not calibrate (BetaBinomial)
function coverageLaw(n, alpha, m) {
  const k = rank(n, alpha), b = n + 1 - k;
  if (k > n) return { k, mean: 1, cdf: x => x >= 1 ? 1 : 0, quantile: () => 1 };
  if (!m) return { k, mean: k / (n + 1), cdf: x => betaCdf(x, k, b), quantile: p => betaQuantile(p, k, b) };
  const up = new Float64Array(m + 1), fixed = lgamma(m + 1) + lgamma(n + 1) - lgamma(m + n + 1) - lgamma(k) - lgamma(b);
  for (let j = 0, sum = 0; j <= m; j++) up[j] = sum += Math.exp(fixed + lgamma(j + k) - lgamma(j + 1) + lgamma(m - j + b) - lgamma(m - j + 1));
  const cdf = x => x < 0 ? 0 : up[Math.min(m, Math.floor(x * m + 1e-9))];
  return { k, mean: k / (n + 1), cdf, quantile: p => { const j = up.findIndex(u => u >= p - 1e-12); return (j < 0 ? m : j) / m; } };
}

// The smallest n of which r scores rank from the threshold on
const ranked = (alpha, r) => Math.ceil(r * 1e9 / billionths(alpha)) - 1;

// For coverage short of 1 - alpha by `eps` with probability `tail` at most, and beyond by `eps` as rarely if `both`:
// the smallest n that does, and the n from which on every one does. With r ranks above the threshold a larger n covers
// more, so each r has a stretch of n whose ends are its worst.
function sizesNeeded(alpha, eps, tail, both) {
  const asked = 1 - alpha;
  const low = (n, r) => betaCdf(asked - eps, n + 1 - r, r) <= tail, high = (n, r) => !both || betaCdf(alpha - eps, r, n + 1 - r) <= tail;
  let first, last = ranked(alpha, 1) - 1;
  for (let r = 1; ranked(alpha, r) < 1.2 * last + 1000 || !first; r++) {
    const from = ranked(alpha, r), to = ranked(alpha, r + 1) - 1;
    if (to < from) continue;
    let lo = from, hi = to + 1;                                    // the first n of the stretch with a lower end that will do
    while (lo < hi) { const n = lo + hi >> 1; low(n, r) ? hi = n : lo = n + 1; }
    if (lo <= to && high(lo, r)) first ??= lo;
    if (!high(to, r)) last = to; else if (lo > from) last = lo - 1;
  }
  return { first, n: last + 1 };
}
