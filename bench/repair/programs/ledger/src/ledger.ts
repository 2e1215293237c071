import { formatAmount, parseAmount } from './money.ts'

export type Entry = { id: number; account: string; cents: number; memo: string }

export class Ledger {
  private readonly entries: Entry[] = []
  private readonly limits = new Map<string, number>()
  private nextId = 1

  allowOverdraft(account: string, amount: string): void {
    this.limits.set(account, parseAmount(amount))
  }

  deposit(account: string, amount: string, memo = 'deposit'): number {
    return this.post(account, positive(amount), memo)
  }

  withdraw(account: string, amount: string, memo = 'withdrawal'): number {
    const cents = positive(amount)
    this.checkFunds(account, cents)
    return this.post(account, -cents, memo)
  }

  transfer(from: string, to: string, amount: string): void {
    if (from === to) throw new Error('cannot transfer to the same account')
    const cents = positive(amount)
    this.checkFunds(from, cents)
    this.post(from, -cents, `to ${to}`)
    this.post(to, cents, `from ${from}`)
  }

  balance(account: string): number {
    let total = 0
    for (const entry of this.entries) {
      if (entry.account === account) total += entry.cents
    }
    return total
  }

  statement(account: string): string[] {
    let running = 0
    const lines: string[] = []
    for (const entry of this.entries) {
      if (entry.account !== account) continue
      running += entry.cents
      lines.push(`#${entry.id} ${entry.memo} ${formatAmount(entry.cents)} = ${formatAmount(running)}`)
    }
    return lines
  }

  // The accounts that hold most come first; equal ones are in order of name.
  ranking(): string[] {
    const accounts = [...new Set(this.entries.map((entry) => entry.account))]
    return accounts.sort((a, b) => this.balance(b) - this.balance(a) || (a < b ? -1 : 1))
  }

  private checkFunds(account: string, cents: number): void {
    const limit = this.limits.get(account) ?? 0
    if (this.balance(account) + limit < cents) throw new Error(`insufficient funds in ${account}`)
  }

  private post(account: string, cents: number, memo: string): number {
    const id = this.nextId
    this.nextId += 1
    this.entries.push({ id, account, cents, memo })
    return id
  }
}

function positive(amount: string): number {
  const cents = parseAmount(amount)
  if (cents <= 0) throw new RangeError(`amount must be positive: ${amount}`)
  return cents
}
