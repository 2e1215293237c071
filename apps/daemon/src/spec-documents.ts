// Documents below ideas.dir, by the hash of what was written last: what differs from it is a person's.
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { DocumentRead, Documents, DocumentWrite } from '@treadle/flow/ports/documents'

interface Options {
  readonly root: string
  readonly dir: () => string
  /** The file that remembers the hashes. */
  readonly memory: string
}

const BYTES_MAX = 2 * 1024 * 1024
const BUSY = ['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'BISECT_LOG']

export function openSpecDocuments(options: Options): Documents {
  return {
    read: async (path) => readOne(options, path),
    write: async (path, text, heeded) => writeOne(options, { path, text, heeded: heeded ?? null }),
  }
}

function readOne({ root, dir, memory }: Options, path: string): DocumentRead {
  const nothing = { path, text: null, edited: false }
  const why = whyNot(root, dir(), path)
  if (why !== null) return { ...nothing, why }
  const file = join(root, path)
  if (!existsSync(file)) return { ...nothing, why: null }
  const stat = lstatSync(file)
  if (!stat.isFile()) return { ...nothing, why: 'it is no file', edited: true }
  if (stat.size > BYTES_MAX)
    return { ...nothing, why: `it has ${stat.size} bytes, and at most ${BYTES_MAX} are read`, edited: true }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
    return { path, text, why: null, edited: known(memory)[path] !== hashOf(text) }
  } catch {
    return { ...nothing, why: 'it is not UTF-8', edited: true }
  }
}

function writeOne(
  options: Options,
  { path, text, heeded }: { path: string; text: string; heeded: string | null },
): DocumentWrite {
  const { root, memory } = options
  const busy = BUSY.find((name) => existsSync(join(root, '.git', name)))
  if (busy !== undefined) return { is: 'refused', path, why: `git is in the middle of something (${busy})` }
  const now = readOne(options, path)
  if (now.why !== null && !now.edited) return { is: 'refused', path, why: now.why }
  if (now.text === text) return { is: 'unchanged', path }
  if (now.edited && (heeded === null || now.text !== heeded)) {
    const besidePath = path.replace(/(?:\.md)?$/, '.treadle.md')
    put(join(root, besidePath), text)
    return { is: 'beside', path, besidePath }
  }
  put(join(root, path), text)
  put(memory, `${JSON.stringify({ ...known(memory), [path]: hashOf(text) })}\n`)
  return { is: 'written', path }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.tmp`, text)
  renameSync(`${file}.tmp`, file)
}

function whyNot(root: string, dir: string, path: string): string | null {
  const plain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  const folder = dir.replace(/\/+$/, '')
  if (!plain || !path.startsWith(`${folder}/`)) return `it does not lie below ${folder}`
  let at = path
  while (!existsSync(join(root, at)) && at.includes('/')) at = dirname(at)
  const real = realpathSync(join(root, at))
  return real.startsWith(`${realpathSync(root)}${sep}`) ? null : 'it is a link out of the tree'
}

function known(memory: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(memory, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
