// What a fix does not see, said to whoever reads its result.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_FILE } from '@treadle/contracts/workspace'
import { Fault } from '@treadle/flow/fault'
import { type Git, openGit } from '@treadle/git/git'

const PATHS_SHOWN = 3

interface FixPlace {
  readonly repository: string
  readonly env: Readonly<Record<string, string>>
}

/** A fix works on a commit; what is not committed is not part of it. */
export async function uncommittedNote(at: FixPlace, commit: string): Promise<string[]> {
  const files = await uncommitted(openGit(at))
  if (files.length === 0) return []
  const [is, them] = files.length === 1 ? ['is', 'it'] : ['are', 'them']
  return [
    `treadle fix works on commit ${commit.slice(0, 7)}; ${counted(files)} ${is} not part of it: commit ${them} to include ${them}`,
  ]
}

/** A dry run searches in the checkout as it stands, a fix does not. */
export async function dryRunNote(at: FixPlace): Promise<string[]> {
  const files = await uncommitted(openGit(at))
  if (files.length === 0) return []
  return [
    `the dry run looked at the checkout with ${counted(files)}; treadle fix works on HEAD, without what is not committed`,
  ]
}

function counted(files: readonly string[]): string {
  const more = files.length > PATHS_SHOWN ? ', …' : ''
  const count = files.length === 1 ? '1 uncommitted file' : `${files.length} uncommitted files`
  return `${count} (${files.slice(0, PATHS_SHOWN).join(', ')}${more})`
}

async function uncommitted(git: Git): Promise<string[]> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']
  try {
    const { stdout } = await git.run(args, { ok: [0, 1, 128] })
    // The settings are read where they are, committed or not.
    const files = stdout.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]))
    return files.filter((file) => file !== CONFIG_FILE)
  } catch (error) {
    // A dry run works where there is no repository, too.
    if (!(error instanceof Fault)) throw error
    return []
  }
}

/** Where nothing could be put into a submodule's folder, tests that need it cannot run. */
export function submoduleNote(worktree: string): string[] {
  const empty = emptySubmodules(worktree)
  if (empty.length === 0) return []
  const [what, is] = empty.length === 1 ? ['the submodule', 'is'] : ['the submodules', 'are']
  return [
    `${what} ${empty.join(', ')} ${is} empty in the worktree where the tests ran; in your checkout: git submodule update --init`,
  ]
}

function emptySubmodules(root: string): string[] {
  const file = join(root, '.gitmodules')
  if (!existsSync(file)) return []
  const paths = [...readFileSync(file, 'utf8').matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(
    ([, path]) => path ?? '',
  )
  return paths.filter((path) => {
    const folder = join(root, path)
    return !existsSync(folder) || readdirSync(folder).length === 0
  })
}
