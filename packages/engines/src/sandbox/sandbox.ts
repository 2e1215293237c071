// Whether an engine can be confined here, and how.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { STATE_DIR } from '@treadle/contracts/workspace'
import { isNoProgram, messageOf } from '@treadle/flow/fault'
import type { Probed } from '@treadle/flow/ports/engine'
import { type Bind, type Hidden, type Room, wrap } from './bubblewrap.ts'

export type SandboxMode = 'auto' | 'required' | 'off'

export type Sandbox =
  | { readonly is: 'bubblewrap'; readonly bwrap: string }
  | { readonly is: 'none'; readonly why: string; readonly hint: string }

const PROBE_MS = 10_000
const INSTALL = 'apt-get install bubblewrap'
/** Only a namespace ends such a process: nothing tells any more whose it was. */
const OUTLIVES = 'A process of it that leaves its session and clears its environment outlives the turn.'

/** Where people keep what would let an engine act in their name. */
const SECRETS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config/gcloud',
  '.config/gh',
  // The owner's key.
  '.config/treadle',
  '.netrc',
]
/** To speak to them is to leave the sandbox, or to use the keys of the user. */
const SOCKETS = [
  '/run/docker.sock',
  '/run/podman/podman.sock',
  '/run/containerd/containerd.sock',
  '/run/dbus/system_bus_socket',
  '/run/systemd/private',
  // The session bus, which starts programs for whoever asks, and the agents of ssh and gpg.
  '/run/user',
]

/** Tries it: to be installed is not to be allowed. */
export async function probeSandbox(bwrap = 'bwrap'): Promise<Sandbox> {
  if (process.platform !== 'linux')
    return {
      is: 'none',
      why: `bubblewrap is not for ${process.platform}`,
      hint: 'run it in a Linux container',
    }
  const folder = realpathSync(tmpdir())
  const room: Room = { worktree: folder, isReadOnly: false, writable: [], readable: [], hidden: [] }
  const [program = bwrap, ...args] = wrap(bwrap, ['true'], room)
  try {
    await promisify(execFile)(program, args, { timeout: PROBE_MS })
    return { is: 'bubblewrap', bwrap }
  } catch (error) {
    if (isNoProgram(error)) return { is: 'none', why: 'bubblewrap is not installed', hint: INSTALL }
    const why = messageOf(error).trim().split('\n').at(-1) ?? ''
    return { is: 'none', why: `bubblewrap does not work here: ${why}`, hint: 'allow user namespaces' }
  }
}

/** As an engine is probed; where it is usable, also whether what it starts is confined. */
type SandboxProbed =
  | (Extract<Probed, { is: 'usable' }> & { readonly confined: boolean })
  | Extract<Probed, { is: 'unusable' }>

/** The same in words, for whoever asks whether an engine can be used. */
export async function sandboxNote(mode: SandboxMode): Promise<SandboxProbed> {
  if (mode === 'off') return { is: 'usable', note: 'not confined, by engines.sandbox', confined: false }
  const sandbox = await probeSandbox()
  if (sandbox.is === 'bubblewrap') return { is: 'usable', note: 'confined by bubblewrap', confined: true }
  if (mode === 'auto')
    return { is: 'usable', note: `NOT confined: ${sandbox.why} (${sandbox.hint})`, confined: false }
  return { is: 'unusable', why: `engines.sandbox is required, but ${sandbox.why}.`, hint: sandbox.hint }
}

/** An engine does not commit or push, so it has no business with the keys of the user, confined or not. */
export function withoutKeys(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { SSH_AUTH_SOCK: _, ...rest } = env
  return rest
}

interface Confined {
  readonly argv: readonly string[]
  /** What a person should know; null: it is confined, or nobody wanted it to be. */
  readonly warning: string | null
}

export interface Confine {
  readonly mode: SandboxMode
  readonly argv: readonly string[]
  readonly cwd: string
  /** Writable besides the worktree; what does not exist is left out. */
  readonly writable: readonly string[]
  readonly isReadOnly: boolean
  /** Made ready only where it is confined. */
  lend?(): readonly Bind[]
  /** The socket of the user's ssh agent, which may be anywhere. */
  readonly sshAgent?: string | undefined
  readonly bwrap?: string
}

export type Confining =
  | ({ readonly is: 'ready' } & Confined)
  | { readonly is: 'refused'; readonly why: string }

export async function confine(asked: Confine): Promise<Confining> {
  const { mode, argv, cwd, writable, isReadOnly } = asked
  if (mode === 'off') return { is: 'ready', argv, warning: null }
  const sandbox = await probeSandbox(asked.bwrap)
  if (sandbox.is === 'none') {
    const why = `${sandbox.why} (${sandbox.hint})`
    if (mode === 'required') return { is: 'refused', why: `engines.sandbox is required, but ${why}.` }
    return { is: 'ready', argv, warning: `The engine is not confined to its worktree: ${why}. ${OUTLIVES}` }
  }
  const worktree = realpathSync(cwd)
  const room: Room = {
    worktree,
    isReadOnly,
    writable: writable.filter((path) => existsSync(path)),
    readable: [...installOf(argv[0] ?? ''), ...gitFolderOf(worktree)],
    hidden: [...stateAround(worktree), ...hiddenHere(writable, asked.sshAgent)],
    binds: asked.lend?.() ?? [],
  }
  return { is: 'ready', argv: wrap(sandbox.bwrap, argv, room), warning: null }
}

/** The token of the daemon is there, with which an engine could approve its own work. */
function stateAround(worktree: string): Hidden[] {
  const at = worktree.indexOf(`/${STATE_DIR}/`)
  return at === -1 ? [] : [{ path: worktree.slice(0, at + 1 + STATE_DIR.length), is: 'folder' }]
}

function hiddenHere(writable: readonly string[], sshAgent: string | undefined): Hidden[] {
  const home = homedir()
  const agent = sshAgent !== undefined && isAbsolute(sshAgent) ? [sshAgent] : []
  const paths = [...SECRETS.map((name) => join(home, name)), ...SOCKETS, ...agent].filter(
    (path) => !writable.includes(path),
  )
  return paths.flatMap((path): Hidden[] => {
    // What this user cannot get at, the engine cannot either.
    if (!existsSync(path)) return []
    return [{ path: realpathSync(path), is: statSync(path).isDirectory() ? 'folder' : 'file' }]
  })
}

/** A program with the packages around it. */
function installOf(program: string): string[] {
  if (!isAbsolute(program) || !existsSync(program)) return []
  return [program, realpathSync(program)].map((path) => {
    const packages = path.indexOf('/node_modules/')
    return packages === -1 ? dirname(path) : path.slice(0, packages + '/node_modules'.length)
  })
}

/** A worktree's history is in the repository that it belongs to. */
function gitFolderOf(worktree: string): string[] {
  const link = join(worktree, '.git')
  const found = statSync(link, { throwIfNoEntry: false })
  if (found?.isFile() !== true) return []
  const named = /^gitdir: (.+)$/m.exec(readFileSync(link, 'utf8'))?.[1]
  if (named === undefined) return []
  const folder = resolve(worktree, named)
  const common = join(folder, 'commondir')
  const whole = existsSync(common) ? resolve(folder, readFileSync(common, 'utf8').trim()) : folder
  return existsSync(whole) ? [realpathSync(whole)] : []
}
