// Every bug is really one: the reference passes both suites, the bug fails in both, and all of it compiles.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Edit, faultsOf } from './bug.ts'
import { bugs } from './bugs.ts'
import {
  compilerOptions,
  nodeModules,
  programNames,
  type Runner,
  runnerOf,
  sourcesOf,
  writeFiles,
  writeSuite,
} from './materialise.ts'
import { sideOf } from './split.ts'
import { run, runFiles } from './suites.ts'

type Variant = { name: string; program: string; edits: readonly Edit[]; isReference: boolean }

const references = programNames().map((program) => {
  return { name: `${program}-reference`, program, edits: [], isReference: true }
})
const faulty = bugs.map(({ id, program, edits }) => ({ name: id, program, edits, isReference: false }))
// If one edit of several changed nothing that the tests see, the bug would be a simpler one than it says.
const parts = bugs
  .filter((bug) => bug.edits.length > 1)
  .flatMap(({ id, program, edits }) =>
    edits.map((edit, index) => ({
      name: `${id}-part-${index + 1}`,
      program,
      edits: [edit],
      isReference: false,
    })),
  )
const variants: Variant[] = [...references, ...faulty, ...parts]

const scratch = mkdtempSync(join(tmpdir(), 'treadle-bug-set-'))
const results = new Map<string, boolean>()
let compilerOutput = ''

function fileOf(variant: Variant, suite: 'test' | 'heldout'): string {
  return join(scratch, runnerOf(variant.program), variant.name, suite, `${variant.program}.test.ts`)
}

async function runAll(runner: Runner): Promise<void> {
  const mine = variants.filter((variant) => runnerOf(variant.program) === runner)
  const files = mine.flatMap((variant) => [fileOf(variant, 'test'), fileOf(variant, 'heldout')])
  for (const [file, passed] of await runFiles(join(scratch, runner), runner, files)) results.set(file, passed)
}

beforeAll(async () => {
  symlinkSync(nodeModules, join(scratch, 'node_modules'), 'dir')
  const config = JSON.stringify({ compilerOptions, include: ['*/*/src', '*/*/test', '*/*/heldout'] })
  const shared = new Map([
    ['package.json', '{ "type": "module" }'],
    ['tsconfig.json', config],
  ])
  writeFiles(scratch, shared)
  for (const variant of variants) {
    const folder = join(scratch, runnerOf(variant.program), variant.name)
    writeFiles(folder, sourcesOf(variant.program, variant.edits))
    writeSuite(folder, variant.program, 'visible')
    writeSuite(folder, variant.program, 'heldout')
  }
  await runAll('node')
  await runAll('vitest')
  const compiled = await run(
    [join(nodeModules, '.bin/tsc'), '-p', '.', '--pretty', 'false'],
    scratch,
    300_000,
  )
  compilerOutput = compiled.output
}, 900_000)

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the bug set', () => {
  test('references pass both suites', () => {
    const verdicts = references.map((one) => [
      one.name,
      results.get(fileOf(one, 'test')),
      results.get(fileOf(one, 'heldout')),
    ])
    expect(verdicts).toEqual(references.map((one) => [one.name, true, true]))
  })

  test('bugs fail in both suites, and so does each part of a combined bug', () => {
    const wrong = [...faulty, ...parts].filter(
      (one) => results.get(fileOf(one, 'test')) !== false || results.get(fileOf(one, 'heldout')) !== false,
    )
    expect(wrong.map((one) => one.name)).toEqual([])
  })

  test('everything type-checks, so that the compiler does not give a bug away', () => {
    expect(compilerOutput).toBe('')
  })

  test('there are enough bugs of each sort, over 30 programs, half of the single ones from a tool', () => {
    const single = bugs.filter((bug) => faultsOf(bug) === 'single')
    expect(programNames()).toHaveLength(30)
    expect(single.length).toBeGreaterThanOrEqual(60)
    expect(bugs.length - single.length).toBeGreaterThanOrEqual(15)
    expect(single.filter((bug) => bug.origin === 'tool').length * 2).toBeGreaterThanOrEqual(single.length)
    expect(new Set(bugs.map((bug) => bug.program)).size).toBe(30)
    expect(new Set(bugs.map((bug) => bug.id)).size).toBe(bugs.length)
  })

  test('about a third is set aside', () => {
    const aside = bugs.filter((bug) => sideOf(bug.id) === 'aside')
    expect(aside.length / bugs.length).toBeGreaterThan(0.25)
    expect(aside.length / bugs.length).toBeLessThan(0.42)
  })
})
