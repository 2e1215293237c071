// Another account of this machine, as which foreign programs run where the owner says so and there is no sandbox.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { signalAlsoAs } from '@treadle/process/table'
import { env as own } from './env.ts'

type Env = Readonly<Record<string, string>>

export interface OtherUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
  /** How this process becomes the other: root by setpriv, anybody else by sudo. */
  readonly by: 'setpriv' | 'sudo'
}

export type UserLookup =
  | { readonly is: 'user'; readonly user: OtherUser }
  | { readonly is: 'refused'; readonly why: string; readonly hint: string }

let known: UserLookup | undefined

/** The user that this process was told to run foreign programs as; null: nobody was named. */
export function otherUser(): UserLookup | null {
  if (own.asUser === undefined) return null
  known ??= findOtherUser(own.asUser)
  // What runs as another user is ended by nobody but that user and root.
  if (known.is === 'user' && known.user.by === 'sudo') signalAlsoAs(known.user.name)
  return known
}

/** Looks a user up, and tries whether this process may become that user. */
export function findOtherUser(name: string): UserLookup {
  const refused = (why: string, hint: string): UserLookup => ({ is: 'refused', why, hint })
  if (process.platform !== 'linux')
    return refused(
      `another user is not supported on ${process.platform}`,
      'Run Treadle in a Linux container.',
    )
  const account = accountOf(name)
  if (account === null)
    return refused(`there is no user ${name} on this machine`, `Make one: useradd --create-home ${name}`)
  if (account.uid === 0)
    return refused('root is not another user: it can read everything', 'Name an ordinary user.')
  if (account.uid === process.getuid?.())
    return refused(`${name} is who runs this, and can read what you can`, 'Name a user that is not you.')
  const isRoot = process.getuid?.() === 0
  const user: OtherUser = { ...account, by: isRoot ? 'setpriv' : 'sudo' }
  const [program = '', ...args] = [...userWords(user, { PATH: own.path }), 'true']
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 })
  if (error === undefined && status === 0) return mayShare(user)
  const said = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  return isRoot
    ? refused(`setpriv cannot become ${name} (${said})`, 'Install util-linux, or start without --as-user.')
    : refused(
        `you may not become ${name} without a password: sudo -n -u ${name} does not work (${said})`,
        `Allow it in sudoers: ${process.getuid?.()} ALL=(${name}) NOPASSWD: ALL, or start Treadle as root.`,
      )
}

/** Only root gives files away; anybody else shares them through a group that both are in. */
function mayShare(user: OtherUser): UserLookup {
  const groups = process.getgroups?.() ?? []
  if (user.by === 'setpriv' || groups.includes(user.gid)) return { is: 'user', user }
  return {
    is: 'refused',
    why: `you are not in the group of ${user.name} (${user.gid}), so it could not write to worktrees`,
    hint: `Add yourself to its group and log in again: sudo usermod -aG ${user.gid} $(id -un)`,
  }
}

interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
}

/** The account with this name or number, from wherever this machine keeps its users. */
export function accountOf(who: string | number): Account | null {
  if (!/^[\w][\w.-]*\$?$/.test(String(who))) return null
  try {
    const line = execFileSync('getent', ['passwd', String(who)], { encoding: 'utf8', stdio: 'pipe' })
    const [name = '', , uid, gid, , home = ''] = line.trim().split(':')
    return { name, uid: Number(uid), gid: Number(gid), home }
  } catch {
    return null
  }
}

/** The words before a command that make it run as the other user, who can gain no more rights than that user has. */
export function userWords(
  { name, uid, gid, by, home }: OtherUser,
  { PATH = '', HOME = home }: Env,
): string[] {
  if (by === 'setpriv')
    return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--init-groups', '--no-new-privs', '--']
  // sudo has a PATH and a HOME of its own mind; files it makes have to stay within our reach.
  const set = [`PATH=${PATH}`, `HOME=${HOME}`, `USER=${name}`, `LOGNAME=${name}`]
  return ['sudo', '-n', '-E', '-u', name, '--', 'env', ...set, 'sh', '-c', 'umask 002; exec "$@"', 'sh']
}

/** An environment as the other user has it: its own home, and git that works in trees which are not its own. */
export function userEnv({ name, home }: OtherUser, env: Env): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(env).filter(([key]) => !/^XDG_|^SHELL$|^MAIL$/.test(key)))
  return {
    ...kept,
    HOME: existsSync(home) ? home : '/tmp',
    USER: name,
    LOGNAME: name,
    TMPDIR: '/tmp',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  }
}

export interface OwnersFolders {
  /** What the other user must not be able to read. */
  readonly closed: readonly string[]
  /** What it has to get to. */
  readonly open: readonly string[]
}

/** Why the other user reads too much or reaches too little, as tried by that user; null: all is as it should be. */
export function whyUnfit(
  user: OtherUser,
  { closed, open }: OwnersFolders,
): { why: string; hint: string } | null {
  const can = (test: string, path: string) => {
    const words = [...userWords(user, { PATH: own.path }), 'test', test, path]
    const [program = '', ...args] = words
    return spawnSync(program, args, { cwd: '/', stdio: 'ignore', timeout: 20_000 }).status === 0
  }
  const read = closed.find((path) => can('-r', path))
  if (read !== undefined)
    return { why: `${user.name} can read ${read}`, hint: `Close it to others: chmod go-rwx ${read}` }
  for (const path of open) {
    if (can('-r', path) || can('-x', path)) continue
    const shut = above(path).find((folder) => !can('-x', folder)) ?? path
    return {
      why: `${user.name} cannot get to ${path}, because ${shut} is closed to it`,
      hint: `Let it pass through: setfacl -m u:${user.name}:x ${shut}, or chmod o+x ${shut}`,
    }
  }
  return null
}

/** The folders above a path, from the root down. */
function above(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [...above(parent), join(parent)]
}
