// What a confinement needs on disk while it lasts: a folder named after the process, and mount points in the worktree.
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startOf } from '@treadle/process/table'
import { removeForeign } from './foreign-files.ts'
import { kindOf, realPath } from './paths.ts'

const PREFIX = 'treadle-sandbox-'
const RECORD = 'mount-points'

/** A folder or an empty file made for a mount; `link` is what stood there before. */
interface MountPoint {
  readonly path: string
  readonly link: string | null
}

/** Mount points of this process, and how many confinements use each; the last one removes it. */
const inUse = new Map<string, { readonly made: MountPoint; users: number }>()

const open = new Set<Runtime>()
/** A process that ends in order leaves nothing. */
const closeAll = () => {
  for (const runtime of open) runtime.close()
}

export class Runtime {
  readonly folder: string
  readonly #made: string[] = []
  #isOpen = true

  constructor() {
    const name = `${PREFIX}${process.pid}-${startName(process.pid)}-`
    if (open.size === 0) process.once('exit', closeAll)
    open.add(this)
    this.folder = mkdtempSync(join(realPath(tmpdir()) ?? tmpdir(), name))
  }

  /** Makes sure that there is something empty to mount on; false if something of its own is there. */
  mountPoint(path: string, is: 'folder' | 'file' = 'folder'): boolean {
    const known = inUse.get(path)
    if (known !== undefined) {
      known.users += 1
      this.#made.push(path)
      return true
    }
    if (!isStraight(path)) return false
    const kind = kindOf(path)
    if (kind === 'file') return is === 'file' && statSync(path).size === 0
    if (kind === 'folder') return is === 'folder' && readdirSync(path).length === 0
    const made = { path, link: kind === 'link' ? readlinkSync(path) : null }
    // Written down first: whoever sweeps after a kill finds it.
    appendFileSync(join(this.folder, RECORD), `${JSON.stringify(made)}\n`)
    if (made.link !== null) unlinkSync(path)
    if (is === 'folder') mkdirSync(path, { recursive: true })
    else writeFileSync(path, '')
    inUse.set(path, { made, users: 1 })
    this.#made.push(path)
    return true
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    open.delete(this)
    if (open.size === 0) process.off('exit', closeAll)
    for (const path of this.#made) {
      const known = inUse.get(path)
      if (known === undefined) continue
      known.users -= 1
      if (known.users > 0) continue
      inUse.delete(path)
      unmake(known.made)
    }
    removeForeign(this.folder)
  }
}

/** The start of a process as a part of a file's name. */
const startName = (pid: number) => startOf(pid)?.replaceAll(/\W/g, '_') ?? '0'

/** Whether no folder on the way to a path is a link, which would have something made or removed elsewhere. */
function isStraight(path: string): boolean {
  const folder = dirname(path)
  const kind = kindOf(folder)
  if (kind === null) return folder !== path && isStraight(folder)
  return kind === 'folder' && realPath(folder) === folder
}

/** Only what is empty: nobody's work is removed. */
function unmake({ path, link }: MountPoint): void {
  if (!isStraight(path)) return
  try {
    if (kindOf(path) !== 'file') rmdirSync(path)
    else if (statSync(path).size === 0) unlinkSync(path)
    else return
    if (link !== null) symlinkSync(link, path)
  } catch {
    // Something is in it by now, or it is gone; either is as it should be.
    return
  }
}

/** Removes what processes that are gone have left: their folders, and empty mount points in worktrees. */
export function sweepLeftovers(folder: string = tmpdir()): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(PREFIX))
  return names.flatMap((name) => {
    const [, pid, started] = /^treadle-sandbox-(\d+)-(\w+)-/.exec(name) ?? []
    if (pid === undefined || started === undefined) return []
    if (startName(Number(pid)) === started) return []
    const path = join(folder, name)
    if (!isOurs(path)) return []
    for (const left of readRecord(join(path, RECORD))) unmake(left)
    removeForeign(path)
    return [path]
  })
}

/** Whether a folder was made by this user: the temporary folder is everybody's, and a record in it is acted upon. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}

function readRecord(file: string): MountPoint[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      const { path, link }: Partial<MountPoint> = JSON.parse(line)
      return typeof path === 'string' ? [{ path, link: typeof link === 'string' ? link : null }] : []
    } catch {
      // The last line of a process that was killed while it wrote.
      return []
    }
  })
}
