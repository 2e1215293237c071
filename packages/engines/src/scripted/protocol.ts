// Messages of the engine and its player: one JSON object per line over the player's stdio.
import { Question } from '@treadle/contracts/paor'
import { EngineOutcome, Observation, Usage } from '@treadle/contracts/run'
import { z } from 'zod'
import type { Step } from './scenario.ts'

export type ToPlayer =
  | { readonly is: 'play'; readonly id: string; readonly steps: readonly Step[]; readonly mark?: string }
  | { readonly is: 'answer'; readonly id: string; readonly answer: string }
  /** After `used`: the next call may be made. */
  | { readonly is: 'go_on' }
  /** Somebody has said something. */
  | { readonly is: 'steer'; readonly text: string }
  | { readonly is: 'interrupt' }

export const FromPlayer = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('text'), text: z.string() }),
  z.strictObject({ is: z.literal('piece'), text: z.string() }),
  z.strictObject({
    is: z.literal('began'),
    callId: z.string().max(200),
    tool: z.string(),
    input: z.string(),
  }),
  z.strictObject({ is: z.literal('observed'), observation: Observation }),
  z.strictObject({ is: z.literal('used'), usage: Usage }),
  z.strictObject({ is: z.literal('asked'), question: Question }),
  z.strictObject({
    is: z.literal('ended'),
    outcome: EngineOutcome,
    text: z.string(),
    wakeInMs: z.int().min(1).optional(),
  }),
])
export type FromPlayer = z.infer<typeof FromPlayer>
