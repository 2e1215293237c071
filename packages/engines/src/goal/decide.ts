// The step after a reflection. Evidence stands above opinion.

import { isSpent } from '@treadle/contracts/limit'
import type { PaorOutcome, Plan, Reflection, Verified } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'

/** One time round: what was planned and what failed while it was carried out. */
export interface Round {
  readonly plan: Plan
  readonly failed: readonly string[]
}

/** A reflection that says the goal is reached is contradicted by a command that says it is not. */
export function withVerification(reflection: Reflection, verified: Verified | null): Reflection {
  const checked: Reflection = { ...reflection, verified }
  if (checked.verdict !== 'needs_user') checked.question = null
  if (checked.verdict !== 'achieved' || verified === null || verified.exitCode === 0) return checked
  const how = verified.exitCode === null ? 'did not end' : `ended with exit code ${verified.exitCode}`
  const found = `${verified.command} ${how}`
  return {
    ...checked,
    verdict: 'not_yet',
    why: `Said to be achieved, but ${found}. ${reflection.why}`.slice(0, 4_000),
    remaining: [`Make it true: ${found}`.slice(0, 1_000), ...reflection.remaining].slice(0, 50),
  }
}

/** The sign of a plan, without what differs from round to round. */
function planSign({ tasks, scope, guidance }: Plan): string {
  return JSON.stringify([tasks.map(({ text, by }) => [plain(text), by]), scope, guidance])
}

/** Signs of what failed, so that the same failure is known again. */
export function failureSigns(observations: readonly Observation[], verified: Verified | null): string[] {
  const tools = observations
    .filter(({ success, tool }) => !success && tool !== 'verify')
    .map(({ tool, input, output }) => `${tool} ${input} ${plain(output)}`)
  if (verified !== null && verified.exitCode !== 0)
    tools.push(`verify ${verified.command} ${verified.exitCode} ${plain(verified.output)}`)
  return [...new Set(tools)]
}

/** Times and addresses differ even where nothing else does. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b\d+(\.\d+)?\s?(ms|s|seconds?)\b/g, 'time')
    .replace(/0x[0-9a-f]+/g, 'address')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The same plan, or the same failure, as often as that in a row since somebody last said something. */
export function isStuck(rounds: readonly Round[], stuckAfter: number): boolean {
  const last = rounds.slice(-stuckAfter)
  const [first] = last
  if (first === undefined || last.length < stuckAfter) return false
  const { guidance } = first.plan
  if (last.some(({ plan }) => plan.guidance.length !== guidance.length)) return false
  const samePlan = last.every(({ plan }) => planSign(plan) === planSign(first.plan))
  return samePlan || first.failed.some((sign) => last.every(({ failed }) => failed.includes(sign)))
}

export type PaorChoice =
  | { readonly is: 'complete' }
  | { readonly is: 'plan_again' }
  | { readonly is: 'ask'; readonly title: string }
  | {
      readonly is: 'fail'
      readonly outcome: Extract<PaorOutcome, 'max_iterations' | 'unrecoverable'>
      readonly why: string
    }

export interface ReflectionFacts {
  readonly reflection: Reflection
  readonly iterationsMax: number
  /** People have said something that no plan contains. */
  readonly hasNews: boolean
}

export function decideNext({ reflection, iterationsMax, hasNews }: ReflectionFacts): PaorChoice {
  const { verdict, iteration, why, stuck } = reflection
  // The round after this one is what would be one too many.
  const isLast = isSpent({ max: iterationsMax, mode: 'exceeds' }, iteration + 1)
  // A verdict on a goal is none on what was said about it since.
  if (hasNews && !isLast && verdict !== 'needs_user') return { is: 'plan_again' }
  if (verdict === 'achieved') return { is: 'complete' }
  if (verdict === 'impossible') return { is: 'fail', outcome: 'unrecoverable', why }
  if (isLast)
    return {
      is: 'fail',
      outcome: 'max_iterations',
      why: `The goal was not reached in ${iterationsMax} iterations`,
    }
  if (verdict === 'needs_user') return { is: 'ask', title: reflection.question ?? why }
  if (stuck) return { is: 'ask', title: stuckWords(reflection) }
  return { is: 'plan_again' }
}

function stuckWords({ why, remaining }: Reflection): string {
  const left = remaining[0] === undefined ? why : remaining[0]
  return `The same has been tried again and again without getting further: ${left} What else could be tried?`
}
