import { freshLesson, type Lesson, NewLesson } from '@treadle/contracts/lesson'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALIKE_MIN, decideRecord, isAlike, likeness, tellingWords, wordsOf } from './likeness.ts'

/** Said twice, as two runs or two people would. */
const same: readonly (readonly [string, string])[] = [
  ['Run the migrations before the tests', 'Before the tests, run the migrations'],
  ['The tests need a running Redis on port 6379', 'Tests need a running redis on port 6379.'],
  [
    'Close the pool in afterAll or the test process hangs',
    'Close the pool in afterAll, else the test process hangs',
  ],
  ['Dates are stored in UTC; convert when rendering', 'Store dates in UTC and convert them when rendering'],
  ['Do not edit generated files in src/gen', 'Never edit generated files in src/gen'],
  ['Use keyset paging for lists of events', 'Event lists use keyset paging'],
  ['fs.watch fires twice on macOS, debounce it', 'Debounce fs.watch: on macOS it fires twice'],
  ['The lock file must be committed with package.json', 'Commit the lock file together with package.json'],
  [
    'ENOSPC means too many watchers: raise the inotify limit',
    'Raise the inotify limit: ENOSPC means too many watchers',
  ],
  ['Retries of the upload are limited', 'Limit the retries of an upload'],
  ["Don't commit the lock file of the web client", 'Never commit the lock file of the web client'],
]
const different: readonly (readonly [string, string])[] = [
  ['Run the migrations before the tests', 'Never run the migrations before the tests'],
  ['Use Node 22 for the build', 'Use Node 24 for the build'],
  ['Close the pool in afterAll', 'Open the pool in beforeAll'],
  ['The tests need a running Redis', 'The server needs a running Postgres'],
  ['Dates are stored in UTC', 'Money is stored in cents'],
  ['Use keyset paging for lists of events', 'Use a cursor for the export of events'],
  ['Do not edit generated files in src/gen', 'Generated files in src/gen are made by npm run gen'],
  ['The lock file must be committed', 'The lock of a lease must be renewed'],
  ['Retry the upload on 503', 'Retry the upload on 429'],
  ['Fixed', 'Fixed it'],
  ['Prefer const', 'Prefer let'],
  [
    'Run the seed script before the migrations of the test database',
    'Run the seed script after the migrations of the test database',
  ],
  ['Mock the clock in scheduler tests', 'Use the real clock in scheduler tests'],
  ['Use tabs for indentation in Go files', 'Use spaces for indentation in Go files'],
  ['Set the retry limit of the mail queue low', 'Set the retry limit of the mail queue high'],
  ['Deploy the api to staging on Monday morning', 'Deploy the api to production on Monday morning'],
  ['Run npm ci in the web folder before the tests', 'Run npm ci in the api folder before the tests'],
  ['Import the parser from lib/a/index', 'Import the parser from lib/b/index'],
  ['Copy the data from staging to production', 'Copy the data from production to staging'],
  ['The runner needs Node for the build', 'The runner needs Node 22 for the build'],
]

test('the limit tells those that say the same from those that do not', () => {
  for (const [one, other] of same)
    expect(likeness(one, other), `${one} | ${other}`).toBeGreaterThanOrEqual(ALIKE_MIN)
  for (const [one, other] of different)
    expect(likeness(one, other), `${one} | ${other}`).toBeLessThan(ALIKE_MIN)
})

const words = fc.array(
  fc.constantFrom(...'alpha beta gamma delta epsilon zeta eta theta iota kappa 7 9'.split(' ')),
  {
    minLength: 1,
    maxLength: 10,
  },
)

test('each text that is alike has one of the telling words', () => {
  fc.assert(
    fc.property(words, words, (one, other) => {
      const [asked, kept] = [one.join(' '), other.join(' ')]
      if (likeness(asked, kept) < ALIKE_MIN) return
      const own = wordsOf(kept)
      expect(tellingWords(asked).some((word) => own.has(word))).toBe(true)
    }),
  )
})

