// What keeps the owner's key from whatever the crew runs, judged once at the start and by the settings in force.
import type { Config } from '@treadle/contracts/config'
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

export async function openIsolation(
  probe: SandboxProbe,
  config: () => Config,
  asUser: string | null,
): Promise<() => Isolated> {
  const found = await probe()
  return () => {
    // It was tried at the start that this user cannot read the key, and all that is foreign runs as this user.
    if (asUser !== null) return { is: 'other_user', why: null }
    const { sandbox, engines } = config()
    // Gates go by the first, engines by the second where it says something: one gap is enough.
    if (sandbox.mode === 'off') return { is: 'nothing', why: 'sandbox.mode is off' }
    if (engines.sandbox === 'off') return { is: 'nothing', why: 'engines.sandbox is off' }
    return found.is === 'none' ? { is: 'nothing', why: found.why } : { is: 'sandbox', why: null }
  }
}
