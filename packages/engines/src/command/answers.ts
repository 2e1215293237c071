// Where a confined session answers: a folder of its own stands in the place of the one with every agent's files.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readForeign } from '@treadle/sandbox/foreign-files'
import type { ChosenBind } from '@treadle/sandbox/wanted'

const SESSION = /\.response\.md$/
const ANSWER_BYTES_MAX = 8 * 1024 * 1024

export class AnswerFolder {
  readonly #responseFile: string
  readonly #folder: string
  #isOpen = false

  constructor(responseFile: string, folder: string) {
    this.#responseFile = responseFile
    this.#folder = join(folder, 'answers')
  }

  /** Where the session writes, as seen from here. */
  get file(): string {
    return this.#isOpen ? join(this.#folder, basename(this.#responseFile)) : this.#responseFile
  }

  /** What the session has written so far; empty: nothing that can be read. */
  read(): string {
    const { file } = this
    return readForeign(dirname(file), file, ANSWER_BYTES_MAX)?.toString('utf8') ?? ''
  }

  /** The binds that stand in the place of the folder, with the agent's own session file as it is. */
  open(): ChosenBind[] {
    this.#isOpen = true
    mkdirSync(this.#folder, { mode: 0o700 })
    const at = dirname(this.#responseFile)
    const session = this.#responseFile.replace(SESSION, '.session')
    if (session !== this.#responseFile && existsSync(session))
      copyFileSync(session, join(this.#folder, basename(session)))
    return [{ from: this.#folder, at, isWritable: true }]
  }

  /** Leaves the answer where people look for it. */
  close(): void {
    const answer = this.#isOpen ? this.read() : ''
    if (answer !== '') writeFileSync(this.#responseFile, answer, { mode: 0o600 })
  }
}
