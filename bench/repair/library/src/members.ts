// Who may borrow.
export type Member = { id: string; name: string; joined: number }

const bonusEach = 5
const bonusMost = 30

export class Members {
  private readonly rows: Member[] = []

  add(member: Member): void {
    if (this.rows.some((row) => row.id === member.id)) throw new RangeError('the member is known')
    this.rows.push(member)
  }

  list(): Member[] {
    return [...this.rows]
  }

  names(): string[] {
    return this.rows.map((row) => row.name).sort()
  }

  countSince(day: number): number {
    return this.rows.filter((row) => row.joined >= day).length
  }

  years(id: string, today: number): number {
    const found = this.rows.find((row) => row.id === id)
    if (!found) return 0
    return Math.max(0, Math.floor((today - found.joined) / 365))
  }

  // Off the price of a room, in percent.
  bonus(id: string, today: number): number {
    return Math.min(bonusMost, this.years(id, today) * bonusEach)
  }
}
