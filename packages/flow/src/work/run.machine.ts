// The life of one run: loaded, worked on, ended. The agent without a run in hand is idle.
import type { RunStatus } from '@treadle/contracts/run'
import { setup, transition } from 'xstate'

export type RunSign =
  | { readonly type: 'load' }
  | { readonly type: 'begin' }
  | { readonly type: 'complete' }
  | { readonly type: 'fail' }
  /** The agent lets go of what it has completed. */
  | { readonly type: 'rest' }
  /** The way out of an error, by restart, reset or the next claim. */
  | { readonly type: 'restart' }

export const runMachine = setup({ types: { events: {} as RunSign } }).createMachine({
  id: 'run',
  initial: 'idle',
  states: {
    idle: { on: { load: 'loading' } },
    loading: { on: { begin: 'active', fail: 'error' } },
    active: { on: { complete: 'complete', fail: 'error' } },
    complete: { on: { rest: 'idle' } },
    error: { on: { restart: 'idle' } },
  },
})

/** The next status, or null if the sign makes no sense in this one. */
export function stepRun(status: RunStatus, sign: RunSign): RunStatus | null {
  const snapshot = runMachine.resolveState({ value: status })
  if (!snapshot.can(sign)) return null
  const [next] = transition(runMachine, snapshot, sign)
  return next.value as RunStatus
}
