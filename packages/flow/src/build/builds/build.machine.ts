// The life of a build as a table: what may happen to it in which state. Its tasks are items and have their own.
import type { BuildStatus } from '@treadle/contracts/build'
import { setup, transition } from 'xstate'

export type BuildSign =
  /** Branch and items are there. */
  | { readonly type: 'primed' }
  /** A stop condition, or a person. */
  | { readonly type: 'stopped' }
  /** Too much of it failed, or it could not begin. */
  | { readonly type: 'failed' }
  | { readonly type: 'resumed' }
  /** The whole is merged. */
  | { readonly type: 'delivered' }

const ends = { stopped: 'stopped', failed: 'failed' } as const
/** What lands after an end is landed all the same; only a person has it go on. */
const resting = { resumed: 'running', delivered: 'completed' } as const

const buildMachine = setup({ types: { events: {} as BuildSign } }).createMachine({
  id: 'build',
  initial: 'priming',
  states: {
    priming: { on: { primed: 'running', ...ends } },
    running: { on: { delivered: 'completed', ...ends } },
    stopped: { on: { ...resting, failed: 'failed' } },
    failed: { on: resting },
    completed: { type: 'final' },
  },
})

/** The next status, or null if the sign makes no sense in this one. */
export function buildAfter(status: BuildStatus, sign: BuildSign): BuildStatus | null {
  const snapshot = buildMachine.resolveState({ value: status })
  if (!snapshot.can(sign)) return null
  const [next] = transition(buildMachine, snapshot, sign)
  return next.value as BuildStatus
}
