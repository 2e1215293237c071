// Conflicts seen before they stop a merge, and what a person does about those that did.
import type { Conflict, OverlapFile, PredictedConflict } from '@treadle/contracts/conflict'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { Fault } from '../../fault.ts'
import type { ForecastGit, MergeGit } from '../../ports/git.ts'
import type { Advanced, MovingWorld } from '../../ports/moving.ts'
import type { Store } from '../../ports/store.ts'
import { onTargetOf } from '../../work/item-target.ts'
import { overlaps } from './overlap.ts'
import { pairKey, pairsOf, type Side, warningId } from './predict.ts'

// ── Looking ahead ───────────────────────────────────────────────────────────────────────────────

export interface ForecastWorld {
  readonly store: Pick<Store, 'items' | 'events'>
  readonly git: ForecastGit
  readonly target: string
  readonly now: () => Date
}

/** What was found about pairs of commits; only what is still live is kept. */
export interface Forecast {
  readonly pairs: ReadonlyMap<string, readonly OverlapFile[]>
  readonly conflicts: readonly PredictedConflict[]
}
export const EMPTY_FORECAST: Forecast = { pairs: new Map(), conflicts: [] }

const LIVE: readonly Item['state'][] = ['building', 'verifying', 'improving', 'in_review', 'merging']
const LIVE_MAX = 100
const FILES_MAX = 100

export async function runForecast(world: ForecastWorld, before: Forecast): Promise<Forecast> {
  const pairs = new Map<string, readonly OverlapFile[]>()
  const conflicts: PredictedConflict[] = []
  for (const [one, other] of await pairsToday(world)) {
    const key = pairKey(one, other)
    const known = before.pairs.get(key)
    const files = known ?? (await lookAt(world.git, one, other))
    pairs.set(key, files)
    if (files.length === 0) continue
    if (known === undefined) await warn(world, { one, other, files: [...files] })
    conflicts.push({
      one: shown(one),
      other: shown(other),
      files: [...files],
      since: sinceOf(world, before, [one, other]),
    })
  }
  return { pairs, conflicts }
}

/** Only what is to land on one branch can be in the way of each other there. */
async function pairsToday(world: ForecastWorld): Promise<[Side, Side][]> {
  const byTarget = Map.groupBy(await liveSides(world), ({ target }) => target)
  const pairs: [Side, Side][] = []
  for (const [name, live] of byTarget) {
    const target = await targetSide(world, name)
    if (target === null) continue
    pairs.push(
      ...pairsOf(
        live.map(({ side }) => side),
        target,
      ),
    )
  }
  return pairs
}

async function targetSide({ git }: ForecastWorld, target: string): Promise<Side | null> {
  const head = await git.commitOf(`refs/heads/${target}`)
  if (head === null) return null
  return { branch: target, item: null, agentId: null, head, commit: head, committed: true }
}

interface LiveSide {
  readonly side: Side
  readonly target: string
}

async function liveSides(world: ForecastWorld): Promise<LiveSide[]> {
  const { store, git } = world
  const items = (await store.items.inStates(LIVE, LIVE_MAX)).flatMap(({ branch, ...item }) =>
    branch === null ? [] : [{ ...item, branch }],
  )
  const stands = (await orNull(git.standsOf(items.map(({ branch }) => branch)))) ?? []
  return items.flatMap((item, at) => {
    const stand = stands[at] ?? null
    const { branch, projectNumber, number, claimedByAgentId: agentId } = item
    const side = { branch, item: { projectNumber, number }, agentId }
    return stand === null ? [] : [{ side: { ...side, ...stand }, target: onTargetOf(world, item).target }]
  })
}

