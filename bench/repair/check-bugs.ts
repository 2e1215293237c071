// Runs all references, bugs and parts of combined bugs of a set in one go, and tells what does not hold.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bug, Edit } from './bug.ts'
import {
  compilerOptions,
  nodeModules,
  type Runner,
  runnerOf,
  sourcesOf,
  writeFiles,
  writeSuite,
} from './materialise.ts'
import { run, runFiles } from './suites.ts'

type Variant = { name: string; program: string; edits: readonly Edit[]; isReference: boolean }
type SuiteFolder = 'test' | 'heldout'

const suites: readonly SuiteFolder[] = ['test', 'heldout']

export type CheckedBugs = {
  // As "name suite": a suite of a reference that is not green, a suite of a bug that is not red.
  notGreen: string[]
  notRed: string[]
  compilerOutput: string
}

export async function checkBugs(programs: readonly string[], bugs: readonly Bug[]): Promise<CheckedBugs> {
  const scratch = mkdtempSync(join(tmpdir(), 'treadle-bug-set-'))
  try {
    const variants = variantsOf(programs, bugs)
    writeAll(scratch, variants)
    const passed = new Map<string, boolean>()
    for (const runner of ['node', 'vitest'] as const) {
      for (const [file, ok] of await runAll(scratch, runner, variants)) passed.set(file, ok)
    }
    const compiler = [join(nodeModules, '.bin/tsc'), '-p', '.', '--pretty', 'false']
    const { output } = await run(compiler, scratch, 300_000)
    const odd = (isReference: boolean) =>
      variants
        .filter((variant) => variant.isReference === isReference)
        .flatMap((variant) => suites.map((suite) => ({ variant, suite })))
        .filter(({ variant, suite }) => passed.get(fileOf(scratch, variant, suite)) !== isReference)
        .map(({ variant, suite }) => `${variant.name} ${suite}`)
    return { notGreen: odd(true), notRed: odd(false), compilerOutput: output }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function variantsOf(programs: readonly string[], bugs: readonly Bug[]): Variant[] {
  const references = programs.map((program) => {
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
  return [...references, ...faulty, ...parts]
}

function writeAll(scratch: string, variants: readonly Variant[]): void {
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
}

async function runAll(
  scratch: string,
  runner: Runner,
  variants: readonly Variant[],
): Promise<Map<string, boolean>> {
  const mine = variants.filter((variant) => runnerOf(variant.program) === runner)
  const files = mine.flatMap((variant) => suites.map((suite) => fileOf(scratch, variant, suite)))
  return await runFiles(join(scratch, runner), runner, files)
}

function fileOf(scratch: string, variant: Variant, suite: SuiteFolder): string {
  return join(scratch, runnerOf(variant.program), variant.name, suite, `${variant.program}.test.ts`)
}
