import { mkdirSync, writeFileSync, existsSync } from 'node:fs'
import { keyOf } from '@treadle/engines/repair/edits/edit'
import { loadProject } from '@treadle/engines/repair/project/load'
import { makeEdits } from '@treadle/engines/repair/edits/catalogue'
import { contextsFor } from '@treadle/engines/repair/edits/context'
import { localise } from '@treadle/engines/repair/localise/localise'
import { splitTests } from '@treadle/engines/repair/repair'
import { runBaseline } from '@treadle/engines/repair/search/baseline'
import { checkTypes } from '@treadle/engines/repair/rank/typecheck'
import { search } from '@treadle/engines/repair/search/search'
import { Budget } from '@treadle/engines/repair/search/budget'
import { materialise } from './materialise.ts'
import { stream } from './stream.ts'
class Full extends Budget { override foundGreen(): void { return } }
for (const bug of stream) {
  const root = `/tmp/memory/bugs/${bug.id.replace(' ', '-')}`
  const out = `${root}.json`
  if (existsSync(out)) continue
  mkdirSync(root, { recursive: true })
  mkdirSync(`${root}-s`, { recursive: true })
  const t = performance.now()
  materialise(root, bug.program, bug.edits)
  const project = loadProject(root, null)
  const baseline = await runBaseline(project, `${root}-s`)
  if (baseline === null) throw new Error('x')
  const split = splitTests(baseline)
  const suspects = localise(project, split.failing, split.passing)
  const edits = makeEdits({ suspects, contextOf: contextsFor(project, split.failing), max: 40000 })
  const budget = new Full(200, 100000)
  const green: any[] = []
  await search({ ...split, project, scratch: `${root}-s`, workers: 1, edits: edits, budget,
    onStage: (s) => { if (s === 'combine') process.stderr.write('combine ') },
    onGreen: (f) => { green.push(f) } })
  budget.close()
  const singles = green.filter((g) => g.edits.length === 1)
  const types = await checkTypes(singles, { project, scratch: `${root}-s`, tsc: null })
  writeFileSync(out, JSON.stringify({ split, tried: budget.tried, edits: edits.length,
    green: singles.map((g, i) => ({ key: keyOf(g.edits[0]), after: g.after, types: types[i] })) }))
  process.stderr.write(`${bug.id}: ${edits.length} edits, tried ${budget.tried}, green ${green.length}, first ${green[0]?.after}, ${((performance.now() - t) / 1000).toFixed(1)} s\n`)
}
