// What members owe, in cents.
export type Fine = { member: string; cents: number; why: string }

const centsPerDay = 20
const centsMost = 1_000

export function fineFor(daysLate: number): number {
  if (daysLate <= 0) return 0
  return Math.min(centsMost, daysLate * centsPerDay)
}

export class Fines {
  private readonly fines: Fine[] = []
  private readonly paid = new Map<string, number>()

  charge(member: string, cents: number, why: string): void {
    if (cents <= 0) throw new RangeError('a fine is positive')
    this.fines.push({ member, cents, why })
  }

  pay(member: string, cents: number): void {
    this.paid.set(member, (this.paid.get(member) ?? 0) + cents)
  }

  total(member: string): number {
    const own = this.fines.filter((fine) => fine.member === member)
    return own.reduce((sum, fine) => sum + fine.cents, 0)
  }

  owed(member: string): number {
    const paid = this.paid.get(member) ?? 0
    return Math.max(0, this.total(member) - paid)
  }

  entries(): Fine[] {
    return [...this.fines]
  }

  debtors(): string[] {
    const members = new Set(this.fines.map((fine) => fine.member))
    return [...members].filter((member) => this.owed(member) > 0).sort()
  }
}
