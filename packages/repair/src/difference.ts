// In which way what came differs from what a test waited for, in a few words that hold for other values too.
import type { Failure } from './run/protocol.ts'

/** The difference that a failure names; null where it compares nothing, or nothing can be said. */
export function differenceOf({ actual, expected }: Pick<Failure, 'actual' | 'expected'>): string | null {
  if (actual === null || expected === null) return null
  if (isNumber(actual) && isNumber(expected)) return ofNumbers(Number(actual), Number(expected))
  if (isText(actual) && isText(expected)) return ofTexts(actual.slice(1, -1), expected.slice(1, -1))
  if (actual.startsWith('[') && expected.startsWith('[')) return ofLists(itemsOf(actual), itemsOf(expected))
  const [came, wanted] = [kindOf(actual), kindOf(expected)]
  return came === wanted ? null : `${came} instead of ${wanted}`
}

const isNumber = (shown: string) => /^-?\d[\d.e+]*$/.test(shown)
const isText = (shown: string) => /^(['"`]).*\1$/s.test(shown)

function kindOf(shown: string): string {
  if (/^(?:undefined|null|NaN|true|false|-?Infinity|-0)$/.test(shown)) return shown
  if (isNumber(shown)) return 'a number'
  if (isText(shown)) return 'a text'
  return shown.startsWith('[') ? 'a list' : 'another value'
}

function ofNumbers(came: number, wanted: number): string {
  if (came < 0 && wanted === 0) return 'below zero'
  if (came === -wanted) return 'the other sign'
  if (came === wanted + 1) return 'one too many'
  if (came === wanted - 1) return 'one too few'
  if (Math.round(came) === wanted || Math.trunc(came) === wanted || Math.ceil(came) === wanted)
    return 'not rounded'
  return came > wanted ? 'too large' : 'too small'
}

function ofTexts(came: string, wanted: string): string {
  if (came.toLowerCase() === wanted.toLowerCase()) return 'other letter case'
  if (came.replace(/\s/g, '') === wanted.replace(/\s/g, '')) return 'other spaces'
  if (wanted.includes(came)) return 'a part of the text is missing'
  return came.includes(wanted) ? 'more text than wanted' : 'another text'
}

function ofLists(came: readonly string[], wanted: readonly string[]): string {
  if (came.toSorted().join() === wanted.toSorted().join()) return 'another order'
  if (came.length < wanted.length) return 'items are missing'
  return came.length > wanted.length ? 'items too many' : 'other items'
}

/** The words of a shown list; how deep they stand does not matter here. */
function itemsOf(shown: string): string[] {
  return shown.match(/'[^']*'|"[^"]*"|[\w.-]+/g) ?? []
}
