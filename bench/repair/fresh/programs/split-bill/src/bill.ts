import { formatMoney } from './money.ts'
import { splitByWeight, splitEvenly, type Weights } from './shares.ts'

export type Expense = { payer: string; cents: number; among?: readonly string[]; weights?: Weights }
export type Transfer = { from: string; to: string; cents: number }

// Who paid what for whom on a trip, and who owes whom at the end.
export class Bill {
  private readonly people: readonly string[]
  private readonly balances = new Map<string, number>()
  private spent = 0

  constructor(people: readonly string[]) {
    if (new Set(people).size !== people.length) throw new Error('two people have one name')
    this.people = [...people]
    for (const name of people) this.balances.set(name, 0)
  }

  get total(): number {
    return this.spent
  }

  add({ payer, cents, among, weights }: Expense): void {
    if (cents <= 0) throw new RangeError('an expense is positive')
    const shares = weights ? splitByWeight(cents, weights) : splitEvenly(cents, among ?? this.people)
    for (const name of [payer, ...shares.keys()]) this.check(name)
    this.change(payer, cents)
    for (const [name, share] of shares) this.change(name, -share)
    this.spent += cents
  }

  pay({ from, to, cents }: Transfer): void {
    if (cents <= 0) throw new RangeError('a payment is positive')
    this.check(from)
    this.check(to)
    this.change(from, cents)
    this.change(to, -cents)
  }

  // Positive: the others owe this one.
  balanceOf(name: string): number {
    this.check(name)
    return this.balances.get(name) ?? 0
  }

  // The largest debt is paid to the largest claim until nobody owes anything.
  settle(): Transfer[] {
    const open = new Map(this.balances)
    const transfers: Transfer[] = []
    for (;;) {
      const sorted = [...open].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
      const debtor = sorted[0]
      const creditor = sorted.at(-1)
      if (!debtor || !creditor || debtor[1] === 0) return transfers
      const cents = Math.min(-debtor[1], creditor[1])
      transfers.push({ from: debtor[0], to: creditor[0], cents })
      open.set(debtor[0], debtor[1] + cents)
      open.set(creditor[0], creditor[1] - cents)
    }
  }

  summary(): string[] {
    return this.people.map((name) => {
      const balance = this.balanceOf(name)
      if (balance === 0) return `${name} is even`
      return `${name} ${balance > 0 ? 'gets' : 'owes'} ${formatMoney(Math.abs(balance))}`
    })
  }

  private check(name: string): void {
    if (!this.balances.has(name)) throw new Error(`${name} is not on the bill`)
  }

  private change(name: string, cents: number): void {
    this.balances.set(name, (this.balances.get(name) ?? 0) + cents)
  }
}
