// Whether this machine confines what is foreign, in words for whoever asks.
import { otherUser } from './other-user.ts'
import { probeSandbox } from './probe.ts'
import type { SandboxMode } from './wanted.ts'

export type SandboxNote =
  | { readonly is: 'usable'; readonly note: string; readonly confined: boolean }
  | { readonly is: 'unusable'; readonly why: string; readonly hint: string }

/** A note on what is confined; `setting` is the one that asks for it. */
export async function sandboxNote(mode: SandboxMode, setting = 'engines.sandbox'): Promise<SandboxNote> {
  const user = otherUser()
  if (user?.is === 'user' && mode !== 'required')
    return { is: 'usable', note: `run by the user ${user.user.name}`, confined: false }
  if (mode === 'off') return { is: 'usable', note: `not confined, by ${setting}`, confined: false }
  const sandbox = await probeSandbox()
  if (sandbox.is === 'bubblewrap') {
    const nested = sandbox.proc === 'outer' ? ', with the outer /proc' : ''
    return { is: 'usable', note: `confined by bubblewrap${nested}`, confined: true }
  }
  if (mode === 'auto')
    return { is: 'usable', note: `NOT confined: ${sandbox.why} (${sandbox.hint})`, confined: false }
  return { is: 'unusable', why: `${setting} is required, but ${sandbox.why}.`, hint: sandbox.hint }
}

const MEANS =
  'What engines and tests run can read and do what you can, your keys and the token of the daemon included'

/** Why foreign code is not confined here and what that means, in one line; null: it is confined. */
export async function unconfinedNote(mode: SandboxMode): Promise<string | null> {
  if (otherUser() !== null && mode !== 'required') return null
  if (mode === 'off') return `Nothing is confined, by the settings. ${MEANS}.`
  const sandbox = await probeSandbox()
  if (sandbox.is === 'bubblewrap') return null
  const then = mode === 'required' ? 'Nothing is started, because a sandbox is required' : MEANS
  return `There is no sandbox: ${sandbox.why} (${sandbox.hint}). ${then}.`
}
