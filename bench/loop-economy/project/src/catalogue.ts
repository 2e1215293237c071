export type Product = { name: string; price: number; tags: readonly string[] }

export function withTag(products: readonly Product[], tag: string): string[] {
  return products.filter(({ tags }) => tags.includes(tag)).map(({ name }) => name)
}

export function cheapest(products: readonly Product[]): string | null {
  const sorted = products.toSorted((a, b) => a.price - b.price)
  return sorted[0]?.name ?? null
}

export function search(products: readonly Product[], words: string): string[] {
  const wanted = words.toLowerCase().split(' ')
  return products
    .map(({ name }) => name)
    .filter((name) => wanted.every((word) => name.toLowerCase().includes(word)))
}

export function page<T>(items: readonly T[], number: number, size: number): T[] {
  return items.slice((number - 1) * size, number * size)
}

export function tagsOf(products: readonly Product[]): string[] {
  return [...new Set(products.flatMap(({ tags }) => tags))].sort()
}
