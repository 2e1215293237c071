// Plan, act, observe, reflect: where a goal stands, and what may follow.
import type { PaorState } from '@treadle/contracts/paor'
import { setup, transition } from 'xstate'

export type PaorSign =
  | { readonly type: 'start' }
  | { readonly type: 'planned' }
  | { readonly type: 'acted' }
  | { readonly type: 'observed' }
  /** A person is waited for; the loop stands still meanwhile. */
  | { readonly type: 'ask' }
  | { readonly type: 'again' }
  | { readonly type: 'achieved' }
  | { readonly type: 'fail' }

export const paorMachine = setup({ types: { events: {} as PaorSign } }).createMachine({
  id: 'paor',
  initial: 'idle',
  states: {
    idle: { on: { start: 'planning' } },
    planning: { on: { planned: 'acting', fail: 'failed' } },
    acting: { on: { acted: 'observing', fail: 'failed' } },
    observing: { on: { observed: 'reflecting', fail: 'failed' } },
    reflecting: { on: { ask: 'reflecting', again: 'planning', achieved: 'complete', fail: 'failed' } },
    complete: { type: 'final' },
    failed: { type: 'final' },
  },
})

/** The next state, or null if the sign makes no sense in this one. */
export function stepPaor(state: PaorState, sign: PaorSign): PaorState | null {
  const snapshot = paorMachine.resolveState({ value: state })
  if (!snapshot.can(sign)) return null
  const [next] = transition(paorMachine, snapshot, sign)
  return next.value as PaorState
}
