// A conflict as a person looks at it: what a merge would leave in each file, and what each side changed. Objects only.
import type { ConflictFile, ConflictView, ViewRequest } from '@treadle/flow/ports/git'
import { mergeBase } from './ancestry.ts'
import type { Git } from './git.ts'
import { needCommit } from './refs.ts'

export async function viewConflict(git: Git, request: ViewRequest): Promise<ConflictView | null> {
  const { filesMax, charsMax } = request
  const branch = { name: request.branch.name, commit: await needCommit(git, request.branch.commit) }
  const target = { name: request.target.name, commit: await needCommit(git, request.target.commit) }
  const base = await mergeBase(git, target.commit, branch.commit)
  if (base === null) return null
  const { tree, stages } = await mergeWithStages(git, target.commit, branch.commit)
  // Where a file meets a folder, git puts the file aside under a name that exists nowhere else.
  const plainOf = (path: string) => path.replace(new RegExp(`~(${target.commit}|${branch.commit})$`), '')
  const all = [...stages.keys()].sort()
  const paths = all.slice(0, filesMax)
  const plain = paths.map(plainOf)
  const [merged, onBranch, onTarget] = await Promise.all([
    diffsOf(git, { from: target.commit, to: tree, paths }),
    diffsOf(git, { from: base, to: branch.commit, paths: plain }),
    diffsOf(git, { from: base, to: target.commit, paths: plain }),
  ])
  const files = paths.map((path, at): ConflictFile => {
    const name = plain[at] ?? path
    const diffs = [
      named(merged.get(path) ?? '', [target, branch]),
      onBranch.get(name) ?? '',
      onTarget.get(name) ?? '',
    ]
    const [inMerge = '', there = '', here = ''] = diffs.map((diff) => cutAt(diff, charsMax))
    return {
      path: name,
      kind: kindOf(stages.get(path) ?? [], diffs),
      merged: inMerge,
      onBranch: there,
      onTarget: here,
      cut: diffs.some((diff) => diff.length > charsMax),
    }
  })
  return { branch, target, base, files, more: Math.max(0, all.length - filesMax) }
}

interface Stage {
  readonly mode: string
  /** 1 is the version where both began, 2 that of the target, 3 that of the branch. */
  readonly stage: string
}

/** The tree of the merge, with the common version between the markers, and which versions each file has in it. */
async function mergeWithStages(
  git: Git,
  onto: string,
  head: string,
): Promise<{ tree: string; stages: Map<string, Stage[]> }> {
  // Attributes come from the target, not from whatever the user has in the checkout.
  const run = { cwd: await git.commonDir(), env: { GIT_ATTR_SOURCE: onto } }
  const args = ['-c', 'merge.conflictStyle=diff3', 'merge-tree', '--write-tree', '-z', '--no-messages']
  const { stdout } = await git.run([...args, onto, head], { ...run, ok: [0, 1] })
  const [tree = '', ...entries] = stdout.split('\0').filter((part) => part !== '')
  const stages = new Map<string, Stage[]>()
  for (const entry of entries) {
    const [, mode, stage, path] = /^(\d+) [0-9a-f]+ ([123])\t([\s\S]+)$/.exec(entry) ?? []
    if (mode !== undefined && stage !== undefined && path !== undefined)
      stages.set(path, [...(stages.get(path) ?? []), { mode, stage }])
  }
  return { tree, stages }
}

const LINK = '120000'
const SUBMODULE = '160000'

function kindOf(versions: readonly Stage[], diffs: readonly string[]): ConflictFile['kind'] {
  const odd = versions.some(({ mode }) => mode === LINK || mode === SUBMODULE)
  if (odd || diffs.some((diff) => /^Binary files .* differ$/m.test(diff))) return 'not_text'
  switch (versions.map(({ stage }) => stage).join('')) {
    case '123':
      return 'both_changed'
    case '23':
      return 'both_added'
    case '13':
      return 'deleted_on_target'
    case '12':
      return 'deleted_on_branch'
    default:
      return 'moved'
  }
}

/** By path; all of them at once, because each git that is started takes its time. */
async function diffsOf(
  git: Git,
  { from, to, paths }: { from: string; to: string; paths: readonly string[] },
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  // A diff that a program reads, whatever the user's own settings make of it.
  const before = ['--literal-pathspecs', '-c', 'core.quotePath=false', 'diff']
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--no-relative']
  const ends = [from, to, '--', ...paths]
  const names = await git.run([...before, ...plain, '--name-only', '-z', ...ends])
  const shape = ['-U3', '--submodule=short', '--src-prefix=a/', '--dst-prefix=b/']
  const { stdout } = await git.run([...before, ...plain, ...shape, ...ends])
  const parts = partsOf(stdout)
  const found = names.stdout.split('\0').filter((name) => name !== '')
  return new Map(found.map((name, at) => [name, parts[at] ?? '']))
}

/** One for each file: what changes its type is told as two, one after the other. */
function partsOf(diff: string): string[] {
  const parts: string[] = []
  for (const part of diff.split(/^(?=diff --git )/m)) {
    const head = part.slice(0, part.indexOf('\n') + 1)
    const last = parts.at(-1)
    if (last?.startsWith(head)) parts[parts.length - 1] = last + part
    else if (part !== '') parts.push(part)
  }
  return parts
}

/** A person knows the two by their names, not by their commits. */
function named(diff: string, sides: readonly ViewRequest['target'][]): string {
  return sides.reduce(
    (text, { name, commit }) =>
      text
        .replaceAll(`\n+<<<<<<< ${commit}`, `\n+<<<<<<< ${name}`)
        .replaceAll(`\n+>>>>>>> ${commit}`, `\n+>>>>>>> ${name}`),
    diff,
  )
}

/** Whole lines. */
function cutAt(diff: string, charsMax: number): string {
  return diff.length <= charsMax ? diff : diff.slice(0, diff.lastIndexOf('\n', charsMax) + 1)
}
