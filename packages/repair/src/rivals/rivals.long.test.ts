// Patches that are all green: those that do the same are one, and of the others a person is asked one question.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repair } from '../repair.ts'
import { nodeHead, writeFiles } from '../scratch-project.ts'
import { answerRivals } from './answer.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rivals-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const run = (testCommand: string | null = null) =>
  repair({
    cwd: root,
    testCommand,
    budgetSeconds: 250,
    maxCandidates: 1_500,
    sandbox: { mode: 'auto' },
  })

const share = `/** The share of each, in whole coins. */
export function share(total, people) {
  return Math.floor(total / people)
}
`

test('two ways to round agree with the test: the question has the input, and the answer picks patch and test', async () => {
  writeFiles(root, {
    'package.json': '{ "type": "module" }',
    'src/share.js': share,
    'test/share.test.js': `${nodeHead}import { share } from '../src/share.js'
test('a half coin is a whole one', () => {
  assert.equal(share(10, 4), 3)
})
test('it fits', () => assert.equal(share(12, 4), 3))
`,
  })
  const result = await run('node --test')
  const { question } = result
  expect(question?.text).toMatch(/^`share\(\d+, \d+\)`: should this be \d+ or \d+\?$/)
  expect(question?.options).toHaveLength(2)
  for (const option of question?.options ?? []) {
    const picked = answerRivals(result, option.answer)
    if (picked.is !== 'picked') throw new Error('not picked')
    execFileSync('git', ['apply', '-'], { cwd: root, input: picked.diff })
    expect(readFileSync(join(root, 'test/share.test.js'), 'utf8')).toContain(option.test.trim())
    execFileSync(process.execPath, ['--test'], { cwd: root, stdio: 'pipe' })
    execFileSync('git', ['apply', '--reverse', '-'], { cwd: root, input: picked.diff })
  }
  const [one, other] = question?.options ?? []
  expect(one?.patch).not.toBe(other?.patch)
  expect(answerRivals(result, '77')).toMatchObject({ is: 'none' })
})

test('patches that do the same are one, and nobody is asked', async () => {
  writeFiles(root, {
    'package.json': '{ "type": "module" }',
    'src/larger.js': 'export const larger = (a, b) => (a < b ? a : b)\n',
    'test/larger.test.js': `${nodeHead}import { larger } from '../src/larger.js'
test('the second', () => assert.equal(larger(2, 5), 5))
test('the first', () => assert.equal(larger(9, 4), 9))
test('below zero', () => assert.equal(larger(-3, -7), -3))
`,
  })
  const result = await run()
  expect(result.outcome).toBe('plausible')
  expect(result.patches[0]?.alike).toBeGreaterThan(0)
  expect(result.question).toBeNull()
})

test.each([
  ['vitest', "import { expect, test } from 'vitest'", "test('n', () => {\n  expect(f(10, 4)).toBe(3)\n})"],
  ['chai', "import { expect } from 'chai'", "it('n', function () {\n  expect(f(10, 4)).to.equal(3)\n})"],
])('the new test speaks as the others do: %s', async (name, head, body) => {
  writeFiles(root, {
    'package.json': '{ "type": "module" }',
    'src/f.js': share.replace('share(', 'f('),
    'node_modules/chai/package.json': '{ "name": "chai", "type": "module", "main": "index.js" }',
    'node_modules/chai/index.js': `export const expect = (seen) => ({ to: { equal(wanted) { if (seen !== wanted) throw new Error('no') } } })\n`,
    'test/f.test.js': `${head}\nimport { f } from '../src/f.js'\ndescribe('shares', () => {\n  ${body.replaceAll('\n', '\n  ')}\n})\n`,
  })
  if (name === 'vitest') {
    const file = join(root, 'test/f.test.js')
    writeFiles(root, {
      'test/f.test.js': readFileSync(file, 'utf8').replace('{ expect,', '{ describe, expect,'),
    })
  }
  const result = await run()
  const [option] = result.question?.options ?? []
  expect(option?.test).toContain(
    name === 'vitest' ? `.toBe(${option?.answer})` : `.to.equal(${option?.answer})`,
  )
  const picked = answerRivals(result, option?.answer ?? '')
  expect(picked).toMatchObject({ is: 'picked' })
})
