import type { ConflictParts, PlaceChoice } from '@treadle/contracts/conflict-parts'
import { expect, test } from 'vitest'
import {
  type ConflictPlace,
  choiceFor,
  decidedWords,
  editable,
  heldUpBy,
  nextOpen,
  resultOf,
  settlementOf,
  spotsOf,
  stepTo,
  versionWords,
} from './resolution.model.ts'
import { keyMeans } from './resolve-keys.model.ts'

const place = (target: string, branch: string): ConflictPlace => ({ is: 'place', target, branch, base: null })
const parts: ConflictParts = {
  target: { name: 'main', commit: 'a'.repeat(40) },
  branch: { name: 'agent-1/project-2', commit: 'b'.repeat(40) },
  files: [
    {
      is: 'text',
      file: 0,
      path: 'f',
      kind: 'both_changed',
      parts: [
        { is: 'same', text: '1\n2\n3\n4\n5\n' },
        place('T\n', 'B\n'),
        { is: 'same', text: 'x\n' },
        place('T\n', 'B\n'),
      ],
    },
    {
      is: 'whole',
      file: 3,
      path: 'w',
      because: 'deleted',
      target: null,
      branch: { is: 'executable', bytes: 1_234 },
    },
  ],
  more: 0,
}
const [one, two, three] = spotsOf(parts)
const decide = (...choices: (PlaceChoice | null)[]) =>
  new Map(
    [one, two, three].flatMap((spot, at) => (choices[at] && spot ? [[spot.key, choices[at]] as const] : [])),
  )

test('every place and every file that is taken whole is decided by itself, with a few lines around it', () => {
  expect(spotsOf(parts)).toMatchObject([
    { is: 'place', number: 1, of: 2, before: '3\n4\n5\n', after: 'x\n' },
    { is: 'place', number: 2, of: 2, before: 'x\n', after: '' },
    { is: 'whole', path: 'w' },
  ])
  expect(new Set([one?.key, two?.key, three?.key]).size).toBe(3)
})

test('a decision outlives a new look at the same lines; one about a whole file does not outlive a new commit', () => {
  const moved = { ...parts, target: { name: 'main', commit: 'c'.repeat(40) } }
  const [again, , whole] = spotsOf(moved)
  expect(again?.key).toBe(one?.key)
  expect(whole?.key).not.toBe(three?.key)
})

test('only when all is decided is there something to send', () => {
  expect(decidedWords(spotsOf(parts), decide({ is: 'target' }, null, { is: 'branch' }))).toBe(
    '2 of 3 decided',
  )
  expect(heldUpBy(parts, spotsOf(parts), decide())).toBe('3 places are not decided yet.')
  expect(settlementOf(parts, decide({ is: 'target' }, null, { is: 'branch' }))).toBeNull()
  const all = decide({ is: 'target' }, { is: 'text', text: 'mine' }, { is: 'branch' })
  expect(settlementOf(parts, all)).toEqual({
    target: 'a'.repeat(40),
    branch: 'b'.repeat(40),
    files: [
      { is: 'text', file: 0, places: [{ is: 'target' }, { is: 'text', text: 'mine' }] },
      { is: 'whole', file: 3, take: 'branch' },
    ],
  })
  expect(settlementOf({ ...parts, more: 1 }, all)).toBeNull()
  const byHand = { ...parts, files: [...parts.files, { is: 'by_hand', file: 4, path: 'h' } as const] }
  expect(heldUpBy(byHand, spotsOf(byHand), all)).toContain('h is a file on one side')
})

test.each([
  [{ is: 'target' }, 'T'],
  [{ is: 'branch' }, 'B\n'],
  [{ is: 'both', first: 'target' }, 'T\nB\n'],
  [{ is: 'both', first: 'branch' }, 'B\nT'],
  [{ is: 'text', text: 'mine' }, 'mine'],
  [undefined, null],
] as const)('%j leaves %j', (choice, text) => {
  expect(resultOf(place('T', 'B\n'), choice)).toBe(text)
})

test('editing begins with what is chosen, or with both, and with plain ends of lines', () => {
  expect(editable(place('T\r\n', 'B\r\n'), { is: 'branch' })).toBe('B\n')
  expect(editable(place('T\r\n', 'B\r\n'), undefined)).toBe('T\nB\n')
})

test('steps stay within the list, and the next open one is found beyond its end', () => {
  const spots = spotsOf(parts)
  expect([stepTo(spots, 0, -1), stepTo(spots, 0, 1), stepTo(spots, 2, 1)]).toEqual([0, 1, 2])
  expect(nextOpen(spots, decide(null, { is: 'target' }), 1)).toBe(2)
  expect(nextOpen(spots, decide(null, { is: 'target' }, { is: 'target' }), 1)).toBe(0)
  expect(nextOpen(spots, decide({ is: 'target' }, { is: 'target' }, { is: 'target' }), 0)).toBeNull()
})

test('keys: next, the one before, either side, both, edit; a whole file has no both', () => {
  expect(['j', 'k', 'e', 'x', 'toString'].map((key) => keyMeans(key)?.is)).toEqual([
    'step',
    'step',
    'edit',
    undefined,
    undefined,
  ])
  const both = { is: 'both', first: 'target' } as const
  expect([one, three].map((spot) => spot && choiceFor(spot, both))).toEqual([both, null])
})

test('what a side has is said in words', () => {
  expect([versionWords(null), versionWords({ is: 'executable', bytes: 1_234 })]).toEqual([
    'Not there',
    'Executable file, 1,234 bytes',
  ])
})
