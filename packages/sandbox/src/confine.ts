// The one door to the sandbox: says how a foreign program is to be started, confined where this machine can.
import { existsSync } from 'node:fs'
import { buildView, GIT_SETTINGS } from './build-view.ts'
import { confinedEnv } from './environment.ts'
import { handOver } from './hand-over.ts'
import { launcher } from './launch.ts'
import { type OtherUser, otherUser, userEnv, userWords } from './other-user.ts'
import { moved } from './paths.ts'
import { probeSandbox, type Sandbox } from './probe.ts'
import { openReach, type Reach } from './reach.ts'
import { Runtime } from './runtime.ts'
import { bubblewrapArgs, type View } from './view.ts'
import type { Confine } from './wanted.ts'

export interface Confined {
  readonly is: 'ready'
  readonly isConfined: boolean
  /** The other user that it runs as; null: whoever starts it. */
  readonly user: string | null
  /** The whole command line; any way of starting a program takes it, from the main thread. */
  readonly argv: readonly string[]
  /** The same without the program and its arguments, for a shell that starts several. */
  readonly before: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What a person should know; null: it is confined, or nobody wanted it to be. */
  readonly warning: string | null
  /** What is visible inside, for people who ask. */
  readonly view: View | null
  /** A path of the worktree, as it is called inside. */
  inside(path: string): string
  /** A path that was named inside, as it is called here. */
  outside(path: string): string
  /** Brings the git folder inside up to the state of the worktree's own: between two turns. */
  refresh(): Promise<void>
  /** Removes what it needed on disk, after everything inside has ended. */
  close(): void
}

export type Confining = Confined | { readonly is: 'refused'; readonly why: string }

/** Only a namespace ends such a process: nothing tells any more whose it was. */
const OUTLIVES = 'A process of it that leaves its session and clears its environment outlives the turn.'

export async function confine(wanted: Confine): Promise<Confining> {
  const { mode, purpose, setting = 'sandbox.mode' } = wanted
  const user = otherUser()
  if (user !== null && mode !== 'required') return user.is === 'refused' ? user : asUser(wanted, user.user)
  if (mode === 'off') return unconfined(wanted, null)
  const sandbox = await probeSandbox(wanted.bwrap)
  if (sandbox.is === 'bubblewrap') return await confineBy(sandbox, wanted)
  const why = `${sandbox.why} (${sandbox.hint})`
  if (mode === 'required') return { is: 'refused', why: `${setting} is required, but ${why}.` }
  return unconfined(wanted, `The ${purpose} is not confined to its worktree: ${why}. ${OUTLIVES}`)
}

function unconfined({ argv, env, envAdded }: Confine, warning: string | null): Confined {
  const asItIs = (path: string) => path
  return {
    is: 'ready',
    isConfined: false,
    user: null,
    argv,
    before: [],
    env: confinedEnv(env, envAdded),
    warning,
    view: null,
    inside: asItIs,
    outside: asItIs,
    refresh: async () => undefined,
    close: () => undefined,
  }
}

/** Not confined, but run by somebody who may read nothing of the owner's. */
function asUser(wanted: Confine, user: OtherUser): Confined {
  const give = () => giveAll(wanted, user)
  give()
  // There is no other place to put them, so they are used where they are.
  for (const { from, isWritable } of wanted.binds?.() ?? [])
    if (existsSync(from)) handOver(user, from, isWritable ? 'write' : 'read')
  const { env, ...rest } = unconfined(wanted, null)
  const theirs = userEnv(user, env)
  const before = userWords(user, theirs)
  const argv = [...before, ...wanted.argv]
  return { ...rest, user: user.name, before, argv, env: theirs, refresh: async () => give() }
}

/** What the other user is to read and to write, as far as Treadle has made it. */
export function giveAll(
  { cwd, worktree = cwd, isReadOnly = false, writable = [] }: ToGive,
  user: OtherUser,
): void {
  if (existsSync(worktree)) handOver(user, worktree, isReadOnly ? 'read' : 'write')
  for (const path of writable) if (existsSync(path)) handOver(user, path, 'write')
}

type ToGive = Pick<Confine, 'cwd' | 'worktree' | 'isReadOnly' | 'writable'>

async function confineBy(
  sandbox: Extract<Sandbox, { is: 'bubblewrap' }>,
  wanted: Confine,
): Promise<Confined> {
  const runtime = new Runtime()
  let reach: Reach | null = null
  try {
    reach = await openReach(wanted, runtime.folder)
    const { view, refresh } = await buildView(sandbox, wanted, { runtime, sockets: reach.sockets })
    const before = [...launcher(sandbox.bwrap, runtime.folder), ...bubblewrapArgs(view), ...reach.before]
    const env = {
      ...confinedEnv(wanted.env, wanted.envAdded),
      TMPDIR: '/tmp',
      ...(view.home === null ? { HOME: '/tmp' } : {}),
      GIT_CONFIG_SYSTEM: GIT_SETTINGS,
    }
    const { from, at } = view.worktree
    return {
      is: 'ready',
      isConfined: true,
      user: null,
      argv: [...before, ...wanted.argv],
      before,
      env,
      warning: null,
      view,
      inside: (path) => moved(path, { from, at }),
      outside: (path) => moved(path, { from: at, at: from }),
      refresh,
      close: () => {
        reach?.close()
        runtime.close()
      },
    }
  } catch (error) {
    reach?.close()
    runtime.close()
    throw error
  }
}
