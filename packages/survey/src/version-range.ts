// Whether a version is within a range, for the ranges that most manifests have; for any other nobody says.
type Version = readonly [number, number, number]

const FULL = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/
const PART = /^(\^|~|>=|>|<=|<|=)?\s*v?(\d{1,9}|[x*])(?:\.(\d{1,9}|[x*]))?(?:\.(\d{1,9}|[x*]))?$/i

/** Null: the range or the version is of a kind that is not known here: a tag, an address, a version before a release. */
export function isWithin(version: string, range: string): boolean | null {
  const read = versionOf(version)
  if (read === null) return null
  const choices = range.trim().split(/\s*\|\|\s*/)
  const said = choices.map((choice) => isWithinAll(read, choice))
  if (said.includes(null)) return null
  return said.includes(true)
}

function versionOf(text: string): Version | null {
  const [, major, minor, patch] = FULL.exec(text.trim()) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

function isWithinAll(version: Version, choice: string): boolean | null {
  if (choice === '' || choice === '*') return true
  const said = choice
    .replace(/([<>=^~])\s+/g, '$1')
    .split(/\s+/)
    .map((part) => isWithinPart(version, part))
  if (said.includes(null)) return null
  return !said.includes(false)
}

function isWithinPart(version: Version, part: string): boolean | null {
  const [, sign = '', ...texts] = PART.exec(part) ?? []
  if (texts[0] === undefined) return null
  const given = texts.map((text) => (text === undefined || /[x*]/i.test(text) ? null : Number(text)))
  const count = given.includes(null) ? given.indexOf(null) : given.length
  if (count === 0) return sign === '' || sign === '>=' ? true : null
  const [major = 0, minor = 0, patch = 0] = given.map((each, nth) => (nth < count ? (each ?? 0) : 0))
  const { from, to } = boundsOf(sign, [major, minor, patch], count)
  return (from === null || compare(version, from) >= 0) && (to === null || compare(version, to) < 0)
}

interface Bounds {
  readonly from: Version | null
  /** The first that is too high. */
  readonly to: Version | null
}

function boundsOf(sign: string, low: Version, count: number): Bounds {
  switch (sign) {
    case '^':
      return { from: low, to: afterCaret(low, count) }
    case '~':
      return { from: low, to: after(low, Math.min(count, 2)) }
    case '>=':
      return { from: low, to: null }
    case '>':
      return { from: after(low, count), to: null }
    case '<':
      return { from: null, to: low }
    case '<=':
      return { from: null, to: after(low, count) }
    default:
      return { from: low, to: after(low, count) }
  }
}

/** The first version that is behind all with the same first parts. */
function after([major, minor, patch]: Version, count: number): Version {
  if (count === 1) return [major + 1, 0, 0]
  return count === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1]
}

/** The first part that is not 0 may not change; of those that are not written, the last that is. */
function afterCaret(low: Version, count: number): Version {
  const first = low.findIndex((part) => part !== 0)
  return after(low, first === -1 ? count : Math.min(first + 1, count))
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}
