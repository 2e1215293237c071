const steps: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
]
const largest = 3999

export function toRoman(value: number): string {
  if (!Number.isInteger(value) || value < 1 || value > largest) {
    throw new RangeError(`out of range: ${value}`)
  }
  let rest = value
  let text = ''
  for (const [letters, worth] of steps) {
    while (rest >= worth) {
      text += letters
      rest -= worth
    }
  }
  return text
}

export function fromRoman(text: string): number {
  const upper = text.trim().toUpperCase()
  let at = 0
  let value = 0
  for (const [letters, worth] of steps) {
    while (upper.startsWith(letters, at)) {
      value += worth
      at += letters.length
    }
  }
  // Only the canonical spelling is taken, so IIII and VX are refused.
  if (at !== upper.length || value === 0 || value > largest || toRoman(value) !== upper) {
    throw new SyntaxError(`not a roman numeral: ${text}`)
  }
  return value
}

export function isRoman(text: string): boolean {
  try {
    return fromRoman(text) > 0
  } catch {
    return false
  }
}

// Sorts names like "Louis XIV" by the word first and by the numeral's value second.
export function sortRegnal(names: readonly string[]): string[] {
  return [...names].sort((a, b) => {
    const left = splitName(a)
    const right = splitName(b)
    if (left.word !== right.word) return left.word < right.word ? -1 : 1
    return left.number - right.number
  })
}

function splitName(name: string): { word: string; number: number } {
  const space = name.lastIndexOf(' ')
  const tail = name.slice(space + 1)
  if (space < 0 || !isRoman(tail)) return { word: name, number: 0 }
  return { word: name.slice(0, space), number: fromRoman(tail) }
}
