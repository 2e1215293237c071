// Where a confined session answers: a folder of its own stands in the place of the one with every agent's files.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ChosenBind } from '@treadle/sandbox/wanted'

const SESSION = /\.response\.md$/

export class AnswerFolder {
  readonly #responseFile: string
  readonly #folder: string
  #isOpen = false

  constructor(responseFile: string, folder: string) {
    this.#responseFile = responseFile
    this.#folder = join(folder, 'answers')
  }

  /** The file to look at while the session runs. */
  get file(): string {
    return this.#isOpen ? join(this.#folder, basename(this.#responseFile)) : this.#responseFile
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
    if (this.#isOpen && existsSync(this.file)) copyFileSync(this.file, this.#responseFile)
  }
}
