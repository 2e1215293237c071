export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

export function slug(text: string): string {
  return wordsOf(text).join('-')
}

export function camel(text: string): string {
  const [first = '', ...rest] = wordsOf(text)
  return [first, ...rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join('')
}

export function countWords(text: string): number {
  return wordsOf(text).length
}

export function commonWords(a: string, b: string): string[] {
  const other = new Set(wordsOf(b))
  return wordsOf(a).filter((word) => other.has(word))
}
