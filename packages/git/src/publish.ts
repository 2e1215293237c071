// Publishing: the target goes to origin by a plain push, which origin takes only if it adds, and the receipts.
import { Fault } from '@treadle/flow/fault'
import type { Pushed, PushedCommit } from '@treadle/flow/ports/git'
import { contains } from './ancestry.ts'
import { type Git, withoutCredentials } from './git.ts'
import { fetchNotes } from './notes.ts'
import { checkBranchName, commitOf } from './refs.ts'
import { hasOrigin } from './remote.ts'

const pushMsMax = 5 * 60_000
const notesTries = 3
const plain = ['push', '--no-verify', '--no-follow-tags', '--recurse-submodules=no', 'origin']

/** `moved`: the branch at origin has something that the commit has not. */
export async function pushCommit(git: Git, branch: string, commit: string): Promise<PushedCommit> {
  await checkBranchName(git, branch)
  if (!(await hasOrigin(git))) return { is: 'no_remote' }
  const pushed = await sent(git, `${commit}:refs/heads/${branch}`)
  return pushed.is === 'failed' && pushed.behind ? { is: 'moved' } : plainly(pushed)
}

/** Receipts that were made elsewhere are taken in first; where both have one for a commit, ours stays. */
export async function pushNotes(git: Git, ref: string, fetchMs: number): Promise<Pushed> {
  if (!(await hasOrigin(git))) return { is: 'no_remote' }
  if ((await commitOf(git, ref)) === null) return { is: 'pushed' }
  for (let tries = 1; ; tries += 1) {
    const pushed = await sent(git, `${ref}:${ref}`)
    if (pushed.is !== 'failed' || tries >= notesTries) return plainly(pushed)
    if (!(await takeIn(git, ref, fetchMs))) return plainly(pushed)
  }
}

type Failed = Extract<Pushed, { is: 'failed' }>
/** `behind`: git said that origin has something that we have not. */
type Sent = Exclude<Pushed, Failed> | (Failed & { readonly behind: boolean })

function plainly(sent: Sent): Pushed {
  return sent.is === 'failed' ? { is: 'failed', why: sent.why } : sent
}

async function sent(git: Git, refspec: string): Promise<Sent> {
  try {
    const { code, stderr } = await git.run([...plain, refspec], { ok: [0, 1, 128], timeoutMs: pushMsMax })
    if (code === 0) return { is: 'pushed' }
    const why = withoutCredentials(stderr.trim().slice(-2_000)) || 'git gave no reason'
    return { is: 'failed', why, behind: /\((fetch first|non-fast-forward)\)/.test(stderr) }
  } catch (error) {
    if (error instanceof Fault) return { is: 'failed', why: error.message, behind: false }
    throw error
  }
}

/** False: there was nothing to take in, so that another push would end the same. */
async function takeIn(git: Git, ref: string, fetchMs: number): Promise<boolean> {
  const theirs = `${ref}-origin`
  try {
    if (!(await fetchNotes(git, ref, theirs, fetchMs))) return false
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
  const [mine, other] = [await commitOf(git, ref), await commitOf(git, theirs)]
  if (mine === null || other === null || (await contains(git, mine, other))) return false
  const cwd = await git.commonDir()
  const env = await git.identity(cwd)
  await git.run(['notes', `--ref=${ref}`, 'merge', '--quiet', '--strategy=ours', theirs], { cwd, env })
  return true
}
