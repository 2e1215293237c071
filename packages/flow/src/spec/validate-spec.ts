// The report on a specification: what must be mended, what is missing, and how much of the brief has come through.
import { type Specification, SpecTask, type SpecValidation } from '@treadle/contracts/specification'
import { JUDGED_MARK } from './make-tasks.ts'
import { bareName } from './names.ts'
import { orderTasks } from './order-tasks.ts'

interface SpecFacts extends Pick<Specification, 'requirements' | 'criteria'> {
  readonly tasks: readonly SpecTask[]
  /** Names of the features of the brief. */
  readonly features: readonly { readonly name: string; readonly slug: string }[]
  /** What is missing already, as those found who read the documents. */
  readonly missing: readonly string[]
}

const LISTED_MAX = 200
const NO_FEATURE =
  'The brief names no feature: add "## Features" to planning/brief.md, one "- **Name**: what it does" each'
const NO_TASK =
  'There is no task: write one into build/tasks.md, or delete that file to have them all generated again'

export function validateSpec(facts: SpecFacts): SpecValidation {
  const { tasks, requirements, criteria, features } = facts
  const ids = new Set(requirements.map(({ id }) => id))
  const served = new Set(tasks.flatMap((task) => task.requirements))
  const unnamed = features.filter((feature) => !tasks.some((task) => names(task, feature)))
  const untested = criteria.filter(({ text }) => !isTested(text, tasks))
  const unserved = requirements.filter(({ id }) => !served.has(id))
  const idle = tasks.filter((task) => !task.requirements.some((id) => ids.has(id)))
  const unchecked = criteria.filter(({ check }) => check === null)
  const problems = [
    ...schemaProblems(tasks),
    ...orderTasks(tasks).problems,
    ...twice(tasks),
    ...(features.length === 0 && tasks.every(({ phase }) => phase === 'tests') ? [NO_FEATURE] : []),
    ...(features.length > 0 && tasks.length === 0 ? [NO_TASK] : []),
  ]
  const missing = [
    ...facts.missing,
    ...(criteria.length === 0
      ? ['No acceptance criterion: add "## Done when" to planning/brief.md, one bullet each']
      : []),
    ...unnamed.map(({ name }) => `No task has ${name} in its title and file`),
    ...untested.map(({ text }) => `No test task has the criterion: ${text}`),
    ...unserved.map(({ id, text }) => `No task serves ${id}: ${text}`),
    ...idle.map(({ id, title }) => `${id} (${title}) serves no requirement`),
    ...unchecked.map(({ id, text }) => `${id} has no check that a program can run, a person judges: ${text}`),
  ]
  return {
    ok: problems.length === 0,
    problems: clipped(problems),
    missing: clipped(missing),
    shares: {
      features: share(features.length - unnamed.length, features.length),
      criteria: share(criteria.length - untested.length, criteria.length),
      requirements: share(requirements.length - unserved.length, requirements.length),
      tasks: share(tasks.length - idle.length, tasks.length),
      checks: share(criteria.length - unchecked.length, criteria.length),
    },
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}

function clipped(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, LISTED_MAX).map((text) => text.slice(0, 2_000))
}

function names({ title, file }: SpecTask, { name, slug }: SpecFacts['features'][number]): boolean {
  return bareName(title).includes(bareName(name)) && bareName(file).includes(bareName(slug))
}

function isTested(text: string, tasks: readonly SpecTask[]): boolean {
  return tasks.some(
    ({ phase, acceptance }) =>
      phase === 'tests' && acceptance.some((each) => each === text || each === `${JUDGED_MARK}${text}`),
  )
}

function schemaProblems(tasks: readonly SpecTask[]): string[] {
  return tasks.flatMap((task) => {
    const read = SpecTask.safeParse(task)
    if (read.success) return []
    return read.error.issues.map(({ path, message }) => `${task.id}: ${path.join('.')} ${message}`)
  })
}

function twice(tasks: readonly SpecTask[]): string[] {
  const seen = new Map<string, SpecTask>()
  const ids = new Set<string>()
  return tasks.flatMap((task) => {
    const problems: string[] = []
    if (ids.has(task.id)) problems.push(`There are two tasks ${task.id}`)
    ids.add(task.id)
    const other = seen.get(task.file)
    if (task.action === 'CREATE' && other?.action === 'CREATE')
      problems.push(`${other.id} and ${task.id} both create ${task.file}`)
    seen.set(task.file, task)
    return problems
  })
}