const lesson = (given: Partial<NewLesson>) =>
  NewLesson.parse({ type: 'gotcha', content: 'Run the migrations before the tests', ...given })
const known = (id: string, given: Partial<Lesson>) => ({
  ...freshLesson(lesson({}), id, new Date(0)),
  ...given,
})

test.each<[string, Partial<NewLesson>, Partial<NewLesson>, boolean]>([
  ['the same words', {}, {}, true],
  ['another type', {}, { type: 'pattern' }, false],
  ['no words', { content: '' }, { content: '' }, false],
  ['one error, told otherwise', { signature: 'E: x' }, { signature: 'E: x', content: 'Mind the gap' }, true],
  ['other errors, told alike', { signature: 'E: x' }, { signature: 'E: y' }, false],
  ['an error and none', { signature: 'E: x' }, {}, true],
  [
    'two ways out of one error',
    { type: 'resolution', signature: 'E: x' },
    { type: 'resolution', signature: 'E: x', content: 'Mind the gap' },
    false,
  ],
  ['one way out', { type: 'resolution', signature: 'E: x' }, { type: 'resolution', signature: 'E: x' }, true],
  [
    'a way out of an error, and one of any',
    { type: 'resolution', signature: 'E: x' },
    { type: 'resolution' },
    false,
  ],
])('%s', (_, one, other, alike) => {
  expect(isAlike(lesson(one), lesson(other))).toBe(alike)
  expect(isAlike(lesson(other), lesson(one))).toBe(alike)
})

const bare = { signature: 'E: x', content: 'Avoid: x' }
const remedied = { signature: 'E: x', content: 'Avoid: x What helped: import it from lib/x' }

test.each<[string, Partial<NewLesson>, readonly Partial<Lesson>[], string]>([
  ['nothing is known', {}, [], 'record'],
  ['as sure', {}, [{}], 'count 0'],
  ['surer', { confidence: 0.8 }, [{}], 'supersede 0'],
  ['the surest counts', {}, [{ confidence: 0.7 }, { confidence: 0.9 }], 'count 1'],
  [
    'the surest of the weaker goes',
    { confidence: 0.8 },
    [{ confidence: 0.3 }, { confidence: 0.7 }],
    'supersede 1',
  ],
  ['known for all files', { glob: '*.ts' }, [{}], 'count 0'],
  ['known for some files', {}, [{ glob: '*.ts' }], 'record'],
  ['surer, but for some files', { glob: '*.ts', confidence: 0.9 }, [{}], 'record'],
  ['surer, and for all files', { confidence: 0.9 }, [{ glob: '*.ts' }], 'supersede 0'],
  ['for another action', { action: 'edit' }, [{ action: 'run' }], 'record'],
  ['like a retired one, and surer', { confidence: 0.9 }, [{ verdict: 'retired' }], 'count 0'],
  ['like a retired one and a weaker one', { confidence: 0.9 }, [{ verdict: 'retired' }, {}], 'supersede 1'],
  [
    'like a retired one for some files',
    { confidence: 0.9 },
    [{ verdict: 'retired', glob: '*.ts' }],
    'record',
  ],
  ['like one that use has weighed down', {}, [{ confidence: 0.2, weighed: true }], 'count 0'],
  ['with the way out', remedied, [bare], 'supersede 0'],
  ['with the way out, of what use has weighed', remedied, [{ ...bare, weighed: true }], 'supersede 0'],
  ['with the way out, of what is retired', remedied, [{ ...bare, verdict: 'retired' }], 'count 0'],
  ['with another way out', { ...remedied, content: 'Avoid: x What helped: b' }, [remedied], 'count 0'],
  ['without the way out', bare, [remedied], 'count 0'],
  [
    'with a way out that says nothing',
    { ...bare, content: 'x What helped: another change' },
    [bare],
    'count 0',
  ],
])('%s', (_, given, others, choice) => {
  const made = decideRecord(
    lesson(given),
    others.map((other, nth) => known(String(nth), other)),
  )
  expect(made.is === 'record' ? made.is : `${made.is} ${made.id}`).toBe(choice)
})
