// Which book is out, with whom, and until when.
export type Loan = { book: string; member: string; from: number; until: number }

const loanDays = 28
const longestDays = 84

export class Loans {
  private readonly open: Loan[] = []
  private readonly history: Loan[] = []

  lend(book: string, member: string, day: number): Loan {
    if (this.open.some((loan) => loan.book === book)) throw new RangeError('the book is out')
    const loan = { book, member, from: day, until: day + loanDays }
    this.open.push(loan)
    return loan
  }

  giveBack(book: string): boolean {
    const at = this.open.findIndex((loan) => loan.book === book)
    if (at < 0) return false
    const [loan] = this.open.splice(at, 1)
    if (loan) this.history.push(loan)
    return true
  }

  current(): Loan[] {
    return [...this.open]
  }

  booksOf(member: string): string[] {
    const own = this.open.filter((loan) => loan.member === member)
    return own.map((loan) => loan.book).sort()
  }

  daysLeft(book: string, today: number): number {
    const loan = this.open.find((one) => one.book === book)
    if (!loan) return 0
    return Math.max(0, loan.until - today)
  }

  extend(book: string, days: number): number | null {
    const loan = this.open.find((one) => one.book === book)
    if (!loan) return null
    loan.until = Math.min(loan.until + days, loan.from + longestDays)
    return loan.until
  }

  timesLent(book: string): number {
    const past = this.history.filter((loan) => loan.book === book).length
    const now = this.open.filter((loan) => loan.book === book).length
    return past + now
  }
}
