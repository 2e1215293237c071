// The feed as lines on the terminal: what matters, not every step.
import { NotificationsConfig } from '@treadle/contracts/config/notifications'
import type { TreadleEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import { isAtLeast, needsDecision } from '@treadle/contracts/notification'
import type { Tone } from '@treadle/contracts/words/state'
import { stepLines } from './commands/notifications.ts'
import type { Running } from './daemon-process.ts'
import { type Following, follow } from './follow-events.ts'
import { clip, clock, paint, tell } from './output.ts'

const QUIET: ReadonlySet<string> = new Set([
  'run.said',
  'thought.said',
  'run.began',
  'run.observed',
  'run.used',
  'cost.logged',
  'run.phase',
  'run.baseline',
  'agent.status_changed',
  'build.started',
  'daemon.started',
  // The outcome of an order has an event of its own.
  'order.given',
  // A notification is shown below the event that it is about.
  'notification.created',
  'notification.acknowledged',
])
const MARKS: Readonly<Record<Tone, string>> = {
  good: paint('green', '✓'),
  bad: paint('red', '✗'),
  attention: paint('yellow', '!'),
  busy: paint('cyan', '›'),
  plain: ' ',
}

/** Prints events as they come; those before `since` were told already or are told by other commands. */
export function showLive(
  running: Running,
  since: number,
  terminal: Terminal = NotificationsConfig.parse({}).terminal,
): Following {
  return follow(running, (event) => {
    if (Date.parse(event.at) >= since) tellOwner(event.event, terminal)
    if (QUIET.has(event.event.type) || Date.parse(event.at) < since) return
    const { text, detail, tone } = sentence(event)
    const shown = detail === null ? '' : paint('dim', ` · ${clip(detail, columnsAfter(text))}`)
    tell(`${paint('dim', clock(event.at))} ${MARKS[tone]} ${text}${shown}`)
  })
}

type Terminal = NotificationsConfig['terminal']
const BELL = '\u0007'

/** Next steps of a notification; what happened was told by the event itself, a line above. */
function tellOwner(event: TreadleEvent, { enabled, level, bell }: Terminal): void {
  if (event.type !== 'notification.created' || !enabled) return
  const decision = needsDecision({ type: event.about, blocking: event.blocking })
  if (!decision && !isAtLeast(event.level, level)) return
  for (const line of stepLines(event.nextSteps)) tell(line)
  if (bell && process.stderr.isTTY && (decision || isAtLeast(event.level, 'error')))
    process.stderr.write(BELL)
}

const DETAIL_MAX = 90
const DETAIL_MIN = 20
const BEFORE_TEXT = '00:00:00 ✓ '.length
const BETWEEN = ' · '.length

/** Columns left for the detail behind a text, so that the line fits the terminal. */
function columnsAfter(text: string): number {
  const columns = process.stderr.columns ?? Number.POSITIVE_INFINITY
  return Math.max(DETAIL_MIN, Math.min(DETAIL_MAX, columns - BEFORE_TEXT - text.length - BETWEEN))
}
