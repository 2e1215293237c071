// The contracts as JSON Schema, by name. The files under schema/ are made from this by tools/schemas.ts.
import { z } from 'zod'
import { Agent } from './agent.ts'
import { Config } from './config.ts'
import { StoredEvent } from './event.ts'
import { GateResult } from './gate.ts'
import { Item, NewItem } from './item.ts'
import { Lesson } from './lesson.ts'
import { Problem } from './problem.ts'
import { QuestionRecord } from './question.ts'
import { Receipt } from './receipt.ts'
import { Review } from './review.ts'
import { Run } from './run.ts'
import { SessionFile } from './session-file.ts'

export function jsonSchemas(): Record<string, object> {
  return {
    // What a person writes into treadle.json: defaults need not be given.
    treadle: z.toJSONSchema(Config, { io: 'input' }),
    'new-item': z.toJSONSchema(NewItem, { io: 'input' }),
    item: z.toJSONSchema(Item),
    agent: z.toJSONSchema(Agent),
    run: z.toJSONSchema(Run, { reused: 'ref' }),
    gate: z.toJSONSchema(GateResult, { reused: 'ref' }),
    event: z.toJSONSchema(StoredEvent, { reused: 'ref' }),
    lesson: z.toJSONSchema(Lesson),
    session: z.toJSONSchema(SessionFile),
    problem: z.toJSONSchema(Problem),
    question: z.toJSONSchema(QuestionRecord, { reused: 'ref' }),
    receipt: z.toJSONSchema(Receipt, { reused: 'ref' }),
    review: z.toJSONSchema(Review, { reused: 'ref' }),
  }
}
