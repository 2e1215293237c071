// What is told of the machine that the crew works on.
import { z } from 'zod'
import { event, line, type Sentences, why } from './shape.ts'

/** Facts that move no item. */
const facts = [
  /** Memory is short, or the load is over its limit: fewer agents claim. */
  event('resources.short', {
    why,
    memory: z.boolean(),
    load: z.boolean(),
  }),
  event('resources.enough', { memoryFreeMb: z.number().min(0), load: z.number().min(0) }),
] as const

export const resourceEvents = {
  facts,
  sentences: {
    'resources.short': ({ why }) => line('Fewer agents claim', why, 'attention'),
    'resources.enough': ({ memoryFreeMb, load }) =>
      line(
        'All agents claim again',
        `${Math.round(memoryFreeMb)} MB are free, the load is ${Math.round(load * 10) / 10}`,
        'good',
      ),
  } satisfies Sentences<(typeof facts)[number]>,
}
