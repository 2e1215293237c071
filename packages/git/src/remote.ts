// The branch at origin beside the one here: which is the newest, and has a branch ever been pushed.
import { Fault } from '@treadle/flow/fault'
import type { Latest } from '@treadle/flow/ports/git'
import { contains } from './ancestry.ts'
import type { Git } from './git.ts'
import { commitOf, needCommit } from './refs.ts'

export const isCommitId = (name: string): boolean => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name)

export async function hasOrigin(git: Git): Promise<boolean> {
  return (await git.run(['remote'])).stdout.split('\n').includes('origin')
}

type Fetched = 'fetched' | 'missing' | 'away'

/** Brings what origin has of a branch; only the remote-tracking reference moves. */
export async function fetchBranch(git: Git, branch: string, timeoutMs: number): Promise<Fetched> {
  const refspec = `+refs/heads/${branch}:${trackingRef(branch)}`
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no']
  try {
    const { code, stderr } = await git.run([...args, 'origin', refspec], { ok: [0, 1, 128], timeoutMs })
    if (code === 0) return 'fetched'
    return /couldn't find remote ref/.test(stderr) ? 'missing' : 'away'
  } catch (error) {
    if (error instanceof Fault) return 'away'
    throw error
  }
}

function trackingRef(branch: string): string {
  return `refs/remotes/origin/${branch}`
}

/** The newest commit of a branch, here or at origin, which is asked first. */
export async function latest(git: Git, branch: string, fetchMs: number): Promise<Latest> {
  const here = (commit: string, note: string): Latest => ({ commit, from: 'here', beside: null, note })
  if (isCommitId(branch)) return here(await needCommit(git, branch), branch.slice(0, 12))
  if (!(await hasOrigin(git))) return here(await needBranch(git, branch), `${branch} (no remote)`)
  const fetched = await fetchBranch(git, branch, fetchMs)
  const local = await commitOf(git, `refs/heads/${branch}`)
  const remote = fetched === 'missing' ? null : await commitOf(git, trackingRef(branch))
  const away = fetched === 'away' ? ', origin did not answer' : ''
  if (remote === null) {
    const why = fetched === 'missing' ? `origin has no ${branch}` : 'origin did not answer'
    return here(local ?? (await needBranch(git, branch)), `${branch} (${why})`)
  }
  const atOrigin: Latest = { commit: remote, from: 'origin', beside: null, note: `origin/${branch}${away}` }
  if (local === null) return atOrigin
  if (local === remote) return here(local, `${branch}, as at origin${away}`)
  if (await contains(git, local, remote)) return here(local, `${branch}, ahead of origin/${branch}${away}`)
  if (await contains(git, remote, local)) return atOrigin
  // What the crew has landed here must be seen by what comes next, so the line here is gone on with.
  return { ...here(local, `${branch}; origin/${branch} has other commits${away}`), beside: remote }
}

async function needBranch(git: Git, branch: string): Promise<string> {
  const commit = await commitOf(git, branch)
  if (commit === null) throw new Fault('target', `branch ${branch} does not exist`)
  return commit
}

/** Asked of origin; if that is away, what was last known counts. */
export async function isPushed(git: Git, branch: string, timeoutMs: number): Promise<boolean> {
  if (!(await hasOrigin(git))) return false
  const args = ['ls-remote', '--heads', 'origin', `refs/heads/${branch}`]
  try {
    const { code, stdout } = await git.run(args, { ok: [0, 1, 128], timeoutMs })
    if (code === 0) return stdout.trim() !== ''
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
  return (await commitOf(git, trackingRef(branch))) !== null
}

/** The commit that origin had of a branch when it was last seen. */
export function lastPushed(git: Git, branch: string): Promise<string | null> {
  return commitOf(git, trackingRef(branch))
}
