// An agent that thinks: claims, asks the model, shows what it says, tells the answer until somebody has heard it.
import { randomUUID } from 'node:crypto'
import { ApiError } from '@treadle/contracts/client'
import type { Thought } from '@treadle/contracts/thought'
import { messageOf } from '@treadle/flow/fault'
import type { Agent } from '../compose.ts'
import { isAway } from '../home.ts'
import { clearScratch } from '../scratch-folder.ts'
import { type Answered, AnsweredFile } from './answered-file.ts'
import { claimKeyIn } from './claim-key.ts'
import { runThought } from './run-thought.ts'

const ASK_AGAIN_MS = 1_000
/** How often to look whether the thought is still ours while a model works on it. */
const WATCH_MS = 15_000
/** Parts of the speech that wait to be told; more are left out, and the answer has them anyway. */
const SAID_WAITING_MAX = 50

/** Tells what a predecessor of this process had got and not told; before anything new is asked for. */
export async function tellLeft(agent: Agent, signal: AbortSignal): Promise<void> {
  clearScratch(agent)
  const left = await fileOf(agent).left()
  if (left !== null) await tell(agent, left, signal)
}

export async function think(agent: Agent, offered: Thought, signal: AbortSignal): Promise<void> {
  const thought = await claim(agent, offered)
  if (thought === null) return pause(agent, signal)
  agent.heartbeats.change({
    status: thought.kind === 'review_judge' ? 'reviewing' : 'ideating',
    currentProjectNumber: thought.work?.item.number ?? null,
    currentPhase: thought.use,
    branchName: null,
    currentTaskDescription: descriptionOf(thought),
  })
  const over = new AbortController()
  const lost = watch(agent, thought, AbortSignal.any([signal, over.signal]))
  const ending = AbortSignal.any([signal, lost.signal])
  let why: string | null = null
  try {
    await agent.refresh()
    const speech = new Speech(agent, thought, lost)
    const end = await runThought(await agent.thinkTools(), thought, {
      signal: ending,
      checkpoint: () => agent.gate.checkpoint(ending),
      onSaid: (text, leftOut) => speech.say(text, leftOut),
      onShown: (shown) => agent.heartbeats.change(shown),
    })
    const answered = { thought: thought.id, fence: thought.fence, end }
    await fileOf(agent).keep(answered)
    await speech.told()
    why = await tell(agent, answered, signal)
  } catch (error) {
    why = messageOf(lost.signal.aborted ? lost.signal.reason : error)
  } finally {
    over.abort()
  }
  if (why !== null) agent.log(`the thought about ${thought.subject}: ${why}`)
  if (signal.aborted) return
  agent.heartbeats.change({
    status: 'idle',
    currentProjectNumber: null,
    currentPhase: null,
    branchName: null,
    currentTaskDescription: null,
    ...(why === null
      ? tasksOf(agent, thought)
      : { errorCount: agent.heartbeats.errorCount + 1, lastError: why }),
  })
}

/** What people see while it thinks. */
function descriptionOf({ kind, subject }: Thought): string {
  return kind === 'category_idea' || kind === 'category_survey' ? `Analyzing repository: ${subject}` : subject
}

/** A judged delivery is a piece of work that is done. */
function tasksOf({ heartbeats }: Agent, { kind }: Thought): { tasksCompleted?: number } {
  return kind === 'review_judge' ? { tasksCompleted: heartbeats.tasksCompleted + 1 } : {}
}

/** What somebody else has is not asked for in a loop. */
async function pause(agent: Agent, signal: AbortSignal): Promise<void> {
  await agent.clock.sleep(ASK_AGAIN_MS, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

function keyOf({ paths, id }: Agent): string {
  return claimKeyIn(`${paths.spool}/${id}.key`)
}

async function claim(agent: Agent, { id, subject }: Thought): Promise<Thought | null> {
  try {
    return await agent.home.client().claimThought({
      params: { id },
      body: { agentId: agent.id, claimKey: keyOf(agent) },
    })
  } catch (error) {
    // Somebody else was faster.
    if (!(error instanceof ApiError && error.status === 409)) agent.log(`${subject}: ${messageOf(error)}`)
    return null
  }
}

/** Said until somebody has heard it. Null: it was taken, and it was an answer. */
async function tell(
  agent: Agent,
  { thought, fence, end }: Answered,
  signal: AbortSignal,
): Promise<string | null> {
  const body = { agentId: agent.id, fence, claimKey: keyOf(agent), end }
  for (;;) {
    signal.throwIfAborted()
    try {
      await agent.home.client().answerThought({ params: { id: thought }, body })
      await fileOf(agent).drop()
      return end.is === 'failed' ? end.why : null
    } catch (error) {
      if (error instanceof ApiError && !isAway(error) && error.code !== 'unauthorized') {
        await fileOf(agent).drop()
        return messageOf(error)
      }
    }
    await agent.clock.sleep(ASK_AGAIN_MS, signal)
  }
}

function fileOf({ paths, id, log }: Agent): AnsweredFile {
  return new AnsweredFile(`${paths.spool}/${id}.thought.json`, log)
}

/** What the model says, told part by part in its order; nobody waits for it. */
class Speech {
  readonly #agent: Agent
  readonly #thought: Thought
  readonly #lost: AbortController
  #line: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(agent: Agent, thought: Thought, lost: AbortController) {
    this.#agent = agent
    this.#thought = thought
    this.#lost = lost
  }

  say(text: string, leftOut: number | undefined): void {
    if (this.#waiting >= SAID_WAITING_MAX || this.#lost.signal.aborted) return
    this.#waiting += 1
    this.#line = this.#line.then(() => this.#tell(text, leftOut)).finally(() => (this.#waiting -= 1))
  }

  /** Resolves when all of it was tried, so that the answer comes last. */
  told(): Promise<void> {
    return this.#line
  }

  async #tell(text: string, leftOut: number | undefined): Promise<void> {
    const { id, fence } = this.#thought
    const claimKey = keyOf(this.#agent)
    const body = { agentId: this.#agent.id, fence, claimKey, eventId: randomUUID(), text }
    try {
      await this.#agent.home.client().sayThought({
        params: { id },
        body: leftOut === undefined ? body : { ...body, leftOut },
      })
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) this.#lost.abort(error)
    }
  }
}

/** Aborts when it was withdrawn, given up, or taken away. */
function watch(agent: Agent, { id, fence }: Thought, signal: AbortSignal): AbortController {
  const lost = new AbortController()
  const look = async () => {
    const now = await agent.home
      .client()
      .showThought({ params: { id } })
      .catch(() => null)
    if (now !== null && (now.status !== 'claimed' || now.fence !== fence))
      lost.abort(new Error(`it is ${now.status} meanwhile`))
  }
  const timer = setInterval(() => void look(), WATCH_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return lost
}
