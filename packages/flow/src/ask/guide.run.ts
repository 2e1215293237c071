// Somebody says something to a run at work: recorded once, in the order in which it was said.
import type { StoredEvent } from '@treadle/contracts/event'
import type { RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Guidance } from '@treadle/contracts/paor'
import type { Run } from '@treadle/contracts/run'
import type { MovingWorld } from '../ports/moving.ts'
import type { Store } from '../ports/store.ts'
import { settleAsked } from './settle.run.ts'
import { decideAnswers, type OpenQuestion, openQuestion, WAIT_EVENTS } from './waiting.ts'

export type Guided =
  | { readonly is: 'said'; readonly event: StoredEvent; readonly guidance: Guidance }
  | { readonly is: 'over'; readonly item: Item }
  | { readonly is: 'not_asked'; readonly open: OpenQuestion | null }
  | { readonly is: 'missing' }

/** More than anybody says to one item. */
const EVENTS_MAX = 1_000

interface GuideWorld extends Omit<MovingWorld, 'config'> {
  readonly store: Pick<Store, 'tx' | 'items' | 'runs' | 'events' | 'questions' | 'preferences'>
}

interface Words {
  readonly runId: RunId
  readonly guidance: Guidance
}

export function runGuide(world: GuideWorld, words: Words): Promise<Guided> {
  const { store } = world
  return store.tx(async (): Promise<Guided> => {
    const { runId, guidance } = words
    const run = await store.runs.find(runId)
    const item = run === null ? null : await store.items.lock(run.item)
    if (run === null || item === null) return { is: 'missing' }
    const told = await store.events.ofItem(run.item, EVENTS_MAX, WAIT_EVENTS)
    const again = saidIn(told, guidance.id)
    if (again !== null) return again
    if (run.endedAt !== null || item.runId !== runId) return { is: 'over', item }
    const open = openQuestion(told, runId)
    const answers = decideAnswers(guidance.answers, open)
    if (answers.is === 'not_asked') return { is: 'not_asked', open }
    return say(world, { guidance, run, item, question: answers.is === 'answer' ? answers.open : null })
  })
}

interface Saying {
  readonly guidance: Guidance
  readonly run: Run
  readonly item: Item
  readonly question: OpenQuestion | null
}

async function say(world: GuideWorld, { guidance, run, item, question }: Saying): Promise<Guided> {
  const { events } = world.store
  const now = world.now()
  await events.append({
    id: `guided:${guidance.id}`,
    at: now,
    item: run.item,
    agentId: null,
    runId: run.id,
    state: item.state,
    event: { type: 'run.guided', guidance: { ...guidance, answers: question?.question.id ?? null } },
  })
  const answers = question?.question.id ?? null
  await settleAsked(world.store, { runId: run.id, guidance: { ...guidance, answers }, now })
  if (question !== null) await giveBack(world, { run, guidance, since: question.askedAt, now })
  const said = saidIn(await events.ofItem(run.item, EVENTS_MAX, WAIT_EVENTS), guidance.id)
  if (said === null) throw new Error(`guidance ${guidance.id} was not recorded`)
  return said
}

/** The time that was waited for an answer is not counted against whoever waited. */
async function giveBack(
  world: GuideWorld,
  { run, guidance, since, now }: { run: Run; guidance: Guidance; since: string; now: Date },
): Promise<void> {
  const byMs = Math.max(1, now.getTime() - Date.parse(since))
  await world.advance({
    item: run.item,
    eventId: `answered:${guidance.id}`,
    fence: null,
    agentId: run.agentId,
    move: { type: 'claim.extended', byMs, why: `${run.agentId} waited for an answer` },
  })
}

function saidIn(events: readonly StoredEvent[], id: string): Extract<Guided, { is: 'said' }> | null {
  for (const event of events)
    if (event.event.type === 'run.guided' && event.event.guidance.id === id)
      return { is: 'said', event, guidance: event.event.guidance }
  return null
}
