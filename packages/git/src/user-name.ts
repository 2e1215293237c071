// What git calls its user, in this repository or for the whole account.
import { type GitOptions, openGit } from './git.ts'

/** Null: none is configured. */
export async function userName(options: GitOptions): Promise<string | null> {
  const { code, stdout } = await openGit(options).run(['config', '--get', 'user.name'], { ok: [0, 1] })
  const name = stdout.trim()
  return code === 0 && name !== '' ? name : null
}
