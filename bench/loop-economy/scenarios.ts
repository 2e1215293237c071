// The four scripted days: which suites of the project run, and which faults are in it.
import type { Edit } from '../repair/bug.ts'
import { LIMITS, type Limits, SPRINT_2 } from './limits.ts'

interface Cause {
  readonly id: string
  readonly edit: Edit
}

export interface Scenario {
  readonly name: string
  readonly suites: readonly string[]
  readonly causes: readonly Cause[]
  /** Thresholds of the seed's flow. */
  readonly limits: Limits
}

function cause(id: string, file: string, find: string, replace: string): Cause {
  return { id, edit: { file: `src/${file}.ts`, find, replace } }
}

const session = cause('session', 'session', 'expiresAt <= now', 'expiresAt >= now')
const discount = cause('discount', 'cart', 'sum >= 10_000', 'sum > 10_000')
const reorder = cause('reorder', 'stock', 'count < least', 'count > least')
const rounding = cause('rounding', 'money', 'Math.round(cents)', 'Math.trunc(cents)')
const words = cause('words', 'slug', '[^a-z0-9]+', '[^a-z]+')
const day = cause('day', 'day', String.raw`-(\d{2})$/`, String.raw`-(\d{1})$/`)

const twenty = ['orders', 'profile', 'catalogue', 'cart', 'stock']
const thirty = ['orders', 'money', 'slug', 'day', 'catalogue', 'cart', 'stock']

/** 13 green, 5 tests that fail for one cause, 2 single faults: seed 004, Known Issue Points 4, with its trace. */
export const TRACE: Scenario = {
  name: 'its own trace',
  suites: twenty,
  causes: [session, discount, reorder],
  limits: LIMITS,
}

export const SCENARIOS: readonly Scenario[] = [
  TRACE,
  { ...TRACE, name: 'its own trace, Sprint 2', limits: SPRINT_2 },
  { name: 'one fault in 20', suites: twenty, causes: [discount], limits: LIMITS },
  { name: 'all green', suites: twenty, causes: [], limits: LIMITS },
  { name: 'a bad day', suites: thirty, causes: [session, rounding, words, day], limits: LIMITS },
]
