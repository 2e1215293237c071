export function roundCents(cents: number): number {
  return Math.round(cents)
}

export function withTax(cents: number, percent: number): number {
  return roundCents(cents * (1 + percent / 100))
}

export function share(cents: number, parts: number): number[] {
  const each = Array.from({ length: parts - 1 }, () => roundCents(cents / parts))
  return [...each, cents - each.reduce((sum, part) => sum + part, 0)]
}

export function format(cents: number): string {
  const whole = roundCents(cents)
  return `${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

export function convert(cents: number, rate: number): number {
  return roundCents(cents * rate)
}
