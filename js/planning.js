// What each guarantee takes: the numbers of conflare_nb.evidence.planning, computed in the browser.
import { betaCdf, firstThat, sizesNeeded } from './chance.js';
import { fewest, ranked } from './rank.js';

const POWER = .8;
export const BET_DELTA = .05;    // that of an audit

// ---- to show that something is rare

// The probability that at most c of n go wrong, where each does with probability p
const atMost = (c, n, p) => c < n ? betaCdf(1 - p, n - c, c + 1) : 1;

// The p-value of "more than the limit goes wrong" if c of n did, for losses between 0 and 1: the smaller of Hoeffding's and
// Bentkus' bounds (for yes or no `atMost` is exact)
function hoeffdingBentkus(c, n, limit) {
  const share = Math.min(c / n, limit);
  const part = (x, y) => x > 0 ? x * Math.log(x / y) : 0;
  const hoeffding = Math.exp(-n * (part(share, limit) + part(1 - share, 1 - limit)));
  return Math.min(Math.E * atMost(c, n, limit), hoeffding);
}

// The smallest n that shows it where nothing goes wrong
const shownBy = (limit, delta) => Math.ceil(Math.log(delta) / Math.log1p(-limit) - 1e-12);

// The smallest n, more than `before`, of which c may go wrong
function allowing(c, before, limit, delta, pValue) {
  const shows = n => pValue(c, n, limit) <= delta;
  let step = Math.ceil(1 / limit);
  while (!shows(before + step)) step *= 2;
  return firstThat(before + 1, before + step, shows);
}

// The n from which on it always holds. With c that may go wrong a larger n is harder, so the ends of the stretches count.
function fromHereOn(limit, delta, pValue, holds) {
  let answer = shownBy(limit, delta);
  let next = answer;
  for (let c = 0; next < 1.2 * answer + 300; c++) {
    next = allowing(c + 1, next, limit, delta, pValue);
    if (!holds(next - 1, c)) answer = next;
  }
  return answer;
}

export const limitSize = (limit, rate, delta, pValue) =>
  fromHereOn(limit, delta, pValue, (n, c) => atMost(c, n, rate) >= POWER);
export const pacSize = (alpha, eps, delta) =>
  fromHereOn(alpha, delta, atMost, (n, c) => (n - c) / (n + 1) <= 1 - alpha + eps + 1e-12);

// ---- kinds of questions

// Questions so that each kind has `least` of them, with probability 1 - delta
export function questionsForGroups(shares, least, delta) {
  const enough = n => shares.reduce((sum, share) => sum + atMost(least - 1, n, share), 0) <= delta;
  let high = least;
  while (!enough(high)) high *= 2;
  return firstThat(Math.floor(high / 2) + 1, high, enough);
}

// ---- every guarantee

// { finite, n } of each: below how many there is no promise, and from how many on it is worth while. `rarest` is the
// share of the rarest kind of question, `worth` the share of the questions that weights leave.
export function everyPlan({ alpha, eps, delta, rarest, worth }) {
  const half = Math.round(alpha * 5e8) / 1e9;
  const left = +(alpha - eps).toFixed(9);
  const finite = fewest(alpha);
  const near = sizesNeeded(alpha, eps, delta, false).n;
  const none = shownBy(alpha, delta);
  const steps = fewest(half);
  const gate = Math.max(200, steps);
  const rate = left > 0 ? left : alpha / 2;
  const shown = (delta, pValue) => ({ finite: shownBy(alpha, delta), n: limitSize(alpha, rate, delta, pValue) });
  const grouped = least => questionsForGroups([rarest, 1 - rarest], least, delta);
  return {
    'threshold': { finite, n: near },
    'slider': { finite: ranked(alpha, alpha < .5 ? 1.5 : 1), n: sizesNeeded(half, eps, delta, false).n },
    'this set': { finite: none, n: pacSize(alpha, eps, delta) },
    'groups': { finite: grouped(finite), n: grouped(near) },
    'answer sets': { finite: steps, n: sizesNeeded(half, eps / 2, delta / 2, false).n },
    'gate': { finite: gate, n: Math.max(near, gate) },
    'risk control': { finite, n: near },
    'tested limit': shown(delta, hoeffdingBentkus),
    'two limits': shown(delta / 2, hoeffdingBentkus),
    'budget': shown(delta, atMost),
    'weights': { finite: Math.ceil(finite / worth), n: Math.ceil(near / worth) },
    'audit': { finite: shownBy(alpha, BET_DELTA), n: shownBy(+(alpha - half).toFixed(9), BET_DELTA) },
  };
}
