// Changes between two commits, and what a file was in one of them.
import type { DeliveredFile } from '@treadle/contracts/delivery'
import type { Git } from './git.ts'
import { needCommit } from './refs.ts'
import { treeOf, withIndexCopy } from './snapshot.ts'

// A diff that a person decides by has one form, whatever the user's settings or the change itself would make of it.
const plain = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--no-relative',
  '--ignore-submodules=none',
  '--submodule=short',
]
const shape = ['-U3', '--src-prefix=a/', '--dst-prefix=b/']
const EMPTY_TREES = [
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
]

type Compare = (...options: readonly string[]) => Promise<string>

async function comparing(git: Git, ends: readonly [string, string]): Promise<Compare> {
  // No attributes: those of a checkout could say that code is no text. Git before 2.41 finds none in the git directory.
  const source = EMPTY_TREES.find(({ length }) => length === ends[0]?.length) ?? ''
  const run = { cwd: await git.commonDir(), env: { GIT_ATTR_SOURCE: source } }
  return async (...options) => {
    const args = ['-c', 'core.quotePath=false', 'diff', ...plain, ...options, ...ends, '--']
    return (await git.run(args, run)).stdout
  }
}

/** The changed files and the unified diff from one commit's files to another's. */
export async function diffOf(git: Git, from: string, to: string): Promise<{ files: string[]; text: string }> {
  return changesBetween(await comparing(git, [await needCommit(git, from), await needCommit(git, to)]))
}

/** The changed files and the unified diff from a commit's files to those that stand in a worktree, untracked ones too. */
export async function worktreeDiff(
  git: Git,
  worktree: string,
  from: string,
): Promise<{ files: string[]; text: string }> {
  const base = await needCommit(git, from)
  const tree = await withIndexCopy(git, worktree, (env) => treeOf(git, worktree, env))
  return changesBetween(await comparing(git, [base, tree]))
}

async function changesBetween(compare: Compare): Promise<{ files: string[]; text: string }> {
  const files = (await compare('--name-only', '-z')).split('\0').filter((name) => name !== '')
  return { files, text: files.length === 0 ? '' : await compare(...shape) }
}

/** Of one file, and of all: the rest is not shown, and said to be cut. */
const FILE_CHARS_MAX = 250_000
const CHARS_MAX = 1_000_000

/** The same file by file. A file that moved is told as one that went and one that came, with a note of it. */
export async function fileChanges(git: Git, from: string, to: string): Promise<DeliveredFile[]> {
  const compare = await comparing(git, [await needCommit(git, from), await needCommit(git, to)])
  const counted = countsIn(await compare('--numstat', '-z'))
  if (counted.length === 0) return []
  const moved = movesIn(await compare('--find-renames', '--name-status', '-z', '--diff-filter=R'))
  const texts = partsIn(await compare(...shape))
  let left = CHARS_MAX
  return counted.map(({ path, added, removed }) => {
    const text = texts.get(path) ?? ''
    const diff = beginningOf(text, Math.min(left, FILE_CHARS_MAX))
    left -= diff.length
    return { path, added, removed, movedFrom: moved.get(path) ?? null, diff, isCut: diff !== text }
  })
}

/** Whole lines. */
function beginningOf(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : text.slice(0, text.lastIndexOf('\n', charsMax - 1) + 1)
}

function countsIn(numstat: string): { path: string; added: number | null; removed: number | null }[] {
  const countOf = (text: string | undefined) => (text === undefined || text === '-' ? null : Number(text))
  return numstat.split('\0').flatMap((entry) => {
    const [, added, removed, path] = /^(\S+)\t(\S+)\t(.+)$/s.exec(entry) ?? []
    return path === undefined ? [] : [{ path, added: countOf(added), removed: countOf(removed) }]
  })
}

/** From the new name to the old one. */
function movesIn(status: string): Map<string, string> {
  const fields = status.split('\0')
  const moves = new Map<string, string>()
  for (let at = 0; at + 2 < fields.length; at += 3) moves.set(fields[at + 2] ?? '', fields[at + 1] ?? '')
  return moves
}

/** By name: a file that became a link has two parts. No line of a file begins as a part does, since all are marked. */
function partsIn(diff: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of `\n${diff}`.split('\ndiff --git ').slice(1)) {
    const [head = ''] = part.split('\n', 1)
    const path = nameIn(head)
    const text = `diff --git ${part}${part.endsWith('\n') ? '' : '\n'}`
    parts.set(path, (parts.get(path) ?? '') + text)
  }
  return parts
}

const ESCAPED = /\\(?:([0-7]{3})|(.))/g
const LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Both halves name the same file, so that its length tells where the name ends, whatever stands in it. */
function nameIn(head: string): string {
  const half = head.slice(0, (head.length - 1) / 2)
  if (!half.startsWith('"')) return half.slice('a/'.length)
  return half.slice('"a/'.length, -1).replace(ESCAPED, (_, octal?: string, letter = '') => {
    if (octal === undefined) return LETTERS[letter] ?? letter
    return String.fromCharCode(Number.parseInt(octal, 8))
  })
}

const TEXTS_CHARS_MAX = 16_000_000
const TEXT_CHARS_MAX = 1_000_000

/** Files that were read, by the whole id of the commit and the path: what a commit has at a path never changes. */
const texts = new Map<string, string>()
let textsChars = 0

function keepText(key: string, text: string): void {
  const chars = key.length + text.length
  if (chars > TEXT_CHARS_MAX || texts.has(key)) return
  if (textsChars + chars > TEXTS_CHARS_MAX) {
    texts.clear()
    textsChars = 0
  }
  texts.set(key, text)
  textsChars += chars
}

/** A file's content in a commit; null if it has none of that name, or if it is no text. */
export async function fileAt(git: Git, commit: string, path: string): Promise<string | null> {
  const key = `${await needCommit(git, commit)}:${path}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const shown = await git.run(['cat-file', 'blob', key], { ok: [0, 128] })
  if (shown.code !== 0 || shown.stdout.includes('\0')) return null
  keepText(key, shown.stdout)
  return shown.stdout
}

/** The ids of what a commit has at these paths, by path. */
export async function idsAt(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const args = ['ls-tree', '-z', '--full-tree', await needCommit(git, commit), '--', ...paths]
  const { stdout } = await git.run(args)
  return new Map(
    stdout.split('\0').flatMap((entry) => {
      const [, id, path] = /^\d+ \w+ ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? []
      return id === undefined || path === undefined ? [] : [[path, id] as const]
    }),
  )
}
