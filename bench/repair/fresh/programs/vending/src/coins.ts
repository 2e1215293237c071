// A box of coins: how many of each value, the values in cents.
export type Coins = ReadonlyMap<number, number>

export const coinValues = [200, 100, 50, 20, 10, 5]

export function totalOf(coins: Coins): number {
  let total = 0
  for (const [value, count] of coins) total += value * count
  return total
}

export function plus(a: Coins, b: Coins): Coins {
  const sum = new Map(a)
  for (const [value, count] of b) sum.set(value, (sum.get(value) ?? 0) + count)
  return sum
}

export function minus(a: Coins, b: Coins): Coins {
  const rest = new Map(a)
  for (const [value, count] of b) {
    const left = (rest.get(value) ?? 0) - count
    if (left < 0) throw new RangeError(`not enough coins of ${value}`)
    if (left === 0) rest.delete(value)
    else rest.set(value, left)
  }
  return rest
}

// The fewest coins of the box that make up the amount, or nothing where they cannot.
export function change(box: Coins, cents: number): Coins | undefined {
  const best: (number[] | undefined)[] = [[]]
  for (const value of coinValues) {
    for (let used = 0; used < (box.get(value) ?? 0); used += 1) useCoin(best, value, cents)
  }
  const found = best[cents]
  if (!found) return undefined
  const coins = new Map<number, number>()
  for (const value of found) coins.set(value, (coins.get(value) ?? 0) + 1)
  return coins
}

// Larger amounts first, so that one coin is not used twice.
function useCoin(best: (number[] | undefined)[], value: number, cents: number): void {
  for (let amount = cents; amount >= value; amount -= 1) {
    const before = best[amount - value]
    const known = best[amount]
    if (before && (!known || before.length + 1 < known.length)) best[amount] = [...before, value]
  }
}
