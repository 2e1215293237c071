// What is told of files that two want.
import { z } from 'zod'
import { itemLabel } from '../ids.ts'
import { ConflictDecision, ConflictParty } from '../lock.ts'
import { event, type Line, line, type Sentences } from './shape.ts'

/** Facts that move no item. */
const facts = [
  /** An item of a build wanted a file that another one has, or had; what the PM agent decided is recorded with it. */
  event('conflict.detected', {
    build: z.uuid(),
    file: z.string().max(500),
    requestor: ConflictParty,
    /** Null: nobody has the file by now. */
    owner: ConflictParty.nullable(),
    decision: ConflictDecision,
  }),
] as const

type Detected = z.infer<(typeof facts)[0]>

export const lockEvents = {
  facts,
  sentences: {
    'conflict.detected': (conflict) => detectedLine(conflict),
  } satisfies Sentences<(typeof facts)[number]>,
}

function detectedLine({ file, requestor, owner, decision }: Detected): Line {
  const asking = itemLabel(requestor.item)
  if (decision.action === 'GRANT') return line(`${asking} gets ${file}`, decision.reason)
  const having = owner === null ? 'another item' : itemLabel(owner.item)
  return decision.action === 'PREEMPT'
    ? line(`${having} gives ${file} up for ${asking}`, decision.message, 'attention')
    : line(`${asking} waits for ${file}`, `${decision.reason}. ${decision.suggestion}`)
}
