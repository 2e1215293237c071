// The command line of bubblewrap: an engine may write to its worktree and its home, and read the rest.

export interface Room {
  /** The folder that is worked in. */
  readonly worktree: string
  readonly isReadOnly: boolean
  /** Also writable: the home of the engine. */
  readonly writable: readonly string[]
  /** Needed although it lies in a folder that the engine gets an empty one for. */
  readonly readable: readonly string[]
  /** Folders and files that it does not get to see. */
  readonly hidden: readonly Hidden[]
  readonly binds?: readonly Bind[]
}

/** Something that lies elsewhere, or is not to be changed, in the midst of what is writable. */
export interface Bind {
  readonly is: 'writable' | 'readable'
  readonly from: string
  readonly at: string
}

export interface Hidden {
  readonly path: string
  readonly is: 'folder' | 'file'
}

/** What every engine gets an empty one of. */
const PRIVATE_FOLDERS = ['/tmp', '/var/tmp']

/** All of it is also what the probe tries, so that the probe says yes only to what will work. */
export function wrap(bwrap: string, argv: readonly string[], room: Room): string[] {
  const empty = PRIVATE_FOLDERS.flatMap((folder) => ['--tmpfs', folder])
  const seen = room.readable.filter(isPrivate).flatMap((path) => ['--ro-bind', path, path])
  const hidden = room.hidden.flatMap(({ path, is }) =>
    is === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
  )
  const writable = room.writable.flatMap((path) => ['--bind', path, path])
  const binds = (room.binds ?? []).flatMap(({ is, from, at }) => [
    is === 'writable' ? '--bind' : '--ro-bind',
    from,
    at,
  ])
  const worktree = [room.isReadOnly ? '--ro-bind' : '--bind', room.worktree, room.worktree]
  return [
    bwrap,
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...empty,
    ...hidden,
    ...seen,
    ...writable,
    ...binds,
    ...worktree,
    // A namespace of its own: when its first process ends, however it ends, the kernel ends all others.
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--chdir', room.worktree, '--'],
    ...argv,
  ]
}

const isPrivate = (path: string) =>
  PRIVATE_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`))
