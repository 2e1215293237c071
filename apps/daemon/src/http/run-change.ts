// What a run has changed so far. Computed at most once a second for a run, however many look at it.
import { lstatSync } from 'node:fs'
import { CHANGE_CHARS_MAX, type RunChange } from '@treadle/contracts/routes/runs'
import type { Run } from '@treadle/contracts/run'
import { messageOf } from '@treadle/flow/fault'
import type { World } from '../world.ts'

const FRESH_MS = 1_000
const KEPT_MAX = 50
const FILES_MAX = 1_000
const NAME_CHARS_MAX = 1_000
const NONE: RunChange = { from: 'none', files: [], diff: '', isCut: false }

interface Computed {
  readonly at: number
  readonly change: Promise<RunChange>
}
const computed = new WeakMap<World, Map<string, Computed>>()

export async function changeOf(world: World, run: Run): Promise<RunChange> {
  if (run.endedAt !== null || run.base === null) return fromAttempts(run)
  const kept = computed.get(world) ?? new Map<string, Computed>()
  computed.set(world, kept)
  const before = kept.get(run.id)
  if (before !== undefined && performance.now() - before.at < FRESH_MS) return before.change
  const change = (before?.change ?? Promise.resolve(NONE)).then(() => fromWorktree(world, run))
  kept.delete(run.id)
  kept.set(run.id, { at: performance.now(), change })
  for (const oldest of kept.keys()) if (kept.size > KEPT_MAX) kept.delete(oldest)
  return change
}

/** The worktree is the agent's: it may go away while it is looked at. */
async function fromWorktree(world: World, run: Run): Promise<RunChange> {
  const { base, agentId, item } = run
  const worktree = `${world.paths.worktrees}/${agentId}-${item.projectNumber}-${item.number}`
  if (base === null || !isFolder(worktree)) return fromAttempts(run)
  try {
    const { files, text } = await world.source.worktreeDiff(worktree, base)
    return bounded({ from: 'worktree', files, diff: text, isCut: false })
  } catch (error) {
    world.log.debug({ run: run.id }, `the change of a run cannot be read: ${messageOf(error)}`)
    return fromAttempts(run)
  }
}

/** A link in its place could lead anywhere. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** What history keeps of each attempt, one after the other. */
function fromAttempts({ history }: Run): RunChange {
  const worked = history.filter(({ phase, diff }) => phase !== 'escalation' && diff !== '')
  if (worked.length === 0) return NONE
  const files = [...new Set(worked.flatMap(({ changes }) => changes))]
  const isCut = worked.some(({ diffOutput }) => diffOutput !== null)
  return bounded({ from: 'attempts', files, diff: worked.map(({ diff }) => diff).join(''), isCut })
}

function bounded({ from, files, diff, isCut }: RunChange): RunChange {
  const names = files.filter((name) => name.length <= NAME_CHARS_MAX).slice(0, FILES_MAX)
  const isWhole = diff.length <= CHANGE_CHARS_MAX && names.length === files.length
  const line = isWhole ? diff.length : diff.lastIndexOf('\n', CHANGE_CHARS_MAX - 1) + 1
  return { from, files: names, diff: diff.slice(0, line), isCut: isCut || !isWhole }
}
