// What the catalogue asks about what the checks of a review have found. Pure.
import type { GateResult, Wait } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'

export const OTHER_WAYS = 'multiple_implementations'
export const WEAKNESS = 'security_vulnerability'

export interface ReviewMoment {
  readonly agent: 'build' | 'validation'
  readonly event: typeof OTHER_WAYS | typeof WEAKNESS
  /** With the same subject it is asked once; it ends with the delivery. */
  readonly subject: string
  readonly facts: Readonly<Record<string, string | number>>
}

type Delivered = Pick<Item, 'projectNumber' | 'number' | 'title' | 'state' | 'headCommit'>

/** The question about a delivery; another delivery is another subject. */
function subjectOf({ projectNumber, number, headCommit }: Delivered): string {
  return `delivery:${projectNumber}/${number}:${headCommit ?? ''}`
}

export function momentsOf(item: Delivered, review: Review): ReviewMoment[] {
  if (review.checkedAt === null || review.headCommit !== item.headCommit) return []
  return [otherWay(item, review.checks), weakness(item, review.checks)].filter((moment) => moment !== null)
}

/** Another patch passes the same tests, and the delivery waits for somebody to say which is meant. */
function otherWay(item: Delivered, checks: readonly GateResult[]): ReviewMoment | null {
  if (item.state !== 'in_review') return null
  const found = checks.flatMap((check) => ('waits' in check ? (check.waits ?? []) : [])).find(hasOther)
  if (found === undefined) return null
  return {
    agent: 'build',
    event: OTHER_WAYS,
    subject: subjectOf(item),
    facts: {
      task_id: `#${item.number} ${item.title}`,
      approach_1: 'as it was delivered',
      description_1: `where they differ it answers as this shows: ${found.another.shows}`,
      approach_2: 'another patch that passes the same tests',
      description_2: found.another.patch,
      recommendation: 1,
    },
  }
}

type WithOther = Wait & { readonly another: NonNullable<Wait['another']> }

function hasOther(wait: Wait): wait is WithOther {
  return wait.another !== undefined
}

/** The audit refuses it: it is sent back by itself, and only a person may accept it as it is. */
function weakness(item: Delivered, checks: readonly GateResult[]): ReviewMoment | null {
  const refused = checks.find((check) => check.is === 'failed' && check.gate === 'security')
  const [first, ...others] = refused?.is === 'failed' ? refused.failures : []
  if (first === undefined || !['rework', 'escalated'].includes(item.state)) return null
  const parts = first.id.split(' > ')
  const more = others.length === 0 ? '' : ` And ${others.length} more like it.`
  return {
    agent: 'validation',
    event: WEAKNESS,
    subject: subjectOf(item),
    facts: {
      vuln_type: `a known weakness of the package ${parts.at(-2) ?? first.id}`,
      severity: parts.at(-1) ?? 'unknown',
      file: first.file ?? 'the lock file',
      line: first.line ?? 1,
      description: `${first.message}.${more}`,
      risk_description: `whoever knows the weakness can use it against what runs ${parts.at(-2) ?? 'the package'}.`,
    },
  }
}

/** Why nobody need answer any more; null: somebody should. */
export function whyOver(item: Delivered, asked: { readonly subject: string | null }): string | null {
  if (asked.subject !== subjectOf(item)) return `#${item.number} has another delivery by now`
  const isOver = item.state === 'done' || item.state === 'withdrawn' || item.state === 'merging'
  return isOver ? `#${item.number} is ${item.state} by now` : null
}
