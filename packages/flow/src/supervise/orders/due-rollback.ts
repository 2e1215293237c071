// Which phase is rolled back by itself, because something critical has stood for too long. Pure.
import type { Config } from '@treadle/contracts/config'
import type { HealthAlert, Notification, NotificationType } from '@treadle/contracts/notification'
import { PHASE_FLAGS, type RolloutPhase } from '@treadle/contracts/order'
import { duration } from '@treadle/contracts/words/time'

export interface RollbackFacts {
  readonly now: Date
  readonly settings: Pick<Config['monitoring'], 'rollback' | 'rollbackMs'>
  readonly flags: Config['flags']
  /** Alerts that are not over. */
  readonly standing: readonly Pick<Notification, 'type' | 'title' | 'updatedAt'>[]
  /** When the system itself has rolled a phase back last. */
  readonly lastAt: Date | null
}

export interface DueRollback {
  readonly phase: RolloutPhase
  readonly why: string
}

/** What takes the cause away soonest, the first of them that is on: new work of the crew's own, then all agents but one. */
const PHASES: Readonly<Partial<Record<HealthAlert, readonly RolloutPhase[]>>> = {
  'health.budget_overrun': [4, 2],
  'health.crash_rate': [2],
  'health.data_damaged': [4, 2],
}

export const ROLLBACK_ALERTS = Object.keys(PHASES) as NotificationType[]

export function dueRollback({ now, settings, flags, standing, lastAt }: RollbackFacts): DueRollback | null {
  if (settings.rollback === 'never') return null
  for (const { type, title, updatedAt } of standing) {
    const since = Date.parse(updatedAt)
    if (now.getTime() - since < settings.rollbackMs) continue
    // It was done already; what it has not helped a person has to look at.
    if (lastAt !== null && lastAt.getTime() >= since) continue
    const phase = PHASES[type as HealthAlert]?.find((each) => isOn(flags, each))
    if (phase !== undefined) return { phase, why: `for ${duration(settings.rollbackMs)} it was so: ${title}` }
  }
  return null
}

/** Several agents work unless somebody says otherwise; looks for improvements only where somebody wants them. */
function isOn(flags: Config['flags'], phase: RolloutPhase): boolean {
  const flag = flags[PHASE_FLAGS[phase]]
  return phase === 4 ? flag === true : flag !== false
}
