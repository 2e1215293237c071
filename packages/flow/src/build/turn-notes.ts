// What people are told of a turn while it goes on, in the words of the engine.
import type { Engine, EngineEvent } from '../ports/engine.ts'
import type { WorkWorld } from '../work/work-world.ts'

/** Notes of one turn that are recorded. */
const NOTES_MAX = 20
const CHARS_MAX = 4_000

type NotedEvent = Extract<EngineEvent, { is: 'noted' | 'retrying' }>

/** Each note is told once. */
export function turnNotes(
  { note }: Pick<WorkWorld, 'note'>,
  { id: engine }: Pick<Engine, 'id'>,
): (event: NotedEvent) => void {
  const noted = new Set<string>()
  return (event) => {
    if (event.is === 'retrying') {
      const { cause, attempt, delayMs } = event
      const waits = { attempt, delayMs: Math.round(delayMs) }
      note({ type: 'run.retrying', engine, cause: cause.slice(0, CHARS_MAX), ...waits })
      return
    }
    if (noted.has(event.text) || noted.size >= NOTES_MAX) return
    noted.add(event.text)
    note({ type: 'run.noted', engine, text: event.text.slice(0, CHARS_MAX) })
  }
}
