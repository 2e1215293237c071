// How many hours an idea says that it takes.

const LINE_CHARS_MAX = 300
/** An amount or a range, with the word behind it. */
const AMOUNT =
  /(?<![\p{L}\p{N}.,])(?:(\d{1,4}(?:[.,]\d{1,2})?)(?![.,]?\d)\s?(?:h|hrs?|hours?)?\s?(?:-|–|—|to)\s?)?(\d{1,4}(?:[.,]\d{1,2})?)(?![.,]?\d)\s?(\+)?\s?(\p{L}{0,12})/giu
const HOURS = /^(?:h|hrs?|hours?)$/i
const MINUTES = /^(?:m|mins?|minutes?)$/i
/** Units that nobody has agreed on how many hours they are, also where their number is a word. */
const OTHER_UNIT =
  /(?:^|[^\p{L}'’])(?:d|days?|weeks?|months?|sprints?|story\s?points?|pts|afternoon|morning)(?!\p{L})/iu
const POINTS = /\d\s?points?(?!\p{L})/iu

/** Null: it says no hours, several amounts, one without an end, or another unit. Of a range the greater number counts. */
export function effortHours(written: readonly string[]): number | null {
  const line = effortLine(written)
  if (line === null) return null
  const outside = line.replace(/\([^()]{0,200}\)/g, ' ')
  const said = hoursIn(outside)
  if (said !== 'nothing') return said
  const inside = hoursIn([...line.matchAll(/\(([^()]{0,200})\)/g)].map(([, words = '']) => words).join('; '))
  return inside === 'nothing' ? null : inside
}

/** The first line; of a list the only line with an amount, or its total. */
function effortLine(written: readonly string[]): string | null {
  const lines = written
    .map((line) => line.slice(0, LINE_CHARS_MAX).replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
  const [first] = lines
  if (first === undefined || !/^[-*+•]\s/.test(first)) return first ?? null
  const listed = lines.slice(0, 20).filter((line) => /^[-*+•]\s.*\d/.test(line))
  const totals = listed.filter((line) => /\btotal\b/i.test(line))
  const found = totals.length > 0 ? totals : listed
  return found.length === 1 ? (found[0] ?? null) : null
}

/** A bare number is hours, as was asked for, if it is the only number. */
function hoursIn(text: string): number | 'nothing' | null {
  if (OTHER_UNIT.test(text) || POINTS.test(text)) return null
  const amounts = [...text.matchAll(AMOUNT)].map(([, , most = '', plus, unit = '']) => ({
    most: Number(most.replace(',', '.')),
    isOpen: plus !== undefined,
    unit,
  }))
  const [only, ...more] = amounts.filter(({ unit }) => HOURS.test(unit) || MINUTES.test(unit))
  const [bare, ...others] = amounts
  const amount = only ?? (others.length === 0 ? bare : undefined)
  if (amounts.length === 0) return 'nothing'
  if (amount === undefined || more.length > 0 || amount.isOpen || amount.most === 0) return null
  return MINUTES.test(amount.unit) ? amount.most / 60 : amount.most
}
