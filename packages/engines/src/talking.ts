// The thinker of a goal where a program talks: it is asked for a plan and for a verdict, and what it answers is read
// strictly.
import { type Plan, SubTask } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'
import type { EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { z } from 'zod'
import { draftOf, jsonIn, judgementOf, PlanAnswer, VerdictAnswer } from './goal/answers.ts'
import { actText, againText, planText, reflectText } from './goal/talking.ts'
import type { Acted, Judgement, PaorFacts, PlanDraft, Thinker, Thought } from './goal/thinker.ts'

/** As much of a session under the loop as its thinker needs. */
interface TalkingDrive {
  readonly options: Pick<EngineOpen, 'resume'>
  takeObservations(): Observation[]
  takeListed(): readonly string[]
}

const had = <T>(value: T): Thought<T> => ({ is: 'had', value })

/** A plan without anybody's thoughts: what remains, one part each, or else the goal in the owner's words. */
export function plainPlan({ item }: EngineTask, { goal, reflections, scope }: PaorFacts): PlanDraft {
  const last = reflections.at(-1)
  const remaining = last?.remaining ?? []
  const texts = remaining.length === 0 ? [goalWords(item, goal)] : remaining
  return { tasks: tasksOf(texts), scope: [...scope], why: last?.why ?? '' }
}

function tasksOf(texts: readonly string[]): SubTask[] {
  return texts.slice(0, 50).map((text, at) => SubTask.parse({ id: `${at + 1}`, text: text.slice(0, 4_000) }))
}

/** What a prompt is marked with is for the engine, not for people. */
const MARKER = /\[\[[^\]\n]*\]\]/g

function goalWords(item: EngineTask['item'], goal: string): string {
  const own = item === null ? goal.replace(MARKER, '') : [item.title, item.body].join('\n\n')
  return own.trim().slice(0, 4_000) || 'Reach the goal'
}

/** A program that talks plans, acts and reflects in one conversation; each time it is told what is new. */
export class TalkingThinker implements Thinker {
  readonly #drive: TalkingDrive
  readonly #inner: EngineSession
  readonly #task: EngineTask
  #isTold: boolean
  readonly #said = new Set<string>()
  #end: TurnEnd | null = null

  constructor(drive: TalkingDrive, inner: EngineSession, task: EngineTask) {
    this.#drive = drive
    this.#inner = inner
    this.#task = task
    // A conversation that goes on has the request already.
    this.#isTold = drive.options.resume !== undefined
  }

  get confidence(): TurnEnd['confidence'] {
    return this.#end?.confidence
  }

  /** If the program keeps a list of what it will do, that list is the plan. */
  async plan(facts: PaorFacts): Promise<Thought<PlanDraft>> {
    const news = facts.guidance.filter((text) => !this.#said.has(text))
    for (const text of news) this.#said.add(text)
    const request = this.#isTold ? null : this.#task.text
    this.#drive.takeListed()
    const answer = await this.#ask(planText(facts, request, news), PlanAnswer)
    this.#isTold = true
    if (answer.is === 'ended') return answer
    const listed = this.#drive.takeListed().filter((text) => text.trim() !== '')
    const goal = goalWords(this.#task.item, facts.goal)
    if (answer.value === null) {
      const plain = plainPlan(this.#task, facts)
      return had(listed.length === 0 ? { ...plain, why: UNREAD_PLAN } : { ...plain, tasks: tasksOf(listed) })
    }
    const draft = draftOf(answer.value, goal)
    return had(listed.length === 0 ? draft : { ...draft, tasks: tasksOf(listed) })
  }

  async act(plan: Plan, facts: PaorFacts): Promise<Thought<Acted>> {
    this.#drive.takeObservations()
    const testCommand = facts.verifyCommand ?? this.#task.testCommand
    const end = await this.#prompt(actText(plan, facts), { plan, testCommand })
    this.#end = end
    if (!isWorth(end)) return { is: 'ended', end }
    return had({ said: end.text, observations: this.#drive.takeObservations() })
  }

  /** An answer that cannot be read is no verdict: the check decides, and without one a person. */
  async reflect(facts: PaorFacts): Promise<Thought<Judgement>> {
    const answer = await this.#ask(reflectText(facts), VerdictAnswer)
    if (answer.is === 'ended') return answer
    if (answer.value !== null) return had(judgementOf(answer.value))
    const { verified } = facts
    if (verified === null)
      return had({ verdict: 'needs_user', why: UNREAD_VERDICT, remaining: [], question: UNREAD_VERDICT })
    const isGreen = verified.exitCode === 0
    const why = `${UNREAD_VERDICT} ${verified.command} ended with exit code ${verified.exitCode ?? 'none'}.`
    return had({ verdict: isGreen ? 'achieved' : 'not_yet', why, remaining: [], question: null })
  }

  /** Null: what was answered could not be read, twice over. */
  async #ask<T>(text: string, form: z.ZodType<T>): Promise<Thought<T | null>> {
    let said = text
    for (let tries = 0; tries < 2; tries += 1) {
      const end = await this.#prompt(said)
      if (!isWorth(end)) return { is: 'ended', end }
      const read = form.safeParse(end.structured ?? jsonIn(end.text))
      if (read.success) return had(read.data)
      said = againText(z.prettifyError(read.error))
    }
    return had(null)
  }

  #prompt(
    text: string,
    more: { readonly plan?: Plan; readonly testCommand?: string | null } = {},
  ): Promise<TurnEnd> {
    const { goal: _, news: __, ...task } = this.#task
    const iteration = more.plan?.iteration ?? 1
    const testCommand = more.testCommand ?? task.testCommand
    return this.#inner.prompt({ ...task, text, testCommand, attempt: task.attempt + iteration - 1 })
  }
}

const UNREAD_PLAN = 'The engine made no plan that could be read.'
const UNREAD_VERDICT = 'The engine gave no verdict that could be read.'

const isWorth = ({ outcome }: TurnEnd) => outcome === 'done' || outcome === 'max_turns'
