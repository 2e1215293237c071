// Amounts are whole cents, so that sums never drift.
export function parseAmount(text: string): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match) throw new RangeError(`not an amount: ${text}`)
  const [, sign, whole = '0', fraction = ''] = match
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return sign === '-' && cents !== 0 ? -cents : cents
}

export function formatAmount(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const absolute = Math.abs(cents)
  const whole = Math.floor(absolute / 100)
  const fraction = String(absolute % 100).padStart(2, '0')
  return `${sign}${whole}.${fraction}`
}

// Shares differ by at most one cent and add up to the whole.
export function splitEvenly(cents: number, parts: number): number[] {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError('parts must be a positive integer')
  const base = Math.floor(cents / parts)
  const rest = cents - base * parts
  return Array.from({ length: parts }, (_, index) => (index < rest ? base + 1 : base))
}
