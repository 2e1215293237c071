// What the supervisor and the daemon tell of themselves.
import { z } from 'zod'
import type { ItemState } from '../item.ts'
import { STATE_WORDS } from '../words/state.ts'
import { event, line, type Sentences, spaced, why } from './shape.ts'

/** What only the daemon may say of an item. */
const daemonMoves = [event('deadline.passed', { state: z.string() })] as const

/** Facts that move no item. */
const facts = [
  event('recovery.acted', { action: z.string(), why }),
  /** It ended because of an error of its own; told by the daemon that came after it. */
  event('daemon.crashed', { why }),
  event('daemon.started', { version: z.string(), store: z.enum(['embedded', 'server']) }),
] as const

export const superviseEvents = {
  daemonMoves,
  facts,
  sentences: {
    'deadline.passed': ({ state }, { item }) =>
      line(`${item} took too long`, `in the state ${stateWords(state)}`, 'attention'),
    'recovery.acted': ({ action, why }) => line(`Recovery: ${spaced(action)}`, why, 'attention'),
    'daemon.crashed': ({ why }) => line('The daemon crashed', why, 'bad'),
    'daemon.started': ({ version, store }) =>
      line(
        'The daemon started',
        `version ${version}, ${store === 'embedded' ? 'embedded database' : 'PostgreSQL'}`,
      ),
  } satisfies Sentences<(typeof daemonMoves)[number] | (typeof facts)[number]>,
}

function stateWords(state: string): string {
  return (STATE_WORDS[state as ItemState]?.words ?? spaced(state)).toLowerCase()
}
