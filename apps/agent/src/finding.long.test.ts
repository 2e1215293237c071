// The measure of a finding by the real program, in real checkouts of real commits.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Category } from '@treadle/contracts/categories'
import { findingCommand } from '@treadle/contracts/finding-measure'
import { surveyApart } from '@treadle/gates/review/run-apart'
import { checkWitness } from '@treadle/gates/review/witness'
import { type Files, makeChange } from '@treadle/gates/testing/change'
import { expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })

const program = fileURLToPath(new URL('./finding.ts', import.meta.url))
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../.cache/compile', import.meta.url))

interface More {
  /** Something that stands in the checkouts and is in no commit. */
  readonly left?: Readonly<Record<string, string>>
}

async function measure(
  [category, key]: readonly [Category, string],
  base: Files,
  change: Files,
  { left = {} }: More = {},
) {
  const made = makeChange(base, change)
  onTestFinished(made.remove)
  Object.assign(made.options.env, { NODE_COMPILE_CACHE })
  const command = findingCommand({ category, key })
  const item = {
    title: 'Put it right',
    labels: [],
    mayChangeTests: false,
    testCommand: null,
    measure: { command, better: null },
  }
  const asked = await made.request({ command: "printf 'TAP version 13\\n1..1\\nok 1 - a\\n'", item })
  const withLeft: typeof asked.withBase = (use) =>
    asked.withHead((cwd) => {
      for (const [name, text] of Object.entries(left)) writeFileSync(join(cwd, name), text)
      return use(cwd)
    })
  const request = { ...asked, withHead: Object.keys(left).length === 0 ? asked.withHead : withLeft }
  const result = await checkWitness(made.options, request, surveyApart(made.options, program))
  return { result, output: made.output(result) }
}

/** What the measure has found, in the evidence or in words. */
async function found(...asked: Parameters<typeof measure>): Promise<unknown> {
  const { result } = await measure(...asked)
  return 'evidence' in result ? result.evidence.measure : result
}

const manifest = (more: object = {}) =>
  `${JSON.stringify({ name: 'shop', private: true, ...more }, null, 2)}\n`
const LEFT_PAD = ['dependency-management', 'unused-dependency:left-pad'] as const
const SHOP = {
  'package.json': manifest({ dependencies: { 'left-pad': '1.0.0' } }),
  'index.js': "console.log('open')\n",
}
const turned = { is: 'improved', before: 1, after: 0, better: null }
const notTurned = expect.objectContaining({
  is: 'skipped',
  why: expect.stringContaining('the measure did not improve'),
})
const unknown = (why: string) =>
  expect.objectContaining({ is: 'skipped', why: expect.stringContaining(`the measure says nothing: ${why}`) })

test('a finding that is put right is a witness without any test', async () => {
  const { result, output } = await measure(LEFT_PAD, SHOP, { 'package.json': manifest() })
  expect(result).toMatchObject({ is: 'passed', gate: 'witness', evidence: { measure: turned } })
  expect(output).toContain('unused-dependency:left-pad is there on the base and put right on the head')
})

test('whatever the tree calls treadle is not asked', async () => {
  const lying = '#!/bin/sh\nexit 0\n'
  const base = { ...SHOP, treadle: lying, 'node_modules/.bin/treadle': lying }
  expect(await found(LEFT_PAD, base, { 'index.js': "console.log('shut')\n" })).toEqual(notTurned)
})

test('neither what git ignores nor what its attributes say hides a file of the commit', async () => {
  const base = { ...SHOP, 'package.json': manifest(), 'src/dead.js': 'console.log(1)\n' }
  const change = {
    '.gitignore': 'src\n',
    '.gitattributes': 'src/** export-ignore linguist-generated -text\n',
  }
  expect(await found(['code-quality', 'unused-file:src/dead.js'], base, change)).toEqual(notTurned)
})

test('a survey that there is not has looked at nothing', async () => {
  const change = { 'index.js': "console.log('shut')\n" }
  expect(await found(['security', 'unused-dependency:left-pad'], SHOP, change)).toEqual(
    unknown('nobody can tell on the base: there is no survey unused-dependency of security'),
  )
})

test('what else the change brings is told, and makes a warning of the witness', async () => {
  const change = { 'package.json': manifest(), 'index.js': "try { console.log('open') } catch {}\n" }
  const { result, output } = await measure(LEFT_PAD, SHOP, change)
  expect(result).toMatchObject({
    is: 'passed_with_warnings',
    evidence: { measure: { ...turned, brought: ['empty-catch:index.js'] } },
  })
  expect(output).toContain('brought 1 new finding: empty-catch:index.js')
})

test('what an installation leaves in a checkout is not looked at', async () => {
  const left = { 'package.json': manifest(), 'index.js': '' }
  expect(await found(LEFT_PAD, SHOP, { 'a.txt': 'x\n' }, { left })).toEqual(notTurned)
})

test('a number that should get better is no measure of a finding', async () => {
  const made = makeChange(SHOP, { 'package.json': manifest() })
  onTestFinished(made.remove)
  const [category, key] = LEFT_PAD
  const item = {
    title: 'x',
    labels: [],
    mayChangeTests: false,
    testCommand: null,
    measure: { command: findingCommand({ category, key }), better: 'lower' as const },
  }
  const request = await made.request({ command: "printf 'TAP version 13\\n1..1\\nok 1 - a\\n'", item })
  const result = await checkWitness(made.options, request, surveyApart(made.options, program))
  expect(result).toEqual(unknown('a finding is there or not'))
})
