import { expect, test } from 'vitest'
import { makeEdits } from '../edits/catalogue.ts'
import { contextsFor } from '../edits/context.ts'
import { type Edit, sourceChanges } from '../edits/edit.ts'
import { applyChanges } from '../edits/patch.ts'
import { statementsOf } from '../localise/hits.ts'
import { sourceFor } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import { Bases } from './bases.ts'
import { byWorth, pairs } from './pairs.ts'
import { limitsFor, planFor } from './plan.ts'
import { choicesOf, crossed, keyOfAll } from './polish.ts'
import type { CandidateResult } from './round.ts'

const SOURCE = `function f(a: number, b: number) {
  const sum = a - b
  return sum > 9
}
`
const file = sourceFor('/project', 'a.ts', SOURCE, 0)
if (file === null) throw new Error('no syntax')
const project = { root: '/project', files: [file], left: [], tests: [] }
const suspects = statementsOf(file).map((place) => ({ ...place, score: 1, line: 1, failing: 1, passing: 0 }))
const made = makeEdits({ suspects, contextOf: contextsFor(project, []), max: 10_000 })

const changed = (edit: Edit) => applyChanges(SOURCE, sourceChanges(edit))

function edit(line: string): Edit {
  const found = made.find((one) => changed(one).includes(line))
  if (found === undefined) throw new Error(`no edit makes ${line}`)
  return found
}

const plus = edit('sum = a + b')
const times = edit('sum = a * b')
const least = edit('sum >= 9')
const other = edit('sum < 9')

function found(edits: readonly Edit[], more: Partial<CandidateResult> = {}): CandidateResult {
  return { edits, fixed: [], advanced: 0, after: 1, ...more }
}

const lines = (edits: readonly Edit[]) =>
  edits.map((one) =>
    changed(one)
      .match(/sum = .*b|sum [<>].*9/g)
      ?.join(),
  )

test('what mends more is worth more, then what comes further', () => {
  const one = found([times], { fixed: ['1'] })
  const two = found([least], { fixed: ['1', '2'] })
  const further = found([other], { advanced: 2 })
  const nearer = found([plus], { advanced: 0.5 })
  expect(byWorth([nearer, further, one, two])).toEqual([two, one, further, nearer])
})

test('edits that mended different tests are taken together', () => {
  const first = found([plus], { fixed: ['1'] })
  const second = found([least], { fixed: ['2'] })
  expect(pairs([first, second], 2).map(keyOfAll)).toEqual([keyOfAll([plus, least])])
  expect(pairs([first, second], 3)).toEqual([])
})

test('what mends a test is built upon, and only where there is none what comes further', () => {
  const further = found([other], { advanced: 1 })
  const clean = found([least], { fixed: ['1'] })
  expect(new Bases().choose([further, clean], false)).toBe(clean)
  expect(new Bases().choose([further], false)).toBe(further)
})

test('the edit that was taken stays a choice beside those that could take its place', () => {
  const green = [found([least, times]), found([least, plus])]
  expect(lines(choicesOf(green, plus, 2)).toSorted()).toEqual(lines([times, plus]).toSorted())
  expect(choicesOf([found([least, times])], plus, 2)).toEqual([times, plus])
})

test('choices for each place are taken together in all ways that are new and fit', () => {
  const known = new Set([keyOfAll([plus, least])])
  expect(
    crossed(
      [
        [plus, times],
        [least, other],
      ],
      known,
    ),
  ).toEqual([
    [plus, other],
    [times, least],
    [times, other],
  ])
  // Both change the same operator.
  expect(crossed([[plus], [times]], new Set())).toEqual([])
})

function result(key: string, more: Partial<TestResult> = {}): TestResult {
  return {
    key,
    module: 0,
    name: key,
    is: 'passed',
    failure: null,
    fuel: 10,
    ms: 1,
    steps: 2,
    hits: {},
    ...more,
  }
}

test('what is left must turn green, all else must be green', () => {
  const tests = { failing: [result('a'), result('b')], passing: [result('c'), result('d')] }
  // An edit mended a and broke c.
  const plan = planFor(project, tests, [result('b'), result('c')])
  expect(plan.failing).toEqual(['b', 'c'])
  expect(plan.passing).toEqual(['d', 'a'])
})

test('a candidate may take ten times what the longest test took, within bounds', () => {
  const fuelFor = (...fuels: number[]) =>
    limitsFor({ failing: [], passing: fuels.map((fuel) => result('a', { fuel })) }).limits.fuel
  expect(fuelFor(1, 30)).toBe(20_000)
  expect(fuelFor(7_000, 300_000)).toBe(3_000_000)
  expect(fuelFor(4_000_000)).toBe(20_000_000)
  // What ran dry does not count.
  expect(fuelFor(7_000, 5_000_000)).toBe(70_000)
})

test('a test that takes many steps because of the fault does not make every other test dear', () => {
  const failing = [9, 40, 1_700_000, 5_000_000].map((fuel, at) => result(`f${at}`, { fuel }))
  const passing = [result('p0', { fuel: 450 }), result('p1', { fuel: 30 })]
  expect(limitsFor({ failing, passing }).limits.fuel).toBe(20_000)
  // It alone may take more; one that ran dry may not.
  expect(planFor(project, { failing, passing }, failing).fuel).toEqual({ f2: 5_100_000 })
})
