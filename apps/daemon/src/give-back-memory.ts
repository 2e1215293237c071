// A start loads some two thousand files; what that needed is garbage which V8 keeps, since a daemon that waits never asks
// for room. It is handed back to the machine once.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Long enough for a start to be over, and for whoever waited for it to have had the first answers: a tenth of a second
 * nothing is answered, while every core collects. A daemon that lives for seconds is spared it.
 */
const AFTER_MS = 20_000

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Hands back, a moment from now, the memory that a start has left behind. */
export function giveBackMemorySoon(): void {
  setTimeout(giveBackMemory, AFTER_MS).unref()
}

/** Node has no other way to V8's thorough collection than to name it while this flag is set. */
function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
