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

/** What one engine, or one gate, is shown of the machine besides its worktree. */
const Visible = z.object({
  of: z.string(),
  kind: z.enum(['engine', 'gate']),
  /** Everything: it is not confined. Nothing: it is not started. */
  is: z.enum(['confined', 'everything', 'nothing']),
  read: z.array(z.string()),
  write: z.array(z.string()),
  network: z.boolean(),
})
export type Visible = z.infer<typeof Visible>

export const EngineProbes = z.object({
  /** The one that the settings name. */
  default: z.string(),
  engines: z.array(NamedProbe),
  sandbox: SandboxProbe,
  /** What each engine and each gate sees. */
  visible: z.array(Visible).default([]),
  /** Services that commands without the network reach all the same. */
  reach: z.array(z.string()).default([]),
})
export type EngineProbes = z.infer<typeof EngineProbes>
