import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candidate, MatchIndex, rankMatches } from './match.ts'

function lesson(id: string, signature: string, changes: Partial<Candidate> = {}): Candidate {
  return { id, signature, confidence: 0.7, occurrences: 1, ...changes }
}

const known: readonly Candidate[] = [
  lesson('read', 'TypeError: Cannot read properties of undefined (reading ‹name›) @ load (src/user.ts)'),
  lesson('set', 'TypeError: Cannot set properties of undefined (setting ‹name›) @ load (src/user.ts)'),
  lesson('null', 'TypeError: Cannot read properties of null (reading ‹name›) @ load (src/user.ts)'),
  lesson('call', 'TypeError: order.total is not a function @ sum (src/order.ts)'),
  lesson('open', 'Error: ENOENT: no such file or directory, open <value> @ read (src/file.ts)'),
  lesson('list', 'Error: ENOENT: no such file or directory, scandir <value> @ list (src/file.ts)'),
  lesson('relation', 'unknown: error: relation <value> does not exist'),
  lesson('column', 'unknown: error: column ‹total› does not exist'),
  lesson('pathspec', 'unknown: fatal: pathspec <value> did not match any files'),
  lesson('type', 'unknown: <path>(<n>): error TS2322: Type <value> is not assignable to type <value>.'),
  lesson('argument', 'unknown: <path>(<n>): error TS2345: Argument of type <value> is not assignable.'),
]

test.each([
  ['TypeError: Cannot read properties of undefined (reading ‹price›) @ cost (lib/cart.ts)', 'read'],
  ['TypeError: Cannot set properties of undefined (setting ‹price›) @ cost (lib/cart.ts)', 'set'],
  ['TypeError: Cannot read properties of null (reading ‹price›) @ cost (lib/cart.ts)', 'null'],
  ['TypeError: basket.lines is not a function @ cost (lib/cart.ts)', 'call'],
  ['Error: ENOENT: no such file or directory, open <value> @ start (lib/main.ts)', 'open'],
  ['Error: ENOENT: no such file or directory, scandir <value> @ start (lib/main.ts)', 'list'],
  ['unknown: error: relation <value> does not exist', 'relation'],
  ['unknown: error: column ‹price› does not exist', 'column'],
  ['unknown: <path>(<n>): error TS2322: Type <value> is not assignable to type <value>.', 'type'],
])('%s is answered by what was learned from "%s"', (asked, id) => {
  expect(rankMatches(asked, known)[0]?.candidate.id).toBe(id)
})

test.each([
  'AssertionError: expected <n> to be <n>',
  'unknown: segmentation fault (core dumped)',
  'SyntaxError: Unexpected end of JSON input @ parse (src/user.ts)',
  '',
])('nothing is returned for %j, which is like no known error', (asked) => {
  expect(rankMatches(asked, known)).toEqual([])
})

const asked = 'Error: lease <id> is not yours'

test.each<[string, readonly Candidate[], readonly string[]]>([
  [
    'the very signature comes before a likely one of more confidence',
    [lesson('like', 'Error: lease <id> is not yours now', { confidence: 0.95 }), lesson('same', asked)],
    ['same', 'like'],
  ],
  [
    'of one signature, the more confident first, then the one seen more often, then by id',
    [
      lesson('d', asked),
      lesson('c', asked),
      lesson('b', asked, { occurrences: 3 }),
      lesson('a', asked, { confidence: 0.85 }),
    ],
    ['a', 'b', 'c', 'd'],
  ],
  [
    'below the floor of confidence not even the very signature is returned',
    [lesson('weak', asked, { confidence: 0.59 }), lesson('fair', asked, { confidence: 0.6 })],
    ['fair'],
  ],
  [
    'at most five are returned',
    ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => lesson(id, asked)),
    ['a', 'b', 'c', 'd', 'e'],
  ],
])('%s', (_, candidates, ids) => {
  expect(rankMatches(asked, candidates).map(({ candidate }) => candidate.id)).toEqual(ids)
})

test('the caller may ask for fewer, for surer and for closer ones', () => {
  const index = new MatchIndex(known)
  const read = 'TypeError: Cannot read properties of undefined (reading ‹price›)'
  expect(index.find(read).length).toBeGreaterThan(1)
  expect(index.find(read, { limit: 1 })).toHaveLength(1)
  expect(index.find(read, { confidenceMin: 0.8 })).toEqual([])
  expect(index.find(read, { similarityMin: 1 })).toEqual([])
})

test('a lesson that is added is found, one that is replaced or removed is not', () => {
  const index = new MatchIndex(known)
  index.add(lesson('lease', asked))
  expect(index.find(asked)[0]).toMatchObject({ is: 'exact', similarity: 1, candidate: { id: 'lease' } })
  index.add(lesson('lease', 'RangeError: Invalid array length'))
  expect(index.find(asked)).toEqual([])
  index.remove('lease')
  expect(index.find('RangeError: Invalid array length')).toEqual([])
})

const someWords = fc
  .array(
    fc.constantFrom('open', 'close', 'file', 'lease', '<n>', '<value>', '‹name›', 'not', 'found', 'yours'),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((words) => `Error: ${words.join(' ')}`)
const someLessons = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 40 }).map(String),
    signature: someWords,
    confidence: fc.constantFrom(0.5, 0.7, 0.95),
    occurrences: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 40 },
)

test('an index that was added to and taken from answers as one that is built anew', () => {
  fc.assert(
    fc.property(someLessons, someLessons, someWords, (first, then, signature) => {
      const index = new MatchIndex([...first, ...then])
      for (const { id } of first) index.remove(id)
      const gone = new Set(first.map(({ id }) => id))
      const left = new Map(then.filter(({ id }) => !gone.has(id)).map((each) => [each.id, each]))
      const plain = ({ is, candidate }: { is: string; candidate: Candidate }) => `${is} ${candidate.id}`
      expect(index.find(signature).map(plain)).toEqual(rankMatches(signature, left.values()).map(plain))
    }),
  )
})

test('the first few are the head of all: what is not looked at could not have been among them', () => {
  fc.assert(
    fc.property(someLessons, someWords, fc.integer({ min: 1, max: 6 }), (lessons, signature, limit) => {
      const index = new MatchIndex(lessons)
      const all = index.find(signature, { limit: 1_000 })
      expect(index.find(signature, { limit })).toEqual(all.slice(0, limit))
    }),
  )
})
