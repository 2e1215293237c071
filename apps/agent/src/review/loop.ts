// The reviewer: waits for a delivery that nobody has judged, reads it, answers, waits again.
import { ApiError } from '@treadle/contracts/client'
import type { Review } from '@treadle/contracts/review'
import type { ReviewEnd } from '@treadle/contracts/routes/reviews'
import { messageOf } from '@treadle/flow/fault'
import type { Agent } from '../compose.ts'
import { findHome, isAway } from '../home.ts'
import { clearScratch } from '../scratch-folder.ts'
import { readChange } from './read-change.ts'

/** How long the daemon may hold the question whether there is something; then it is asked anew. */
const WAIT_MS = 60_000
const PATIENCE_MS = WAIT_MS + 15_000
const ASK_AGAIN_MS = 1_000
/** How often to look whether the review is still ours while an engine works on it. */
const WATCH_MS = 15_000

export async function reviewAll(agent: Agent, signal: AbortSignal): Promise<void> {
  const { paths, id } = agent
  clearScratch('review', { paths, id })
  const patient = findHome(paths, PATIENCE_MS)
  while (!signal.aborted) {
    await agent.gate.checkpoint(signal)
    const askedAt = agent.clock.now().getTime()
    const waiting = await ask(agent, () =>
      patient.client().reviewQueue({
        query: { waitsFor: 'reviewer', waitMs: WAIT_MS, limit: 1 },
        signal: AbortSignal.any([signal, agent.gate.pausing]),
      }),
    )
    const [first] = waiting?.items ?? []
    if (first === undefined) {
      agent.heartbeats.rest()
      // A daemon that is about to end does not hold the question: it is not asked in a loop.
      const wasHeld = agent.clock.now().getTime() - askedAt > ASK_AGAIN_MS
      if (!wasHeld && !agent.gate.pausing.aborted) await rest(agent, ASK_AGAIN_MS, signal)
      continue
    }
    const review = await claim(agent, first)
    if (review === null) await rest(agent, ASK_AGAIN_MS, signal)
    else await reviewOne(agent, review, signal)
  }
}

async function claim(agent: Agent, { id }: Review): Promise<Review | null> {
  return ask(agent, () => agent.home.client().claimReview({ params: { id }, body: { agentId: agent.id } }))
}

async function reviewOne(agent: Agent, review: Review, signal: AbortSignal): Promise<void> {
  agent.heartbeats.change({
    status: 'reviewing',
    currentProjectNumber: review.issueNumber,
    currentPhase: 'review',
    branchName: review.branchName,
    currentTaskDescription: review.issueTitle,
  })
  const over = new AbortController()
  const lost = watch(agent, review, AbortSignal.any([signal, over.signal]))
  const ending = AbortSignal.any([signal, lost])
  let why: string | null = null
  try {
    await agent.refresh()
    const material = await agent.home.client().showReview({ params: { id: review.id } })
    const end = await readChange(await agent.reviewTools(), material, ending)
    why = await answer(agent, { review, end }, ending)
  } catch (error) {
    why = messageOf(lost.aborted ? lost.reason : error)
  } finally {
    over.abort()
  }
  if (why !== null) agent.log(`review ${review.id} of #${review.issueNumber}: ${why}`)
  // Whoever ends this process says what becomes of the review.
  if (signal.aborted) return
  agent.heartbeats.change({
    status: 'idle',
    currentProjectNumber: null,
    currentPhase: null,
    branchName: null,
    currentTaskDescription: null,
    ...(why === null
      ? { tasksCompleted: agent.heartbeats.tasksCompleted + 1 }
      : { errorCount: agent.heartbeats.errorCount + 1, lastError: why }),
  })
}

/** Said until somebody has heard it. Null: it was taken. */
async function answer(
  agent: Agent,
  { review, end }: { review: Review; end: ReviewEnd },
  signal: AbortSignal,
): Promise<string | null> {
  const { config } = await agent.reviewTools()
  const engine = config.engines.reviewer ?? 'none'
  const body = { agentId: agent.id, fence: review.fence, engine, end }
  for (;;) {
    signal.throwIfAborted()
    try {
      await agent.home.client().answerReview({ params: { id: review.id }, body })
      return end.is === 'failed' ? end.why : null
    } catch (error) {
      if (!isAway(error)) return messageOf(error)
    }
    await agent.clock.sleep(ASK_AGAIN_MS, signal)
  }
}

/** Aborts when somebody else has decided it, or it was taken away. */
function watch(agent: Agent, review: Review, signal: AbortSignal): AbortSignal {
  const lost = new AbortController()
  const look = async () => {
    const query = { projectNumber: review.projectNumber, issueNumber: review.issueNumber, limit: 1 }
    const found = await ask(agent, () => agent.home.client().listReviews({ query }))
    const [now] = found?.items ?? []
    if (
      now !== undefined &&
      (now.id !== review.id || now.claimedByAgentId !== agent.id || now.fence !== review.fence)
    )
      lost.abort(new Error('somebody else has decided it meanwhile'))
  }
  const timer = setInterval(() => void look(), WATCH_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return lost.signal
}

/** Null: no answer, or none that is of use; there will be another question. */
async function ask<T>(agent: Agent, question: () => Promise<T>): Promise<T | null> {
  try {
    return await question()
  } catch (error) {
    const isNews = !isAway(error) && !(error instanceof ApiError && error.status === 409)
    if (isNews && !agent.gate.pausing.aborted) agent.log(messageOf(error))
    return null
  }
}

async function rest(agent: Agent, ms: number, signal: AbortSignal): Promise<void> {
  await agent.clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
