import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadProject } from '../project/load.ts'
import { nodeHead, writeFiles } from '../scratch-project.ts'
import { runBaseline } from '../search/baseline.ts'
import { localise, ochiai } from './localise.ts'

test.each([
  [1, 0, 1, 1],
  [1, 3, 1, 0.5],
  [0, 5, 1, 0],
  [2, 0, 8, 0.5],
])('%d failing and %d passing tests run it, of %d that fail: %d', (failing, passing, all, score) => {
  expect(ochiai(failing, passing, all)).toBeCloseTo(score)
})

test('the statement that only the failing test runs comes first, a line of its stack before the others', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'localise-')))
  try {
    mkdirSync(join(root, 'scratch'))
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(root, 'grade.ts'),
      `export function grade(points: number, name?: { first: string }): string {
  const share = points / 100
  if (share > 0.5) {
    const text = 'good'
    return text
  }
  const first = name as { first: string }
  return first.first
}
const never = () => 1
export const unused = never
`,
    )
    writeFileSync(
      join(root, 'grade.test.ts'),
      `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grade } from './grade.ts'
test('good', () => assert.equal(grade(80), 'good'))
test('named', () => assert.equal(grade(10), 'nobody'))
`,
    )
    const project = loadProject(root, null)
    const baseline = await runBaseline(project, { path: join(root, 'scratch'), before: [] })
    const tests = baseline?.tests ?? []
    const suspects = localise(
      project,
      tests.filter((found) => found.is === 'failed'),
      tests.filter((found) => found.is === 'passed'),
    )
    expect(suspects[0]).toMatchObject({ line: 8, failing: 1, passing: 0 })
    const lines = suspects.map(({ line }) => line)
    expect(lines).toContain(2)
    expect(lines.indexOf(7)).toBeLessThan(lines.indexOf(2))
    // Run by the passing test alone, or by none.
    for (const line of [4, 5]) expect(lines).not.toContain(line)
    expect(suspects.filter(({ line }) => line === 10).every(({ node }) => node.kind === 'declare')).toBe(true)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

test('a table is as suspicious as the one who reads it, and the file that a test is named after more than others', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'localise-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFiles(root, {
    'scratch/.keep': '',
    'shared.js': `export const run = (rule, text) => {\n  const found = rule(text)\n  return found\n}\n`,
    'shout.js': `const MARKS = /!$/\nconst OTHER = 1\nexport const shout = (text) => {\n  if (text === '') return OTHER\n  return MARKS.test(text)\n}\n`,
    'shout.test.js': `${nodeHead}import { run } from './shared.js'
import { shout } from './shout.js'
test('loud', () => assert.equal(run(shout, 'a?!?'), true))
test('empty', () => assert.equal(run(shout, ''), 1))
`,
  })
  const project = loadProject(root, null)
  const baseline = await runBaseline(project, { path: join(root, 'scratch'), before: [] })
  const tests = baseline?.tests ?? []
  const suspects = localise(
    project,
    tests.filter((found) => found.is === 'failed'),
    tests.filter((found) => found.is === 'passed'),
  )
  const places = suspects.map(({ file, line }) => `${file.path}:${line}`)
  expect(places.slice(0, 2)).toEqual(['shout.js:5', 'shout.js:1'])
  expect(places.indexOf('shout.js:4')).toBeLessThan(places.indexOf('shared.js:2'))
  expect(places.indexOf('shout.js:1')).toBeLessThan(places.indexOf('shout.js:2'))
})
