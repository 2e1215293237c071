// What could not be written, and why: told once for each reason, however often it is tried.
import type { DocumentWrite } from '@treadle/flow/ports/documents'

const PATHS_MAX = 1_000

export class Refusals {
  readonly #tell: (path: string, why: string) => void
  readonly #known = new Map<string, string>()

  constructor(tell: ((path: string, why: string) => void) | undefined) {
    this.#tell = tell ?? (() => undefined)
  }

  note(written: DocumentWrite): DocumentWrite {
    const { path } = written
    if (written.is !== 'refused') {
      this.#known.delete(path)
      return written
    }
    if (this.#known.get(path) === written.why) return written
    this.#known.set(path, written.why)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= PATHS_MAX) break
      this.#known.delete(oldest)
    }
    this.#tell(path, written.why)
    return written
  }

  why(path: string): string | null {
    return this.#known.get(path) ?? null
  }
}
