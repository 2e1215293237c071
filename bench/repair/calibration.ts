// How often is a patch right that is called high, and how many of the right ones are? Usage: npm run -s calibration
// -- [--set tuning --set aside --set fresh] [--limit n] [--budget seconds] [--json]. Progress goes to stderr. A signal
// prints the figures of what was done.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repairProject } from './adapter.ts'
import type { Bug } from './bug.ts'
import { bugs, freshBugs } from './bugs.ts'
import { type Calibrated, calibrationTable } from './calibration-table.ts'
import { judge } from './judge.ts'
import { materialise, testCommandOf } from './materialise.ts'
import { sideOf } from './split.ts'

const SETS = ['tuning', 'aside', 'fresh'] as const

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [...SETS] },
    limit: { type: 'string' },
    budget: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
})

const rows: Calibrated[] = []
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    print()
    process.exit(130)
  })

for (const set of SETS.filter((each) => options.set.includes(each)))
  for (const bug of bugsIn(set)) {
    const row = await measure(set, bug)
    rows.push(row)
    process.stderr.write(`${set} ${bug.id}: ${row.verdict}, ${row.confidence ?? '-'}: ${row.why}\n`)
  }
print()

function print(): void {
  process.stdout.write(`${options.json ? JSON.stringify(rows, null, 2) : calibrationTable(rows)}\n`)
}

/** Spread over the set where not all are wanted. */
function bugsIn(set: string): readonly Bug[] {
  const all = set === 'fresh' ? freshBugs : bugs.filter((bug) => sideOf(bug.id) === set)
  const wanted = options.limit === undefined ? all.length : Math.min(all.length, Number(options.limit))
  return Array.from({ length: wanted }, (_, at) => all[Math.floor((at * all.length) / wanted)] as Bug)
}

async function measure(set: string, bug: Bug): Promise<Calibrated> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-calibration-'))
  try {
    materialise(root, bug.program, bug.edits)
    const order = { root, testCommand: testCommandOf(bug.program), budgetSeconds: Number(options.budget) }
    const { patches, question } = await repairProject(order)
    const [first] = patches
    if (first === undefined)
      return { set, bug: bug.id, verdict: 'none', confidence: null, asked: false, why: '' }
    const verdict = (await judge(bug, first.diff)) === 'correct' ? 'right' : 'wrong'
    const { confidence, why } = first
    return { set, bug: bug.id, verdict, confidence, asked: question !== null, why: `${first.kind}; ${why}` }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
