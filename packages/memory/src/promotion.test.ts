// Which lessons go into CLAUDE.md, how the file then reads, and what an answer means. Pure, as tables.
import { freshLesson, type Lesson, NewLesson } from '@treadle/contracts/lesson'
import { NOW } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import {
  decidePromotion,
  fileFor,
  isUniversal,
  type PromotionFacts,
  readAnswer,
  withLesson,
} from './promotion.ts'

const proven = (changes: Partial<Lesson> = {}): Lesson => ({
  ...freshLesson(
    NewLesson.parse({ type: 'pattern', content: 'Use UTC in all dates.' }),
    '00000000-0000-4000-8000-000000000001',
    NOW,
  ),
  confidence: 0.9,
  occurrences: 3,
  seenIn: ['1/1', '1/2'],
  ...changes,
})
const facts = (changes: Partial<PromotionFacts> = {}): PromotionFacts => ({
  lesson: proven(),
  text: '# Rules\n',
  before: null,
  ...changes,
})

const CASES: [title: string, facts: PromotionFacts, is: 'ask' | 'no'][] = [
  ['all holds', facts(), 'ask'],
  ['there is no file yet', facts({ text: null }), 'ask'],
  ['a gotcha', facts({ lesson: proven({ type: 'gotcha' }) }), 'ask'],
  ['a little less sure', facts({ lesson: proven({ confidence: 0.89 }) }), 'no'],
  ['seen twice', facts({ lesson: proven({ occurrences: 2 }) }), 'no'],
  ['seen in one item', facts({ lesson: proven({ seenIn: ['1/1'] }) }), 'no'],
  ['about one folder', facts({ lesson: proven({ glob: 'src/db/*.ts' }) }), 'no'],
  ['about a kind of file', facts({ lesson: proven({ glob: '*.sql' }) }), 'ask'],
  ['in the file already', facts({ text: '# Rules\n\n- use  UTC in\n  all dates\n' }), 'no'],
  ['retired', facts({ lesson: proven({ verdict: 'retired' }) }), 'no'],
  ['superseded', facts({ lesson: proven({ supersededAt: NOW.toISOString() }) }), 'no'],
  ['a resolution', facts({ lesson: proven({ type: 'resolution' }) }), 'no'],
  ['without words', facts({ lesson: proven({ content: ' ' }) }), 'no'],
  ['asked, and not answered', facts({ before: { status: 'asked', occurrences: 3 } }), 'no'],
  ['promoted', facts({ before: { status: 'promoted', occurrences: 1 } }), 'no'],
  ['declined', facts({ before: { status: 'declined', occurrences: 3 } }), 'no'],
  [
    'declined, and seen twice as often since',
    facts({ lesson: proven({ occurrences: 6 }), before: { status: 'declined', occurrences: 3 } }),
    'ask',
  ],
]
for (const [title, given, is] of CASES)
  verifies(['AGENT-SIA-22', 'AGENT-KNOWLEDGE-18'], `a lesson for CLAUDE.md: ${title}: ${is}`, () => {
    expect(decidePromotion(given).is).toBe(is)
  })

test.each([
  [null, true],
  ['*.ts', true],
  ['**/*.ts', true],
  ['src/*.ts', false],
  ['**/src/*.ts', false],
])('the glob %s is about no folder in particular: %s', (glob, universal) => {
  expect(isUniversal({ glob, seenIn: ['1/1', '1/2'] })).toBe(universal)
})

test.each([
  [{ claude: 'a', agents: null }, 'CLAUDE.md', 'a'],
  [{ claude: 'a', agents: 'b' }, 'CLAUDE.md', 'a'],
  [{ claude: null, agents: 'b' }, 'AGENTS.md', 'b'],
  [{ claude: null, agents: null }, 'CLAUDE.md', null],
  [{ claude: '@AGENTS.md\n', agents: 'b' }, 'AGENTS.md', 'b'],
  [{ claude: 'AGENTS.md', agents: 'b' }, 'AGENTS.md', 'b'],
])('%j: it goes into %s', (given, file, text) => {
  expect(fileFor(given)).toEqual({ file, text })
})

test('a lesson stands under a heading of its own; what was there stays as it was', () => {
  const heading = '## What the crew has learned'
  expect(withLesson(null, 'One.')).toBe(`\n${heading}\n\n- One.\n`.trimStart())
  const first = withLesson('# Rules\n\nBe kind.\n\n\n', 'One\n  and more.')
  expect(first).toBe(`# Rules\n\nBe kind.\n\n${heading}\n\n- One and more.\n`)
  expect(withLesson(first, 'Two.')).toBe(`${first}- Two.\n`)
  const before = `# Rules\n\n${heading}\n\n- One.\n\n## Style\n\nShort.\n`
  expect(withLesson(before, 'Two.')).toBe(`# Rules\n\n${heading}\n\n- One.\n- Two.\n\n## Style\n\nShort.\n`)
  expect(withLesson('# Rules\r\n', 'One.')).toBe(`# Rules\r\n\r\n${heading}\r\n\r\n- One.\r\n`)
})

test.each([
  [
    { option: 'Yes, promote it', text: 'Yes, promote it' },
    { is: 'promote', text: 'P' },
  ],
  [
    { option: 'Modify it...', text: 'Modify it: Say it so.' },
    { is: 'promote', text: 'Say it so.' },
  ],
  [
    { option: 'Not yet, needs more validation', text: 'Not yet' },
    { is: 'decline', why: 'Not yet' },
  ],
  [
    { option: 'Keep it in Knowledge Base only', text: 'Keep it' },
    { is: 'decline', why: 'Keep it' },
  ],
  [
    { option: null, text: 'what is this?' },
    { is: 'decline', why: 'what is this?' },
  ],
])('the answer %j', (answer, choice) => {
  expect(readAnswer(answer, 'P')).toEqual(choice)
})
