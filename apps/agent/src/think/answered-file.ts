// The end of a thought, on disk before it is told: whoever comes after a kill tells it, and no model is asked again.
import { readFile, rm } from 'node:fs/promises'
import { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import { messageOf } from '@treadle/flow/fault'
import { z } from 'zod'
import { replaceFile } from '../replace-file.ts'

const Answered = z.strictObject({
  version: z.literal(1),
  thought: z.uuid(),
  fence: z.int().min(0),
  end: ThoughtEnd,
})
export type Answered = Omit<z.infer<typeof Answered>, 'version'>

export class AnsweredFile {
  readonly #path: string
  readonly #log: (message: string) => void

  constructor(path: string, log: (message: string) => void) {
    this.#path = path
    this.#log = log
  }

  async keep(answered: Answered): Promise<void> {
    await replaceFile(this.#path, `${JSON.stringify({ version: 1, ...answered })}\n`)
  }

  /** What is still to be told; null: nothing. */
  async left(): Promise<Answered | null> {
    try {
      const { version: _, ...answered } = Answered.parse(JSON.parse(await readFile(this.#path, 'utf8')))
      return answered
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#log(`${this.#path} is left out: ${messageOf(error)}`)
      return null
    }
  }

  async drop(): Promise<void> {
    await rm(this.#path, { force: true })
  }
}
