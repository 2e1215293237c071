// Messages between the thread that runs PGlite and the thread that asks it.
export interface ThreadData {
  readonly dir: string
  /** A file of compiled code, if it is there. */
  readonly compiled: string | null
}

export type ToThread =
  | { readonly is: 'bytes'; readonly stream: number; readonly bytes: Uint8Array }
  /** The client is gone: nothing of its session may reach the next one. */
  | { readonly is: 'reset' }
  | { readonly is: 'close' }

export type FromThread =
  | { readonly is: 'ready'; readonly compiled: boolean }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'reply'; readonly stream: number; readonly bytes: Uint8Array; readonly syncs: number }
  | { readonly is: 'was_reset' }
  | { readonly is: 'closed' }
