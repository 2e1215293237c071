// A goal from its first plan to its end. The thinker has ideas; this loop sees to their order and to the rules.
import assert from 'node:assert/strict'
import {
  type PaorOutcome,
  type PaorState,
  Plan,
  type Reflection,
  type Verified,
} from '@treadle/contracts/paor'
import type { EngineOutcome, Observation } from '@treadle/contracts/run'
import { type GoalRound, goalSummary } from '@treadle/contracts/words/goal'
import type { EngineQuestion, TurnEnd } from '@treadle/flow/ports/engine'
import { decideNext, failureSigns, isStuck, type PaorChoice, type Round, withVerification } from './decide.ts'
import { type PaorSign, stepPaor } from './goal.machine.ts'
import { allWords, placeOf, scopeIn } from './guidance.ts'
import { orderTasks } from './step-order.ts'
import type { Acted, PaorFacts, PaorGoal, PaorWorld, PlanDraft, Thinker, Thought } from './thinker.ts'

const STUCK_AFTER = 3
const OUTPUT_MAX = 8_000
const SUMMARY_MAX = 8_000
const LATE_MAX = 2_000
const PATH_MAX = 1_000
const PLACES_MAX = 50
const WHY_MAX = 4_000
/** No other try mends these. A key or an account is mended by a person, and then the goal is worked on again. */
const HOPELESS: readonly EngineOutcome[] = ['invalid', 'refused']

export function runPaor(world: PaorWorld, goal: PaorGoal, thinker: Thinker): Promise<TurnEnd> {
  return new Loop(world, goal, thinker).run()
}

/** Something of a phase, or the end of the turn. */
type Step<T> = { readonly is: 'on'; readonly value: T } | { readonly is: 'over'; readonly end: TurnEnd }

class Loop {
  readonly #world: PaorWorld
  readonly #goal: PaorGoal
  readonly #thinker: Thinker
  readonly #plans: Plan[]
  readonly #reflections: Reflection[]
  readonly #history: GoalRound[]
  readonly #rounds: Round[]
  readonly #answers: string[] = []
  #state: PaorState = 'idle'
  #observations: readonly Observation[] = []
  #verified: Verified | null = null
  #said = ''

