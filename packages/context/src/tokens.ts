// Counting tokens with a real tokenizer. Other models' tokenizers differ; for them the count is an estimate.
import type { CountTokens } from './fill.ts'

/** Loads the vocabulary, some megabytes, only when it is asked for. */
export async function openTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // What looks like a control token is text like any other; by default the library throws at it.
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => pieces(text).reduce((sum, piece) => sum + countTokens(piece, options), 0)
}

/**
 * The library needs the square of the length of an unbroken run (20 s for 100,000 spaces), so a run is
 * counted in pieces; that counts it too high by at most one token for each piece.
 */
const LONG_RUN = /\S{256}|\s{256}|[\r\n/]{256}/gu

function pieces(text: string): string[] {
  const cuts = Array.from(text.matchAll(LONG_RUN), (found) => found.index + found[0].length)
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index]))
}
