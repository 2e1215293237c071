// Plans, acts and reflects with a model. The loop around it is the flow's.
import type { Plan } from '@treadle/contracts/paor'
import { z } from 'zod'
import { draftOf, judgementOf, PlanAnswer, VerdictAnswer } from '../goal/answers.ts'
import { orderTasks } from '../goal/step-order.ts'
import type { Acted, Judgement, PaorFacts, PlanDraft, Thinker, Thought } from '../goal/thinker.ts'
import { type AgentParts, work } from './agent.ts'
import { ask, type Caller, readJson } from './call.ts'
import { type Crew, delegateWave, type Finding, findingWords } from './delegate.ts'
import { actPrompt, type Prompt, planPrompt, reflectPrompt } from './prompts.ts'
import { wireSchema } from './tools/tool.ts'
import { TurnOver } from './turn.ts'

export interface NativeThinking {
  readonly main: AgentParts
  /** Who is asked for plans and verdicts. */
  readonly planner: Caller
  /** The main agent with the searches of a plan kept to its scope. */
  mainIn(scope: readonly string[]): AgentParts
  crewIn(scope: readonly string[]): Crew
  readonly stepsMax: number
  /** The files of the worktree in a few lines, for whoever plans. */
  files(): Promise<string>
}

export class NativeThinker implements Thinker {
  readonly #thinking: NativeThinking

  constructor(thinking: NativeThinking) {
    this.#thinking = thinking
  }

  plan(facts: PaorFacts): Promise<Thought<PlanDraft>> {
    return thought(async () => {
      const prompt = planPrompt(facts, await this.#thinking.files())
      return draftOf(await this.#structured(prompt, PlanAnswer), facts.goal)
    })
  }

  act(plan: Plan, facts: PaorFacts): Promise<Thought<Acted>> {
    return thought(async () => {
      const { turn } = this.#thinking.main
      turn.takeObservations()
      const said = await this.#actOn(plan, facts)
      return { said, observations: turn.takeObservations() }
    })
  }

  reflect(facts: PaorFacts): Promise<Thought<Judgement>> {
    return thought(async () => judgementOf(await this.#structured(reflectPrompt(facts), VerdictAnswer)))
  }

  /** Parts that explore go side by side; those that change something are done by the main agent, one after another. */
  async #actOn(plan: Plan, facts: PaorFacts): Promise<string> {
    const ordered = orderTasks(plan.tasks)
    if (ordered.is === 'faulty') throw new TurnOver({ outcome: 'invalid', text: ordered.why })
    const crew = this.#thinking.crewIn(plan.scope)
    const main = this.#thinking.mainIn(plan.scope)
    const known: Finding[] = []
    const findings: Finding[] = []
    const said: string[] = []
    let left = this.#thinking.stepsMax
    let isFirst = true
    for (const wave of ordered.waves) {
      const explores = wave.filter(({ by }) => by === 'explore')
      const found = await delegateWave(crew, explores, known)
      findings.push(...found)
      known.push(...found)
      const parts = wave.filter(({ by }) => by === 'self')
      for (const part of parts) {
        if (left <= 0) return [...said, 'The steps of this iteration were used up.'].join('\n')
        const text = [
          ...(isFirst ? [actPrompt(plan, facts)] : []),
          ...findings.splice(0).map(findingWords),
          `# Do this now\n${part.id}: ${part.text}`,
        ].join('\n\n')
        const worked = await work(main, text, left)
        isFirst = false
        left -= worked.steps
        if (worked.said !== '') said.push(worked.said)
        known.push({ task: part, summary: worked.said, success: !worked.isCutShort })
      }
    }
    // Where nothing was to be done but to look around, what was found is what there is to say.
    return [...said, ...findings.map(({ summary }) => summary)].join('\n')
  }

  async #structured<T>({ system, text }: Prompt, schema: z.ZodType<T>): Promise<T> {
    const { main, planner } = this.#thinking
    const { turn } = main
    let complaint = ''
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const content = [{ type: 'text' as const, text: `${text}${complaint}` }]
      const asking = { system, messages: [{ role: 'user' as const, content }], tools: [] }
      const answer = await ask(turn, planner, { ...asking, schema: wireSchema(schema) })
      const read = schema.safeParse(objectIn(answer.text))
      if (read.success) return read.data
      complaint = `\n\nAnswer with JSON of the schema only. Your last answer did not fit: ${z.prettifyError(read.error)}`
    }
    throw new TurnOver({
      outcome: 'invalid',
      text: 'The model does not answer in the form that it was asked for.',
    })
  }
}

/** Local models like to put a fence around what they say. */
export function objectIn(text: string): unknown {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1]
  return readJson((fenced ?? text).trim())
}

/** A thought ends with the turn. */
async function thought<T>(think: () => Promise<T>): Promise<Thought<T>> {
  try {
    return { is: 'had', value: await think() }
  } catch (error) {
    if (error instanceof TurnOver) return { is: 'ended', end: error.end }
    throw error
  }
}
