// The features that the scripted model knows how to write: for each the words that call for it, what it says of it in
// the documents, and its code with the tests that hold it.
import { capital, type Subject } from './idea-subject.ts'

export interface Part {
  /** Words of an idea that call for it. */
  readonly calledBy: RegExp
  readonly name: (of: Subject) => string
  readonly does: (of: Subject) => string
  /** When it is done. */
  readonly holds: (of: Subject) => string
  readonly code: (of: Subject) => string
  /** The bodies of its tests; `from` is what they import. */
  readonly exports: (of: Subject) => readonly string[]
  readonly tests: (of: Subject) => string
}

export const ENTRIES: Part = {
  calledBy: /\b(?:lists?|entries|items?|notes?|catalogues?|inventory|library|diary|journal|collection)\b/,
  name: ({ name }) => capital(name),
  does: ({ name }) => `keeps the entries of a ${name}, each with a name and whether it is done`,
  holds: ({ name }) =>
    `An entry of the ${name} can be added and marked as done, and one without a name is refused`,
  exports: ({ pascal }) => [`addTo${pascal}`, `markIn${pascal}`, `openIn${pascal}`],
  code: ({ name, pascal }) => `/** The ${name} with one more entry at its end. */
export function addTo${pascal}(entries, text) {
  const named = text.trim()
  if (named === '') throw new RangeError('an entry needs a name')
  const id = entries.reduce((highest, entry) => Math.max(highest, entry.id), 0) + 1
  return [...entries, { id, text: named, done: false }]
}

/** The ${name} with one entry marked as done. */
export function markIn${pascal}(entries, id) {
  if (!entries.some((entry) => entry.id === id)) throw new RangeError('there is no such entry')
  return entries.map((entry) => (entry.id === id ? { ...entry, done: true } : entry))
}

/** What is still open in the ${name}. */
export function openIn${pascal}(entries) {
  return entries.filter((entry) => !entry.done)
}
`,
  tests: ({ name, pascal }) => `const two = addTo${pascal}(addTo${pascal}([], ' first '), 'second')

test('entries of the ${name} are added at its end, each with a number of its own', () => {
  assert.deepEqual(two, [
    { id: 1, text: 'first', done: false },
    { id: 2, text: 'second', done: false },
  ])
})

test('the number of a new entry is above all others', () => {
  const entries = [{ id: 7, text: 'a', done: false }, { id: 3, text: 'b', done: false }]
  assert.equal(addTo${pascal}(entries, 'c').at(-1).id, 8)
})

test('an entry without a name is refused', () => {
  assert.throws(() => addTo${pascal}([], '  '), /needs a name/)
})

test('an entry that is marked is done, and the others stay open', () => {
  const marked = markIn${pascal}(two, 1)
  assert.deepEqual(marked.map((entry) => entry.done), [true, false])
  assert.deepEqual(openIn${pascal}(marked).map((entry) => entry.text), ['second'])
})

test('what is not there cannot be marked', () => {
  assert.throws(() => markIn${pascal}(two, 9), /no such entry/)
})
`,
}

const MERGE: Part = {
  calledBy: /\b(?:offline|sync\w*|shar\w*|together|famil\w*|team\w*|collaborat\w*|devices?|phones?)\b/,
  name: () => 'Merge two copies',
  does: ({ name }) => `joins two copies of a ${name} that were changed apart from each other`,
  holds: ({ name }) => `Two copies of the ${name} become one, in which the later change of an entry stands`,
  exports: ({ pascal }) => [`merge${pascal}`],
  code: ({
    name,
    pascal,
  }) => `/** One ${name} from two copies: of each entry the one that was changed later. */
export function merge${pascal}(mine, theirs) {
  const byId = new Map(mine.map((entry) => [entry.id, entry]))
  for (const entry of theirs) {
    const own = byId.get(entry.id)
    if (own === undefined || entry.changedAt > own.changedAt) byId.set(entry.id, entry)
  }
  return [...byId.values()].sort((a, b) => a.id - b.id)
}
`,
  tests: ({ name, pascal }) => `const entry = (id, text, changedAt) => ({ id, text, changedAt })

test('what only one copy of the ${name} has is kept, in the order of the numbers', () => {
  const merged = merge${pascal}([entry(2, 'mine', 1)], [entry(1, 'theirs', 1)])
  assert.deepEqual(merged.map(({ text }) => text), ['theirs', 'mine'])
})

test('the later change stands, whichever copy it is in', () => {
  const [first, second] = merge${pascal}(
    [entry(1, 'old', 1), entry(2, 'new', 5)],
    [entry(1, 'new', 2), entry(2, 'old', 4)],
  )
  assert.deepEqual([first.text, second.text], ['new', 'new'])
})

test('of two changes at the same time the own one stands', () => {
  assert.equal(merge${pascal}([entry(1, 'mine', 3)], [entry(1, 'theirs', 3)])[0].text, 'mine')
})
`,
}

