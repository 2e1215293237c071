import { verifies } from '@treadle/requirements/verifies'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FillRequest, fillContext } from './fill.ts'
import { CUT_ABOVE, memoryParts, type Part, type PartName, PRIORITIES, type Trust } from './parts.ts'
import { openTokenCounter } from './tokens.ts'

const NAMES = Object.keys(PRIORITIES) as PartName[]
/** One for each word, so that a table can be read; a block's two lines cost the same for every part here. */
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length
const part = (name: PartName, text: string | null, trust: Trust = 'project'): Part => ({
  name,
  origin: 'x',
  trust,
  text,
})
const many = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join('\n')
const FRAME = words(fillContext({ parts: [part('task', 'one')], budgetTokens: 99, count: words }).text) - 1
/** The word "cut to fit" of a block that was cut. */
const CUT_FRAME = FRAME + 4
const fill = (parts: readonly Part[], budgetTokens: number, count = words) =>
  fillContext({ parts, budgetTokens, count })
const names = (filled: ReturnType<typeof fill>) => filled.segments.map(({ name }) => name)
const drops = (filled: ReturnType<typeof fill>) => filled.dropped.map(({ name, why }) => [name, why])

verifies('AGENT-CONTEXT-6', 'the priorities are those of the table, and parts come in their order', () => {
  expect(PRIORITIES).toEqual({
    task: 1.0,
    gotchas: 0.95,
    template: 0.9,
    conventions: 0.85,
    recent_memory: 0.8,
    readme: 0.7,
    full_memory: 0.5,
    research: 0.3,
  })
  const backwards = NAMES.toReversed().map((name) => part(name, name))
  expect(names(fill(backwards, 1_000))).toEqual(NAMES)
})

verifies('AGENT-CONTEXT-7', 'recent_memory is the last five messages, full_memory what is older', () => {
  const of = (count: number) =>
    memoryParts(
      Array.from({ length: count }, (_, index) => `m${index + 1}`),
      { origin: 'chat', trust: 'owner' },
    ).map(({ name, text }) => [name, text])
  expect(of(7)).toEqual([
    ['recent_memory', 'm3\n\nm4\n\nm5\n\nm6\n\nm7'],
    ['full_memory', 'm1\n\nm2'],
  ])
  expect(of(5)).toEqual([
    ['recent_memory', 'm1\n\nm2\n\nm3\n\nm4\n\nm5'],
    ['full_memory', null],
  ])
  expect(of(0)).toEqual([
    ['recent_memory', null],
    ['full_memory', null],
  ])
})

describe('a budget at, below and above what the parts need', () => {
  const parts = [part('task', many(10)), part('readme', many(20)), part('research', many(3))]
  const all = 10 + 20 + 3 + 3 * FRAME
  verifies('AGENT-CONTEXT-8', 'parts are added in order while they fit, to the last token', () => {
    expect(names(fill(parts, all))).toEqual(['task', 'readme', 'research'])
    expect(fill(parts, all)).toMatchObject({ used: all, budget: all, dropped: [] })
    expect(names(fill(parts, all + 1))).toEqual(['task', 'readme', 'research'])
    expect(names(fill(parts, all - 1))).toEqual(['task', 'readme'])
  })

  verifies(
    'AGENT-CONTEXT-10',
    'a part of 0.8 or lower that does not fit is left out, smaller ones follow',
    () => {
      const filled = fill(parts, 10 + 19 + 2 * FRAME)
      expect(names(filled)).toEqual(['task', 'research'])
      expect(filled.dropped).toEqual([
        { name: 'readme', origin: 'x', trust: 'project', tokens: 20 + FRAME, why: 'too_big' },
      ])
      const recent = fill([part('recent_memory', many(50)), part('research', many(3))], 50)
      expect(names(recent)).toEqual(['research'])
      expect(drops(recent)).toEqual([['recent_memory', 'too_big']])
    },
  )
})

verifies('AGENT-CONTEXT-9', 'a part above 0.8 is cut to fit, and nothing is added after it', () => {
  for (const name of NAMES.filter((each) => PRIORITIES[each] > 0.8)) {
    const parts = [part(name, many(40)), part('research', 'tiny')]
    const budget = 7 + CUT_FRAME
    const filled = fill(parts, budget)
    expect(filled.segments).toEqual([
      { name, origin: 'x', trust: 'project', tokens: budget, truncated: true, text: many(7) },
    ])
    expect(drops(filled)).toEqual([['research', 'after_cut']])
    expect(filled.text).toContain('cut to fit')
  }
  expect(NAMES.filter((each) => PRIORITIES[each] > CUT_ABOVE)).toEqual([
    'task',
    'gotchas',
    'template',
    'conventions',
  ])
})

