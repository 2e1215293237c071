// Deliveries whose tests are green and that bring what was not there before: who may merge them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Review } from '@treadle/contracts/review'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { mergedOnMain, type Step, told, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()

const FILES = {
  'package.json': `${JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/half.mjs': 'export function half(n) {\n  return n\n}\n',
  'test/sum.test.mjs': testOf(
    "import { half } from '../src/half.mjs'",
    'is a function',
    "assert.equal(typeof half, 'function')",
  ),
}

function testOf(imports: string, name: string, body: string): string {
  return `import assert from 'node:assert/strict'\nimport test from 'node:test'\n${imports}\ntest('${name}', () => {\n  ${body}\n})\n`
}

const done: Step = { lie: { text: 'Done, all tests pass.' } }
const write = (file: string, text: string): Step => ({ write: { file, text } })
const source = (name: string, body: string): Step =>
  write(`src/${name}.mjs`, `export function ${name}(n) {\n  ${body}\n}\n`)
const tested = (name: string, body: string): Step =>
  write(
    `test/${name}.test.mjs`,
    testOf(`import { ${name} } from '../src/${name}.mjs'`, `${name} works`, body),
  )

/** Right until a day that no test lives to see. */
const BOMB = [
  source('double', 'return Date.now() < 4e12 ? n * 2 : n'),
  tested('double', 'assert.equal(double(2), 4)\n  assert.equal(double(5), 10)'),
]
/** Right, with a present for whoever builds the project. */
const WORKFLOW = [
  source('triple', 'return n * 3'),
  tested('triple', 'assert.equal(triple(2), 6)\n  assert.equal(triple(5), 15)'),
  write('.github/workflows/ci.yml', 'on: push\n'),
]
/** Right under test, and only there. */
const ASKING = [
  source('square', 'return process.env.NODE_TEST_CONTEXT ? n * n : n'),
  tested('square', 'assert.equal(square(2), 4)\n  assert.equal(square(5), 25)'),
]
const HONEST = [
  source('half', 'return n / 2'),
  tested('half', 'assert.equal(half(4), 2)\n  assert.equal(half(9), 4.5)'),
]

test('what a change newly brings waits for a person with the list on top, what asks for the runner is refused, and an honest change is merged', async () => {
  const workspace = shop({
    scripts: [],
    files: FILES,
    settings: {
      merge: { approval: 'checks', target: 'main' },
      tests: { command: 'npm test' },
      limits: { improvements: 1, reviewCycles: 1 },
    },
  })
  const scripts = [BOMB, WORKFLOW, ASKING, HONEST]
  const items = scripts.map((steps, index) => ({
    match: { number: index + 1 },
    attempts: [[...steps, done], [done]],
  }))
  writeFileSync(join(workspace.home, 'scenario.json'), JSON.stringify({ version: 1, items }))
  const daemon = await up(workspace, 2)
  for (const title of ['Double a number', 'Triple a number', 'Square a number', 'Halve a number'])
    await daemon.client.addItem({ body: { title } })

  await until(daemon, 4, 'done')
  expect(await until(daemon, 3, 'escalated', 'done', 'in_review')).toMatchObject({
    state: 'escalated',
    reason: expect.stringMatching(/new capabilities.*asks who runs it \(NODE_TEST_CONTEXT\)/),
  })
  const lists = [
    /brings what was not there before: new capability: src\/double\.mjs:2: clock: Date\.now/,
    /before: protected path: \.github\/workflows\/ci\.yml/,
  ]
  for (const [index, list] of lists.entries()) {
    const shown = await reviewOf(index + 1)
    expect(shown).toMatchObject({ status: 'pending', waitsFor: 'person', why: expect.stringMatching(list) })
  }
  const { checks } = await reviewOf(1)
  expect(checks.find(({ gate }) => gate === 'capabilities')).toMatchObject({
    is: 'passed_with_warnings',
    waits: [{ class: 'capability', file: 'src/double.mjs', line: 2, words: 'clock: Date.now' }],
  })
  expect(mergedOnMain(workspace)).toEqual(['1/4'])
  const said = await run(workspace, ['review', 'show', '2'])
  expect(said.stdout.indexOf('protected path')).toBeLessThan(said.stdout.indexOf('CRITERIA'))

  // A person may merge it all the same.
  const approved = await run(workspace, ['review', 'approve', '1'])
  expect(approved.code, approved.stderr).toBe(0)
  await until(daemon, 1, 'done')
  expect(mergedOnMain(workspace).sort()).toEqual(['1/1', '1/4'])

  async function reviewOf(number: number): Promise<Review> {
    await until(daemon, number, 'in_review')
    return waitForPerson(number)
  }

  async function waitForPerson(number: number, left = 100): Promise<Review> {
    const { review } = await told<{ review: Review }>(workspace, 'review', 'show', String(number))
    if (review.waitsFor === 'person' || left === 0) return review
    await new Promise((resolve) => setTimeout(resolve, 200))
    return waitForPerson(number, left - 1)
  }
})
