// Plays a goal by its script: `plan` begins a round, `reflect` ends it, the steps between them are the act.
import type { Plan } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'
import type { EngineEvent, TurnEnd } from '@treadle/flow/ports/engine'
import type { Acted, Judgement, PaorFacts, PlanDraft, Thinker, Thought } from '../goal/thinker.ts'
import type { Step } from './scenario.ts'

interface Round {
  readonly plan: Extract<Step, { is: 'plan' }> | null
  readonly steps: readonly Step[]
  readonly reflect: Extract<Step, { is: 'reflect' }> | null
}

type OnEvent = (event: EngineEvent) => void
export type PlaySteps = (part: string, steps: readonly Step[], onEvent: OnEvent) => Promise<TurnEnd>

export class ScriptedThinker implements Thinker {
  readonly #rounds: readonly Round[]
  readonly #play: PlaySteps
  readonly #onEvent: OnEvent

  constructor(steps: readonly Step[], play: PlaySteps, onEvent: OnEvent) {
    this.#rounds = roundsIn(steps)
    this.#play = play
    this.#onEvent = onEvent
  }

  async plan({ iteration, goal }: PaorFacts): Promise<Thought<PlanDraft>> {
    const { plan } = this.#round(iteration)
    if (plan !== null) return had({ tasks: plan.tasks, scope: plan.scope, why: plan.why })
    const text = goal.slice(0, 4_000) || 'Reach the goal'
    return had({ tasks: [{ id: 'all', text, dependsOn: [], by: 'self' }], scope: [], why: '' })
  }

  async act({ iteration }: Plan): Promise<Thought<Acted>> {
    const observations: Observation[] = []
    const end = await this.#play(`act-${iteration}`, this.#round(iteration).steps, (event) => {
      if (event.is === 'observed') observations.push(event.observation)
      this.#onEvent(event)
    })
    return end.outcome === 'done' ? had({ said: end.text, observations }) : { is: 'ended', end }
  }

  async reflect({ iteration, verified }: PaorFacts): Promise<Thought<Judgement>> {
    const { reflect } = this.#round(iteration)
    if (reflect !== null) {
      const { verdict, why, remaining, question } = reflect
      return had({ verdict, why, remaining, question })
    }
    const verdict = verified === null || verified.exitCode === 0 ? 'achieved' : 'not_yet'
    return had({ verdict, why: 'The script says nothing else.', remaining: [], question: null })
  }

  /** The script of a goal that needs more rounds than it has goes on with its last one. */
  #round(iteration: number): Round {
    return this.#rounds[Math.min(iteration, this.#rounds.length) - 1] ?? EMPTY
  }
}

const EMPTY: Round = { plan: null, steps: [], reflect: null }

function roundsIn(steps: readonly Step[]): Round[] {
  const rounds: { plan: Round['plan']; steps: Step[]; reflect: Round['reflect'] }[] = []
  let open = false
  for (const step of steps) {
    if (!open || step.is === 'plan') rounds.push({ plan: null, steps: [], reflect: null })
    open = true
    const round = rounds.at(-1)
    if (round === undefined) continue
    if (step.is === 'plan') round.plan = step
    else if (step.is === 'reflect') {
      round.reflect = step
      open = false
    } else round.steps.push(step)
  }
  return rounds
}

function had<T>(value: T): Thought<T> {
  return { is: 'had', value }
}
