export type Weights = Readonly<Record<string, number>>

// Splits cents by weight so that nothing is lost; cents that are left go to the largest remainders,
// among equal ones to the name that comes first.
export function splitByWeight(cents: number, weights: Weights): Map<string, number> {
  const names = Object.keys(weights).sort()
  const total = names.reduce((sum, name) => sum + weightOf(weights, name), 0)
  if (total <= 0) throw new RangeError('somebody must have a share')
  const shares = new Map<string, number>()
  const remainders: { name: string; rest: number }[] = []
  let left = cents
  for (const name of names) {
    const exact = cents * weightOf(weights, name)
    const share = Math.floor(exact / total)
    shares.set(name, share)
    remainders.push({ name, rest: exact - share * total })
    left -= share
  }
  remainders.sort((a, b) => b.rest - a.rest)
  for (const { name } of remainders.slice(0, left)) shares.set(name, (shares.get(name) ?? 0) + 1)
  return shares
}

export function splitEvenly(cents: number, people: readonly string[]): Map<string, number> {
  return splitByWeight(cents, Object.fromEntries(people.map((name) => [name, 1])))
}

// A tip in percent on top, rounded half up to a cent.
export function withTip(cents: number, percent: number): number {
  if (percent < 0) throw new RangeError('a tip is not negative')
  return cents + Math.floor((cents * percent + 50) / 100)
}

function weightOf(weights: Weights, name: string): number {
  const weight = weights[name] ?? 0
  if (weight < 0) throw new RangeError(`${name} has a negative share`)
  return weight
}
