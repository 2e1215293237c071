// A goal with somebody who thinks by a list; what a model would say is the edge of the world.
import { spawnSync } from 'node:child_process'
import { type Plan, SubTask } from '@treadle/contracts/paor'
import type { EngineEvent, GoalTask, TurnEnd } from '@treadle/flow/ports/engine'
import { runPaor } from '../run-goal.ts'
import type { Acted, Judgement, PaorFacts, PaorWorld, PlanDraft, Thinker, Thought } from '../thinker.ts'

export const ROUND = ['planning', 'acting', 'observing', 'reflecting']

interface Script {
  plan?: (facts: PaorFacts) => Partial<PlanDraft> | TurnEnd
  act?: (plan: Plan, facts: PaorFacts) => Partial<Acted> | TurnEnd
  reflect?: (facts: PaorFacts) => Partial<Judgement> | TurnEnd
}

function thought<T extends object>(made: Partial<T> | TurnEnd, rest: T): Thought<T> {
  return 'outcome' in made
    ? { is: 'ended', end: made as TurnEnd }
    : { is: 'had', value: { ...rest, ...made } }
}

const thinker = ({ plan, act, reflect }: Script): Thinker => ({
  async plan(facts) {
    const tasks = [SubTask.parse({ id: 'a', text: `Try number ${facts.iteration}` })]
    return thought<PlanDraft>(plan?.(facts) ?? {}, { tasks, scope: [], why: '' })
  },
  async act(made, facts) {
    return thought<Acted>(act?.(made, facts) ?? {}, {
      said: `Did round ${facts.iteration}.`,
      observations: [],
    })
  },
  async reflect(facts) {
    const judged = reflect?.(facts) ?? { verdict: 'achieved' as const }
    return thought<Judgement>(judged, { verdict: 'not_yet', why: 'because', remaining: [], question: null })
  },
})

export interface GoalRunOptions extends Partial<GoalTask> {
  /** Where the command is run that says whether the goal is reached. */
  cwd?: string
  script?: Script
  answers?: string[]
  /** Told at the first sight of such an event. */
  says?: (event: EngineEvent) => string | null
  abort?: AbortController
  /** What of it was the answer to a question. */
  toOthers?: string[]
  /** How long people think before they answer. */
  silence?: Promise<void>
}

export async function runScript(given: GoalRunOptions = {}) {
  const events: EngineEvent[] = []
  const heard: string[] = []
  const asked: string[] = []
  const answers = [...(given.answers ?? [])]
  let isOver = false
  const world: PaorWorld = {
    signal: (given.abort ?? new AbortController()).signal,
    onEvent(event) {
      events.push(event)
      const said = given.says?.(event)
      if (typeof said === 'string' && !isOver) heard.push(said)
    },
    async onQuestion({ title }) {
      asked.push(title)
      await given.silence
      return { text: answers.shift() ?? '' }
    },
    async verify(command) {
      const { status, stdout } = spawnSync('/bin/sh', ['-c', command], { cwd: given.cwd, encoding: 'utf8' })
      return { command, exitCode: status, output: stdout, durationMs: 1 }
    },
    guidance: () => heard,
    answers: () => given.toOthers ?? [],
    concluded: () => {
      isOver = true
    },
  }
  const task: GoalTask = {
    iterationsMax: 15,
    verifyCommand: null,
    guidance: [],
    plans: [],
    reflections: [],
    ...given,
  }
  const end = await runPaor(world, { text: 'Rename X to Y', task }, thinker(given.script ?? {}))
  const states = events.flatMap((event) => (event.is === 'moved' ? [event.to] : []))
  const plans = events.flatMap((event) => (event.is === 'planned' ? [event.plan] : []))
  const reflections = events.flatMap((event) => (event.is === 'reflected' ? [event.reflection] : []))
  return { end, events, states, plans, reflections, asked, heard }
}
