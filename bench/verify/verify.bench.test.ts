// What a review of a delivery costs: the suite and the older checks, against the same with loads recorded, assertions
// bent, other inputs, the clock moved and the environment changed, in turn.
import { fileURLToPath } from 'node:url'
import { openReviewChecks } from '@treadle/gates/review/review-checks'
import { compareApart } from '@treadle/gates/review/run-apart'
import { type Change, makeChange, noSurvey } from '@treadle/gates/testing/change'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { round, table } from '../start/numbers.ts'

const inputsProgram = fileURLToPath(new URL('../../apps/agent/src/inputs.ts', import.meta.url))
const TURNS = 3
const SUITE_TESTS = 10
const RATIO_MAX = 1.5

const slow = `const { test } = require('node:test')
for (let n = 0; n < ${SUITE_TESTS}; n += 1) test('slow ' + n, () => new Promise((done) => setTimeout(done, 1000)))
`
const sum = (sign: string) => `exports.sum = (a, b) => a ${sign} b\n`
const sumTests = (more: string) => `const { test } = require('node:test')
const assert = require('node:assert')
const { sum } = require('./sum.js')
test('adds nothing', () => assert.equal(sum(1, 0), 1))
${more}`

/** Mutation is off on both sides: it is bound by a time of its own, and is no news. */
const common = { security: 'off', mutation: { mutants: 0 } }
const sides = {
  before: { ...common, assertions: 'off', conditions: 'off', inputs: 'off', loads: 'off' },
  after: common,
} as const
type Side = keyof typeof sides

let change: Change
beforeAll(() => {
  change = makeChange(
    { 'package.json': '{}', 'sum.js': sum('-'), 'sum.test.js': sumTests(''), 'slow.test.js': slow },
    { 'sum.js': sum('+'), 'sum.test.js': sumTests("test('adds', () => assert.equal(sum(1, 2), 3))\n") },
  )
})
afterAll(() => change.remove())

async function review(side: Side): Promise<{ seconds: number; ran: string[] }> {
  const checks = openReviewChecks(change.options, {
    measure: () => Promise.reject(new Error('mutation is off')),
    compare: compareApart(change.options, inputsProgram),
    survey: noSurvey,
  })
  const started = performance.now()
  // The suite is run on the head before, as a review does.
  const results = await checks.run(await change.request({ config: sides[side] }))
  const ran = results.filter(({ is }) => is !== 'skipped').map(({ gate, is }) => `${gate} ${is}`)
  return { seconds: (performance.now() - started) / 1_000, ran }
}

test('a delivery with a suite of ten seconds takes at most half as long again', async () => {
  const seconds: Record<Side, number[]> = { before: [], after: [] }
  const ran: Record<Side, string[]> = { before: [], after: [] }
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const side of ['before', 'after'] as const) {
      const found = await review(side)
      seconds[side].push(found.seconds)
      ran[side] = found.ran
    }
  const [before, after] = [Math.min(...seconds.before), Math.min(...seconds.after)]
  process.stdout.write(
    table(`one review, seconds, best of ${TURNS}`, [
      ['', 'without', 'with', 'ratio'],
      ['suite, witness and the new checks', round(before), round(after), round(after / before, 2)],
    ]),
  )
  process.stdout.write(`ran without: ${ran.before.join(', ')}\nran with: ${ran.after.join(', ')}\n`)
  expect(ran.after).toEqual(
    expect.arrayContaining([
      'loads passed',
      'assertions passed',
      'other_inputs passed',
      'other_conditions passed',
    ]),
  )
  expect(after / before).toBeLessThanOrEqual(RATIO_MAX)
}, 600_000)