  constructor(world: PaorWorld, goal: PaorGoal, thinker: Thinker) {
    const { plans, reflections } = goal.task
    this.#world = world
    this.#goal = goal
    this.#thinker = thinker
    this.#plans = [...plans]
    this.#reflections = [...reflections]
    this.#history = reflections.flatMap((reflection) => {
      const plan = plans.findLast(({ iteration }) => iteration === reflection.iteration)
      return plan === undefined ? [] : [{ plan, observations: [], reflection }]
    })
    this.#rounds = this.#history.map(({ plan, reflection }) => ({
      plan,
      failed: failureSigns([], reflection?.verified ?? null),
    }))
  }

  async run(): Promise<TurnEnd> {
    const left = this.#leftOff()
    if (left === null) this.#move({ type: 'start' })
    else {
      // The agent was killed between a reflection and what follows from it.
      this.#state = 'reflecting'
      const over = await this.#follow(this.#again(left))
      if (over !== null) return over
    }
    for (;;) {
      const over = await this.#round()
      if (over !== null) return over
    }
  }

  #leftOff(): Reflection | null {
    const last = this.#reflections.at(-1)
    return last !== undefined && this.#plans.at(-1)?.iteration === last.iteration ? last : null
  }

  /** A question may have been answered while nobody was there to hear it. */
  #again(reflection: Reflection): PaorChoice {
    const choice = this.#choose(reflection)
    return choice.is === 'ask' && this.#news().length > 0 ? { is: 'plan_again' } : choice
  }

  async #round(): Promise<TurnEnd | null> {
    await this.#world.hear?.()
    const planned = await this.#plan()
    if (planned.is === 'over') return planned.end
    const acted = await this.#act(planned.value)
    if (acted.is === 'over') return acted.end
    const observed = await this.#observe(acted.value)
    if (observed.is === 'over') return observed.end
    const reflected = await this.#reflect(planned.value)
    if (reflected.is === 'over') return reflected.end
    // Words that came before the end have not been said in vain.
    await this.#world.hear?.()
    return this.#follow(this.#choose(reflected.value))
  }

  async #plan(): Promise<Step<Plan>> {
    const first = await this.#think(() => this.#thinker.plan(this.#facts()))
    if (first.is === 'over') return first
    let plan = this.#made(first.value)
    const ordered = orderTasks(plan.tasks)
    if (ordered.is === 'faulty') {
      const second = await this.#think(() => this.#thinker.plan(this.#facts(ordered.why)))
      if (second.is === 'over') return second
      plan = this.#made(second.value)
      const still = orderTasks(plan.tasks)
      if (still.is === 'faulty') return { is: 'over', end: this.#failed('unrecoverable', still.why) }
    }
    this.#plans.push(plan)
    this.#history.push({ plan, observations: [], reflection: null })
    this.#world.onEvent({ is: 'planned', plan })
    this.#move({ type: 'planned' })
    return { is: 'on', value: plan }
  }

  /** People's words are in the plan whether or not the thinker has listened. */
  #made({ tasks, scope, why }: PlanDraft): Plan {
    const guidance = this.#guidance()
    const places = this.#scopeIn(guidance) ?? scope.flatMap((path) => placeOf(path) ?? [])
    const kept = [...new Set(places)].filter((path) => path.length <= PATH_MAX).slice(0, PLACES_MAX)
    // A plan that the daemon would not take is worse than none: it costs the claim.
    return Plan.parse({
      iteration: this.#iteration(),
      tasks,
      scope: kept,
      guidance,
      why: why.slice(0, WHY_MAX),
    })
  }

  async #act(plan: Plan): Promise<Step<Acted>> {
    const acted = await this.#think(() => this.#thinker.act(plan, this.#facts()))
    if (acted.is === 'on') this.#move({ type: 'acted' })
    return acted
  }

  async #observe({ said, observations }: Acted): Promise<Step<null>> {
    const { verifyCommand } = this.#goal.task
    this.#said = said === '' ? this.#said : said
    this.#observations = observations
    this.#verified = null
    if (verifyCommand !== null) {
      const { durationMs, ...verified } = await this.#world.verify(verifyCommand)
      this.#verified = { ...verified, output: verified.output.slice(-OUTPUT_MAX) }
      const observation: Observation = {
        tool: 'verify',
        input: verifyCommand.slice(0, OUTPUT_MAX),
        output: this.#verified.output,
        durationMs,
        success: verified.exitCode === 0,
      }
      this.#observations = [...observations, observation]
      this.#world.onEvent({ is: 'observed', observation })
    }
    if (this.#world.signal.aborted) return { is: 'over', end: INTERRUPTED }
    this.#move({ type: 'observed' })
    return { is: 'on', value: null }
  }

  async #reflect(plan: Plan): Promise<Step<Reflection>> {
    const judged = await this.#think(() => this.#thinker.reflect(this.#facts()))
    if (judged.is === 'over') return judged
    const base = { ...judged.value, iteration: plan.iteration, stuck: false, verified: null }
    const weighed = withVerification(base, this.#verified)
    this.#rounds.push({ plan, failed: failureSigns(this.#observations, this.#verified) })
    const stuckAfter = this.#goal.task.stuckAfter ?? STUCK_AFTER
    const stuck = weighed.verdict === 'not_yet' && isStuck(this.#rounds, stuckAfter)
    const reflection: Reflection = { ...weighed, stuck }
    this.#reflections.push(reflection)
    this.#history.splice(-1, 1, { plan, observations: this.#observations, reflection })
    this.#world.onEvent({ is: 'reflected', reflection })
    return { is: 'on', value: reflection }
  }

  #choose(reflection: Reflection): PaorChoice {
    const { iterationsMax } = this.#goal.task
    return decideNext({ reflection, iterationsMax, hasNews: this.#news().length > 0 })
  }

  async #follow(choice: PaorChoice): Promise<TurnEnd | null> {
    switch (choice.is) {
      case 'complete':
        this.#world.concluded()
        this.#move({ type: 'achieved' })
        return this.#concluded('done', 'goal_achieved', '')
      case 'fail':
        return this.#failed(choice.outcome, choice.why)
      case 'ask':
        return this.#ask(choice.title)
      case 'plan_again':
        this.#move({ type: 'again' })
        return null
    }
  }

  /** The loop stands still until somebody has said something; silence for an answer is the end of the turn. */
  async #ask(title: string): Promise<TurnEnd | null> {
    this.#move({ type: 'ask' })
    const question = {
      id: `reflection-${this.#reflections.at(-1)?.iteration ?? 0}`,
      kind: 'guidance' as const,
      title: title.slice(0, 2_000) || 'How should it go on?',
      options: [],
    }
    this.#world.onEvent({ is: 'asked', question })
    const before = this.#guidance()
    const text = await this.#answered(question)
    if (text === null) return INTERRUPTED
    this.#answers.push(text)
    if (text.trim() === '' && this.#guidance().every((word) => before.includes(word))) {
      this.#world.concluded()
      return this.#concluded('refused', 'needs_user', question.title)
    }
    this.#move({ type: 'again' })
    return null
  }

  /** The answer to a question; null if the turn was ended first: whoever was asked may never answer. */
  async #answered(question: EngineQuestion): Promise<string | null> {
    const { signal } = this.#world
    const ended = Promise.withResolvers<null>()
    const end = () => ended.resolve(null)
    if (signal.aborted) return null
    signal.addEventListener('abort', end, { once: true })
    try {
      const answer = await Promise.race([this.#world.onQuestion(question), ended.promise])
      return signal.aborted ? null : (answer?.text ?? null)
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  async #think<T>(thought: () => Promise<Thought<T>>): Promise<Step<T>> {
    const { signal } = this.#world
    if (signal.aborted) return { is: 'over', end: INTERRUPTED }
    const had = await thought()
    if (had.is === 'had') return { is: 'on', value: had.value }
    const { end } = had
    // An engine whose calls are used up has not reached the goal, and must not pass for one that is done.
    if (end.outcome === 'max_turns') return { is: 'over', end: this.#failed('max_iterations', end.text) }
    if (!HOPELESS.includes(end.outcome)) return { is: 'over', end }
    const failed = this.#failed('unrecoverable', end.text)
    return { is: 'over', end: { ...end, ...(failed.goal === undefined ? {} : { goal: failed.goal }) } }
  }

  #failed(outcome: 'max_iterations' | 'unrecoverable', why: string): TurnEnd {
    this.#world.concluded()
    this.#move({ type: 'fail' })
    return this.#concluded('refused', outcome, why)
  }

  #concluded(end: EngineOutcome, outcome: PaorOutcome, why: string): TurnEnd {
    const whole = goalSummary({ outcome, why, said: this.#said, rounds: this.#history })
    const late = this.#news()
    // Room is made for it: whoever said it has been told that it was heard.
    const left = late.length === 0 ? '' : `\nSaid too late for a plan: ${late.join('; ')}`.slice(0, LATE_MAX)
    const summary = `${whole.slice(0, SUMMARY_MAX - left.length)}${left}`
    return {
      outcome: end,
      text: summary,
      goal: { outcome, iterations: this.#history.length, summary },
    }
  }

  #move(sign: PaorSign): void {
    const next = stepPaor(this.#state, sign)
    assert(next !== null, `a goal that is ${this.#state} cannot ${sign.type}`)
    const moved = next !== this.#state
    this.#state = next
    if (moved) this.#world.onEvent({ is: 'moved', to: next })
  }

  #guidance(): string[] {
    return allWords(this.#goal.task.guidance, this.#world.guidance(), this.#answers)
  }

  /** Words that were said since the last plan was made. */
  #news(): string[] {
    const planned = this.#plans.at(-1)?.guidance ?? []
    const answers = allWords(this.#world.answers?.() ?? [])
    return this.#guidance().filter((word) => !planned.includes(word) && !answers.includes(word))
  }

  #scopeIn(guidance: readonly string[]): string[] | null {
    return scopeIn(guidance, (name) => this.#world.isPlace?.(name) ?? false)
  }

  #iteration(): number {
    return (this.#reflections.at(-1)?.iteration ?? 0) + 1
  }

  #facts(complaint: string | null = null): PaorFacts {
    const { text, task } = this.#goal
    const guidance = this.#guidance()
    return {
      goal: text,
      iteration: this.#iteration(),
      iterationsMax: task.iterationsMax,
      guidance,
      scope: this.#scopeIn(guidance) ?? [],
      plans: this.#plans,
      reflections: this.#reflections,
      observations: this.#observations,
      said: this.#said,
      verifyCommand: task.verifyCommand,
      verified: this.#verified,
      complaint,
    }
  }
}

const INTERRUPTED: TurnEnd = { outcome: 'interrupted', text: 'The turn was interrupted.' }
