// Money as people read it.

export function usd(amount: number): string {
  // Cents would show a call of a tenth of a cent as nothing.
  const digits = amount > 0 && amount < 0.01 ? 4 : 2
  return `$${amount.toFixed(digits)}`
}

/** $12.34 / $50.00 (24.7%) */
export function spendLabel(spentUSD: number, limitUSD: number): string {
  return `${usd(spentUSD)} / ${usd(limitUSD)} (${percentOf(spentUSD, limitUSD).toFixed(1)}%)`
}

/** To a tenth; what is not yet whole is never shown as whole. */
export function percentOf(spentUSD: number, limitUSD: number): number {
  const percent = Math.round((spentUSD / limitUSD) * 1_000) / 10
  return spentUSD < limitUSD ? Math.min(percent, 99.9) : percent
}
