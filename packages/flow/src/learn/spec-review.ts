// The look back on a revision of a specification, by rules: what is wrong, what is missing, what nobody can check.
import type { Gap, GapKind, SpecRetrospective } from '@treadle/contracts/planning-retrospective'
import type { Specification } from '@treadle/contracts/specification'
import type { KeptSpecification } from '../ports/specifications.ts'
import { isWeakCheck } from '../spec/weak-check.ts'

const GAPS_MAX = 200

export function reviewSpec(
  { spec, noted }: Pick<KeptSpecification, 'spec' | 'noted'>,
  at: Date,
): SpecRetrospective {
  return {
    is: 'spec',
    slug: spec.slug,
    trigger: 'spec.generated',
    reviewedAt: at.toISOString(),
    revision: spec.revision,
    tasks: spec.tasks.length,
    writtenBy: spec.writtenBy,
    shares: spec.validation.shares,
    gaps: [
      ...spec.validation.problems.map((text) => gap('problem', 'validation', text)),
      ...criterionGaps(spec),
      ...requirementGaps(spec),
      ...taskGaps(spec),
      ...noted.map((text) => gap('missing_input', 'documents', text)),
    ].slice(0, GAPS_MAX),
  }
}

function gap(kind: GapKind, about: string, what: string): Gap {
  return { kind, about: about.slice(0, 500), what: what.slice(0, 1_000).toWellFormed() }
}

function criterionGaps({ criteria }: Specification): Gap[] {
  if (criteria.length === 0) return [gap('no_criteria', 'criteria', 'Nothing says when it is done')]
  return [
    ...criteria
      .filter(({ check }) => check === null)
      .map(({ id, text }) => gap('unchecked_criterion', id, `No program can check ${id}: ${text}`)),
    ...criteria
      .filter(({ task }) => task === null)
      .map(({ id, text }) => gap('untested_criterion', id, `No test task has ${id}: ${text}`)),
  ]
}

function requirementGaps({ requirements, tasks }: Specification): Gap[] {
  const served = new Set(tasks.flatMap((task) => task.requirements))
  return requirements
    .filter(({ id }) => !served.has(id))
    .map(({ id, text }) => gap('unserved_requirement', id, `No task serves ${id}: ${text}`))
}

function taskGaps({ requirements, tasks }: Specification): Gap[] {
  const ids = new Set(requirements.map(({ id }) => id))
  return tasks.flatMap((task) => [
    ...(task.requirements.some((id) => ids.has(id))
      ? []
      : [gap('idle_task', task.id, `${task.id} (${task.title}) serves no requirement`)]),
    ...(isWeakCheck(task.validation)
      ? [gap('weak_check', task.id, `The check of ${task.id} only sees that ${task.file} is there`)]
      : []),
  ])
}
