// What a delivery changes, or has changed since an earlier one, and what became of the lines that reviews commented on.
import type { DeliveredFile, DeliveryChange, LineComment, TracedComment } from '@treadle/contracts/delivery'
import type { StoredEvent } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Review } from '@treadle/contracts/review'
import type { Run } from '@treadle/contracts/run'
import type { MergeGit, WorktreeGit } from '../ports/git.ts'
import type { Store } from '../ports/store.ts'
import { onTargetOf } from '../work/item-target.ts'
import { baseOf } from './examine.run.ts'
import { type Fate, type FileTrace, fateOf, fateOfRemoved } from './line-comments.ts'

export interface DeliveryWorld {
  readonly store: Pick<Store, 'events' | 'items' | 'reviews' | 'runs'>
  readonly git: Pick<MergeGit, 'commitOf' | 'mergeBase'>
  readonly source: Pick<WorktreeGit, 'fileChanges' | 'carry'>
  readonly target: string
}

const DELIVERIES_MAX = 100

/** Null: there is no earlier delivery of that number. */
export async function findDeliveryChange(
  anywhere: DeliveryWorld,
  review: Review,
  since: number | null,
): Promise<DeliveryChange | null> {
  const ref = { projectNumber: review.projectNumber, number: review.issueNumber }
  const item = await anywhere.store.items.find(ref)
  const world = item === null ? anywhere : onTargetOf(anywhere, item)
  const reviews = (await world.store.reviews.list({ item: ref, limit: DELIVERIES_MAX })).toReversed()
  const before = reviews.filter(({ id }) => id < review.id)
  const earlier = since === null ? null : before.findLast(({ cycle }) => cycle === since)
  if (earlier === undefined) return null
  const ends = await endsOf(world, review)
  const asked = await askedBefore(world, ref, before)
  const shown = {
    review,
    head: review.headCommit,
    base: ends?.base ?? null,
    deliveries: reviews.map(({ cycle, headCommit, completedAt }) => ({
      cycle,
      head: headCommit,
      at: completedAt,
    })),
  }
  if (ends === null) {
    const comments = asked.map((one) => traced(one, { fate: 'unknown', lineNow: null }))
    return { ...shown, files: [], since: null, comments }
  }
  const comments = await traceAll(world, ends, asked)
  if (earlier === null) {
    const files = await world.source.fileChanges(ends.base, ends.head)
    return { ...shown, files, since: null, comments }
  }
  const from = await carriedTo(world, earlier.headCommit, ends.base)
  const files = from === null ? [] : await world.source.fileChanges(from.commit, ends.head)
  const isAlone = from?.isAlone ?? false
  return { ...shown, files, since: { cycle: earlier.cycle, isAlone }, comments }
}

interface Ends {
  readonly base: string
  readonly head: string
}

async function endsOf(
  world: DeliveryWorld,
  { headCommit, runId }: Pick<Review, 'headCommit' | 'runId'>,
): Promise<Ends | null> {
  const head = await world.git.commitOf(headCommit)
  const run: Run | null = await world.store.runs.find(runId)
  const base = head === null ? null : await baseOf(world, head, run)
  return head === null || base === null ? null : { base, head }
}

interface Carried {
  readonly commit: string
  readonly isAlone: boolean
}

/** An earlier delivery as it would be on the base of a later one, so that what others have merged is in both. */
async function carriedTo(
  { git, source }: DeliveryWorld,
  head: string,
  base: string,
): Promise<Carried | null> {
  const commit = await git.commitOf(head)
  if (commit === null) return null
  const carried = await source.carry(commit, base)
  return carried?.is === 'carried' ? { commit: carried.commit, isAlone: true } : { commit, isAlone: false }
}

interface AskedComment {
  readonly comment: LineComment
  readonly by: string
  readonly at: string
  readonly review: Review
}

async function askedBefore(
  { store }: DeliveryWorld,
  ref: ItemRef,
  before: readonly Review[],
): Promise<AskedComment[]> {
  const events: StoredEvent[] = await store.events.ofItem(ref, DELIVERIES_MAX, ['review.rejected'])
  return events.flatMap(({ event, at }) => {
    if (event.type !== 'review.rejected' || event.comments === undefined) return []
    const review = before.findLast(({ headCommit }) => headCommit === event.head)
    if (review === undefined) return []
    return event.comments.map((comment) => ({ comment, by: event.by, at, review }))
  })
}

function traced({ comment, by, at, review }: AskedComment, fate: Fate): TracedComment {
  return { ...comment, askedIn: review.cycle, by, at, ...fate }
}

type FileTraces = (path: string) => FileTrace | null

async function traceAll(
  world: DeliveryWorld,
  ends: Ends,
  asked: readonly AskedComment[],
): Promise<TracedComment[]> {
  const found: TracedComment[] = []
  const traces = new Map<Review, Awaited<ReturnType<typeof tracesOf>>>()
  for (const one of asked) {
    const known = traces.get(one.review) ?? (await tracesOf(world, one.review, ends))
    traces.set(one.review, known)
    found.push(traced(one, known === null ? { fate: 'unknown', lineNow: null } : judge(one.comment, known)))
  }
  return found
}

interface Traces {
  readonly meanwhile: FileTraces
  readonly next: FileTraces
  readonly whole: FileTraces
}

function judge({ path, line, side }: LineComment, { meanwhile, next, whole }: Traces): Fate {
  return side === 'old' ? fateOfRemoved(line, whole(path)) : fateOf(line, meanwhile(path), next(path))
}

/** What has happened to files since a delivery: by others, by the next delivery, and in all since it began. */
async function tracesOf(world: DeliveryWorld, review: Review, { base, head }: Ends): Promise<Traces | null> {
  const { source } = world
  const from = await endsOf(world, review)
  const carried = from === null ? null : await carriedTo(world, from.head, base)
  if (from === null || carried === null) return null
  return {
    meanwhile: byPath(await source.fileChanges(from.head, carried.commit)),
    next: byPath(await source.fileChanges(carried.commit, head)),
    whole: byPath(await source.fileChanges(from.base, head)),
  }
}

function byPath(files: readonly DeliveredFile[]): FileTraces {
  const traces = new Map(
    files.map(({ path, diff, isCut }) => [path, { diff, isCut, isDeleted: isDeletedIn(diff) }]),
  )
  return (path) => traces.get(path) ?? null
}

/** Lines of a file are marked in a diff: none of them looks like this. */
function isDeletedIn(diff: string): boolean {
  return diff.includes('\ndeleted file mode ') && !diff.includes('\nnew file mode ')
}