const TIP: Part = {
  calledBy: /\b(?:tips?|percent\w*|tax\w*|vat|discounts?|interest|surcharge)\b|%/,
  name: () => 'Add a percentage',
  does: ({ name }) => `works out a percentage of an amount in cents, for the ${name}`,
  holds: ({ name }) => `The ${name} rounds a percentage to whole cents, and refuses an amount below zero`,
  exports: ({ pascal }) => [`shareFor${pascal}`, `totalFor${pascal}`],
  code: ({ name, pascal }) => `/** So many percent of an amount in cents, as the ${name} rounds it. */
export function shareFor${pascal}(cents, percent) {
  if (!Number.isInteger(cents) || cents < 0) throw new RangeError('an amount is whole cents')
  if (percent < 0) throw new RangeError('a percentage is not below zero')
  return Math.round((cents * percent) / 100)
}

/** The amount with the percentage on top. */
export function totalFor${pascal}(cents, percent) {
  return cents + shareFor${pascal}(cents, percent)
}
`,
  tests: ({ name, pascal }) => `test('the ${name} takes a percentage of an amount, in whole cents', () => {
  assert.equal(shareFor${pascal}(4000, 15), 600)
  assert.equal(shareFor${pascal}(333, 10), 33)
  assert.equal(shareFor${pascal}(335, 10), 34)
  assert.equal(shareFor${pascal}(0, 10), 0)
  assert.equal(shareFor${pascal}(500, 0), 0)
})

test('the percentage comes on top of the amount', () => {
  assert.equal(totalFor${pascal}(4000, 15), 4600)
})

test('what is no amount and no percentage is refused', () => {
  assert.throws(() => shareFor${pascal}(-1, 10), /whole cents/)
  assert.throws(() => shareFor${pascal}(1.5, 10), /whole cents/)
  assert.throws(() => shareFor${pascal}(100, -1), /below zero/)
})
`,
}

const SPLIT: Part = {
  calledBy: /\b(?:split\w*|divid\w*|bills?|expenses?|debts?|roommates?|flatmates?)\b/,
  name: () => 'Split an amount',
  does: ({ name }) => `splits an amount of the ${name} so that no cent is lost`,
  holds: ({ name }) => `The shares of the ${name} add up to the amount, and differ by one cent at most`,
  exports: ({ pascal }) => [`split${pascal}`],
  code: ({
    name,
    pascal,
  }) => `/** Shares of the ${name} in whole cents; those who come first pay the cents that are left over. */
export function split${pascal}(cents, people) {
  if (!Number.isInteger(people) || people < 1) throw new RangeError('somebody has to pay')
  const least = Math.floor(cents / people)
  const over = cents % people
  return Array.from({ length: people }, (_, nth) => (nth < over ? least + 1 : least))
}
`,
  tests: ({ name, pascal }) => `test('the ${name} splits evenly where it can', () => {
  assert.deepEqual(split${pascal}(900, 3), [300, 300, 300])
  assert.deepEqual(split${pascal}(500, 1), [500])
})

test('cents that are left over are paid one each, from the first on', () => {
  assert.deepEqual(split${pascal}(1001, 3), [334, 334, 333])
  assert.deepEqual(split${pascal}(2, 3), [1, 1, 0])
})

test('nobody, or half a person, is refused', () => {
  assert.throws(() => split${pascal}(100, 0), /has to pay/)
  assert.throws(() => split${pascal}(100, 1.5), /has to pay/)
})
`,
}

