// A specification in words: where it stands, its report, its tasks by phase.
import { count } from '@treadle/contracts/event/shape'
import {
  type Specification,
  type SpecTask,
  type SpecValidation,
  TASK_PHASES,
  type TaskPhase,
} from '@treadle/contracts/specification'
import type { Tone } from '@treadle/contracts/words/state'

interface Words {
  readonly words: string
  readonly tone: Tone
}

/** `waiting`: a model writes the next revision. */
export function statusBadge({
  status,
  validation,
  waiting = false,
}: Pick<Specification, 'status' | 'validation'> & { readonly waiting?: boolean }): Words {
  if (waiting) return { words: 'Being written', tone: 'busy' }
  if (status === 'approved') return { words: 'Approved', tone: 'good' }
  if (status === 'revising') return { words: 'Being revised', tone: 'busy' }
  return validation.ok
    ? { words: 'Waits for your approval', tone: 'attention' }
    : { words: 'Has problems', tone: 'bad' }
}

/** The tasks that there are and how long they take. */
export function sizeWords(tasks: readonly SpecTask[]): string {
  const hours = tasks.reduce((sum, { estimateHours }) => sum + estimateHours, 0)
  return `${count(tasks.length, 'task')}, about ${Math.round(hours * 10) / 10} h`
}

/** Tasks in the order of their phases; phases without any are left out. */
export function tasksByPhase(tasks: readonly SpecTask[]): { phase: TaskPhase; tasks: SpecTask[] }[] {
  return TASK_PHASES.map((phase) => ({ phase, tasks: tasks.filter((task) => task.phase === phase) })).filter(
    (group) => group.tasks.length > 0,
  )
}

/** What came through of the brief, as the report prints it. */
export function sharesOf({ shares }: SpecValidation): { label: string; share: number }[] {
  return [
    { label: 'Features that have a task', share: shares.features },
    { label: 'Criteria that have a test task', share: shares.criteria },
    { label: 'Requirements that a task serves', share: shares.requirements },
    { label: 'Tasks that serve a requirement', share: shares.tasks },
    { label: 'Criteria that a program checks', share: shares.checks },
  ]
}

export const ACTION_TONES: Record<SpecTask['action'], Tone> = {
  CREATE: 'good',
  UPDATE: 'busy',
  DELETE: 'bad',
}

/** The difference in a refused approval, as text; null where the refusal has none. */
export function differenceIn(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('difference' in details)) return null
  const { difference } = details
  if (typeof difference === 'string') return difference === '' ? null : difference
  return Array.isArray(difference) && difference.length > 0 ? difference.join('\n') : null
}
