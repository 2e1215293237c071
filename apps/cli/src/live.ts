// The feed as lines on the terminal: what matters, not every step.
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/words/event'
import type { Tone } from '@treadle/contracts/words/state'
import type { Running } from './daemon-process.ts'
import { type Following, follow } from './follow.ts'
import { clip, clock, paint, tell } from './output.ts'

const QUIET: ReadonlySet<string> = new Set([
  'run.observed',
  'run.used',
  'run.phase',
  'run.baseline',
  'agent.status_changed',
  'build.started',
  'daemon.started',
])
const MARKS: Readonly<Record<Tone, string>> = {
  good: paint('green', '✓'),
  bad: paint('red', '✗'),
  attention: paint('yellow', '!'),
  busy: paint('cyan', '›'),
  plain: ' ',
}

export function showLive(running: Running, onEvent?: (event: StoredEvent) => void): Following {
  return follow(running, (event) => {
    if (!QUIET.has(event.event.type)) {
      const { text, detail, tone } = sentence(event)
      tell(
        `${paint('dim', clock(event.at))} ${MARKS[tone]} ${text}${detail === null ? '' : paint('dim', ` · ${clip(detail, 90)}`)}`,
      )
    }
    onEvent?.(event)
  })
}
