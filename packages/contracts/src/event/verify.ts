// What is told of the checks of a change.
import { z } from 'zod'
import { GateResult } from '../gate.ts'
import { CommitId } from '../ids.ts'
import { gatesWords } from '../words/gates.ts'
import { event, line, records, type Sentences, why } from './shape.ts'

/** What the agent that holds an item may say of it. Each moves the item's machine. */
const agentMoves = [
  event('verify.passed', {
    branch: z.string().min(1).max(300),
    head: CommitId,
    gates: z.array(GateResult).min(1),
    pushed: z.boolean(),
    pushNote: z.string().max(1_000).nullable(),
    records,
  }),
  event('verify.failed', { gates: z.array(GateResult).min(1), why, records }),
] as const

export const verifyEvents = {
  agentMoves,
  sentences: {
    'verify.passed': ({ gates, pushNote }, { item, state }) =>
      line(
        state === 'in_review' ? `${item} passed its checks and is in review` : `${item} passed its checks`,
        [gatesWords(gates), pushNote === null ? null : `not pushed: ${pushNote}`].filter(Boolean).join('; '),
        'good',
      ),
    'verify.failed': ({ why }, { item }) => line(`${item} failed its checks`, why, 'bad'),
  } satisfies Sentences<(typeof agentMoves)[number]>,
}
