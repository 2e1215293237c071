// Starts a program confined to its worktree, and ends it with everything that it has started.
import { setTimeout as sleep } from 'node:timers/promises'
import { ENGINE_MARK } from '@treadle/contracts/child-env'
import type { EngineOpen } from '@treadle/flow/ports/engine'
import { spawnTalking } from '@treadle/process/spawn'
import { killTree, markIn } from '@treadle/process/tree'
import type { Confined } from '@treadle/sandbox/confine'
import type { ChosenBind } from '@treadle/sandbox/wanted'
import { confineEngine, type EngineSandbox } from '../confined.ts'

export type Child = ReturnType<typeof spawnTalking>

export interface StartOptions {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Besides the worktree. */
  readonly writable: readonly string[]
  /** Binds of the user's own that it gets in another way than they are. */
  lend?(): readonly ChosenBind[]
  readonly sandbox: EngineSandbox
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

/** The sandbox of each running program. */
const confinedBy = new WeakMap<Child, Confined>()

export async function startChild(options: StartOptions): Promise<Started> {
  const { argv, env, writable, sandbox, open } = options
  const { cwd, readOnly: isReadOnly = false } = open
  const binds = () => options.lend?.() ?? []
  const confined = await confineEngine({ sandbox, argv, cwd, env, writable, isReadOnly, binds })
  if (confined.is === 'refused') return confined
  const [program = '', ...args] = confined.argv
  const child = spawnTalking(program, args, { cwd, env: { ...confined.env } })
  confinedBy.set(child, confined)
  child.once('close', () => confined.close())
  child.once('error', () => confined.close())
  const { isConfined, warning } = confined
  return { is: 'started', child, isConfined, warning }
}

/** Before another turn of the same program: its git sees what was committed since. */
export async function refreshChild(child: Child): Promise<void> {
  await confinedBy.get(child)?.refresh()
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
