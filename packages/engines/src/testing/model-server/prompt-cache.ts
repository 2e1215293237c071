// How much of a request a provider would have in its cache: what an earlier request began with, message by message.
import { createHash } from 'node:crypto'
import type { ModelReply, ModelRequest } from './exchange.ts'

const CHARS_PER_TOKEN = 4

export class PromptCache {
  readonly #known = new Set<string>()

  /** The usage of a request; what is new in it is in the cache from then on. */
  count({ system, tools, messages }: ModelRequest, outputTokens: number): NonNullable<ModelReply['usage']> {
    const blocks = [JSON.stringify([system, tools]), ...messages.map((message) => JSON.stringify(message))]
    let prefix = ''
    let isKnown = true
    const sum = { cacheRead: 0, cacheWrite: 0 }
    for (const block of blocks) {
      prefix = createHash('sha256').update(prefix).update(block).digest('hex')
      isKnown &&= this.#known.has(prefix)
      this.#known.add(prefix)
      sum[isKnown ? 'cacheRead' : 'cacheWrite'] += Math.ceil(block.length / CHARS_PER_TOKEN)
    }
    return { input: 0, output: outputTokens, ...sum }
  }
}