const DUE: Part = {
  calledBy:
    /\b(?:remind\w*|due|deadlines?|calendars?|schedul\w*|dates?|birthdays?|appointments?|plann?\w*|water\w*)\b/,
  name: () => 'What is due',
  does: ({ name }) => `says what of the ${name} is due on a day, the oldest first`,
  holds: ({ name }) => `The ${name} names what is due on a day or before it, and nothing that is later`,
  exports: ({ pascal }) => [`dueIn${pascal}`],
  code: ({
    name,
    pascal,
  }) => `/** What of the ${name} is due on a day such as 2026-03-01, the oldest first. */
export function dueIn${pascal}(entries, day) {
  return entries
    .filter((entry) => entry.due <= day)
    .sort((a, b) => a.due.localeCompare(b.due))
}
`,
  tests: ({ name, pascal }) => `const entries = [
  { text: 'today', due: '2026-03-01' },
  { text: 'before', due: '2026-02-27' },
  { text: 'later', due: '2026-03-02' },
]

test('the ${name} names what is due, the oldest first', () => {
  assert.deepEqual(dueIn${pascal}(entries, '2026-03-01').map(({ text }) => text), ['before', 'today'])
})

test('nothing is due before the first day', () => {
  assert.deepEqual(dueIn${pascal}(entries, '2026-02-26'), [])
})
`,
}

const TALLY: Part = {
  calledBy:
    /\b(?:count\w*|track\w*|logs?|habits?|statistics?|measur\w*|scores?|vot\w*|polls?|tally|surveys?)\b/,
  name: () => 'Count by name',
  does: ({ name }) => `counts what the ${name} was told, the most frequent first`,
  holds: ({ name }) => `The ${name} counts each name, and names with the same count come by the alphabet`,
  exports: ({ pascal }) => [`count${pascal}`],
  code: ({ name, pascal }) => `/** How often the ${name} was told each name, the most frequent first. */
export function count${pascal}(names) {
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
}
`,
  tests: ({ name, pascal }) => `test('the ${name} counts each name, the most frequent first', () => {
  assert.deepEqual(count${pascal}(['a', 'b', 'b']), [
    { name: 'b', count: 2 },
    { name: 'a', count: 1 },
  ])
})

test('names with the same count come by the alphabet', () => {
  assert.deepEqual(count${pascal}(['d', 'c']).map((each) => each.name), ['c', 'd'])
})

test('nothing told is nothing counted', () => {
  assert.deepEqual(count${pascal}([]), [])
})
`,
}

export const FIND: Part = {
  calledBy: /\b(?:search\w*|find\w*|filter\w*|tags?|recipes?|bookmarks?|catalogues?|archive|library)\b/,
  name: () => 'Find by words',
  does: ({ name }) => `finds entries of the ${name} by words in any order`,
  holds: ({ name }) => `The ${name} finds an entry by all of the words, whatever their order and capitals`,
  exports: ({ pascal }) => [`findIn${pascal}`],
  code: ({ name, pascal }) => `/** Entries of the ${name} that have all of the words. */
export function findIn${pascal}(entries, words) {
  const wanted = words.toLowerCase().split(' ').filter((word) => word !== '')
  return entries.filter((entry) => wanted.every((word) => entry.text.toLowerCase().includes(word)))
}
`,
  tests: ({ name, pascal }) => `const entries = [{ text: 'Red apples' }, { text: 'Green apples' }]

test('the ${name} finds an entry by all of the words, whatever their order and capitals', () => {
  assert.deepEqual(findIn${pascal}(entries, 'APPLES  red'), [{ text: 'Red apples' }])
  assert.equal(findIn${pascal}(entries, 'apples').length, 2)
})

test('an entry that lacks one of the words is not found', () => {
  assert.deepEqual(findIn${pascal}(entries, 'red pears'), [])
})

test('without a word everything is found', () => {
  assert.equal(findIn${pascal}(entries, ' ').length, 2)
})
`,
}

export const CALLED: readonly Part[] = [MERGE, TIP, SPLIT, DUE, TALLY, FIND]
