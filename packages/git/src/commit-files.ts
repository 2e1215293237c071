// The files of a commit, read from git's objects: no attribute, no index and no program that ran in the checkout decides
// what is in them. Installed packages, which no commit has, are read from the checkout.
import { Fault } from '@treadle/flow/fault'
import type { ProjectTree } from '@treadle/flow/ports/project-tree'
import { type Git, type GitOptions, openGit } from './git.ts'
import { lineTimes } from './line-times.ts'
import { utf8 } from './names.ts'
import { openProjectTree } from './project-tree.ts'

/** Larger files are data. */
const BYTES_MAX = 512 * 1024
const ALL_BYTES_MAX = 512 * 1024 * 1024
/** Of one look-up, so that no answer of git is larger than it may be. */
const CHUNK_BYTES = 64 * 1024 * 1024

export interface CommitFiles extends Pick<ProjectTree, 'files' | 'read'> {
  /** When each line of a file was last changed, as the commit has it. */
  lineTimes(path: string): Promise<readonly (Date | null)[]>
}

export function openCommitFiles(options: GitOptions, commit: string): CommitFiles {
  const git = openGit(options)
  const checkout = openProjectTree(options)
  let listed: Promise<readonly Entry[]> | undefined
  let texts: Promise<ReadonlyMap<string, string>> | undefined
  const entries = () => {
    listed ??= listFiles(git, commit)
    return listed
  }
  return {
    files: async () => (await entries()).map(({ path }) => path),
    read: async (path) => {
      texts ??= entries().then((all) => readTexts(git, all))
      const known = (await texts).get(path) ?? null
      return known === null && /(?:^|\/)node_modules\//.test(path) ? checkout.read(path) : known
    },
    lineTimes: (path) => lineTimes(options, path, commit),
  }
}

interface Entry {
  readonly path: string
  /** Null: it is no plain file, or too large to be read. */
  readonly blob: string | null
  readonly bytes: number
}

const ENTRY = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s

async function listFiles(git: Git, commit: string): Promise<readonly Entry[]> {
  const { bytes } = await git.run(['ls-tree', '-r', '-l', '-z', '--full-tree', commit])
  return bytes
    .toString('latin1')
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', kind, id = '', size = ''] = ENTRY.exec(line) ?? []
      const name = ENTRY.exec(line)?.[5]
      if (kind !== 'blob' || name === undefined) return []
      const isText = mode !== '120000' && Number(size) <= BYTES_MAX
      return [{ path: utf8(name), blob: isText ? id : null, bytes: Number(size) }]
    })
}

async function readTexts(git: Git, entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const wanted = entries.flatMap(({ path, blob, bytes }) => (blob === null ? [] : [{ path, blob, bytes }]))
  if (wanted.reduce((sum, { bytes }) => sum + bytes, 0) > ALL_BYTES_MAX)
    throw new Fault('git', 'the files of the commit are too large to be read at once')
  for (const chunk of chunksOf(wanted)) {
    const { bytes } = await git.run(['cat-file', '--batch'], {
      stdin: Buffer.from(chunk.map(({ blob }) => `${blob}\n`).join('')),
    })
    for (const [path, text] of textsIn(bytes, chunk)) texts.set(path, text)
  }
  return texts
}

interface Wanted {
  readonly path: string
  readonly blob: string
  readonly bytes: number
}

function chunksOf(wanted: readonly Wanted[]): Wanted[][] {
  const chunks: Wanted[][] = [[]]
  let size = 0
  for (const each of wanted) {
    if (size + each.bytes > CHUNK_BYTES) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push(each)
    size += each.bytes
  }
  return chunks.filter((chunk) => chunk.length > 0)
}

/** Each answer is a line with id, kind and size, the bytes, and a line feed. What is no text is left out. */
function textsIn(answer: Buffer, chunk: readonly Wanted[]): (readonly [string, string])[] {
  const texts: (readonly [string, string])[] = []
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let at = 0
  for (const { path, blob, bytes } of chunk) {
    const start = answer.indexOf('\n', at) + 1
    const head = answer.toString('latin1', at, start - 1)
    if (head !== `${blob} blob ${bytes}`)
      throw new Fault('git', `git cat-file answered ${head.slice(0, 100)}`)
    at = start + bytes + 1
    try {
      texts.push([path, decoder.decode(answer.subarray(start, start + bytes))])
    } catch {
      // It is no text, and nobody can read it as such.
    }
  }
  return texts
}
