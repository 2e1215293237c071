// What follows for specifications when something was recorded.
import type { TreadleEvent } from '@treadle/contracts/event'

/** A finished idea gets its specification by itself only where the owner has said so; otherwise it waits for a person. */
export function specAfter(
  event: TreadleEvent,
  { autoGenerate }: { readonly autoGenerate: boolean },
): { readonly is: 'generate'; readonly idea: string } | null {
  return event.type === 'ideation.completed' && autoGenerate ? { is: 'generate', idea: event.idea } : null
}
