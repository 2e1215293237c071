// Lets the other user work in folders of ours: worktrees and temporary folders, and nothing else.
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { STATE_DIR } from '@treadle/contracts/workspace'
import type { OtherUser } from './other-user.ts'
import { isBelow, realPath } from './paths.ts'

/** Folders below the state folder that foreign programs work in; everything beside them is closed. */
const SHARED: readonly string[] = ['worktrees', 'engines']
/** Temporary folders that are made for foreign programs. */
const TEMPORARY = /^(treadle-(command|copy|repair|order|audit|verify|home|review|tests)-|report-|record-)/
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

export type Access = 'write' | 'read'

/** Gives the other user access to a tree; a folder that Treadle has not made is left as it is. */
export function handOver(user: OtherUser, path: string, access: Access): void {
  const top = ownFolder(realpathSync(path))
  if (top === null) return
  if (top.state !== null) openWay(user, top.state, dirname(top.folder))
  const fd = openSync(top.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    giveTop(user, fd, access)
    give(user, fd, access)
  } finally {
    closeSync(fd)
  }
}

interface OwnFolder {
  readonly folder: string
  readonly state: string | null
}

/** The tree, or the temporary folder, that a path lies in; null: it is somebody else's. */
function ownFolder(path: string): OwnFolder | null {
  const end = path.lastIndexOf(`/${STATE_DIR}/`)
  if (end > 0) {
    const state = join(path.slice(0, end), STATE_DIR)
    const [shared = '', name] = relative(state, path).split(sep)
    if (name === undefined || !SHARED.includes(shared)) return null
    return { folder: join(state, shared, name), state }
  }
  const temporary = realPath(tmpdir()) ?? tmpdir()
  const [name = ''] = relative(temporary, path).split(sep)
  if (!isBelow(path, temporary) || !TEMPORARY.test(name)) return null
  return { folder: join(temporary, name), state: null }
}

/** The other user passes through the state folder to the trees, lists nothing, and reads nothing that lies beside them. */
export function openWay(user: OtherUser, state: string, last: string): void {
  for (const name of readdirSync(state)) {
    if (SHARED.includes(name)) continue
    const { mode } = lstatSync(join(state, name))
    if ((mode & 0o170000) !== 0o120000 && (mode & 0o077) !== 0) chmodSync(join(state, name), mode & 0o700)
  }
  for (let folder = last; isBelow(folder, state); folder = dirname(folder)) {
    const found = statSync(folder)
    if (found.gid !== user.gid) chownSync(folder, found.uid, user.gid)
    if ((found.mode & 0o7777) !== 0o710) chmodSync(folder, 0o710)
  }
}

/** The top itself stays ours, for git works only in trees of its own user. */
function giveTop({ gid, by }: OtherUser, fd: number, access: Access): void {
  fchownSync(fd, fstatSync(fd).uid, gid)
  if (access === 'read') fchmodSync(fd, 0o750)
  else fchmodSync(fd, by === 'setpriv' ? 0o770 : 0o2770)
}

/**
 * Everything in a folder. By descriptors, so that no name is looked up twice: the other user may have exchanged a
 * folder for a link meanwhile, and a link is never followed.
 */
function give(user: OtherUser, fd: number, access: Access, isTop = true): void {
  const here = `/proc/self/fd/${fd}`
  for (const entry of readdirSync(here, { withFileTypes: true })) {
    const path = `${here}/${entry.name}`
    // By it our git finds its way, and takes it from no other user.
    const wanted = isTop && entry.name === '.git' ? 'read' : access
    if (entry.isSymbolicLink()) quietly(() => giveLink(user, path))
    else if (entry.isDirectory() || entry.isFile()) quietly(() => giveEntry(user, path, wanted))
  }
}

function giveLink({ uid, gid, by }: OtherUser, path: string): void {
  if (by === 'setpriv' && lstatSync(path).uid !== uid) lchownSync(path, uid, gid)
}

function giveEntry(user: OtherUser, path: string, access: Access): void {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const found = fstatSync(fd)
    const isTheirs = found.uid === user.uid
    // A file with a second name may be one of the owner's packages.
    if (found.isFile() && found.nlink > 1) return
    if (!isTheirs) change(user, fd, { found, access })
    // What an install of the other user has made holds nothing of ours.
    const isInstalled = isTheirs && path.endsWith('/node_modules')
    if (found.isDirectory() && !isInstalled) give(user, fd, access, false)
  } finally {
    closeSync(fd)
  }
}

function change(
  { uid, gid, by }: OtherUser,
  fd: number,
  { found, access }: { readonly found: Stats; readonly access: Access },
): void {
  if (access === 'write' && by === 'setpriv') {
    fchownSync(fd, uid, gid)
    return
  }
  if (found.gid !== gid) fchownSync(fd, found.uid, gid)
  const isFolder = found.isDirectory()
  const enter = isFolder || (found.mode & 0o100) !== 0 ? 0o010 : 0
  const write = access === 'write' ? 0o020 | (isFolder ? 0o2000 : 0) : 0
  const mode = (found.mode & 0o7777) | 0o040 | enter | write
  if (mode !== (found.mode & 0o7777)) fchmodSync(fd, mode)
}

/** An entry that was taken away or exchanged while we looked is none of ours any more. */
function quietly(act: () => void): void {
  try {
    act()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'ELOOP', 'ENOTDIR', 'EPERM', 'EACCES', 'ENXIO'].includes(code)) throw error
  }
}
