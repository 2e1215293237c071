// `npm run trace`: which requirements a test verifies, from the results of the last test commands.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { requirementsFile } from '../requirements/ids.ts'
import { foldReport, formatReport, type Row } from './trace-report.ts'
import { readResults, tiers } from './trace-results.ts'
import { treeHash } from './tree-hash.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { json: { type: 'boolean' }, run: { type: 'boolean' } } })

if (values.run) for (const script of ['test', 'test:long']) runTests(script)

const report = foldReport({
  rows: parse(readFileSync(requirementsFile, 'utf8')) as Row[],
  results: tiers.map((tier) => readResults(tier)).filter((result) => result !== undefined),
  tree: treeHash(root),
  now: Date.now(),
})
process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report))

function runTests(script: string): void {
  process.stderr.write(`npm run ${script}\n`)
  // Standard output belongs to the report, so the tests write theirs to standard error.
  const { status } = spawnSync('npm', ['run', script], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    process.stderr.write(`npm run ${script} failed\n`)
    process.exitCode = 1
  }
}
