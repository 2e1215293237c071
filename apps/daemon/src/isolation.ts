// What keeps the owner's key from whatever the crew runs, judged once at the start and by the settings in force.
import type { Config } from '@treadle/contracts/config'
import { engineSandbox } from '@treadle/contracts/config/sandbox'
import type { Isolation } from '@treadle/flow/review/confirm-code'

export interface Isolated {
  readonly is: Isolation
  /** Why it is nothing; null where it is something. */
  readonly why: string | null
}

/** Whether this machine has a sandbox that works. */
export type SandboxProbe = () => Promise<
  { readonly is: 'none'; readonly why: string } | { readonly is: 'bubblewrap' }
>

export async function openIsolation(probe: SandboxProbe, config: () => Config): Promise<() => Isolated> {
  const found = await probe()
  return () => {
    // What engines write, gates run: one of the two without a sandbox is enough to reach the key.
    const off = config().sandbox.mode === 'off' ? 'sandbox.mode' : 'engines.sandbox'
    if (config().sandbox.mode === 'off' || engineSandbox(config()).mode === 'off')
      return { is: 'nothing', why: `${off} is off` }
    return found.is === 'none' ? { is: 'nothing', why: found.why } : { is: 'sandbox', why: null }
  }
}
