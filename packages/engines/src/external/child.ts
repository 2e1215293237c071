// Starts a program confined to its worktree, and ends it with everything that it has started.
import { setTimeout as sleep } from 'node:timers/promises'
import { ENGINE_MARK } from '@treadle/contracts/child-env'
import type { EngineOpen } from '@treadle/flow/ports/engine'
import { killTree, markIn, spawnTalking } from '../process-tree.ts'
import type { Bind } from '../sandbox/bubblewrap.ts'
import { confine, type SandboxMode, withoutKeys } from '../sandbox/sandbox.ts'

export type Child = ReturnType<typeof spawnTalking>

export interface StartOptions {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Besides the worktree. */
  readonly writable: readonly string[]
  /** What of the user's own it gets in another way than it is. */
  lend?(): readonly Bind[]
  readonly sandbox: SandboxMode
  readonly open: Pick<EngineOpen, 'cwd' | 'readOnly'>
}

export type Started =
  | {
      readonly is: 'started'
      readonly child: Child
      readonly isConfined: boolean
      readonly warning: string | null
    }
  | { readonly is: 'refused'; readonly why: string }

export async function startChild(options: StartOptions): Promise<Started> {
  const { argv, env, writable, sandbox, open } = options
  const { cwd, readOnly: isReadOnly = false } = open
  const sshAgent = env.SSH_AUTH_SOCK
  const lend = () => options.lend?.() ?? []
  const confined = await confine({ mode: sandbox, argv, cwd, writable, isReadOnly, sshAgent, lend })
  if (confined.is === 'refused') return confined
  const [program = '', ...args] = confined.argv
  const isConfined = confined.argv !== argv
  // Inside, the temporary folder of the system is there and empty; that of the environment may not be.
  const room = isConfined ? { TMPDIR: '/tmp' } : {}
  const child = spawnTalking(program, args, { cwd, env: { ...withoutKeys(env), ...room } })
  return { is: 'started', child, isConfined, warning: confined.warning }
}

/** The end of its input first, so that it can put its house in order; then by signals, whole tree included. */
export async function endChild(
  child: Child,
  env: Readonly<Record<string, string>>,
  graceMs: number,
): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  child.stdin.end()
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  if (child.exitCode === null && child.signalCode === null)
    await Promise.race([closed, sleep(Math.min(graceMs, 300), undefined, { ref: false })])
  await killTree(pid, graceMs, markIn(env, ENGINE_MARK))
}
