// The repair benchmark. Usage: node bench/repair/run.ts [--set tuning|aside|all|fresh|pairs] [--only id]
// [--limit n] [--budget seconds] [--json]. Progress goes to stderr, the table or one JSON document to stdout.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Repaired, repairProject } from './adapter.ts'
import { type Bug, faultsOf } from './bug.ts'
import { bugs, freshBugs } from './bugs.ts'
import { type Judgement, judge } from './judge.ts'
import { materialise, testCommandOf } from './materialise.ts'
import { drawPairs } from './pairs.ts'
import { sideOf } from './split.ts'
import { printTable, type Row, sectionsOf } from './table.ts'

const judgedMax = 5

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'tuning' },
    only: { type: 'string', multiple: true },
    limit: { type: 'string' },
    budget: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
})
if (!['tuning', 'aside', 'all', 'fresh', 'pairs'].includes(options.set)) {
  throw new RangeError('--set is tuning, aside, all, fresh or pairs')
}

const rows: Row[] = []
for (const bug of chosen()) {
  const row = await measure(bug)
  rows.push(row)
  const verdicts = row.judgements.join(', ') || row.reason || 'no patch'
  process.stderr.write(
    `${row.id}: ${row.outcome}, ${verdicts}, ${row.candidates} tried, ${row.seconds.toFixed(1)} s\n`,
  )
}
const sections = sectionsOf(rows)
process.stdout.write(`${options.json ? JSON.stringify({ sections, rows }, null, 2) : printTable(sections)}\n`)
if (rows.some((row) => row.outcome === 'failed')) process.exitCode = 1

function chosen(): Bug[] {
  const { only, set } = options
  const inSet = setOf(set, only !== undefined)
  const wanted = only ? inSet.filter((bug) => only.includes(bug.id)) : inSet
  return wanted.slice(0, options.limit === undefined ? wanted.length : Number(options.limit))
}

function setOf(set: string, whole: boolean): readonly Bug[] {
  if (set === 'fresh') return freshBugs
  if (set === 'pairs') return drawPairs(bugs)
  return bugs.filter((bug) => whole || set === 'all' || sideOf(bug.id) === set)
}

function sideIn(set: string, id: string): Row['side'] {
  if (set === 'fresh') return 'fresh'
  return set === 'pairs' ? 'tuning' : sideOf(id)
}

async function measure(bug: Bug): Promise<Row> {
  const { id, program, kind, origin } = bug
  const facts = {
    id,
    program,
    kind,
    origin,
    faults: faultsOf(bug),
    side: sideIn(options.set, id),
  }
  try {
    const { patches, outcome, candidates, firstGreenSeconds, seconds } = await attempt(bug)
    const judgements: Judgement[] = []
    for (const patch of patches.slice(0, judgedMax)) judgements.push(await judge(bug, patch.diff))
    return { ...facts, outcome, reason: null, judgements, candidates, firstGreenSeconds, seconds }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      ...facts,
      outcome: 'failed',
      reason,
      judgements: [],
      candidates: 0,
      firstGreenSeconds: null,
      seconds: 0,
    }
  }
}

async function attempt(bug: Bug): Promise<Repaired> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-repair-'))
  try {
    materialise(root, bug.program, bug.edits)
    return await repairProject({
      root,
      testCommand: testCommandOf(bug.program),
      budgetSeconds: Number(options.budget),
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
