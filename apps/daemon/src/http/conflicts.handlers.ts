import type { Conflict } from '@treadle/contracts/conflict'
import type { Item } from '@treadle/contracts/item'
import type { conflictRoutes } from '@treadle/contracts/routes/conflicts'
import { type Resolution, runAbort, runResolve } from '@treadle/flow/merge/conflict/conflict.run'
import { runSettle } from '@treadle/flow/merge/conflict/settle.run'
import { resolveCommands } from '@treadle/flow/merge/conflict/words'
import { audited } from '../orders/audit.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

const QUEUE_MAX = 1_000
/** More than this nobody reads on a page; the commands are there for the rest. */
const VIEW_FILES_MAX = 30
const VIEW_CHARS_MAX = 100_000

export const conflictHandlers = {
  async conflictQueue(world) {
    const waiting = await world.store.conflicts.list({ status: 'pending', limit: QUEUE_MAX })
    return { items: waiting.reverse() }
  },

  predictedConflicts(world) {
    return { items: [...world.conflictForecast.current()] }
  },

  async listConflicts(world, { query }) {
    return { items: await world.store.conflicts.list(query) }
  },

  async showConflict(world, { params }) {
    const conflict = await find(world, params.id)
    const onto = await knownTarget(world, conflict)
    return { conflict, target: onto.branch, commands: resolveCommands(conflict, onto.name) }
  },

  async conflictView(world, { params }) {
    const sides = await sidesOf(world, params.id)
    const limits = { filesMax: VIEW_FILES_MAX, charsMax: VIEW_CHARS_MAX }
    const view = await world.git.viewConflict({ ...sides, ...limits })
    if (view === null) throw strangers(sides)
    return view
  },

  async conflictParts(world, { params }) {
    const sides = await sidesOf(world, params.id)
    const parts = await world.git.conflictParts(sides)
    if (parts === null) throw strangers(sides)
    return parts
  },

  async settleConflict(world, { params, body, caller }) {
    const conflict = await find(world, params.id)
    const { issueNumber, branchName } = conflict
    const { by, target, branch, files } = body
    const given = {
      order: 'resolve_conflict',
      by,
      target: `#${issueNumber}`,
      impact: `settle ${branchName} by choices in ${files.length} files, and merge it`,
      restsOn: caller.restsOn,
    } as const
    const act = async () => moved(world, await runSettle(world, conflict, { by, target, branch, files }))
    const item = await audited(world, given, act, ({ state }) => `#${issueNumber} is ${state}`)
    return { conflict: await find(world, params.id), item }
  },

  async resolveConflict(world, { params, body, caller }) {
    const conflict = await find(world, params.id)
    const { issueNumber, branchName } = conflict
    const given = {
      order: 'resolve_conflict',
      by: body.by,
      target: `#${issueNumber}`,
      impact: `merge ${branchName} as it was resolved`,
      restsOn: caller.restsOn,
    } as const
    const act = async () => moved(world, await runResolve(world, conflict, body.by))
    const item = await audited(world, given, act, ({ state }) => `#${issueNumber} is ${state}`)
    return { conflict: await find(world, params.id), item }
  },

  async abortConflict(world, { params, body }) {
    const conflict = await find(world, params.id)
    const { by, agentId: to, words } = body
    const { issueNumber, branchName } = conflict
    const given = {
      order: 'abort_conflict',
      by,
      target: `#${issueNumber}${to === null ? '' : ` to ${to}`}`,
      impact: `give up ${branchName} and queue #${issueNumber} again`,
    } as const
    const act = async () => moved(world, await runAbort(world, conflict, { by, to, words }))
    const item = await audited(world, given, act, ({ state }) => `#${issueNumber} is ${state}`)
    return { conflict: await find(world, params.id), item }
  },
} satisfies HandlersOf<typeof conflictRoutes>

interface Sides {
  readonly branch: { name: string; commit: string }
  readonly target: { name: string; commit: string }
}

/** The two sides as they are now: a person may be at work on the branch. */
async function sidesOf(world: World, id: number): Promise<Sides> {
  const { git } = world
  const conflict = await find(world, id)
  const { branchName, headCommit } = conflict
  const commit = (await git.commitOf(`refs/heads/${branchName}`)) ?? (await git.commitOf(headCommit))
  if (commit === null) throw unseen(`${branchName} is gone.`)
  return { branch: { name: branchName, commit }, target: await knownTarget(world, conflict) }
}

function strangers({ branch, target }: Sides): ProblemError {
  return unseen(`${branch.name} and ${target.name} have no commit in common.`)
}

interface KnownTarget {
  readonly branch: string
  /** The branch here, or what was last seen of it at origin. */
  readonly name: string
  readonly commit: string
}

/** The target as it is known here. Origin is not asked: whoever looks must not wait for a network. */
async function knownTarget(
  world: World,
  { projectNumber, issueNumber }: Pick<Conflict, 'projectNumber' | 'issueNumber'>,
): Promise<KnownTarget> {
  const item = await world.store.items.find({ projectNumber, number: issueNumber })
  const { git } = world
  const branch = item?.target ?? world.target
  const here = await git.commitOf(`refs/heads/${branch}`)
  const there = await git.commitOf(`refs/remotes/origin/${branch}`)
  const isBehind = here === null || (there !== here && (await git.mergeBase(here, there ?? here)) === here)
  if (there !== null && isBehind) return { branch, name: `origin/${branch}`, commit: there }
  if (here === null) throw unseen(`There is no branch ${branch}.`)
  return { branch, name: branch, commit: here }
}

async function find(world: World, id: number): Promise<Conflict> {
  const conflict = await world.store.conflicts.find(id)
  if (conflict !== null) return conflict
  throw new ProblemError(404, {
    code: 'not_found',
    message: `There is no conflict ${id}.`,
    hint: 'treadle conflicts shows those that wait.',
  })
}

function moved(_world: World, result: Resolution): Item {
  if (result.is === 'moved') return result.item
  if (result.is === 'refused')
    throw new ProblemError(409, { code: 'refused', message: `${result.why}.`, hint: 'treadle conflicts' })
  throw new ProblemError(409, {
    code: 'refused',
    message: `${result.branch} still conflicts in ${result.files.join(', ')}.`,
    hint: 'Resolve them on the branch and commit; treadle conflicts show <number> says how.',
    details: { files: [...result.files] },
  })
}

function unseen(message: string): ProblemError {
  return new ProblemError(409, {
    code: 'refused',
    message,
    hint: 'Give the item back to the queue: treadle conflicts abort <number>',
  })
}
