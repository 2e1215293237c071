// The command line of bubblewrap: an empty root, and in it only what a view of the machine names.

export interface Bind {
  readonly from: string
  readonly at: string
}

/** A path that is covered by something empty, because it lies in a folder that is shown. */
export interface Mask {
  readonly path: string
  readonly is: 'folder' | 'file'
}

/** Everything that decides what is visible and reachable; nothing is looked up while the arguments are built. */
export interface View {
  /** The folder that is worked in, and where it stands inside. */
  readonly worktree: Bind
  readonly isReadOnly: boolean
  /** The folder to start in, as it is called inside. */
  readonly cwd: string
  /** Folders with nothing in them but what is bound there. */
  readonly empty: readonly string[]
  /** Read-only: the system, the tool chain, lent packages, what the owner added. */
  readonly show: readonly Bind[]
  /** Written to and kept, besides the worktree. */
  readonly writable: readonly Bind[]
  /** Links at the root, such as /bin to usr/bin. */
  readonly links: readonly { readonly to: string; readonly at: string }[]
  readonly hide: readonly Mask[]
  /** UNIX sockets, or folders that hold them; they work across network namespaces. */
  readonly sockets: readonly Bind[]
  /** A network of its own has a loopback and nothing else. */
  readonly network: 'own' | 'host'
  /** An empty folder that is forgotten at the end; null where the home cannot be covered. */
  readonly home: string | null
  readonly proc: 'fresh' | 'outer'
  readonly isRoot: boolean
  /** The bound of each temporary folder; null where this bubblewrap cannot set one. */
  readonly tmpBytesMax: number | null
  /** Variables that the starter needs on its own process and the inside must not have. */
  readonly unset: readonly string[]
}

const PRIVATE_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm']
/** Files that belong to uid 0, which needs no capability to write them: core_pattern runs a program outside. */
const PROC_READ_ONLY = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs']

const depth = (path: string) => path.split('/').length

/** The arguments up to `--`; the program and its own arguments follow. */
export function bubblewrapArgs(view: View): string[] {
  return [
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(view.network === 'own' ? ['--unshare-net'] : []),
    // Started by root, bubblewrap keeps every capability, and umount uncovers all that is hidden.
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...view.unset.flatMap((name) => ['--unsetenv', name]),
    ...['--dev', '/dev'],
    ...(view.proc === 'fresh' ? ['--proc', '/proc'] : ['--ro-bind', '/proc', '/proc']),
    ...(view.isRoot ? PROC_READ_ONLY.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    ...view.links.flatMap(({ to, at }) => ['--symlink', to, at]),
    ...mounts(view),
    // Last, or else the root itself could be written to, and in /dev without any bound.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', view.cwd, '--'],
  ]
}

/** A mount covers what was mounted below it before, so parents come first; a mask covers what has its path. */
function mounts(view: View): string[] {
  const bind = (flag: string) => (each: Bind) => ({ at: each.at, args: [flag, each.from, each.at] })
  const all = [
    ...PRIVATE_FOLDERS.map((at) => ({ at, args: emptyFolder(at, '1777', view) })),
    ...(view.home === null ? [] : [{ at: view.home, args: emptyFolder(view.home, '0700', view) }]),
    ...view.show.map(bind('--ro-bind')),
    ...view.empty.map((at) => ({ at, args: emptyFolder(at, '0755', view) })),
    ...view.writable.map(bind('--bind')),
    bind(view.isReadOnly ? '--ro-bind' : '--bind')(view.worktree),
    // To connect is allowed on a read-only mount; to put another socket in its place is not.
    ...view.sockets.map(bind('--ro-bind')),
    ...view.hide.map((mask) => ({ at: mask.path, args: cover(mask) })),
  ]
  // The order of equals is kept.
  return all.sort((a, b) => depth(a.at) - depth(b.at)).flatMap(({ args }) => args)
}

function emptyFolder(path: string, mode: string, { tmpBytesMax }: View): string[] {
  const size = tmpBytesMax === null ? [] : ['--size', String(tmpBytesMax)]
  return ['--perms', mode, ...size, '--tmpfs', path]
}

const cover = ({ path, is }: Mask): string[] =>
  is === 'folder'
    ? ['--perms', '0555', '--tmpfs', path, '--remount-ro', path]
    : ['--ro-bind', '/dev/null', path]
