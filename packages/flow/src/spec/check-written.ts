// Whether what a model has written holds: the same report as on what rules make, and beside it each task against the
// repository. What is refused is said so that it can be mended.
import { type SpecTask, TreePath } from '@treadle/contracts/specification'
import type { WrittenSpecification, WrittenTask } from '@treadle/contracts/written-specification'
import { judgeCommand } from './judge-command.ts'
import type { Layout } from './layouts.ts'
import type { PlacedCriterion } from './make-tasks.ts'
import { validateSpec } from './validate-spec.ts'
import { criteriaOf, requirementsIn, taskOf } from './written-design.ts'

export interface WrittenFacts {
  /** Files of the tree. */
  readonly tree: ReadonlySet<string>
  /** The folder of ideas, in which only Treadle writes. */
  readonly ideasDir: string
  readonly layout: Layout
  readonly features: readonly { readonly name: string; readonly slug: string }[]
  readonly criteria: readonly PlacedCriterion[]
  readonly testCommand: string | null
}

export interface WrittenJudgement {
  /** It cannot be taken as it is. */
  readonly problems: readonly string[]
  /** Parts of the brief that have not come through: asked for again as long as there is another try. */
  readonly gaps: readonly string[]
}

const SAID_MAX = 40

export function checkWritten(written: WrittenSpecification, facts: WrittenFacts): WrittenJudgement {
  const { criteria, features } = facts
  const tasks = written.tasks.map((task) => taskOf(task, criteria))
  const requirements = requirementsIn(written, features)
  const { problems, missing } = validateSpec({
    requirements,
    criteria: criteriaOf(criteria, tasks),
    tasks,
    features,
    missing: [],
  })
  const ids = new Set(requirements.map(({ id }) => id))
  const twice = requirements.filter(({ id }, nth) => requirements.findIndex((each) => each.id === id) !== nth)
  const own = written.tasks.flatMap((task) =>
    [
      ...fileProblems(task, { facts, tasks }),
      ...layerProblems(task, facts.layout),
      judgeCommand(task, facts) ?? [],
      ...referenceProblems(task, { ids, criteria }),
    ]
      .flat()
      .map((problem) => `${task.id} (${task.file}): ${problem}`),
  )
  const all = [...problems, ...twice.map(({ id }) => `There are two requirements ${id}`), ...own]
  return {
    problems: [...new Set(all)].slice(0, SAID_MAX),
    // That a person has to judge is no fault of whoever wrote it.
    gaps: missing.filter((each) => !/^AC-\d+ has no check/.test(each)).slice(0, SAID_MAX),
  }
}

interface Around {
  readonly facts: WrittenFacts
  readonly tasks: readonly SpecTask[]
}

function fileProblems({ id, file, action }: WrittenTask, { facts, tasks }: Around): string[] {
  const why = pathProblem(file, facts)
  if (why !== null) return [why]
  if (action === 'CREATE')
    return facts.tree.has(file) ? ['it creates a file that is there already: it has to be UPDATE'] : []
  if (facts.tree.has(file)) return []
  const maker = tasks.find((task) => task.file === file && task.action === 'CREATE')
  if (maker === undefined)
    return [
      `${action} needs a file that is there, and there is none of that name: CREATE it, or name the right one`,
    ]
  return reaches(tasks, id, maker.id)
    ? []
    : [`${maker.id} creates this file, so it has to wait for ${maker.id}`]
}

function pathProblem(file: string, { ideasDir }: WrittenFacts): string | null {
  const read = TreePath.safeParse(file)
  if (!read.success) return `the path ${read.error.issues[0]?.message ?? 'does not hold'}`
  if (file.includes('{number}')) return '{number} stands in the name of a new migration, and nowhere else'
  if (file.startsWith(`${ideasDir}/`))
    return `${ideasDir} has the documents of ideas, and nothing is built there`
  return null
}

/** Whether one task comes after another, directly or through others. */
function reaches(tasks: readonly SpecTask[], from: string, to: string): boolean {
  const seen = new Set<string>()
  const left = [from]
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (id === to) return true
    if (seen.has(id)) continue
    seen.add(id)
    left.push(...(tasks.find((task) => task.id === id)?.dependsOn ?? []))
  }
  return false
}

/** A library must not grow a migration. */
function layerProblems({ phase }: WrittenTask, layout: Layout): string[] {
  if (phase !== 'database' && phase !== 'api' && phase !== 'ui') return []
  if (layout[phase] !== null) return []
  return [`this project has no ${phase}: leave it out, or do it in another phase`]
}

function referenceProblems(
  { requirements, criteria: named, phase }: WrittenTask,
  { ids, criteria }: { ids: ReadonlySet<string>; criteria: readonly PlacedCriterion[] },
): string[] {
  const unknown = requirements.filter((id) => !ids.has(id))
  const strange = named.filter((id) => !criteria.some((_, nth) => `AC-${nth + 1}` === id))
  return [
    ...unknown.map((id) => `it serves ${id}, which is no requirement of this specification`),
    ...strange.map((id) => `it shows ${id}, which is no criterion of the brief`),
    ...(named.length > 0 && phase !== 'tests' ? ['criteria belong to tasks of the phase tests'] : []),
  ]
}
