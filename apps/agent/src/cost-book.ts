// What this agent has spent and could not tell the daemon yet: on disk, counted against its part of the budget,
// and told as soon as the daemon can be reached.
import { readFile } from 'node:fs/promises'
import { ApiError } from '@treadle/contracts/client'
import { CostId } from '@treadle/contracts/cost'
import { NewCost } from '@treadle/contracts/routes/costs'
import { messageOf } from '@treadle/flow/fault'
import { z } from 'zod'
import { type Home, isAway } from './home.ts'
import { replaceFile } from './replace-file.ts'

const Settlement = z.strictObject({
  id: CostId,
  /** Null: no call was made. */
  cost: NewCost.omit({ id: true }).nullable(),
})
export type Settlement = z.infer<typeof Settlement>
const Page = z.strictObject({
  version: z.literal(1),
  /** What the daemon last said that this agent may spend alone; null: it never did. */
  shareUSD: z.number().nullable(),
  pending: z.array(Settlement),
})

export interface BookOptions {
  readonly file: string
  readonly home: Home
  readonly log: (message: string) => void
}

const AGAIN_MS = 2_000

export class CostBook {
  readonly #options: BookOptions
  #shareUSD: number | null
  #pending: Settlement[]
  #line: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null

  private constructor(options: BookOptions, page: z.infer<typeof Page>) {
    this.#options = options
    this.#shareUSD = page.shareUSD
    this.#pending = page.pending
  }

  static async open(options: BookOptions): Promise<CostBook> {
    const book = new CostBook(options, await read(options))
    // What is left over is told as soon as somebody listens; that nobody does is no news.
    book.#timer = setInterval(() => void book.flush().catch(() => undefined), AGAIN_MS)
    book.#timer.unref()
    return book
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#line
  }

  pending(): readonly Settlement[] {
    return this.#pending
  }

  /** What may still be spent while the daemon is away. Every call that was not told yet counts at its worst case. */
  leftUSD(given: { readonly untold: number; readonly unknown: number }): number {
    const booked = this.#pending.reduce(
      (sum, { cost }) => sum + (cost === null ? 0 : Math.max(cost.costUSD ?? 0, given.untold)),
      0,
    )
    return (this.#shareUSD ?? given.unknown) - booked
  }

  hear(shareUSD: number): void {
    this.#shareUSD = shareUSD
  }

  /** A later word on the same call replaces an earlier one. */
  async keep(settlement: Settlement): Promise<void> {
    this.#pending = [...this.#pending.filter(({ id }) => id !== settlement.id), settlement]
    await this.#write()
  }

  async drop(id: CostId): Promise<void> {
    this.#pending = this.#pending.filter((each) => each.id !== id)
    await this.#write()
  }

  /** Throws when the daemon cannot be reached; what it will never take is left out. */
  async flush(): Promise<void> {
    for (const settlement of [...this.#pending]) {
      await this.#send(settlement)
      // It may have been spoken of anew while it was under way.
      if (this.#pending.includes(settlement)) await this.drop(settlement.id)
    }
  }

  async #send(settlement: Settlement): Promise<void> {
    try {
      await this.#options.home.client().settleCost({ body: settlement })
    } catch (error) {
      if (!(error instanceof ApiError) || isAway(error) || error.code === 'unauthorized') throw error
      this.#options.log(`a cost was not accepted (${JSON.stringify(settlement)}): ${messageOf(error)}`)
    }
  }

  #write(): Promise<void> {
    const page = { version: 1, shareUSD: this.#shareUSD, pending: this.#pending }
    this.#line = this.#line
      .then(() => replaceFile(this.#options.file, `${JSON.stringify(page)}\n`))
      .catch((error: unknown) => this.#options.log(`costs cannot be written down: ${messageOf(error)}`))
    return this.#line
  }
}

async function read({ file, log }: BookOptions): Promise<z.infer<typeof Page>> {
  const empty = { version: 1 as const, shareUSD: null, pending: [] }
  try {
    return Page.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log(`${file} is left out: ${messageOf(error)}`)
    return empty
  }
}
