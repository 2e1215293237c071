// Which process is faster, and what else the machine has to do, changes nothing about what a search finds.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeEdits } from '../edits/catalogue.ts'
import { contextsFor } from '../edits/context.ts'
import { diffOf } from '../edits/patch.ts'
import { localise } from '../localise/localise.ts'
import { loadProject } from '../project/load.ts'
import { nodeHead, writeFiles } from '../scratch-project.ts'
import { splitTests } from '../split-tests.ts'
import { runBaseline } from './baseline.ts'
import { Budget } from './budget.ts'
import { search } from './search.ts'

const PROJECT = {
  'package.json': '{ "type": "module" }',
  'share.js': `export function share(total, people) {
  const each = total / people
  const rest = total - each
  return { each, rest: rest * people }
}
`,
  // Every run of the test leaves a mark where it may write.
  'share.test.js': `${nodeHead}import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { share } from './share.js'
test('whole', () => assert.deepEqual(share(8, 2).each, 4))
test('rest', () => {
  appendFileSync(tmpdir() + '/marks', 'x')
  assert.equal(share(9, 2).rest, 1)
  assert.equal(share(7, 7).rest, 0)
})
`,
}
const CANDIDATES = 120

/** The first process to start begins when others have run the test so often; all others begin at once. */
function startingLate(scratch: string, runs: number): string {
  const script = join(scratch, 'late.sh')
  writeFileSync(
    script,
    `#!/bin/sh
if mkdir "${scratch}/first" 2>/dev/null; then
  while [ "$(wc -c < "${scratch}/marks")" -lt ${runs} ]; do sleep 0.02; done
fi
exec "$@"
`,
  )
  chmodSync(script, 0o755)
  return script
}

async function found(lateByRuns: number) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'order-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFiles(root, PROJECT)
  const path = join(root, 'scratch')
  mkdirSync(path)
  const project = loadProject(root, null)
  const baseline = await runBaseline(project, { path, before: [] })
  if (baseline === null) throw new Error('the tests could not be run')
  const split = splitTests(baseline)
  const suspects = localise(project, split.failing, split.passing)
  const edits = makeEdits({ suspects, contextOf: contextsFor(project, split.failing), max: 4_000 })
  writeFileSync(join(path, 'marks'), '')
  const tried: string[] = []
  const budget = new Budget({ seconds: 600, candidates: CANDIDATES, processes: 2, isCounted: true })
  const { green, partial } = await search({
    ...split,
    project,
    scratch: { path, before: [startingLate(path, lateByRuns)] },
    workers: 2,
    edits,
    budget,
    onTried: (edit) => tried.push(diffOf([edit])),
  })
  budget.close()
  const told = (list: typeof green) => list.map(({ edits: all, after }) => `${after} ${diffOf(all)}`)
  return {
    order: tried,
    isAsMade: edits.slice(0, tried.length).every((edit, at) => diffOf([edit]) === tried[at]),
    count: budget.tried,
    firstGreen: budget.firstGreen?.candidates,
    green: told(green),
    partial: told(partial),
  }
}

test('a process that starts late changes neither the order, nor the count, nor what is found', async () => {
  const even = await found(0)
  const late = await found(60)
  expect(late).toEqual(even)
  expect(even.count).toBe(CANDIDATES)
  expect(even.order).toHaveLength(CANDIDATES)
  expect(even.isAsMade).toBe(true)
  expect(even.partial.length + even.green.length).toBeGreaterThan(0)
})
