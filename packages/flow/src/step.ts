// One move of one item: the new state from the machine, the new fields from the event. Pure.
import type { Config } from '@treadle/contracts/config'
import type { ItemMove } from '@treadle/contracts/event'
import { NO_REMOTE } from '@treadle/contracts/ids'
import { type Item, type ItemState, statusOf } from '@treadle/contracts/item'
import { isReviewer } from '@treadle/contracts/review'
import { deadlineOf, isHeld } from './flow.ts'
import { type ItemFacts, workItemMachine } from './item.machine.ts'
import { isStandingOrder, reviewerIn } from './work/approval.ts'
import { isTask } from './work/build-items.ts'
import { conflictLabels, reviewLabels } from './work/labels.ts'

export type Step =
  | { readonly is: 'moved'; readonly item: Item }
  | { readonly is: 'refused'; readonly why: string }

export interface StepFacts {
  readonly config: Config
  readonly now: Date
}

const NO_FACTS: ItemFacts = {
  attempts: 0,
  reviewCycles: 0,
  limits: { improvements: 0, reviewCycles: 0 },
  approval: 'never',
  delivered: false,
}
type MachineSnapshot = ReturnType<typeof workItemMachine.resolveState>
const snapshots = new Map<ItemState, MachineSnapshot>()

/** Made once for each state; the facts of an item are put in for each step. */
function snapshotOf(state: ItemState): MachineSnapshot {
  const known = snapshots.get(state) ?? workItemMachine.resolveState({ value: state, context: NO_FACTS })
  snapshots.set(state, known)
  return known
}

/** True for a decision about a delivery that is not the item's any more. */
function isAboutOther({ headCommit }: Item, move: ItemMove): boolean {
  const decides = move.type === 'review.approved' || move.type === 'review.rejected'
  return decides && move.head !== undefined && move.head !== headCommit
}

export function step(item: Item, move: ItemMove, { config, now }: StepFacts): Step {
  if (move.type === 'item.assigned' && move.to !== null && isReviewer(move.to))
    return { is: 'refused', why: `${move.to} reviews, and builds nothing` }
  if (isAboutOther(item, move))
    return { is: 'refused', why: 'there is a newer delivery than the one that was read' }
  const counted = { ...item, ...countsAfter(item, move) }
  const facts: ItemFacts = {
    attempts: counted.attempts,
    reviewCycles: item.reviewCycles,
    limits: config.limits,
    // A task always lands on the branch of its build; the owner decides about the whole.
    approval: isTask(item) ? 'checks' : config.merge.approval,
    delivered: item.headCommit !== null,
  }
  // The states are flat and no effect runs in them, so the one edge is the whole transition.
  const [edge] = workItemMachine.getTransitionData({ ...snapshotOf(item.state), context: facts }, move)
  const state = edge?.target?.[0]?.key as ItemState | undefined
  // XState ignores an event it does not know; we refuse it.
  if (state === undefined)
    return {
      is: 'refused',
      why: `the item is ${item.state.replaceAll('_', ' ')}: ${move.type} does not go with that`,
    }
  const moved: Item = {
    ...counted,
    ...fieldsAfter(item, move, state),
    ...(state === 'conflicted' || item.state === 'conflicted'
      ? { labels: conflictLabels(state, item.labels) }
      : {}),
    ...reviewLabels(item, move, state),
    state,
    status: statusOf(state),
    updatedAt: now.toISOString(),
  }
  const settled = isHeld(state) ? moved : { ...moved, claimedByAgentId: null, claimedAt: null }
  return {
    is: 'moved',
    item: {
      ...settled,
      needsHuman: needsHuman(item, settled, config) || move.type === 'review.referred',
      reminders: remindersAfter(item, move, state),
      deadlineAt: deadlineOf(settled, config.limits, now),
    },
  }
}

function remindersAfter({ state: before, reminders }: Item, { type }: ItemMove, state: ItemState): number {
  const stays = type === 'deadline.passed' || type === 'review.referred' || type === 'review.checked'
  if (state !== before || !stays) return 0
  return type === 'deadline.passed' ? reminders + 1 : reminders
}

function countsAfter(item: Item, move: ItemMove): Partial<Item> {
  switch (move.type) {
    case 'claim.taken':
      return { attempts: 0 }
    case 'build.finished':
    case 'build.failed':
      return { attempts: item.attempts + 1 }
    default:
      return {}
  }
}

function needsHuman(before: Item, item: Item, config: Config): boolean {
  if (item.state === 'escalated' || item.state === 'conflicted') return true
  if (item.state !== 'in_review') return false
  // What was left to a person stays so, however often it is reminded of.
  if (before.state === 'in_review' && before.needsHuman) return true
  if (isTask(item) || reviewerIn(config).is === 'engine') return false
  return !isStandingOrder(config.merge.approval, item.confidence)
}

