import type { Git } from './git.ts'

/** Is `ancestor` in the history of `commit`? */
export async function contains(git: Git, commit: string, ancestor: string): Promise<boolean> {
  const { code } = await git.run(['merge-base', '--is-ancestor', ancestor, commit], { ok: [0, 1] })
  return code === 0
}

export async function mergeBase(git: Git, one: string, other: string): Promise<string | null> {
  const { code, stdout } = await git.run(['merge-base', one, other], { ok: [0, 1] })
  return code === 0 ? stdout.trim() : null
}
