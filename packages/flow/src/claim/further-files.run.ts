// A task of a build needs files beyond those of its claim: it takes them while it works, or waits for who has them.
import type { Config } from '@treadle/contracts/config'
import type { AgentId, RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { FileLock } from '@treadle/contracts/lock'
import { isHeld } from '../flow.ts'
import type { Store } from '../ports/store.ts'
import { type ConflictWorld, runFileConflict } from './file-conflict.run.ts'
import { filesUntil, lockInTheWay, locksOf } from './file-locks.ts'
import { recordGrant } from './take-files.run.ts'

export interface FurtherFilesWorld extends ConflictWorld {
  readonly store: ConflictWorld['store'] & Pick<Store, 'runs'>
  readonly config: () => Config
}

export interface FurtherFiles {
  readonly runId: RunId
  readonly agentId: AgentId
  readonly fence: number
  readonly files: readonly string[]
}

export type FilesTaken =
  | { readonly is: 'taken'; readonly locks: readonly FileLock[] }
  | { readonly is: 'locked'; readonly item: Item; readonly lock: FileLock }
  | { readonly is: 'missing' | 'fenced' | 'no_build' }

/** Who gives way may be several, one after the other. */
const TRIES = 5

export async function runFurtherFiles(world: FurtherFilesWorld, asked: FurtherFiles): Promise<FilesTaken> {
  const { agentId } = asked
  for (let left = TRIES; ; left -= 1) {
    const found = await takeFurther(world, asked)
    if (found.is !== 'locked') return found
    const { item, lock } = found
    const wanting = { ...item, files: [...asked.files] }
    if (!(await runFileConflict(world, { item: wanting, lock, agentId })) || left === 1) return found
  }
}

function takeFurther(world: FurtherFilesWorld, asked: FurtherFiles): Promise<FilesTaken> {
  const { store } = world
  const { runId, agentId, files } = asked
  return store.tx(async (): Promise<FilesTaken> => {
    const run = await store.runs.find(runId)
    const item = run === null ? null : await store.items.lock(run.item)
    if (item === null) return { is: 'missing' }
    if (!isHeldBy(item, asked)) return { is: 'fenced' }
    const { build } = item
    if (build === null) return { is: 'no_build' }
    await store.fileLocks.serialise(build)
    const now = world.now()
    const live = await store.fileLocks.live(now, build)
    const wanting = { ...item, files: [...files] }
    const lock = lockInTheWay(wanting, live)
    if (lock !== null) return { is: 'locked', item, lock }
    const { limits } = world.config()
    const expiresAt = (filesUntil(item, limits) ?? now).toISOString()
    const isIts = (each: FileLock) => each.item.number === item.number
    const own = new Set(live.filter(isIts).map(({ file }) => file))
    const locks = locksOf(wanting, { agentId, now, limits }).map((each) => ({ ...each, expiresAt }))
    await store.fileLocks.take(
      locks.filter(({ file }) => !own.has(file)),
      now,
    )
    const { projectNumber, number } = item
    const file = await store.fileLocks.stopWaiting({ projectNumber, number })
    if (file !== null) await recordGrant(store, { item, agentId, runId, now }, { build, file })
    return { is: 'taken', locks: [...live.filter(isIts), ...locks.filter((each) => !own.has(each.file))] }
  })
}

function isHeldBy(item: Item, { runId, agentId, fence }: FurtherFiles): boolean {
  const isNow = item.runId === runId && item.fence === fence && item.claimedByAgentId === agentId
  return isNow && isHeld(item.state)
}
