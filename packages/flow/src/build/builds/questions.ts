// What the catalogue asks about a build as a whole, and what is known of it then. Pure.
import type { Build } from '@treadle/contracts/build'
import type { GateName, GateResult } from '@treadle/contracts/gate'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { ValidationLevel } from '@treadle/contracts/validation-level'
import { gatesWords } from '@treadle/contracts/words/gates'
import { duration } from '@treadle/contracts/words/time'
import { isDelivery, isGivenUp, isTask, lastFailure, type TaskItem } from '../../work/build-items.ts'
import { hasFailed, statusOfTask } from './task-status.ts'
import { workedInAll } from './work-clock.ts'

export interface BuildMoment {
  readonly agent: 'build' | 'validation'
  readonly event: 'milestone_reached' | 'validation_passed' | 'multiple_failures' | typeof LEVEL_NEEDED
  /** With the same subject it is asked once. */
  readonly subject: string
  readonly facts: Readonly<Record<string, string | number | readonly string[]>>
  /** The item that an answer decides about; null: it is about the build. */
  readonly item: ItemRef | null
}

export interface AboutBuild {
  readonly build: Build
  readonly items: readonly Item[]
  /** What was found of the delivery that waits for a person; null: none waits. */
  readonly found: readonly GateResult[] | null
  readonly now: Date
  /** A newer revision of its specification is built instead: nobody goes on with this one. */
  readonly isSuperseded: boolean
  /** Whether what only marks progress is asked at all. */
  readonly celebrates: boolean
  /** What the settings say for all builds; null: nothing. */
  readonly usualLevel: ValidationLevel | null
}

export const LEVEL_NEEDED = 'validation_level_needed'
const FAILURES_MIN = 2
/** Of a smaller build everything is looked at, and nobody is asked. */
const TASKS_MIN = 4
const MANY_TASKS = 12

/** Everything there is to ask now. The catalogue's own conditions come on top. */
export function momentsOf(about: AboutBuild): BuildMoment[] {
  return [levelNeeded(about), milestone(about), passed(about), failures(about)].filter(
    (moment) => moment !== null,
  )
}

/** Nobody has said how thoroughly a build is validated, and it is large enough to ask. */
function levelNeeded({ build, items, usualLevel, isSuperseded }: AboutBuild): BuildMoment | null {
  const tasks = items.filter(isTask)
  if (isSuperseded) return null
  if (build.validation !== null || usualLevel !== null || build.status === 'completed') return null
  if (tasks.length < TASKS_MIN) return null
  return {
    agent: 'validation',
    event: LEVEL_NEEDED,
    subject: `build:${build.id}:level`,
    item: null,
    facts: { recommendation: labelOf(recommendedLevel(tasks)) },
  }
}

/** By what the tasks touch: what cannot be taken back easily, or much at once, is looked at more closely. */
function recommendedLevel(tasks: readonly Pick<TaskItem, 'files' | 'phase'>[]): ValidationLevel {
  const files = tasks.flatMap((task) => task.files)
  if (tasks.length > MANY_TASKS || tasks.some(({ phase }) => phase === 'database')) return 'comprehensive'
  if (files.some((file) => SENSITIVE.test(file))) return 'comprehensive'
  return files.every((file) => HARMLESS.test(file)) ? 'standard' : 'thorough'
}

const SENSITIVE =
  /\b(?:auth|login|session|password|secret|token|payment|billing|permission)s?\b|package(?:-lock)?\.json$/i
const HARMLESS = /\.(?:md|mdx|txt|css|svg)$|\.(?:test|spec)\.\w+$|^docs?\//i

/** A level as the catalogue offers it. */
function labelOf(level: ValidationLevel): string {
  return `${level[0]?.toUpperCase()}${level.slice(1)}`
}

/** The level that an answer names; null: none. */
export function levelNamed(option: string | null): ValidationLevel | null {
  return ValidationLevel.options.find((level) => labelOf(level) === option) ?? null
}

/** The catalogue says from which share on. */
function milestone({ build, items, now, celebrates }: AboutBuild): BuildMoment | null {
  if (!celebrates || build.status !== 'running') return null
  const tasks = items.filter(isTask)
  const done = tasks.filter((item) => statusOfTask(item, build) === 'complete').length
  const left = tasks.length - done
  return {
    agent: 'build',
    event: 'milestone_reached',
    subject: `build:${build.id}:milestone`,
    item: null,
    facts: {
      completed_tasks: done,
      total_tasks: tasks.length,
      completed_count: done,
      total_count: tasks.length,
      time: duration(workedInAll(build, now)),
      test_status: testWords(build, done),
      encouragement_message: left === 0 ? 'The delivery is what is left.' : `${count(left, 'task')} to go.`,
    },
  }
}

