// What a fix does not see, said to whoever reads its result.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PATHS_SHOWN = 3

/** A fix works on a commit; what is not committed is not part of it. */
export function uncommittedNote(root: string, commit: string): string[] {
  const files = uncommitted(root)
  if (files.length === 0) return []
  const [is, them] = files.length === 1 ? ['is', 'it'] : ['are', 'them']
  return [
    `treadle fix works on commit ${commit.slice(0, 7)}; ${counted(files)} ${is} not part of it: commit ${them} to include ${them}`,
  ]
}

/** A dry run searches in the checkout as it stands, a fix does not. */
export function dryRunNote(root: string): string[] {
  const files = uncommitted(root)
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

function uncommitted(root: string): string[] {
  const args = ['--no-optional-locks', 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return (stdout ?? '').split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]))
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
