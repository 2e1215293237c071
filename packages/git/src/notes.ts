// Receipts as notes on merge commits, byte for byte.
import { Fault } from '@treadle/flow/fault'
import type { Git } from './git.ts'

/** The same commit with another text again replaces what was noted. */
export async function writeNote(
  git: Git,
  ref: string,
  note: { commit: string; text: string },
): Promise<void> {
  const cwd = await git.commonDir()
  const blob = await git.run(['hash-object', '-w', '--stdin'], { cwd, stdin: note.text })
  const env = await git.identity(cwd)
  // Git tidies up a text that it is given; an object it takes as it is.
  await git.run(['notes', `--ref=${ref}`, 'add', '-f', '-C', blob.stdout.trim(), note.commit], { cwd, env })
}

export async function readNote(git: Git, ref: string, commit: string): Promise<string | null> {
  const listed = await git.run(['notes', `--ref=${ref}`, 'list', commit], { ok: [0, 1, 128] })
  if (listed.code !== 0) return null
  const { bytes } = await git.run(['cat-file', 'blob', listed.stdout.trim()])
  return bytes.toString('utf8')
}

/** From origin into a reference of its own, so that nothing here is overwritten; false if origin has none. */
export async function fetchNotes(git: Git, from: string, to: string, timeoutMs: number): Promise<boolean> {
  const args = ['fetch', '--no-tags', '--quiet', 'origin', `+${from}:${to}`]
  const { code, stderr } = await git.run(args, { ok: [0, 1, 128], timeoutMs })
  if (code === 0) return true
  if (/couldn't find remote ref/.test(stderr)) return false
  throw new Fault('git', `the receipts could not be fetched from origin: ${stderr.trim().slice(-500)}`)
}

const LOCKS = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'Cargo.lock',
  'go.sum',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'composer.lock',
  'Gemfile.lock',
  'gradle.lockfile',
]

/** The lock files at the root of a tree. */
export async function lockFiles(git: Git, tree: string): Promise<{ path: string; blob: string }[]> {
  const { stdout } = await git.run(['ls-tree', tree, '--', ...LOCKS])
  return stdout.split('\n').flatMap((line) => {
    const [, blob, path] = /^\d+ blob (\w+)\t(.+)$/.exec(line) ?? []
    return blob === undefined || path === undefined ? [] : [{ path, blob }]
  })
}

const treesMax = 1_000
/** By commit; neither ever changes. */
const trees = new Map<string, string>()

export async function treeOf(git: Git, commit: string): Promise<string> {
  const known = trees.get(commit)
  if (known !== undefined) return known
  const { stdout } = await git.run(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])
  const tree = stdout.trim()
  noteTree(commit, tree)
  return tree
}

/** Notes the tree of a commit; what is no full id, of either, is not kept. */
export function noteTree(commit: string, tree: string): void {
  if (![commit, tree].every((id) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id))) return
  if (trees.size >= treesMax) trees.clear()
  trees.set(commit, tree)
}
