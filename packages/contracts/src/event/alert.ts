// What the monitor tells of itself: each alert, as an event that wakes the PM agent.
import { z } from 'zod'
import { BuildFailedContext, ComponentContext, DeadlockContext, StuckContext } from '../alert.ts'
import { AlertLevel } from '../cost.ts'
import { event, line, type Sentences } from './shape.ts'

const told = {
  /** The number of its row in the alert log. */
  alert: z.int().min(1),
  /** How often it was told, this time included. */
  count: z.int().min(1),
  severity: AlertLevel,
  source: z.string().min(1).max(100),
  message: z.string().min(1).max(500),
}

/** Facts that move no item. */
const facts = [
  event('alert.stuck_task', { ...told, context: StuckContext }),
  event('alert.deadlock', { ...told, context: DeadlockContext }),
  event('alert.component_down', { ...told, context: ComponentContext }),
  event('alert.build_failed', { ...told, context: BuildFailedContext }),
] as const

type Alert = z.infer<(typeof facts)[number]>

const alertLine = ({ message, source, severity }: Alert, detail: string | null = null) =>
  line(
    message,
    detail ?? (source === 'monitor' ? null : source),
    severity === 'warning' ? 'attention' : 'bad',
  )

export const alertEvents = {
  facts,
  sentences: {
    'alert.stuck_task': (alert) => alertLine(alert),
    'alert.deadlock': (alert) => alertLine(alert),
    'alert.component_down': (alert) => alertLine(alert),
    'alert.build_failed': (alert) => alertLine(alert, alert.context.why),
  } satisfies Sentences<(typeof facts)[number]>,
}
