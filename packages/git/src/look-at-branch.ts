// What a branch holds and what was done on it last, read from its commit and not from anybody's checkout.
import { type Git, type GitOptions, openGit } from './git.ts'
import { commitOf } from './refs.ts'

const FILES_MAX = 200_000
const SUBJECT_COLUMNS = 300
/** Larger files are data. */
const TEXT_BYTES_MAX = 256 * 1024
const TEXTS_MAX = 200
/** A look fetches nothing that a partial clone has left out. */
const RUN = { timeoutMs: 10_000, env: { GIT_NO_LAZY_FETCH: '1' } }

export interface BranchLook {
  /** Subjects of its newest commits, the newest first. */
  readonly subjects: readonly string[]
  /** Paths of its files, without links and submodules. */
  readonly files: readonly string[]
  /** The texts of some of these files; null for one that is too large or no text. */
  texts(paths: readonly string[]): Promise<ReadonlyMap<string, string | null>>
}

/** Null: there is no such branch, or no commit on it. */
export async function lookAtBranch(
  options: GitOptions,
  { branch, commits }: { readonly branch: string; readonly commits: number },
): Promise<BranchLook | null> {
  const git = openGit(options)
  const commit = await commitOf(git, branch)
  if (commit === null) return null
  const [subjects, entries] = await Promise.all([subjectsOf(git, commit, commits), entriesOf(git, commit)])
  return { subjects, files: [...entries.keys()], texts: (paths) => textsOf(git, entries, paths) }
}

/** The address of origin, as it is configured, with whatever password stands in it; null: there is none. */
export async function originUrl(options: GitOptions): Promise<string | null> {
  const args = ['config', '--get', 'remote.origin.url']
  const { code, stdout } = await openGit(options).run(args, { ok: [0, 1] })
  return code === 0 && stdout.trim() !== '' ? stdout.trim() : null
}

/** When the newest commit of a branch was made; null: there is none. */
export async function branchChangedAt(options: GitOptions, branch: string): Promise<Date | null> {
  const git = openGit(options)
  const commit = await commitOf(git, branch)
  if (commit === null) return null
  const { stdout } = await git.run(['log', '-1', '--no-color', '--format=%ct', commit, '--'], RUN)
  const seconds = Number(stdout.trim())
  return Number.isSafeInteger(seconds) && seconds > 0 ? new Date(seconds * 1000) : null
}

/** Each cut by git, as a subject may be as long as somebody likes. */
async function subjectsOf(git: Git, commit: string, count: number): Promise<string[]> {
  const format = `--format=%<(${SUBJECT_COLUMNS},trunc)%s`
  const args = ['log', '-z', `--max-count=${count}`, '--no-color', '--encoding=UTF-8', format, commit, '--']
  const { stdout } = await git.run(args, RUN)
  return stdout
    .split('\0')
    .map((subject) => subject.trim())
    .filter((subject) => subject !== '')
}

/** Ids of the files by path. */
async function entriesOf(git: Git, commit: string): Promise<ReadonlyMap<string, string>> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit]
  const { stdout } = await git.run(args, RUN)
  const entries = new Map<string, string>()
  // 100644 blob <id>\t<path>
  for (const entry of stdout.split('\0')) {
    const tab = entry.indexOf('\t')
    if (entry.startsWith('100')) entries.set(entry.slice(tab + 1), entry.slice('100644 blob '.length, tab))
    if (entries.size >= FILES_MAX) break
  }
  return entries
}

/** Sizes are asked first, so that nothing large is ever read. */
async function textsOf(
  git: Git,
  entries: ReadonlyMap<string, string>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const wanted = paths.slice(0, TEXTS_MAX).filter((path) => entries.has(path))
  const ids = [...new Set(wanted.map((path) => entries.get(path) ?? ''))]
  if (ids.length === 0) return new Map()
  const sizes = await git.run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    ...RUN,
    stdin: linesOf(ids),
  })
  const small = sizes.stdout.split('\n').flatMap((line) => {
    const [id = '', size = ''] = line.split(' ')
    return /^\d+$/.test(size) && Number(size) <= TEXT_BYTES_MAX ? [id] : []
  })
  const texts = await blobsOf(git, small)
  return new Map(wanted.map((path) => [path, texts.get(entries.get(path) ?? '') ?? null]))
}

async function blobsOf(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  if (ids.length === 0) return texts
  const run = { ...RUN, stdin: linesOf(ids) }
  const { bytes } = await git.run(['cat-file', '--batch=%(objectname) %(objectsize)'], run)
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.indexOf('\n', at)
    const [id = '', size = ''] = bytes.toString('latin1', at, head).split(' ')
    const end = head + 1 + Number(size)
    if (head < 0 || !/^\d+$/.test(size)) break
    const text = textIn(bytes.subarray(head + 1, end))
    if (text !== null) texts.set(id, text)
    at = end + 1
  }
  return texts
}

function linesOf(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('')
}

function textIn(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // It is no text.
    return null
  }
}
