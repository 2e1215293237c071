// The measure of an item on real checkouts of base and head.
import type { Measure } from '@treadle/contracts/measure'
import { expect, onTestFinished, test } from 'vitest'
import { type Files, makeChange, noSurvey } from '../testing/change.ts'
import { checkWitness } from './witness.ts'

// Leaves something behind, as tests do.
const command = "touch left.txt; printf 'TAP version 13\\n1..1\\nok 1 - a\\n'"
const size = 'cat *.js | wc -c'

async function look(measure: Measure, [base, head]: readonly [Files, Files], config = {}) {
  const change = makeChange(base, head)
  onTestFinished(change.remove)
  const item = { title: 'Make it small', labels: [], mayChangeTests: true, testCommand: null, measure }
  const result = await checkWitness(change.options, await change.request({ command, item, config }), noSurvey)
  return { result, output: change.output(result) }
}

const shrunk = [{ 'a.js': 'aaaaaaaa' }, { 'a.js': 'aaa' }] as const
const grown = [{ 'a.js': 'aaa' }, { 'a.js': 'aaaaaaaa' }] as const

test('a number that improved is a witness without any test, by two runs on each side', async () => {
  const { result, output } = await look({ command: size, better: 'lower' }, shrunk)
  expect(result).toMatchObject({
    is: 'passed',
    gate: 'witness',
    evidence: { measure: { is: 'improved', before: 8, after: 3, better: 'lower' } },
  })
  expect(output.match(/on the base: exit code 0; output [0-9a-f]{64}/g)).toHaveLength(2)
  expect(output.match(/on the head: exit code 0; output [0-9a-f]{64}/g)).toHaveLength(2)
  expect(output).toContain('the measure was 8 before and 3 after (lower is better)')
})

test('a number that did not improve is told, and a test still has to be red without the change', async () => {
  const { result } = await look({ command: size, better: 'lower' }, grown)
  expect(result.is).toBe('skipped')
  expect(result.is === 'skipped' && result.why).toMatch(
    /^the measure did not improve: it was 3 before and 8 after \(lower is better\); no test fails without this change/,
  )
})

test('an exit code is bad before and good after', async () => {
  const { result } = await look({ command: '! grep -q aaaa a.js', better: null }, shrunk)
  expect(result).toMatchObject({
    is: 'passed',
    evidence: { measure: { is: 'improved', before: 1, after: 0, better: null } },
  })
})

test('what tests leave behind is not measured', async () => {
  const { result } = await look(
    { command: 'test ! -e left.txt && ! grep -q aaaa a.js', better: null },
    shrunk,
  )
  expect(result.is).toBe('passed')
})

test('who changes what the measure runs is not measured by it', async () => {
  const bent: readonly [Files, Files] = [
    { 'a.js': 'aaa', 'size.sh': 'cat *.js | wc -c\n' },
    { 'a.js': 'aaaa', 'size.sh': 'echo 1\n' },
  ]
  const { result } = await look({ command: 'sh size.sh', better: 'lower' }, bent)
  expect(result).toMatchObject({ is: 'skipped', why: expect.stringContaining('the change touches size.sh') })
  const fresh: readonly [Files, Files] = [{ 'a.js': 'a' }, { 'a.js': 'b', 'check.sh': 'exit 0\n' }]
  const brought = await look({ command: 'sh check.sh', better: null }, fresh)
  expect(brought.result).toMatchObject({ is: 'skipped', why: expect.stringContaining('check.sh') })
})

test('gates.witness off measures nothing either', async () => {
  const { result } = await look({ command: size, better: 'lower' }, shrunk, { witness: 'off' })
  expect(result).toEqual({ is: 'skipped', gate: 'witness', why: 'gates.witness is off' })
})
