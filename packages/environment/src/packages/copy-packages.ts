// Brings installed packages from one tree into another; runs in a thread of its own, since it touches every file.
import {
  constants,
  copyFileSync,
  type Dirent,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

export interface CopyOrder {
  /** Tree that has them, and the one that gets them. */
  readonly from: string
  readonly to: string
  /** Folders of packages, relative to both. */
  readonly folders: readonly string[]
  /** A folder whose files may be shared by hard links; it is filled from `from` as they are asked for. Left out: each
   *  file is copied, without taking room where the file system can do that. */
  readonly pool?: string
}

export interface Copied {
  readonly files: number
  /** `clone`: the file system shares the blocks until one side is written to. */
  readonly how: 'clone' | 'link' | 'copy'
}

function copyPackages({ from, to, folders, pool }: CopyOrder): Copied {
  const copier = new Copier(from, to, pool ?? null)
  for (const folder of folders) copier.folder(folder)
  return { files: copier.files, how: copier.how ?? 'copy' }
}

class Copier {
  readonly from: string
  readonly to: string
  readonly pool: string | null
  files = 0
  how: Copied['how'] | null = null

  constructor(from: string, to: string, pool: string | null) {
    this.from = from
    this.to = to
    this.pool = pool
  }

  folder(path: string): void {
    mkdirSync(join(this.to, path), { recursive: true })
    for (const entry of readdirSync(join(this.from, path), { withFileTypes: true }))
      this.#entry(entry, join(path, entry.name))
  }

  #entry(entry: Dirent, path: string): void {
    if (entry.isDirectory()) this.folder(path)
    else if (entry.isSymbolicLink()) this.#link(path)
    // What is no file, such as a socket, is nobody's package.
    else if (entry.isFile()) this.#file(path)
  }

  /** A link into the tree itself means the new tree. */
  #link(path: string): void {
    const target = readlinkSync(join(this.from, path))
    const inside = isAbsolute(target) ? relative(this.from, target) : null
    const isOwn = inside !== null && !inside.startsWith('..') && !isAbsolute(inside)
    symlinkSync(isOwn ? relative(dirname(join(this.from, path)), target) : target, join(this.to, path))
  }

  #file(path: string): void {
    this.files += 1
    this.how ??= this.#tryClone(path) ? 'clone' : this.#other()
    const [source, at] = [join(this.from, path), join(this.to, path)]
    if (this.how === 'link' && this.pool !== null) {
      linkSync(this.#pooled(path, this.pool), at)
      return
    }
    copyKeepingTime(source, at)
  }

  #other(): 'link' | 'copy' {
    return this.pool === null ? 'copy' : 'link'
  }

  #tryClone(path: string): boolean {
    const trial = `${join(this.to, path)}.trial`
    try {
      copyFileSync(join(this.from, path), trial, constants.COPYFILE_FICLONE_FORCE)
      return true
    } catch {
      // This file system cannot.
      return false
    } finally {
      rmSync(trial, { force: true })
    }
  }

  /** The shared file, made anew where it is missing or somebody has written to it. */
  #pooled(path: string, pool: string): string {
    const at = join(pool, path)
    const [kept, shared] = [lstatSync(join(this.from, path)), lstatSync(at, { throwIfNoEntry: false })]
    const isSame =
      shared?.isFile() === true && shared.size === kept.size && Math.abs(shared.mtimeMs - kept.mtimeMs) < 1
    if (isSame) return at
    mkdirSync(dirname(at), { recursive: true })
    const draft = `${at}.${process.pid}`
    copyKeepingTime(join(this.from, path), draft)
    renameSync(draft, at)
    return at
  }
}

function copyKeepingTime(source: string, at: string): void {
  copyFileSync(source, at, constants.COPYFILE_FICLONE)
  const { atime, mtime } = lstatSync(source)
  utimesSync(at, atime, mtime)
}

if (parentPort !== null) {
  try {
    parentPort.postMessage({ copied: copyPackages(workerData as CopyOrder) })
  } catch (error) {
    parentPort.postMessage({ why: error instanceof Error ? error.message : String(error) })
  }
}
