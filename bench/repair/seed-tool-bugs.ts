// Chooses at random among the mutants of a mutation tool and writes tool-bugs.json.
// Usage: node bench/repair/seed-tool-bugs.ts <mutants.json> [known|fresh]
// The input is a list of mutants as StrykerJS describes them, with file names like "csv/src/csv.ts".
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bug, Edit } from './bug.ts'
import { drawOrder } from './draw.ts'
import {
  compilerOptions,
  nodeModules,
  type ProgramSet,
  programNames,
  runnerOf,
  type Suite,
  sourcesOf,
  writeFiles,
  writeSuite,
} from './materialise.ts'
import { run, runSuite } from './suites.ts'

type Place = { line: number; column: number }
type Mutant = {
  fileName: string
  mutatorName: string
  replacement: string
  location: { start: Place; end: Place }
}

const draws = {
  known: { seed: 'treadle repair bench, mutants, 1', wanted: 40, file: './tool-bugs.json' },
  fresh: { seed: 'treadle repair bench, mutants, fresh 1', wanted: 14, file: './fresh/tool-bugs.json' },
}
const set: ProgramSet = process.argv[3] === 'fresh' ? 'fresh' : 'known'
const { seed, wanted, file } = draws[set]
const triedPerProgram = 12
const longestLines = 3

const mutants: Mutant[] = JSON.parse(readFileSync(process.argv[2] ?? 'mutants.json', 'utf8'))
const scratch = mkdtempSync(join(tmpdir(), 'treadle-mutants-'))
try {
  symlinkSync(nodeModules, join(scratch, 'node_modules'), 'dir')
  const candidates = await keepTyped(programNames(set).flatMap(candidatesOf))
  const bugs = await choose(candidates)
  writeFileSync(new URL(file, import.meta.url), `${JSON.stringify(bugs, null, 2)}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

// Left out are the tool's marker texts, which nobody would write, and the removal of whole functions.
function candidatesOf(program: string): Bug[] {
  const own = mutants.filter((mutant) => {
    const { start, end } = mutant.location
    const short = end.line - start.line < longestLines
    return (
      mutant.fileName.startsWith(`${program}/`) && short && !mutant.replacement.includes('Stryker was here')
    )
  })
  const drawn = drawOrder(seed, own, (mutant) => JSON.stringify(mutant)).slice(0, triedPerProgram)
  return drawn.map((mutant, index) => ({
    id: `${program}-tool-${index + 1}`,
    program,
    kind: mutant.mutatorName,
    origin: 'tool',
    edits: [editOf(program, mutant)],
  }))
}

// Whole lines, with as many lines before them as it takes to be the only place.
function editOf(program: string, mutant: Mutant): Edit {
  const file = mutant.fileName.slice(program.length + 1)
  const text = sourcesOf(program, []).get(file) ?? ''
  const lines = text.split('\n')
  const { start, end } = mutant.location
  const offset = (place: Place) =>
    lines.slice(0, place.line).join('\n').length + Number(place.line > 0) + place.column
  const stop = offset({ line: end.line, column: (lines[end.line] ?? '').length })
  for (let first = start.line; first >= 0; first -= 1) {
    const from = offset({ line: first, column: 0 })
    const find = text.slice(from, stop)
    if (text.split(find).length !== 2) continue
    const replace = text.slice(from, offset(start)) + mutant.replacement + text.slice(offset(end), stop)
    return { file, find, replace }
  }
  throw new Error(`no unique place in ${mutant.fileName}`)
}

async function keepTyped(bugs: readonly Bug[]): Promise<Bug[]> {
  for (const bug of bugs) writeFiles(join(scratch, bug.id), sourcesOf(bug.program, bug.edits))
  const config = JSON.stringify({ compilerOptions, include: ['*/src'] })
  writeFiles(
    scratch,
    new Map([
      ['tsconfig.json', config],
      ['package.json', '{ "type": "module" }'],
    ]),
  )
  const { output } = await run(
    [join(nodeModules, '.bin/tsc'), '-p', '.', '--pretty', 'false'],
    scratch,
    300_000,
  )
  const bad = new Set(output.split('\n').flatMap((line) => /^([^/\s]+)\/src\//.exec(line)?.[1] ?? []))
  process.stderr.write(`${bugs.length} candidates, ${bad.size} do not type-check\n`)
  return bugs.filter((bug) => !bad.has(bug.id))
}

// One for each program, then a second one for programs in random order.
async function choose(candidates: readonly Bug[]): Promise<Bug[]> {
  const chosen: Bug[] = []
  const programs = drawOrder(seed, programNames(set), (program) => program)
  const seconds = new Set(programs.slice(0, Math.max(0, wanted - programs.length)))
  for (const program of programNames(set)) {
    let left = seconds.has(program) ? 2 : 1
    for (const bug of candidates.filter((one) => one.program === program)) {
      if (left === 0) break
      const valid = (await isRed(bug, 'visible')) && (await isRed(bug, 'heldout'))
      process.stderr.write(`${bug.id} ${bug.kind} ${valid ? 'chosen' : 'not caught by both'}\n`)
      if (!valid) continue
      chosen.push(bug)
      left -= 1
    }
  }
  return chosen
}

async function isRed(bug: Bug, suite: Suite): Promise<boolean> {
  const folder = join(scratch, bug.id)
  writeSuite(folder, bug.program, suite)
  return (await runSuite(folder, runnerOf(bug.program), suite)) === 'red'
}
