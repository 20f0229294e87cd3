// Exact ranks, as in conflare_nb.conformal

export const billionths = alpha => Math.min(Math.max(Math.round(alpha * 1e9), 1), 1e9 - 1);

// k = ceil((n+1)(1-alpha)) in whole numbers
export function rank(n, alpha) {
  const spent = (n + 1) * billionths(alpha);
  return n + 1 - (spent - spent % 1e9) / 1e9;
}

// The smallest calibration set with a finite threshold
export const fewest = alpha => Math.ceil(1e9 / billionths(alpha)) - 1;
