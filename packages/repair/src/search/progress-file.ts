// Tries of a search, on disk, so that one that was killed goes on where it was.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Edit, keyOf } from '../edits/edit.ts'
import type { Project } from '../project/load.ts'

const FLUSH_EVERY = 100

export class ProgressFile {
  readonly #path: string
  readonly #tried: ReadonlySet<string>
  readonly #hopeful: ReadonlySet<string>
  #waiting: string[] = []

  /** A file about other sources is begun anew. */
  constructor(path: string, hash: string) {
    this.#path = path
    const [head, ...lines] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    const known = head === hash ? lines : []
    this.#tried = new Set(known.filter((line) => line.startsWith('-')).map((line) => line.slice(1)))
    this.#hopeful = new Set(known.filter((line) => line.startsWith('+')).map((line) => line.slice(1)))
    if (head === hash) return
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${hash}\n`)
  }

  /** Edits in their order: those that had an effect first, those that had none left out. */
  resume(edits: readonly Edit[]): Edit[] {
    if (this.#tried.size === 0 && this.#hopeful.size === 0) return [...edits]
    const hopeful = edits.filter((edit) => this.#hopeful.has(idOf(edit)))
    const rest = edits.filter((edit) => !this.#hopeful.has(idOf(edit)) && !this.#tried.has(idOf(edit)))
    return [...hopeful, ...rest]
  }

  note(edit: Edit, hopeful: boolean): void {
    this.#waiting.push(`${hopeful ? '+' : '-'}${idOf(edit)}`)
    if (hopeful || this.#waiting.length >= FLUSH_EVERY) this.#flush()
  }

  /** The search came to its end: nothing is left to go on with. */
  finish(): void {
    rmSync(this.#path, { force: true })
  }

  #flush(): void {
    appendFileSync(this.#path, `${this.#waiting.join('\n')}\n`)
    this.#waiting = []
  }
}

function idOf(edit: Edit): string {
  return createHash('sha256').update(keyOf(edit)).digest('base64url').slice(0, 16)
}

export function hashOf(project: Project, failing: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of project.files) hash.update(`${file.path}\0${file.text}\0`)
  return hash.update(failing.join('\0')).digest('hex')
}
