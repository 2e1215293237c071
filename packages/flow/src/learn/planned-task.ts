// The task of a specification against what its run has done: file, action, check, time. Facts by rule.
import type { GateResult } from '@treadle/contracts/gate'
import type { Divergence, PlannedTask } from '@treadle/contracts/retrospective'
import type { Run } from '@treadle/contracts/run'
import type { Specification, SpecTask } from '@treadle/contracts/specification'
import { divergenceOf } from './divergence.ts'
import { filesNamed, isTestFile } from './planned.ts'

/** The specification and the task that were planned, loaded for a look back. */
export interface LoadedPlan {
  readonly spec: Pick<Specification, 'slug' | 'revision' | 'specPath' | 'tasksPath' | 'tasks'>
  readonly task: SpecTask
  /** spec.md as it was kept. */
  readonly specText: string
  /** Of the item, this one among them. */
  readonly runs: readonly Pick<Run, 'startedAt' | 'endedAt'>[]
}

interface OutcomeFacts {
  readonly changed: readonly string[]
  /** Which of the changed files were not there before, and which are not there any more. */
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
  readonly gates: readonly GateResult[]
  readonly passed: boolean
}

const HOUR_MS = 3_600_000
/** A run that takes longer than so many times the estimate was not foreseen. */
const LONGER_THAN = 2

export function plannedTaskOf({ spec, task, runs }: LoadedPlan, gates: readonly GateResult[]): PlannedTask {
  return {
    spec: spec.slug,
    revision: spec.revision,
    task: task.id,
    title: task.title,
    file: task.file,
    action: task.action,
    validation: task.validation,
    specPath: spec.specPath,
    tasksPath: spec.tasksPath,
    estimateHours: task.estimateHours,
    actualHours: hoursOf(runs),
    validated: validatedBy(gates, task.validation),
  }
}

function hoursOf(runs: LoadedPlan['runs']): number {
  const ms = runs.map(({ startedAt, endedAt }) =>
    endedAt === null ? 0 : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
  )
  return ms.reduce((sum, each) => sum + each, 0) / HOUR_MS
}

function validatedBy(gates: readonly GateResult[], command: string): PlannedTask['validated'] {
  const ran = gates.flatMap((gate) =>
    'evidence' in gate && gate.evidence.command.trim() === command.trim() ? [gate.is] : [],
  )
  if (ran.length === 0) return 'not_run'
  return ran.every((is) => is === 'passed' || is === 'passed_with_warnings') ? 'passed' : 'failed'
}

export function isLonger({ estimateHours, actualHours }: Pick<PlannedTask, 'estimateHours' | 'actualHours'>) {
  return actualHours > LONGER_THAN * estimateHours
}

export function taskDivergences(plan: LoadedPlan, outcome: OutcomeFacts): Divergence[] {
  const { task } = plan
  return [
    ...fileDivergences(plan, outcome),
    ...actionDivergences(task, outcome),
    ...checkDivergences(plannedTaskOf(plan, outcome.gates), outcome),
  ]
}

function fileDivergences(plan: LoadedPlan, { changed, passed }: OutcomeFacts): Divergence[] {
  const { spec, task, specText } = plan
  const missed = changed.includes(task.file)
    ? []
    : [
        divergenceOf(
          { type: 'omission', intentional: passed ? null : false },
          `${task.file} is the file of ${task.id} and was not changed`,
          passed ? 'it passed without it' : 'the run did not pass',
        ),
      ]
  const named = filesNamed(specText)
  const others = changed
    .filter((path) => path !== task.file && !isTestFile(path))
    .flatMap((path) => {
      const other = spec.tasks.find(({ file, id }) => file === path && id !== task.id)
      if (other !== undefined)
        return [
          divergenceOf(
            { type: 'addition', beneficial: false },
            `${path} changed`,
            `${other.id} of the same specification is to do that`,
          ),
        ]
      return named.includes(path)
        ? [
            divergenceOf(
              { type: 'addition', beneficial: null },
              `${path} changed`,
              `${spec.specPath} names it, and no task does`,
            ),
          ]
        : []
    })
  return [...missed, ...others]
}

function actionDivergences(task: SpecTask, { changed, added, removed }: OutcomeFacts): Divergence[] {
  const { file, action } = task
  if (!changed.includes(file)) return []
  const done = doneTo(file, { added, removed })
  if (done === action) return []
  return [
    divergenceOf(
      // What was to go and is still there, or went and was to stay, is not what was asked for.
      { type: 'modification', improvement: action === 'DELETE' || done === 'DELETE' ? false : null },
      `${file} was ${WORDS[done]}; ${task.id} says ${action}`,
      done === 'UPDATE' ? 'it was there before' : 'so says the diff',
    ),
  ]
}

const WORDS = { CREATE: 'created', UPDATE: 'changed', DELETE: 'removed' } as const

function doneTo(file: string, { added, removed }: Pick<OutcomeFacts, 'added' | 'removed'>) {
  if (added.has(file)) return 'CREATE'
  return removed.has(file) ? 'DELETE' : 'UPDATE'
}

function checkDivergences(planned: PlannedTask, { passed }: OutcomeFacts): Divergence[] {
  const { task, validation, validated, estimateHours, actualHours } = planned
  const check = `the check of ${task} (${validation})`
  return [
    ...(validated === 'failed'
      ? [
          divergenceOf(
            { type: 'omission', intentional: false },
            `${check} did not pass`,
            'a gate of the run ran it',
          ),
        ]
      : []),
    ...(validated === 'not_run' && passed
      ? [
          divergenceOf(
            { type: 'omission', intentional: null },
            `${check} was not run`,
            'no gate of the run has this command',
          ),
        ]
      : []),
    ...(isLonger(planned)
      ? [
          divergenceOf(
            { type: 'estimate' },
            `${task} took ${round(actualHours)} h, ${round(estimateHours)} h were planned`,
            'from the claim to the end, of all runs',
          ),
        ]
      : []),
  ]
}

function round(hours: number): number {
  return Math.round(hours * 10) / 10
}