test('where not even one character of an important part fits, it is dropped whole and filling stops', () => {
  const filled = fill([part('task', many(40)), part('research', 'tiny')], FRAME + 1)
  expect(filled).toMatchObject({ segments: [], used: 0, text: '' })
  expect(drops(filled)).toEqual([
    ['task', 'too_big'],
    ['research', 'after_cut'],
  ])
})

verifies('AGENT-CONTEXT-11', 'absent and empty parts are skipped without error and cost nothing', () => {
  const filled = fill([part('task', null), part('gotchas', ' \n'), part('readme', 'hello')], 1 + FRAME)
  expect(names(filled)).toEqual(['readme'])
  expect(filled.dropped).toMatchObject([
    { name: 'task', why: 'absent', tokens: 0 },
    { name: 'gotchas', why: 'empty', tokens: 0 },
  ])
})

test('several parts of one name keep their order', () => {
  const parts = [part('readme', 'r'), part('conventions', 'b'), part('conventions', 'a')]
  expect(fill(parts, 1_000).segments.map(({ text }) => text)).toEqual(['b', 'a', 'r'])
})

test('a budget that is no whole number is a bug', () => {
  expect(() => fill([], 1.5)).toThrow(/whole number/)
  expect(() => fill([], -1)).toThrow(/whole number/)
})

const anyPart: fc.Arbitrary<Part> = fc.record({
  name: fc.constantFrom(...NAMES),
  origin: fc.string({ unit: 'binary', maxLength: 12 }),
  trust: fc.constantFrom('owner', 'project', 'tool', 'untrusted'),
  text: fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.lorem({ maxCount: 12 }), { maxLength: 12 }).map((lines) => lines.join('\n')),
    fc
      .array(fc.constantFrom('\n', '\r\n', ']]', '[[', ' ', 'end', '/', '😀', '\ud83d', 'é', '1'))
      .map((all) => all.join('')),
  ),
})

verifies(
  ['AGENT-CONTEXT-8', 'AGENT-CONTEXT-12'],
  'whatever the parts: never over budget by the real tokenizer, in order, nothing lost',
  async () => {
    const count = await openTokenCounter()
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 8 }), fc.nat(400), (parts, budgetTokens) => {
        const filled = fillContext({ parts, budgetTokens, count })
        expect(filled.used).toBeLessThanOrEqual(budgetTokens)
        // What is used is the prompt as it is sent, not a sum that forgot something.
        expect(filled.used).toBe(count(filled.text))
        checkAccounts({ parts, budgetTokens, count }, filled)
      }),
      { numRuns: 300 },
    )
  },
)

function checkAccounts(
  { parts, budgetTokens, count }: FillRequest,
  filled: ReturnType<typeof fillContext>,
): void {
  const key = (each: { name: string; origin: string; trust: string }) =>
    JSON.stringify([each.name, each.origin, each.trust])
  expect([...filled.segments, ...filled.dropped].map(key).sort()).toEqual(parts.map(key).sort())
  const rank = filled.segments.map(({ name }) => PRIORITIES[name])
  expect(rank).toEqual(rank.toSorted((a, b) => b - a))
  const cut = filled.segments.filter(({ truncated }) => truncated)
  expect(cut.length).toBeLessThanOrEqual(1)
  if (cut.length === 1) expect(filled.segments.at(-1)).toBe(cut[0])
  for (const { text } of filled.segments) expect(text.isWellFormed()).toBe(true)
  // A part that is called too big really would not have fitted where it stood.
  for (const { name, tokens } of filled.dropped.filter(({ why }) => why === 'too_big')) {
    const before = filled.segments.filter((each) => PRIORITIES[each.name] >= PRIORITIES[name])
    expect(before.reduce((sum, each) => sum + each.tokens, 0) + tokens).toBeGreaterThan(budgetTokens)
  }
  expect(fillContext({ parts, budgetTokens, count })).toEqual(filled)
}
