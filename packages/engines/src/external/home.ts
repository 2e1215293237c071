// The folder in which a program keeps its settings and conversations.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineOpen } from '@treadle/flow/ports/engine'
import { removeForeign } from '@treadle/sandbox/foreign-files'

export interface Housed {
  readonly open: EngineOpen & { readonly home: string }
  /** Leaves nothing behind of a home that was only lent. */
  leave(): void
}

/** An engine that gets a home for as long as a session lasts, if it is opened without one. */
export function housed(open: EngineOpen): Housed {
  if (open.home !== undefined) {
    mkdirSync(open.home, { recursive: true, mode: 0o700 })
    return { open: { ...open, home: open.home }, leave: () => undefined }
  }
  const home = mkdtempSync(join(tmpdir(), 'treadle-home-'))
  return {
    open: { ...open, home },
    leave: () => removeForeign(home),
  }
}