function testWords({ failures: refused }: Build, done: number): string {
  const green = `green for ${done === 1 ? 'the one' : `each of the ${done}`} that landed`
  return refused.length === 0 ? green : `${green}; ${count(refused.length, 'attempt')} came to nothing`
}

/** The checks of the whole hold, and it waits for a word of a person. */
function passed({ build, items, found, celebrates }: AboutBuild): BuildMoment | null {
  const delivery = items.find(isDelivery)
  if (!celebrates || delivery?.headCommit == null || found === null) return null
  const { projectNumber, number, headCommit } = delivery
  return {
    agent: 'validation',
    event: 'validation_passed',
    subject: `build:${build.id}:passed:${headCommit}`,
    item: { projectNumber, number },
    facts: {
      test_count: testsIn(found),
      coverage: coverageIn(found),
      lint_status: statusOf(found, 'linter_pass'),
      security_status: `${statusOf(found, 'secrets')}; ${statusOf(found, 'security')}`,
    },
  }
}

function testsIn(gates: readonly GateResult[]): number {
  const counts = gates.map((gate) => ('evidence' in gate ? (gate.evidence.report?.passed ?? 0) : 0))
  return Math.max(0, ...counts)
}

const COVERED = / covered, (\d+(?:\.\d+)?) %/

/** As the gate has printed it. */
function coverageIn(gates: readonly GateResult[]): string {
  const gate = gates.find((each) => each.gate === 'coverage_pass')
  const share = gate !== undefined && 'evidence' in gate ? COVERED.exec(gate.evidence.tail)?.[1] : undefined
  return share === undefined ? 'not measured' : `${share}%`
}

function statusOf(gates: readonly GateResult[], name: GateName): string {
  const own = gates.filter(({ gate }) => gate === name)
  return own.length === 0 ? `${NAMES[name] ?? name} not looked at` : gatesWords(own)
}

const NAMES: Readonly<Partial<Record<GateName, string>>> = { linter_pass: 'lint' }

/** Too much of it failed: what is to be mended, and in what order. */
function failures({ build, items, isSuperseded }: AboutBuild): BuildMoment | null {
  if (isSuperseded || build.status !== 'failed' || build.completedAt === null) return null
  const failed = items.filter(isTask).filter((item) => hasFailed(item, build))
  if (failed.length < FAILURES_MIN) return null
  const [critical, warnings] = [criticalOf(build, failed), warningsOf(build, failed)]
  return {
    agent: 'validation',
    event: 'multiple_failures',
    subject: failedSubject(build),
    item: null,
    facts: {
      count: failed.length,
      critical_count: critical.length,
      critical_list: critical.map((item) => failureWords(build, item)),
      warning_count: warnings.length,
      warning_list: warnings.map((item) => failureWords(build, item)),
    },
  }
}

/** Each end of a build is asked about by itself. */
function failedSubject({ id, completedAt }: Build): string {
  return `build:${id}:failed:${completedAt}`
}

/** Nobody goes on with these by themselves. */
function criticalOf(build: Build, failed: readonly TaskItem[]): TaskItem[] {
  return failed.filter((item) => isGivenUp(item, build))
}

/** Left out after their attempts. */
function warningsOf(build: Build, failed: readonly TaskItem[]): TaskItem[] {
  return failed.filter((item) => !isGivenUp(item, build))
}

function failureWords(build: Build, item: TaskItem): string {
  return `#${item.number} ${item.title}: ${lastFailure(build, item)?.reason ?? item.reason ?? 'it failed'}`
}

/** Why a question about a build is needless by now; null: it is to be answered. */
export function whyOver(
  asked: { event: string | null; subject: string | null },
  about: AboutBuild,
): string | null {
  const { event, subject } = asked
  if (momentsOf(about).some((moment) => moment.event === event && moment.subject === subject)) return null
  if (about.isSuperseded) return 'a newer revision is built instead'
  const { status } = about.build
  if (event === 'milestone_reached' && status !== 'completed') return null
  return event === LEVEL_NEEDED ? 'its level is known by now' : `the build is ${status} by now`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
