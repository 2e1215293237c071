export type Line = { name: string; price: number; count: number }

export function addLine(lines: readonly Line[], line: Line): Line[] {
  const known = lines.some(({ name }) => name === line.name)
  if (!known) return [...lines, line]
  return lines.map((each) => (each.name === line.name ? { ...each, count: each.count + line.count } : each))
}

export function removeLine(lines: readonly Line[], name: string): Line[] {
  return lines.filter((line) => line.name !== name)
}

export function total(lines: readonly Line[]): number {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0)
}

export function discount(sum: number): number {
  return sum >= 10_000 ? 500 : 0
}

export function isEmpty(lines: readonly Line[]): boolean {
  return lines.every(({ count }) => count === 0)
}
