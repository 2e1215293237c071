// Whether a turn goes on with the conversation of the one before it in the same run.
import type { Engine } from '../ports/engine.ts'
import type { WorkWorld } from '../work/work-world.ts'

/** What the engine calls it; null: it has none yet, cannot take one up, or has no place to keep one. */
export function conversationOf(
  { conversations, engineHome }: Pick<WorkWorld, 'conversations' | 'engineHome'>,
  engine: Pick<Engine, 'id' | 'can'>,
): string | null {
  if (engineHome === undefined || engine.can?.resume !== true) return null
  return conversations?.get(engine.id) ?? null
}
