// The life of one item, as a table. No effect runs here; advance.ts is the only caller that saves the result.
import type { MergeApproval } from '@treadle/contracts/config/merge'
import type { ItemMove } from '@treadle/contracts/event'
import { gatesGreen } from '@treadle/contracts/gate'
import { isSpent } from '@treadle/contracts/limit'
import { and, setup } from 'xstate'

/** What the guards look at: counters of the item and the limits in force. */
export interface ItemFacts {
  readonly attempts: number
  readonly reviewCycles: number
  readonly limits: { readonly improvements: number; readonly reviewCycles: number }
  readonly approval: MergeApproval
  /** There is a delivered commit. */
  readonly delivered: boolean
}

const withdraw = { 'item.withdrawn': 'withdrawn' } as const
const remind = (state: string) => ({ 'deadline.passed': { target: state, reenter: true } })
/** Whatever the agent is doing, it can lose the item, give it back, or ask for a person. */
const held = {
  'claim.released': 'backlog',
  'claim.expired': 'backlog',
  'item.assigned': 'backlog',
  'item.escalated': 'escalated',
  'deadline.passed': 'backlog',
  ...withdraw,
} as const
const extended = (state: string) => ({ 'claim.extended': { target: state, reenter: true } })
const sendBack = [{ guard: 'reviewCyclesLeft', target: 'rework' }, { target: 'escalated' }] as const
const queued = (state: string) =>
  ({
    on: {
      'claim.taken': 'claimed',
      'item.assigned': { target: state, reenter: true },
      ...withdraw,
      ...remind(state),
    },
  }) as const
const waiting = (state: string) =>
  ({ on: { 'item.reopened': 'backlog', ...withdraw, ...remind(state) } }) as const

export const workItemMachine = setup({
  types: { context: {} as ItemFacts, input: {} as ItemFacts, events: {} as ItemMove },
  guards: {
    // The first attempt is the build, each further one an improvement; the limit stops when reached.
    improvementsLeft: ({ context }) =>
      !isSpent({ max: context.limits.improvements, mode: 'reaches' }, context.attempts - 1),
    // The rejection that is being counted is the next one: the third ends it.
    reviewCyclesLeft: ({ context }) =>
      !isSpent({ max: context.limits.reviewCycles, mode: 'reaches' }, context.reviewCycles + 1),
    // An agent's word is not enough: the gates it reports must really be green.
    gatesHold: ({ event }) => event.type === 'verify.passed' && gatesGreen(event.gates),
    // A person may take what the checks or a reviewer have refused.
    overruled: ({ context, event }) =>
      context.delivered && event.type === 'review.approved' && event.approval.kind === 'human',
    neverMerged: ({ context }) => context.approval === 'never',
    wasTodo: ({ event }) => event.type === 'item.reopened' && event.as === 'todo',
    wasRework: ({ event }) => event.type === 'item.reopened' && event.as === 'rework',
  },
}).createMachine({
  id: 'work-item',
  context: ({ input }) => input,
  initial: 'todo',
  states: {
    todo: queued('todo'),
    backlog: queued('backlog'),
    rework: queued('rework'),
    claimed: { on: { 'build.started': 'building', ...extended('claimed'), ...held } },
    building: {
      on: {
        'build.started': { target: 'building', reenter: true },
        'build.finished': 'verifying',
        'build.failed': 'escalated',
        ...extended('building'),
        ...held,
      },
    },
    verifying: {
      on: {
        'verify.passed': [
          // Without an approval nothing is merged: the daemon holds it against the target, pushes it, and that is all.
          { guard: and(['gatesHold', 'neverMerged']), target: 'merging' },
          { guard: 'gatesHold', target: 'in_review' },
        ],
        'verify.failed': [{ guard: 'improvementsLeft', target: 'improving' }, { target: 'escalated' }],
        ...extended('verifying'),
        ...held,
      },
    },
    improving: {
      on: { 'build.finished': 'verifying', 'build.failed': 'escalated', ...extended('improving'), ...held },
    },
    in_review: {
      on: {
        'item.escalated': 'escalated',
        'review.approved': 'merging',
        'review.rejected': sendBack,
        'review.referred': { target: 'in_review', reenter: true },
        'review.checked': { target: 'in_review', reenter: true },
        ...withdraw,
        ...remind('in_review'),
      },
    },
    merging: {
      on: {
        'merge.landed': 'done',
        'merge.delivered': 'done',
        'merge.auto_resolved': { target: 'merging', reenter: true },
        'merge.conflicted': 'conflicted',
        'merge.failed': sendBack,
        'item.escalated': 'escalated',
        'deadline.passed': 'escalated',
      },
    },
    conflicted: { on: { 'merge.resumed': 'merging', ...waiting('conflicted').on } },
    escalated: {
      on: { 'review.approved': { guard: 'overruled', target: 'merging' }, ...waiting('escalated').on },
    },
    withdrawn: {
      on: {
        'item.reopened': [
          { guard: 'wasTodo', target: 'todo' },
          { guard: 'wasRework', target: 'rework' },
          { target: 'backlog' },
        ],
      },
    },
    done: { type: 'final' },
  },
})
