// Packages that were installed once for the target and are taken by every other tree with the same manifests and lock
// file. Only the daemon fills the store, from a checkout of the target; what a change brings never gets into it.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Fault } from '@treadle/flow/fault'
import { findLendable } from '@treadle/sandbox/lend'
import { z } from 'zod'
import type { Copied, CopyOrder } from './copy-packages.ts'

/** Sets of packages that are kept; of older ones nobody has need. */
const SETS_MAX = 3

/** `shared`: files may be hard links, which whoever writes to them writes for all; `own`: they never are. */
export type TakingWay = 'shared' | 'own'

const Folders = z.array(z.string()).max(10_000)

export class KeptPackages {
  readonly #root: string

  /** `root`: a folder on the file system of the worktrees. */
  constructor(root: string) {
    this.#root = root
  }

  /** Keeps what is installed in a tree; null: nothing that could be kept. */
  async keep(tree: string, key: string): Promise<Copied | null> {
    const folders = packageFolders(tree)
    if (folders.length === 0) return null
    mkdirSync(this.#root, { recursive: true, mode: 0o700 })
    const draft = join(this.#root, `.${key}-${process.pid}`)
    rmSync(draft, { recursive: true, force: true })
    try {
      const copied = await copyApart({ from: tree, to: join(draft, 'files'), folders })
      writeFileSync(join(draft, 'folders.json'), JSON.stringify(folders))
      rmSync(join(this.#root, key), { recursive: true, force: true })
      renameSync(draft, join(this.#root, key))
      this.#prune()
      return copied
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }

  /** Brings kept packages into a tree that has none; null: none are kept for it, or it has its own. */
  async take(tree: string, key: string, way: TakingWay): Promise<Copied | null> {
    const set = join(this.#root, key)
    const folders = readFolders(join(set, 'folders.json'))
    if (folders === null || folders.some((folder) => hasEntries(join(tree, folder)))) return null
    const now = new Date()
    try {
      utimesSync(set, now, now)
      const pool = way === 'shared' ? { pool: join(set, 'pool') } : {}
      return await copyApart({ from: join(set, 'files'), to: tree, folders, ...pool })
    } catch {
      // Half of it is worse than nothing: whoever asked installs.
      for (const folder of folders) rmSync(join(tree, folder), { recursive: true, force: true })
      return null
    }
  }

  #prune(): void {
    const sets = readdirSync(this.#root)
      .filter((name) => !name.startsWith('.'))
      .map((name) => ({ path: join(this.#root, name), at: statSync(join(this.#root, name)).mtimeMs }))
      .sort((a, b) => b.at - a.at)
    for (const { path } of sets.slice(SETS_MAX)) rmSync(path, { recursive: true, force: true })
  }
}

/** Folders of installed packages in a tree, relative to it; none where some are laid out in another way. */
function packageFolders(tree: string): string[] {
  const found = findLendable(tree)
  return found.every((path) => path.split('/').at(-1) === 'node_modules') ? found : []
}

function readFolders(file: string): string[] | null {
  if (!existsSync(file)) return null
  try {
    return Folders.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Damaged: it is installed.
    return null
  }
}

function hasEntries(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0
}

const Answer = z.union([z.object({ copied: z.custom<Copied>() }), z.object({ why: z.string() })])

/** In a thread of its own, so that whoever waits answers others meanwhile. */
async function copyApart(order: CopyOrder): Promise<Copied> {
  const worker = new Worker(new URL('./copy-packages.ts', import.meta.url), { workerData: order })
  try {
    const answer = Answer.parse(
      await new Promise((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
      }),
    )
    if ('why' in answer) throw new Fault('packages', answer.why)
    return answer.copied
  } finally {
    await worker.terminate()
  }
}
