// How everything that an engine starts is confined: to its worktree, with the network or with the proxy alone.
import { realpathSync } from 'node:fs'
import { type Confining, confine } from '@treadle/sandbox/confine'
import { mirrorOf } from '@treadle/sandbox/lend'
import type { ChosenBind, Confine, SandboxMode } from '@treadle/sandbox/wanted'

export interface EngineSandbox {
  readonly mode: SandboxMode
  /** Shown besides, by the settings. */
  readonly show?: readonly string[]
  /** Services that are reached where the network is off. */
  readonly reach?: readonly string[]
  /** Another program in the place of bubblewrap. */
  readonly bwrap?: string
  /** own: nothing but a loopback, and what `reach` declares; left out: that of the machine. */
  readonly network?: Confine['network']
}

/** What the settings of an engine say of its sandbox. */
export interface SandboxSettings {
  readonly sandbox: SandboxMode
  /** Shown besides, by the settings. */
  readonly show?: readonly string[]
  /** Services of this machine that are all it reaches; left out: it has the network of the machine. */
  readonly reachOnly?: readonly string[]
}

export function sandboxOf({ sandbox, show = [], reachOnly }: SandboxSettings): EngineSandbox {
  if (reachOnly === undefined) return { mode: sandbox, show }
  return { mode: sandbox, show, network: 'own', reach: reachOnly }
}

export interface EngineConfine {
  readonly sandbox: EngineSandbox
  readonly argv: readonly string[]
  readonly cwd: string
  /** The whole environment, which the agent built from an allow-list. */
  readonly env: Readonly<Record<string, string>>
  readonly isReadOnly?: boolean
  readonly writable?: readonly string[]
  binds?(): readonly ChosenBind[]
  readonly network?: Confine['network']
}

export function confineEngine({
  sandbox,
  cwd,
  env,
  network = sandbox.network ?? 'host',
  ...rest
}: EngineConfine): Promise<Confining> {
  const { mode, show = [], reach = [], bwrap = 'bwrap' } = sandbox
  const mirror = mode === 'off' ? undefined : mirrorOf(realpathSync(cwd))
  const purpose = { purpose: 'engine', setting: 'engines.sandbox' }
  const seen = { mode, show, reach, bwrap, mirror }
  return confine({ ...rest, ...purpose, ...seen, cwd, network, env, envAdded: env })
}
