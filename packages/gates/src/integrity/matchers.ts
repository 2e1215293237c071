// What the words of the assertion libraries promise, so that one can be held against another.

export interface Matcher {
  /** Words that ask for the same thing share a class. */
  readonly is: string
  /** 0 asks for nothing, 1 hardly anything, 4 for one exact value. */
  readonly rank: number
  readonly negated: boolean
  /** A value that the word itself stands for. */
  readonly value: string | null
}

const words = (text: string): Set<string> => new Set(text.split(' '))

const equal = words(
  'tobe toequal tostrictequal equal equals eql eq deepequal deepstrictequal strictequal is same strictsame strictdeepequal propequal issame tobeequal nested.deep.equal',
)
const weak = words(
  'tobedefined tobetruthy tobefalsy ok notok truthy falsy exist exists isdefined isok isnotnull isnotundefined assert tobeinthedocument',
)
const loose = words(
  'tohavebeencalled called tobeinstanceof tobetypeof a an instanceof typeof istypeof isinstanceof isarray isobject isstring isnumber isfunction tobeany tobecalled',
)
const throwing = words(
  'tothrow tothrowerror throw throws throwsasync rejects doesreject rejectedwith rejected',
)
const snapshots = words(
  'tomatchsnapshot tomatchinlinesnapshot tomatchfilesnapshot snapshot tothrowerrormatchingsnapshot tothrowerrormatchinginlinesnapshot matchsnapshot tomatchimagesnapshot tohavescreenshot filesnapshot',
)
const values: Readonly<Record<string, string>> = {
  true: 'true',
  istrue: 'true',
  false: 'false',
  isfalse: 'false',
  null: 'null',
  isnull: 'null',
  tobenull: 'null',
  undefined: 'undefined',
  isundefined: 'undefined',
  tobeundefined: 'undefined',
  tobenan: 'NaN',
  nan: 'NaN',
}
const compared = words(
  'tobegreaterthan tobegreaterthanorequal tobelessthan tobelessthanorequal tobecloseto tocontain tocontainequal tomatch tomatchobject tohavelength tohaveproperty match include above below least most lengthof',
)
// Words of chai that only make it read better, and the directions of promises.
const fillers = words(
  'to be been is that which and has have with at of same but does still also own resolves eventually',
)

/** From the words after the subject, in order: `['not', 'toBe']`, `['to', 'deep', 'equal']`, `['notStrictEqual']`. */
export function matcherOf(chain: readonly string[]): Matcher {
  const kept = chain
    .map((word) => word.toLowerCase())
    .filter((word, index) => !fillers.has(word) || index === chain.length - 1)
  const flips = kept.filter((word) => word === 'not').length
  const said = kept.filter((word) => word !== 'not').join('.')
  const opposite = /^(?:is)?(?:doesnot|not)(?=[a-z])/.test(said) && said !== 'notok'
  const plain = opposite ? said.replace(/^(?:is)?(?:doesnot|not)/, '') : said
  const negated = (flips + (opposite ? 1 : 0)) % 2 === 1
  const value = values[plain] ?? null
  const kind = kindOf(plain, value)
  return { ...kind, rank: negated ? Math.min(kind.rank, 1) : kind.rank, negated, value }
}

function kindOf(word: string, value: string | null): { is: string; rank: number } {
  const last = word.split('.').at(-1) ?? ''
  if (value !== null || equal.has(word) || equal.has(last)) return { is: 'equal', rank: 4 }
  if (weak.has(word)) return { is: word, rank: 1 }
  if (loose.has(word)) return { is: word, rank: 2 }
  if (throwing.has(word) || throwing.has(last)) return { is: 'throw', rank: 3 }
  if (snapshots.has(word)) return { is: 'snapshot', rank: 3 }
  if (word === 'pass') return { is: word, rank: 0 }
  return { is: word, rank: 3 }
}

/** Not so where a project may have brought the word along, which then looks at more than its operands. */
export function looksOnlyAtOperands({ is }: Matcher): boolean {
  return is === 'equal' || is === 'snapshot' || [weak, loose, compared].some((known) => known.has(is))
}

/** Methods of `t` and `assert` that judge one value; what follows it is a message. */
export const unary = words(
  'ok notok true false truthy falsy assert exists notexists isok istrue isfalse isnull isnotnull isundefined isdefined isnotundefined isarray isobject isfunction isstring isnumber iferror error pass fail snapshot',
)

/** What `t.something()` may be called to count as an assertion. */
export const ofTestContext = words(
  'ok notok true false truthy falsy assert is not equal notequal same notsame strictsame strictequal notstrictequal deepequal notdeepequal deepstrictequal like throws doesnotthrow throwsasync notthrows notthrowsasync rejects doesnotreject resolves match notmatch doesnotmatch regex notregex snapshot filesnapshot fail pass error iferror matchsnapshot matchonly has hasstrict looseequal notlooseequal',
)
