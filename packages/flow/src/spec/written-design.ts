// What a model has written as a design: with lasting ids, owners, numbers of migrations, the words of the brief's
// criteria, and what was learned.
import {
  ACCEPTANCE_MAX,
  type Requirement,
  type SpecCriterion,
  type SpecTask,
} from '@treadle/contracts/specification'
import type { WrittenSpecification, WrittenTask } from '@treadle/contracts/written-specification'
import type { Design, DesignFacts, Outline } from './design-spec.ts'
import { applyPatterns, injectGotchas } from './inject-gotchas.ts'
import { keyOf, type PlacedCriterion, placeCriteria, saidCriterion } from './make-tasks.ts'
import { migrationFolder, writtenNumber } from './migration-number.ts'
import { isSameName } from './names.ts'
import { orderTasks } from './order-tasks.ts'
import { DEFAULT_OWNER, ownerOf } from './owners.ts'

interface WrittenMore {
  readonly written: WrittenSpecification
  /** Tasks of the last generation, whose ids stay. */
  readonly before: readonly SpecTask[]
}

export function designWritten(
  facts: DesignFacts,
  { title, features, requested }: Outline,
  { written, before }: WrittenMore,
): Design {
  const { owners, gotchas, patterns } = facts.context
  const criteria = placeCriteria(requested.criteria, features)
  const made = written.tasks.map((task) => taskOf(task, criteria, (path) => ownerOf(owners, path)))
  const renamed = withKnownIds(made, new Map(before.map((task) => [keyOf(task), task.id])))
  const learned = applyPatterns(injectGotchas(renamed, gotchas), patterns)
  const { tasks } = orderTasks(learned)
  return {
    title,
    architecture: written.architecture.trim(),
    requirements: requirementsIn(written, features),
    criteria: [...criteriaOf(criteria, tasks)],
    newFiles: tasks
      .filter(({ action }) => action === 'CREATE')
      .map(({ file, title: purpose, owner }) => ({ path: file, purpose, owner })),
    modifications: tasks
      .filter(({ action }) => action !== 'CREATE')
      .map(({ file, title: what, acceptance, owner }) => ({
        path: file,
        changes: [what, ...acceptance].join('; ').slice(0, 2_000),
        owner,
      })),
    dataModels: written.dataModels.map(({ name, fields }) => ({ name, fields: [...fields] })),
    tasks,
  }
}

export function requirementsIn(
  { requirements }: Pick<WrittenSpecification, 'requirements'>,
  features: readonly { readonly name: string }[],
): Requirement[] {
  return requirements.map(({ id, text, feature }) => {
    const known = features.find(({ name }) => feature !== null && isSameName(name, feature))
    return {
      id,
      kind: id.startsWith('N') ? ('non_functional' as const) : ('functional' as const),
      text,
      feature: known?.name.slice(0, 200) ?? null,
    }
  })
}

/** The criteria that it names stand in it in the words of the brief. */
export function taskOf(
  { criteria: named, ...task }: WrittenTask,
  criteria: readonly PlacedCriterion[],
  owner: (path: string) => string = () => DEFAULT_OWNER,
): SpecTask {
  const shown = criteria.filter((_, nth) => named.includes(`AC-${nth + 1}`)).map(saidCriterion)
  const own = task.acceptance
    .filter((text) => text.trim() !== '' && !shown.includes(text))
    // The last place is for what was learned.
    .slice(0, ACCEPTANCE_MAX - 1 - shown.length)
  return {
    ...task,
    acceptance: task.phase === 'tests' ? [...shown, ...own] : own,
    // Files that are made belong to whoever makes them.
    owner: task.action === 'CREATE' ? DEFAULT_OWNER : owner(task.file),
    gotchas: [],
  }
}

export function criteriaOf(
  criteria: readonly PlacedCriterion[],
  tasks: readonly SpecTask[],
): SpecCriterion[] {
  return criteria.map((criterion, nth) => {
    const words = saidCriterion(criterion)
    const task = tasks.find(({ phase, acceptance }) => phase === 'tests' && acceptance.includes(words))
    const check = criterion.judged ? null : (task?.validation ?? null)
    return { id: `AC-${nth + 1}`, text: criterion.text, check, task: task?.id ?? null }
  })
}

/** A task that does what one did before has its id, and nobody else has. */
function withKnownIds(tasks: readonly SpecTask[], known: ReadonlyMap<string, string>): SpecTask[] {
  const ids = new Map<string, string>()
  const taken = new Set(known.values())
  let next = 1
  for (const task of tasks) {
    const before = known.get(keyOf(task))
    if (before !== undefined && ![...ids.values()].includes(before)) ids.set(task.id, before)
  }
  for (const { id } of tasks) {
    if (ids.has(id)) continue
    while (taken.has(`T${next}`)) next += 1
    const free = taken.has(id) ? `T${next}` : id
    taken.add(free)
    ids.set(id, free)
  }
  const idOf = (id: string) => ids.get(id) ?? id
  return tasks.map((task) => ({ ...task, id: idOf(task.id), dependsOn: task.dependsOn.map(idOf) }))
}

/** New migrations by the rest of their name, which their number is kept under; with what the model wrote for it. */
export function migrationsIn(
  { tasks }: Pick<WrittenSpecification, 'tasks'>,
  { database }: Outline['profile']['layout'],
): { readonly name: string; readonly file: string }[] {
  if (database?.includes('{number}') !== true) return []
  const folder = migrationFolder(database)
  const head = folder === '' ? '' : `${folder}/`
  const rest = new RegExp(
    `^${head.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')}(?:\\{number\\}|\\d{1,9})[_-]([^/]+?)(?:\\.[^./]+)?$`,
  )
  return tasks.flatMap(({ file, action }) => {
    const name = action === 'CREATE' ? rest.exec(file)?.[1] : undefined
    return name === undefined ? [] : [{ name: name.replaceAll('_', '-').toLowerCase().slice(0, 200), file }]
  })
}

/** Numbers are given, never chosen: two specifications that are made at once would choose the same. */
export function withNumbers(
  written: WrittenSpecification,
  numbers: ReadonlyMap<string, number>,
  digits: number,
): WrittenSpecification {
  const renamed = [...numbers].map(([file, number]) => {
    const at = file.search(/(?:\{number\}|\d{1,9})[_-][^/]*$/)
    const given = file.slice(at).replace(/^(?:\{number\}|\d+)/, writtenNumber(number, digits))
    return [file, `${file.slice(0, at)}${given}`] as const
  })
  const inWords = (text: string) => renamed.reduce((all, [from, to]) => all.replaceAll(from, to), text)
  const tasks = written.tasks.map((task) => ({
    ...task,
    file: inWords(task.file),
    validation: inWords(task.validation),
    acceptance: task.acceptance.map(inWords),
    template: task.template === null ? null : inWords(task.template),
  }))
  return { ...written, architecture: inWords(written.architecture), tasks }
}
