// Events as the log keeps them: history is kept once, in the run.
import type { ItemMove, RunNote } from '@treadle/contracts/event'

export function withoutHistory<E extends ItemMove | RunNote>(event: E): E {
  if (event.type === 'run.phase') return { ...event, record: { ...event.record, diff: '', fixes: [] } }
  if (!('records' in event)) return event
  const { records: _, ...rest } = event
  return rest as E
}
