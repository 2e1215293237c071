// A state machine as data, so that whoever draws it draws the one that runs.
import { z } from 'zod'

export const MachineName = z.enum(['item', 'run', 'goal', 'agent'])
export type MachineName = z.infer<typeof MachineName>

export const Machine = z.strictObject({
  name: MachineName,
  initial: z.string(),
  states: z.array(z.strictObject({ name: z.string(), final: z.boolean() })),
  moves: z.array(z.strictObject({ from: z.string(), to: z.string(), on: z.string() })),
})
export type Machine = z.infer<typeof Machine>
