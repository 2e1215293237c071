// What a caller wants to have confined, and how.
import type { Bind, View } from './view.ts'

export type SandboxMode = 'auto' | 'required' | 'off'
type Env = Readonly<Record<string, string | undefined>>

/** A bind that the caller chose, whatever is known of its path. */
export interface ChosenBind extends Bind {
  readonly isWritable: boolean
}

export interface Confine {
  readonly mode: SandboxMode
  /** What runs, for people: 'engine', 'test command'. */
  readonly purpose: string
  /** The setting that asks for a sandbox, for people. */
  readonly setting?: string
  readonly argv: readonly string[]
  /** The folder to start in: the worktree, or one in it. */
  readonly cwd: string
  readonly worktree?: string
  /** Where the worktree stands inside. The path of the owner's checkout, so that all that leads there leads to it. */
  readonly at?: string
  readonly isReadOnly?: boolean
  readonly network: View['network']
  /** Passed on as far as it is on the list; HOME, PATH and the places of tools are also searched for tools. */
  readonly env: Env
  /** Passed on as it is: keys of models, settings of the command. */
  readonly envAdded?: Env
  /** Written to and kept, besides the worktree; what does not exist is left out. */
  readonly writable?: readonly string[]
  /** Bound by the caller's own will, whatever is known of the path; made ready only where it is confined. */
  binds?(): readonly ChosenBind[]
  /** Installed packages, relative to the checkout that lends them; they stand in the worktree. */
  readonly lend?: { readonly from: string; readonly names: readonly string[] }
  /** The owner's checkout around a worktree that stands at its own path: inside, the worktree is also there, read-only
   *  and with the owner's packages, so that what is looked for in the folders above leads to the change. */
  readonly mirror?: { readonly at: string; readonly names: readonly string[] } | undefined
  /** False: nothing inside asks git, and no folder is made for it. */
  readonly hasGit?: boolean
  /** Shown read-only because the owner wants it; secrets in it stay covered. */
  readonly show?: readonly string[]
  /** Out of sight besides what always is. */
  readonly never?: readonly string[]
  /** Services of this machine that may be reached: `127.0.0.1:5432`, or the path of a socket. */
  readonly reach?: readonly string[]
  /** Variables by which processes are found from outside, taken away inside. */
  readonly marks?: readonly string[]
  readonly bwrap?: string
}
