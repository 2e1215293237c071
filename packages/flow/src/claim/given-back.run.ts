// Reads how often an item was given back because of its engine, and whether that engine has served others meanwhile.
import type { Config } from '@treadle/contracts/config'
import type { AgentMove, StoredEvent } from '@treadle/contracts/event'
import type { ItemRef, RunId } from '@treadle/contracts/ids'
import type { Store } from '../ports/store.ts'
import { decideGiveBack, type GiveBack } from './given-back.ts'

/** More than the settings will ever ask for in sensible use. */
const EVENTS_MAX = 500
/** Of what was built lately. */
const BUILT_MAX = 50

interface GiveBackWorld {
  readonly store: Pick<Store, 'events' | 'runs'>
  readonly now: () => Date
  readonly config: () => Config
}

/** The move as it counts: one more that goes back, or one that is a person's by now. */
export async function runGiveBack(
  { store, now, config }: GiveBackWorld,
  { item, runId, move }: { item: ItemRef; runId: RunId; move: AgentMove },
): Promise<AgentMove> {
  if (move.type !== 'claim.released' || move.engine === undefined) return move
  const { engine, why, restsUntil } = move
  const { limits } = config()
  const before = move.hasProgress === true ? [] : await earlier(store, item, engine)
  // Below the limit there is nothing to decide.
  if (before.length + 1 < limits.giveBacks) return move
  const all = await judged(store, { item, engine, times: [...before, { at: now().getTime(), runId }] })
  const choice = decideGiveBack({ engine, why, all, limits, isRefused: restsUntil === undefined })
  return choice.is === 'queue' ? move : { type: 'item.escalated', why: choice.why }
}

interface Before {
  readonly at: number
  readonly runId: RunId | null
}

/** Since a person has put it back, or it was delivered, or it last got on, which counts as the first time. */
async function earlier({ events }: GiveBackWorld['store'], item: ItemRef, engine: string): Promise<Before[]> {
  const told = await events.ofItem(item, EVENTS_MAX, ['claim.released', 'item.reopened', 'verify.passed'])
  const isBegun = ({ event }: StoredEvent) => event.type !== 'claim.released'
  const gotOn = told.findLastIndex(
    ({ event }) => event.type === 'claim.released' && event.hasProgress === true,
  )
  return told
    .slice(Math.max(told.findLastIndex(isBegun) + 1, gotOn))
    .filter(({ event }) => event.type === 'claim.released' && event.engine === engine)
    .map(({ at, runId }) => ({ at: Date.parse(at), runId }))
}

interface Times {
  readonly item: ItemRef
  readonly engine: string
  readonly times: readonly Before[]
}

async function judged(store: GiveBackWorld['store'], { item, engine, times }: Times): Promise<GiveBack[]> {
  const runs = await Promise.all(times.map(({ runId }) => (runId === null ? null : store.runs.find(runId))))
  const begun = Date.parse(runs[0]?.startedAt ?? '') || 0
  const built = await builtByOthers(store, { item, engine, since: begun })
  return times.map(({ at }, index) => {
    const since = times[index - 1]?.at ?? begun
    const isServing = built.some((when) => when > since && when <= at) || (runs[index]?.usage.length ?? 0) > 0
    return { at, isServing }
  })
}

/** When the same engine has ended builds of other items. */
async function builtByOthers(
  { events, runs }: GiveBackWorld['store'],
  { item, engine, since }: { item: ItemRef; engine: string; since: number },
): Promise<number[]> {
  const times: number[] = []
  for (const told of await events.newest({ type: 'build.finished', limit: BUILT_MAX })) {
    const at = Date.parse(told.at)
    if (at <= since) break
    const isItself = told.item?.number === item.number && told.item.projectNumber === item.projectNumber
    const run = isItself || told.runId === null ? null : await runs.find(told.runId)
    const isBy = run?.history.some(({ fixes }) =>
      fixes.some((fix) => fix.engine === engine && fix.outcome === 'done'),
    )
    if (isBy === true) times.push(at)
  }
  return times
}
