// How everything that an engine starts is confined: to its worktree, with the network.
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
  network = 'host',
  ...rest
}: EngineConfine): Promise<Confining> {
  const { mode, show = [], reach = [], bwrap = 'bwrap' } = sandbox
  const mirror = mode === 'off' ? undefined : mirrorOf(realpathSync(cwd))
  const purpose = { purpose: 'engine', setting: 'engines.sandbox' }
  const seen = { mode, show, reach, bwrap, mirror }
  return confine({ ...rest, ...purpose, ...seen, cwd, network, env, envAdded: env })
}