function fieldsAfter(item: Item, move: ItemMove, state: ItemState): Partial<Item> {
  switch (move.type) {
    case 'claim.taken':
      return {
        runId: move.runId,
        confidence: null,
        reason: item.needsRework ? item.reason : null,
        approval: null,
        assignedAgentId: null,
      }
    case 'claim.extended':
      return item.claimedAt === null
        ? {}
        : { claimedAt: new Date(Date.parse(item.claimedAt) + move.byMs).toISOString() }
    case 'build.started':
      return { branch: move.branch }
    case 'build.finished':
      return { confidence: move.confidence ?? null }
    case 'verify.passed':
      return {
        branch: move.branch,
        headCommit: move.head,
        evidence: null,
        acceptance: judged(item),
        needsRework: false,
        sentBackBy: null,
        startsAnew: false,
        reason: pushDoubt(move.pushNote) ?? doubt(item),
      }
    case 'review.approved':
      return { approval: move.approval, reason: null, evidence: evidenceOf(item) }
    case 'review.rejected':
      return {
        ...sentBack(item, state, { by: 'review', why: move.feedback }),
        startsAnew: move.fresh === true,
      }
    case 'review.referred':
      return { reason: move.why }
    case 'review.checked':
      return { evidence: move.evidence, acceptance: judged(item, move.judged) }
    case 'merge.failed':
      return sentBack(item, state, { by: senderOf(move), why: move.why })
    case 'merge.landed':
      return { mergeCommit: move.commit, reason: move.note }
    case 'merge.delivered':
      return { headCommit: move.head, reason: pushDoubt(move.note) }
    case 'merge.auto_resolved':
      return { headCommit: move.head, evidence: adapted(item) }
    case 'merge.resumed':
      return { headCommit: move.head, reason: null, evidence: adapted(item) }
    case 'merge.conflicted':
      return { reason: `${move.why}: ${move.files.join(', ')}`, reviewCycles: item.reviewCycles + 1 }
    case 'item.withdrawn':
      return { reason: `withdrawn by ${move.by}`, assignedAgentId: null }
    case 'item.reopened':
      // The undo of a purge: nothing was decided about the item meanwhile.
      return move.as === undefined ? reopened(move) : { reason: move.reason ?? null }
    case 'item.assigned':
      return { assignedAgentId: move.to, ...reasonBack(item, assignedWords(move.to, move.by)) }
    case 'verify.failed':
      return isAskedFor(item, state) ? {} : { reason: move.why, sentBackBy: null }
    case 'build.failed':
    case 'item.escalated':
      return { reason: move.why, sentBackBy: null }
    case 'deadline.passed':
      return isHeld(item.state) || item.state === 'merging'
        ? reasonBack(item, `timeout: no result in ${move.state}`)
        : {}
    default:
      return reasonBack(item, move.why)
  }
}

/** A merge never goes without its evidence: whoever did not wait for the checks has none. */
function evidenceOf({ evidence }: Item): Item['evidence'] {
  return evidence ?? { level: 'unproven', why: 'it was approved before its checks were done' }
}

/** What a review asked for stays with the item until it is delivered again: the next turn has to read it too. */
function isAskedFor({ needsRework, sentBackBy }: Item, state: ItemState): boolean {
  return needsRework && (sentBackBy === 'review' || sentBackBy === 'person') && state === 'improving'
}

/** Why it went back to the queue, unless it has what somebody sent it back with: the next agent has to read that. */
function reasonBack({ needsRework, reason }: Item, why: string): Partial<Item> {
  return needsRework && reason !== null ? {} : { reason: why }
}

/** The criteria of an item as they stand for this delivery; what nobody has judged is open. */
function judged(
  { acceptance }: Item,
  found: readonly { readonly text: string; readonly isMet: boolean }[] = [],
): Item['acceptance'] {
  const byText = new Map(found.map(({ text, isMet }) => [text, isMet ? 'met' : 'not_met'] as const))
  return acceptance.map((criterion) => ({ ...criterion, status: byText.get(criterion.text) ?? 'pending' }))
}

/** What was found on the change as it was says little of what it has become. */
function adapted({ evidence }: Item): Item['evidence'] {
  return evidence === null
    ? null
    : {
        level: 'unproven',
        why: `it was adapted to the target after its checks, when it was ${evidence.level}`,
      }
}

function senderOf({ during }: Extract<ItemMove, { type: 'merge.failed' }>): 'merge' | 'push' {
  return during ?? 'merge'
}

function sentBack(
  { reviewCycles }: Item,
  state: ItemState,
  { by, why }: { by: NonNullable<Item['sentBackBy']>; why: string },
): Partial<Item> {
  const needsRework = state === 'rework'
  const sentBackBy = needsRework ? by : null
  return { reason: why, reviewCycles: reviewCycles + 1, needsRework, sentBackBy, approval: null }
}

function reopened({ fresh, words }: Extract<ItemMove, { type: 'item.reopened' }>): Partial<Item> {
  const startsAnew = fresh === true
  const asked =
    words === undefined
      ? ({ reason: null, needsRework: false, sentBackBy: null } as const)
      : ({ reason: words, needsRework: true, sentBackBy: 'person' } as const)
  return { ...asked, reviewCycles: 0, startsAnew }
}

function assignedWords(to: string | null, by: string): string {
  return to === null ? `put back by ${by}` : `given to ${to} by ${by}`
}

/** That there is nowhere to push to is no reason to look at an item. */
function pushDoubt(note: string | null): string | null {
  return note === NO_REMOTE ? null : note
}

/** Why a change with green gates waits all the same. */
function doubt(item: Item): string | null {
  return item.confidence?.level === 'low' ? `low confidence: ${item.confidence.why}` : null
}
