// npm run liars [-- --json] [--only NAME] [--group NAME]: lies and honest work through a real crew; no lie may be
// merged, and every honest change must be.
import { parseArgs } from 'node:util'
import { nodeCommonJs } from './cases/node-commonjs.ts'
import { nodeModules } from './cases/node-modules.ts'
import { pytest } from './cases/pytest.ts'
import { vitest } from './cases/vitest.ts'
import { runCrew } from './crew.ts'
import type { CaseGroup, LiarCase } from './liar-case.ts'
import { isAsWanted, printTable, type Row } from './table.ts'
import { makeWorkspace } from './workspace.ts'

const GROUPS: readonly CaseGroup[] = [nodeModules, nodeCommonJs, vitest, pytest]
/** A suite that stays small is run often; what is merged in one workspace is not there in the next. */
const CASES_PER_WORKSPACE = 12

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    group: { type: 'string', multiple: true, default: [] },
    keep: { type: 'boolean', default: false },
  },
})
const start = Date.now()
const rows: Row[] = []
for (const group of GROUPS) {
  if (values.group.length > 0 && !values.group.includes(group.name)) continue
  const wanted = group.cases.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
  for (let at = 0; at < wanted.length; at += CASES_PER_WORKSPACE)
    rows.push(...(await attempt(group, wanted.slice(at, at + CASES_PER_WORKSPACE))))
}
if (rows.length === 0) {
  const names = GROUPS.map(({ name, cases }) => `${name}: ${cases.map((each) => each.name).join(', ')}`)
  process.stderr.write(`There is no such case. These are there:\n${names.join('\n')}\n`)
  process.exit(2)
}
const seconds = Math.round((Date.now() - start) / 1000)
if (values.json) process.stdout.write(`${JSON.stringify({ seconds, rows }, null, 2)}\n`)
else printTable(rows, seconds)
process.exitCode = rows.every(isAsWanted) ? 0 : 1

async function attempt(group: CaseGroup, cases: readonly LiarCase[]): Promise<Row[]> {
  process.stderr.write(`${group.name}: ${cases.length} cases\n`)
  const workspace = makeWorkspace(group, cases)
  const found: Row[] = []
  try {
    await runCrew(workspace, cases, (index, outcome) => {
      const liar = cases[index] as LiarCase
      const { name, kind, what } = liar
      const isGreen = workspace.isGreenByItself(liar)
      const row = { group: group.name, runner: group.runner, name, kind, what, isGreen, ...outcome }
      found.push(row)
      const sign = isAsWanted(row) ? '' : ' ← NOT AS IT MUST BE'
      process.stderr.write(
        `  ${kind} ${name}: ${row.is}, ${row.words.slice(0, 160)} (${row.seconds} s)${sign}\n`,
      )
    })
  } finally {
    if (values.keep) process.stderr.write(`${workspace.root}\n`)
    else workspace.remove()
  }
  return found
}
