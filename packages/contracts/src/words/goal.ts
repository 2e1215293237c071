// How a goal went: in a few sentences, or step by step for whoever wants to see all of it.
import type { PaorOutcome, Plan, Reflection } from '../paor.ts'
import type { Observation } from '../run.ts'

/** Once through plan, act, observe and reflect. */
export interface GoalRound {
  readonly plan: Plan
  readonly observations: readonly Observation[]
  /** Null: it did not come to that. */
  readonly reflection: Reflection | null
}

export interface GoalHistory {
  readonly outcome: PaorOutcome
  /** What whoever did it says that was done. */
  readonly said: string
  /** Why it ended as it did, where it was not reached. */
  readonly why: string
  readonly rounds: readonly GoalRound[]
}

const SAID_MAX = 1_200
const FILES_MAX = 12
const LEFT_MAX = 5
const SUMMARY_MAX = 8_000
const OUTPUT_MAX = 1_500

const OPENING: Readonly<Record<PaorOutcome, (rounds: string) => string>> = {
  goal_achieved: (rounds) => `Goal achieved in ${rounds}.`,
  max_iterations: (rounds) => `Goal not achieved: all ${rounds} are used up.`,
  needs_user: (rounds) => `Waiting for guidance after ${rounds}.`,
  unrecoverable: (rounds) => `Goal not achieved: it failed after ${rounds}.`,
}

/** The change and its confirmation, or what is left; no output of any tool. */
export function goalSummary(history: GoalHistory): string {
  const { outcome, why, rounds } = history
  const reached = outcome === 'goal_achieved'
  const said = firstPart(history.said, SAID_MAX)
  return [
    OPENING[outcome](count(rounds.length, 'iteration')),
    reached ? '' : firstPart(why, SAID_MAX),
    reached ? said : said && `Done so far: ${said}`,
    changedWords(rounds),
    confirmedWords(rounds.at(-1)?.reflection ?? null),
    reached ? '' : leftWords(rounds),
  ]
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, SUMMARY_MAX)
}

/** One iteration with its plan, every observation and the reflection. */
export function roundWords({ plan, observations, reflection }: GoalRound): string {
  const { iteration, tasks, scope, guidance } = plan
  return [
    `Iteration ${iteration}`,
    ...tasks.map(({ id, text, dependsOn }) => `  plan ${id}: ${text}${afterWords(dependsOn)}`),
    ...(scope.length === 0 ? [] : [`  only in ${scope.join(', ')}`]),
    ...guidance.map((text) => `  as told: ${text}`),
    ...observations.flatMap(observationWords),
    ...(reflection === null ? [] : reflectionWords(reflection)),
  ].join('\n')
}

const afterWords = (dependsOn: readonly string[]) =>
  dependsOn.length === 0 ? '' : ` (after ${dependsOn.join(', ')})`

function observationWords(observed: Observation): string[] {
  const { agent, tool, input, output, durationMs, success, denied } = observed
  const how = success ? 'worked' : 'failed'
  const who = agent === undefined ? '' : `${agent} `
  return [
    `  ${who}${tool} ${oneLine(input)} (${denied === true ? 'not allowed' : how}, ${Math.round(durationMs)} ms)`,
    ...firstPart(output, OUTPUT_MAX)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `    ${line}`),
  ]
}

function reflectionWords({ verdict, why, remaining, verified }: Reflection): string[] {
  return [
    `  reflection: ${verdict.replaceAll('_', ' ')}. ${why}`,
    ...remaining.map((text) => `  left: ${text}`),
    ...(verified === null ? [] : [`  ${verified.command}: exit code ${verified.exitCode ?? 'none'}`]),
  ]
}

function changedWords(rounds: readonly GoalRound[]): string {
  const diffs = rounds.flatMap(({ observations }) => observations.map(({ diff = '' }) => diff))
  const found = diffs.flatMap((diff) => [...diff.matchAll(/^(?:\+\+\+ b|--- a)\/(.+)$/gm)])
  const files = [...new Set(found.map(([, file = '']) => file))]
  if (files.length === 0) return ''
  const more = files.length - FILES_MAX
  return `Changed ${count(files.length, 'file')}: ${files.slice(0, FILES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

function confirmedWords(last: Reflection | null): string {
  if (last === null || last.verified === null) return ''
  const { command, exitCode } = last.verified
  return exitCode === 0
    ? `Confirmed: ${command} ended with exit code 0.`
    : `Not confirmed: ${command} ended with exit code ${exitCode ?? 'none'}.`
}

function leftWords(rounds: readonly GoalRound[]): string {
  const last = rounds.findLast(({ reflection }) => reflection !== null)?.reflection
  const left = last?.remaining.slice(0, LEFT_MAX) ?? []
  return left.length === 0 ? '' : `Still to do: ${left.join('; ')}`
}

const count = (many: number, what: string) => `${many} ${what}${many === 1 ? '' : 's'}`
const oneLine = (text: string) => firstPart(text.replace(/\s+/g, ' '), 200)

function firstPart(text: string, max: number): string {
  const trimmed = text.trim()
  return trimmed.length <= max ? trimmed : `${trimmed.slice(0, max - 1)}…`
}
