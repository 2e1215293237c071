// What becomes of what was found: told when it begins, let be while it lasts, over when it is over. Pure.
import {
  isAtLeast,
  MonitorAlert,
  type Notification,
  type NotificationType,
} from '@treadle/contracts/notification'
import { type Finding, LEVELS } from './judge.ts'

type Kept = Pick<Notification, 'id' | 'type' | 'subject' | 'updatedAt' | 'acknowledgedBy'>

/** By whom what is over counts as seen, if nobody has seen it. */
export const NOBODY = 'treadle'

export interface AlertFacts {
  /** Before anything was looked at: what was told since then is younger than what was found. */
  readonly lookedAt: number
  readonly found: readonly Finding[]
  /** Not over yet. */
  readonly standing: readonly Kept[]
  /** Over for less than the time in which the same again is the same. */
  readonly ended: readonly Kept[]
  /** The time in which the same again is the same. */
  readonly repeatAfterMs: number
}

export interface AlertChoice {
  readonly raise: readonly Finding[]
  /** It is back: the same alert again, and unseen if nobody has seen it, or if it is an error or worse. */
  readonly reopen: readonly { readonly id: number; readonly finding: Finding; readonly unseen: boolean }[]
  readonly resolve: readonly number[]
  /** Alerts of the monitor that have lasted so long that they are told once more. */
  readonly again: readonly { readonly id: number; readonly finding: Finding }[]
  /** They last, and may have to be told in newer words. */
  readonly lasting: readonly { readonly id: number; readonly finding: Finding }[]
}

export function decideAlerts({ lookedAt, found, standing, ended, repeatAfterMs }: AlertFacts): AlertChoice {
  const stands = new Set(standing.map(keyOf))
  const over = new Set(found.flatMap((finding) => finding.over.map(keyOf)))
  const isNew = (finding: Finding) => finding.alert !== null && !stands.has(alertKey(finding))
  const fresh = found.filter(isNew).map((finding) => {
    // The newest of them.
    const before = ended.find((each) => keyOf(each) === alertKey(finding))
    return { finding, before }
  })
  const lasting = standing.flatMap((each) => {
    const finding = found.find((one) => alertKey(one) === keyOf(each))
    return finding === undefined ? [] : [{ each, finding }]
  })
  const isDueAgain = ({ type, updatedAt }: Kept) =>
    isToldAgain(type) && lookedAt - Date.parse(updatedAt) >= repeatAfterMs
  return {
    raise: fresh.flatMap(({ finding, before }) => (before === undefined ? [finding] : [])),
    reopen: fresh.flatMap(({ finding, before }) =>
      before === undefined
        ? []
        : [{ id: before.id, finding, unseen: isGrave(finding) || before.acknowledgedBy === NOBODY }],
    ),
    again: lasting.flatMap(({ each, finding }) => (isDueAgain(each) ? [{ id: each.id, finding }] : [])),
    lasting: lasting.flatMap(({ each, finding }) => (isDueAgain(each) ? [] : [{ id: each.id, finding }])),
    resolve: standing
      .filter((each) => over.has(keyOf(each)) && Date.parse(each.updatedAt) <= lookedAt)
      .map(({ id }) => id),
  }
}

/** Much later than it was due: the machine was asleep, or the daemon halted, and with it everybody else. */
export function hasSlept(facts: {
  readonly now: number
  readonly dueAt: number
  readonly checkMs: number
}): boolean {
  return facts.now - facts.dueAt > Math.max(facts.checkMs, SLEPT_MS_MIN)
}

/** A busy machine may be late, and is not asleep. */
const SLEPT_MS_MIN = 30_000

/** What goes on; a build that has failed does so once. */
function isToldAgain(type: NotificationType): boolean {
  return MonitorAlert.safeParse(type).success && type !== 'alert.build_failed'
}

function isGrave({ alert }: Finding): boolean {
  return alert !== null && isAtLeast(LEVELS[alert], 'error')
}

function keyOf({ type, subject }: { readonly type: NotificationType; readonly subject: string }): string {
  return `${type} ${subject}`
}

function alertKey({ alert, subject }: Finding): string {
  return `${alert} ${subject}`
}
