import type { Idea, IdeaSignals } from '@treadle/contracts/idea'
import { expect, test } from 'vitest'
import { readBrief } from '../spec/read-brief.ts'
import { listed, summaryOf } from './answer-lines.ts'
import { briefOf, documentsOf } from './documents.ts'
import { answerIn, FIELDS } from './interview.ts'
import { mergeSignals, NO_SIGNALS } from './merge-signals.ts'
import { slugOf, titleOf, userSlugOf } from './slug.ts'

const at = '2026-01-02T03:04:05.000Z'
const idea = (signals: IdeaSignals, given: Partial<Idea> = {}): Idea => ({
  slug: 'list',
  userSlug: 'ada',
  title: 'An offline-first shopping list',
  phase: 'EXPLORING',
  status: 'active',
  mode: 'interview',
  engine: null,
  modeWhy: null,
  signals,
  questions: [],
  candidateAt: at,
  completedAt: null,
  createdAt: at,
  updatedAt: at,
  ...given,
})

function answered(answers: Partial<Record<(typeof FIELDS)[number], string>>): IdeaSignals {
  return FIELDS.reduce((signals, field) => {
    const text = answers[field] ?? `about ${field}`
    const said = answerIn(signals, { text, field, options: [] })
    return said === null ? signals : mergeSignals(signals, said.brought, 'person')
  }, NO_SIGNALS)
}

test('the brief has its sections in their order, a bullet for each feature, risk and criterion', () => {
  const signals = answered({
    'mvp-features':
      'Offline list: add items without a network\n- Sync - merges what two people did\n3. Sharing',
    done: 'A list is there after a restart; two phones agree',
  })
  expect(briefOf(idea(signals)).split('\n')).toEqual([
    '# Brief: An offline-first shopping list',
    '',
    '## Target user',
    '',
    'about target-user',
    '',
    '## Problem',
    '',
    'about problem',
    '',
    '## Solution',
    '',
    'about solution-concept',
    '',
    '## Features',
    '',
    '- **Offline list**: add items without a network',
    '- **Sync**: merges what two people did',
    '- Sharing',
    '',
    '## What makes it different',
    '',
    'about differentiator',
    '',
    '## Validated assumptions',
    '',
    '- about validation-1',
    '- about validation-2',
    '- about validation-3',
    '',
    '## Risks',
    '',
    '- about risk',
    '',
    '## Done when',
    '',
    '- A list is there after a restart',
    '- two phones agree',
    '',
    '## Confidence',
    '',
    expect.stringMatching(/^9\d %\. It says how complete the answers are/),
    '',
  ])
})

test('before the first artifact there is no document, and each comes with what it is about', () => {
  const paths = (signals: IdeaSignals) => documentsOf(idea(signals), 'users').map(({ path }) => path)
  expect(paths(NO_SIGNALS)).toEqual([])
  const first = answerIn(NO_SIGNALS, { text: 'Families', field: null, options: [] })?.brought ?? NO_SIGNALS
  expect(paths(first)).toEqual(['users/ada/ideas/list/README.md', 'users/ada/ideas/list/target-users.md'])
})

test('an answer with headings, rules, comments and open fences changes nothing of what is around it', () => {
  const hostile = 'Lists\n# Brief: another\n---\n<!-- and\n## Risks\n```\n# stays as it is'
  const text = briefOf(idea(answered({ problem: hostile, risk: '# no heading', 'mvp-features': '## Sync' })))
  const headings = text.split('\n').filter((line) => /^\s*#/.test(line))
  expect(headings).toEqual([
    '# Brief: An offline-first shopping list',
    '## Target user',
    '## Problem',
    '# stays as it is',
    '## Solution',
    '## Features',
    '## What makes it different',
    '## Validated assumptions',
    '## Risks',
    '## Done when',
    '## Confidence',
  ])
  expect(text).toContain('\\# Brief: another\n\\---\n\\<!-- and\n\\## Risks\n```\n# stays as it is\n```')
  expect(text).toContain('- \\# no heading')
  expect(text).toContain('- \\## Sync')
})

test.each([
  [
    'add items offline, sync lists, share with others',
    ['add items offline', 'sync lists', 'share with others'],
  ],
  ['add items, sync and share', ['add items', 'sync', 'share']],
  ['MVP features: a; b', ['a', 'b']],
  ['1. add 2. sync 3. share', ['add', 'sync', 'share']],
  ['It adds items. It shares them.', ['It adds items', 'It shares them']],
  ['Lists: adds, removes and sorts items', ['Lists: adds, removes and sorts items']],
  ['one thing only', ['one thing only']],
  ['Shared lists, reminders', ['Shared lists', 'reminders']],
  ['drag and drop', ['drag and drop']],
  ['a list, sorted by name', ['a list, sorted by name']],
  ['- add\n  - also by voice\n- sync', ['add\n- also by voice', 'sync']],
  ['* add\r\n* sync'.replace(/\r/g, ''), ['add', 'sync']],
])('%j lists %j', (text, expected) => {
  expect(listed(text, { commas: true })).toEqual(expected)
})

test.each([
  ['An offline-first shopping list', 'offline-first-shopping-list'],
  ['A tool that warns me. And much more.', 'tool-warns'],
  ['../../etc/passwd', 'etc-passwd'],
  ['Ünïcödé çhärs für alle', 'unicode-chars-fur-alle'],
  ['日本語', 'idea'],
  ['con', 'con-1'],
  ['the', 'the'],
  ['one two three four five six seven', 'one-two-three-four-five'],
  ['x'.repeat(90), 'x'.repeat(40)],
  ['<script>alert(1)</script>', 'script-alert-1-script'],
])('%j is called %s', (text, slug) => {
  expect(slugOf(text)).toBe(slug)
})

test.each([
  [null, 'owner'],
  ['', 'owner'],
  ['Ada Lovelace', 'ada-lovelace'],
  ['../..', 'owner'],
  ['Zoë Müller-Łang', 'zoe-muller-lang'],
  ['Søren Ægir Weiß', 'soren-aegir-weiss'],
])('the folder of %j is %s', (name, slug) => {
  expect(userSlugOf(name)).toBe(slug)
})

test('a bullet without words is no part of a list, and of none before it', () => {
  expect(listed('- Lists: shared\n- \n- Sync\n*\n3.', { commas: true })).toEqual(['Lists: shared', 'Sync'])
})

test('a title is the first sentence in one line', () => {
  expect(titleOf('A list.\nMore words', 300)).toBe('A list')
  expect(titleOf('What  if? Then', 300)).toBe('What if?')
  expect(titleOf('x'.repeat(400), 300)).toHaveLength(300)
})

test('no answer hides from a specification what stands after it', () => {
  const signals = answered({
    'mvp-features': 'Scan <!-- soon\n```\nWarn\n```js\nShare\n```inline``` code',
    risk: 'rain <!-- or snow',
    done: 'It works --> always',
  })
  const read = readBrief(briefOf(idea(signals)))
  expect(read.features.map(({ name }) => name)).toEqual(expect.arrayContaining(['Warn', 'Share']))
  expect(read.criteria).toHaveLength(1)
  expect(read.risks).toHaveLength(1)
})

test('a title and a summary are cut between two emoji, not within one', () => {
  const moths = '🦋'.repeat(300)
  expect(titleOf(moths, 300)).toBe(`${'🦋'.repeat(149)}…`)
  expect(summaryOf(`x${moths}y`)).toBe(`x${'🦋'.repeat(99)}…`)
  expect(summaryOf(moths)).toBe(`${'🦋'.repeat(99)}…`)
})
