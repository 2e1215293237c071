// Cents, rounded half away from zero.
export function roundCents(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value) + 1e-9)
}

export function percentOf(cents: number, percent: number): number {
  return roundCents((cents * percent) / 100)
}