/** A worktree may go while it is looked at; the next look will do. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

async function lookAt(git: ForecastGit, one: Side, other: Side): Promise<OverlapFile[]> {
  const dry = await orNull(git.dryRun(other.commit, one.commit))
  if (dry === null || dry.is === 'clean') return []
  const paths = dry.files.slice(0, FILES_MAX)
  const base = await git.mergeBase(one.commit, other.commit)
  if (base === null) return paths.map((path) => ({ path, lines: [] }))
  const [mine, theirs] = [
    await git.hunks({ from: base, to: one.commit }, paths),
    await git.hunks({ from: base, to: other.commit }, paths),
  ]
  return paths.map((path, at) => ({ path, lines: overlaps(mine[at] ?? [], theirs[at] ?? []) }))
}

async function warn(
  { store, now }: ForecastWorld,
  { one, other, files }: { one: Side; other: Side; files: OverlapFile[] },
): Promise<void> {
  await store.events.append({
    id: warningId(one, other, files),
    at: now(),
    item: one.item,
    agentId: one.agentId,
    runId: null,
    state: null,
    event: {
      type: 'conflict.predicted',
      branch: one.branch,
      other: other.branch,
      otherItem: other.item,
      files: files.map(({ path }) => path),
      committed: one.committed && other.committed,
    },
  })
}

function shown({ head: _, ...side }: Side): PredictedConflict['one'] {
  return side
}

function sinceOf({ now }: ForecastWorld, { conflicts }: Forecast, [one, other]: [Side, Side]): string {
  const same = conflicts.find((each) => each.one.branch === one.branch && each.other.branch === other.branch)
  return same?.since ?? now().toISOString()
}

// ── What a person does ──────────────────────────────────────────────────────────────────────────

export interface ResolveWorld extends MovingWorld {
  readonly store: Pick<Store, 'items'>
  readonly git: MergeGit
  readonly target: string
}
export type Resolution =
  | { readonly is: 'moved'; readonly item: Item }
  | { readonly is: 'conflicted'; readonly branch: string; readonly files: readonly string[] }
  | { readonly is: 'refused'; readonly why: string }

/** "Mark resolved": believed only if the branch as it is now merges cleanly with the newest target. */
export async function runResolve(world: ResolveWorld, conflict: Conflict, by: string): Promise<Resolution> {
  const { git, store } = world
  const item = await store.items.find(refOf(conflict))
  if (item === null || item.state !== 'conflicted') return over(conflict, item)
  const { target } = onTargetOf(world, item)
  const { fetchMs } = world.config().limits
  const head = await git.takePushed(conflict.branchName, fetchMs)
  if (head === null) return { is: 'refused', why: `the branch ${conflict.branchName} is gone` }
  const latest = await git.latest(target, fetchMs)
  for (const commit of [latest.commit, latest.beside]) {
    const dry = commit === null ? null : await git.dryRun(commit, head)
    if (dry?.is === 'conflicted') return { is: 'conflicted', branch: conflict.branchName, files: dry.files }
  }
  return movedBy(
    await world.advance({
      item: refOf(conflict),
      eventId: `resumed:${conflict.id}:${item.reviewCycles}:${head.slice(0, 12)}`,
      fence: null,
      agentId: null,
      move: { type: 'merge.resumed', by, head },
    }),
  )
}

/** "Abort and reassign": back to the backlog, for anybody or for one agent, with words for whoever takes it. */
export async function runAbort(
  world: Pick<MovingWorld, 'advance'> & { readonly store: Pick<Store, 'tx' | 'items'> },
  conflict: Conflict,
  { by, to, words }: { by: string; to: AgentId | null; words?: string | undefined },
): Promise<Resolution> {
  return world.store.tx(async () => {
    const item = await world.store.items.lock(refOf(conflict))
    if (item === null || item.state !== 'conflicted') return over(conflict, item)
    const order = { item: refOf(conflict), fence: null, agentId: null }
    const stem = `aborted:${conflict.id}:${item.reviewCycles}`
    const back = movedBy(
      await world.advance({
        ...order,
        eventId: stem,
        move: { type: 'item.reopened', by, ...(words === undefined ? {} : { words }) },
      }),
    )
    if (back.is !== 'moved' || to === null) return back
    return movedBy(
      await world.advance({ ...order, eventId: `${stem}:to`, move: { type: 'item.assigned', by, to } }),
    )
  })
}

function refOf({ projectNumber, issueNumber }: Conflict): { projectNumber: number; number: number } {
  return { projectNumber, number: issueNumber }
}

function over({ issueNumber }: Conflict, item: Item | null): Resolution {
  return { is: 'refused', why: `#${issueNumber} is ${item?.state ?? 'gone'} and does not wait for this` }
}

function movedBy(moved: Advanced): Resolution {
  if (moved.is === 'advanced') return { is: 'moved', item: moved.item }
  return { is: 'refused', why: moved.is === 'refused' ? moved.why : `the order came twice (${moved.is})` }
}
