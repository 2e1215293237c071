// What the engines of a workspace say of themselves: usable, or why not and what to do.
import { z } from 'zod'

const EngineProbe = z.discriminatedUnion('is', [
  z.object({ is: z.literal('usable'), note: z.string() }),
  z.object({ is: z.literal('unusable'), why: z.string(), hint: z.string() }),
])
/** Usable, and whether what it starts is confined to its worktree. */
const SandboxProbe = z.discriminatedUnion('is', [
  z.object({ is: z.literal('usable'), note: z.string(), confined: z.boolean() }),
  z.object({ is: z.literal('unusable'), why: z.string(), hint: z.string() }),
])
const NamedProbe = z.intersection(z.object({ name: z.string() }), EngineProbe)
export type NamedProbe = z.infer<typeof NamedProbe>

export const EngineProbes = z.object({
  /** The one that the settings name. */
  default: z.string(),
  engines: z.array(NamedProbe),
  sandbox: SandboxProbe,
  /** Folders outside the worktree that confined code can read. */
  visible: z.array(z.string()).default([]),
  /** Services that commands without the network reach all the same. */
  reach: z.array(z.string()).default([]),
})
export type EngineProbes = z.infer<typeof EngineProbes>
