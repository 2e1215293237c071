// Breaks at spaces; a word longer than the width is cut.
export function wrap(text: string, width: number): string[] {
  if (width < 1) throw new RangeError('the width must be positive')
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    for (const piece of chunks(word, width)) {
      if (line === '') line = piece
      else if (line.length + 1 + piece.length <= width) line += ` ${piece}`
      else {
        lines.push(line)
        line = piece
      }
    }
  }
  if (line !== '') lines.push(line)
  return lines
}

function chunks(word: string, width: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < word.length; at += width) pieces.push(word.slice(at, at + width))
  return pieces
}

// Spreads the words over the whole width; the gaps on the left get the odd spaces.
export function justify(line: string, width: number): string {
  const words = line.split(' ')
  const gaps = words.length - 1
  if (gaps === 0) return line
  const spaces = width - words.join('').length
  const base = Math.floor(spaces / gaps)
  const extra = spaces % gaps
  return words.reduce((text, word, index) => text + ' '.repeat(index <= extra ? base + 1 : base) + word)
}

export function justifyText(text: string, width: number): string {
  const lines = wrap(text, width)
  return lines.map((line, index) => (index === lines.length - 1 ? line : justify(line, width))).join('\n')
}

export function truncate(text: string, length: number, mark = '…'): string {
  if (text.length <= length) return text
  const cut = text.slice(0, Math.max(0, length - mark.length))
  return cut.trimEnd() + mark
}

export function slugify(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

// A slug that is not taken yet: name, name-2, name-3 …
export function uniqueSlug(text: string, taken: ReadonlySet<string>): string {
  const base = slugify(text) || 'untitled'
  if (!taken.has(base)) return base
  let number = 2
  while (taken.has(`${base}-${number}`)) number += 1
  return `${base}-${number}`
}

export function wordCounts(text: string): [string, number][] {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[\p{L}']+/gu) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
}
