// How a process of the agent ends when something went wrong: a sentence for faults, a stack for our own mistakes.
import { Fault } from '@treadle/flow/fault'

const WRONG_USE = 2

export function complain(error: unknown): never {
  process.stderr.write(`${wordsOf(error)}\n`)
  process.exit(error instanceof Fault && error.kind === 'usage' ? WRONG_USE : 1)
}

function wordsOf(error: unknown): string {
  if (error instanceof Fault) return error.hint === null ? error.message : `${error.message}\n${error.hint}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
