// What is told of an engine.
import { z } from 'zod'
import { Instant } from '../ids.ts'
import { timeOfDay } from '../words/time.ts'
import { event, line, type Sentences, why } from './shape.ts'

/** Facts that move no item. */
const facts = [
  /** Nobody is let claim for this engine until then: its key or its account does not work. */
  event('engine.suspended', { engine: z.string().min(1).max(60), why, until: Instant }),
  /** Its provider is in trouble: it rests until then, and then one call tries. */
  event('engine.rested', { engine: z.string().min(1).max(60), why, until: Instant }),
] as const

export const engineEvents = {
  facts,
  sentences: {
    'engine.suspended': ({ engine, why }) => line(`The engine ${engine} rests`, why, 'attention'),
    'engine.rested': ({ engine, why, until }) =>
      line(`The engine ${engine} rests until ${timeOfDay(until)}, then tries one`, why),
  } satisfies Sentences<(typeof facts)[number]>,
}
