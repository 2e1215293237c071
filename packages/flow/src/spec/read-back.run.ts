// A specification as it stands in the repository: what people edited in its files is a revision of its own.
import type { Specification, SpecTask } from '@treadle/contracts/specification'
import type { KeptSpecification } from '../ports/specifications.ts'
import { brokenTasks } from './generate.run.ts'
import { slugOf } from './names.ts'
import { orderTasks } from './order-tasks.ts'
import { parseTasks } from './parse-tasks.ts'
import { unknownSpec } from './revise.run.ts'
import type { SpecRefusal, SpecWorld } from './spec-world.ts'
import { validateSpec } from './validate-spec.ts'

type ReadBack =
  | { readonly is: 'read'; readonly kept: KeptSpecification; readonly changed: boolean }
  | SpecRefusal

/** Not while it is being written: half of what Treadle writes would be taken for a person's. */
export function runReadBack(world: SpecWorld, slug: string): Promise<ReadBack> {
  return world.contexts.inTurn(slug, () => readBack(world, slug))
}

/** Whoever calls it has the turn of this specification. */
export async function readBack(world: SpecWorld, slug: string): Promise<ReadBack> {
  const kept = await world.store.specifications.find(slug)
  if (kept === null) return unknownSpec(slug)
  const { specPath, tasksPath } = kept.spec
  const [spec, tasks] = [await world.documents.read(specPath), await world.documents.read(tasksPath)]
  for (const { path, why } of [spec, tasks]) if (why !== null) return brokenTasks(path, why)
  const specText = spec.text ?? kept.specText
  const tasksText = tasks.text ?? kept.tasksText
  if (specText === kept.specText && tasksText === kept.tasksText) return { is: 'read', kept, changed: false }
  const read = parseTasks(tasksText)
  if (read.is === 'broken') return brokenTasks(tasksPath, read.why, read.line)
  const edited = { ...kept, specText, tasksText, spec: withTasks(kept, read.tasks) }
  const add = async () => {
    await world.store.specifications.lock(slug)
    return world.store.specifications.add(edited)
  }
  if (await world.store.tx(add)) return { is: 'read', kept: edited, changed: true }
  // Somebody else has read it at the same moment.
  const latest = await world.store.specifications.find(slug)
  return latest === null ? unknownSpec(slug) : { is: 'read', kept: latest, changed: true }
}

function withTasks({ spec, noted }: KeptSpecification, theirs: readonly SpecTask[]): Specification {
  const tasks = [...orderTasks(theirs).tasks]
  const ids = new Set(tasks.map(({ id }) => id))
  const criteria = spec.criteria.map((each) => {
    const task = tasks.find(({ phase, acceptance }) => phase === 'tests' && acceptance.includes(each.text))
    const id = task?.id ?? each.task
    const check = each.check === null ? null : (task?.validation ?? each.check)
    return { ...each, task: id !== null && ids.has(id) ? id : null, check }
  })
  const names = new Set(spec.requirements.flatMap(({ feature }) => feature ?? []))
  const features = [...names].map((name) => ({ name, slug: slugOf(name, '') }))
  const validation = validateSpec({
    requirements: spec.requirements,
    criteria,
    tasks,
    features,
    missing: noted,
  })
  return {
    ...spec,
    tasks,
    criteria,
    validation,
    revision: spec.revision + 1,
    status: 'generated',
    approvedAt: null,
    approvedBy: null,
  }
}
