// The witness of a revert, and what a revert may do to tests: real repositories, real runs.

import { expect, onTestFinished, test } from 'vitest'
import { runDeliveryGates } from '../delivery.ts'
import { type Files, makeChange, noSurvey } from '../testing/change.ts'
import { checkWitness } from './witness.ts'

const head = `import assert from 'node:assert/strict'\nimport test from 'node:test'\nimport { sum } from './sum.js'\n`
const adds = "test('adds', () => assert.equal(sum(2, 3), 5))\n"
const three = "test('adds three', () => assert.equal(sum(1, 2, 3), 6))\n"
const sum = {
  before: 'export const sum = (a, b) => a + b\n',
  after: 'export const sum = (a, b, c = 0) => a + b + c\n',
}
const manifest = { 'package.json': JSON.stringify({ type: 'module' }) }
/** The tree with the merge that is taken back. */
const withMerge = { ...manifest, 'sum.js': sum.after, 'sum.test.js': head + adds + three }
const files = ['sum.js', 'sum.test.js']

async function look(taken: Files, revert: { files: readonly string[]; others: readonly string[] }) {
  const change = makeChange(withMerge, taken)
  onTestFinished(change.remove)
  const request = await change.request({ revert: { number: 12, ...revert } })
  const integrity = async () => {
    const gates = await runDeliveryGates(change.options, { ...request, mayChangeTests: false, judgedBy: [] })
    return gates.find(({ gate }) => gate === 'test_integrity')
  }
  const witness = await checkWitness(change.options, request, noSurvey)
  return { witness, output: change.output(witness), integrity }
}

test('an exact inverse may lose tests, and is shown by one of them that is red without the merge', async () => {
  const { witness, output, integrity } = await look(
    { 'sum.js': sum.before, 'sum.test.js': head + adds },
    { files, others: [] },
  )
  expect(witness).toMatchObject({ is: 'passed', gate: 'witness', evidence: { tookBack: { number: 12 } } })
  expect(output).toContain('green with #12, red without it: sum.test.js > adds three')
  expect(output).toContain('on the tree without #12: exit code 1')
  expect(await integrity()).toMatchObject({ is: 'passed' })
})

test('what is not as the inverse leaves it is judged as usual, and is read by somebody', async () => {
  const { integrity } = await look(
    { 'sum.js': sum.before, 'sum.test.js': head },
    { files: ['sum.js'], others: ['sum.test.js'] },
  )
  expect(await integrity()).toMatchObject({
    is: 'failed',
    failures: expect.arrayContaining([expect.objectContaining({ file: 'sum.test.js' })]),
  })
})

test('who takes only the tests back by hand and keeps what they are about is refused', async () => {
  const { witness, integrity } = await look(
    { 'sum.js': `${sum.after}// kept\n`, 'sum.test.js': head + adds },
    { files: ['sum.test.js'], others: ['sum.js'] },
  )
  expect(witness).toMatchObject({
    is: 'failed',
    failures: [{ message: expect.stringContaining('the tests that came with #12 pass without it too') }],
  })
  expect(await integrity()).toMatchObject({
    is: 'passed_with_warnings',
    waits: [{ class: 'by_hand', file: 'sum.js' }],
  })
})

test('a merge that brought no test leaves nothing to show', async () => {
  const { witness } = await look(
    { 'sum.js': sum.before.replace('+', ' + ') },
    { files: ['sum.js'], others: [] },
  )
  expect(witness).toMatchObject({ is: 'skipped', why: expect.stringContaining('no test came with #12') })
})
