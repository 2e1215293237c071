// What the engine and its player say to each other: one JSON object per line over the player's stdio.
import { EngineOutcome, Observation, Usage } from '@treadle/contracts/run'
import { z } from 'zod'
import type { Step } from './scenario.ts'

export type ToPlayer =
  | { readonly is: 'play'; readonly id: string; readonly steps: readonly Step[]; readonly mark?: string }
  | { readonly is: 'answer'; readonly id: string; readonly answer: string }
  /** After `used`: the next call may be made. */
  | { readonly is: 'go_on' }
  | { readonly is: 'interrupt' }

const Question = z.strictObject({ id: z.string(), title: z.string(), options: z.array(z.string()) })

export const FromPlayer = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('text'), text: z.string() }),
  z.strictObject({ is: z.literal('observed'), observation: Observation }),
  z.strictObject({ is: z.literal('used'), usage: Usage }),
  z.strictObject({ is: z.literal('asked'), question: Question }),
  z.strictObject({ is: z.literal('ended'), outcome: EngineOutcome, text: z.string() }),
])
export type FromPlayer = z.infer<typeof FromPlayer>
