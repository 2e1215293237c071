// Whether the fast path sees the failures that the project's own command shows.
import type { TestFailure } from '@treadle/contracts/gate'
import type { Split } from './rank/conclude.ts'
import type { TestResult } from './run/protocol.ts'
import { LOADING } from './run/protocol.ts'

/** Reports name no more failures than this; which ones are missing then is not known. */
const NAMED_MAX = 200
/** A first line that is shorter says too little to tell failures apart. */
const TELLING_CHARS = 12
/** The words of runners for a test that took longer than they wait. */
const TIMED_OUT = /timed out|time-?out (of|in) |exceeded timeout/i
/** The gate's name for the command itself, where no test of it can be named. */
const COMMAND = 'test command'

const isOfCommand = ({ id }: TestFailure): boolean => id === COMMAND

export interface SameFailures {
  /** Failing tests that the command shows too, or all where it cannot be told: what is searched for. */
  readonly failing: readonly TestResult[]
  /** Whether these are all failures that the command shows. Null: nobody told what it shows. */
  readonly same: boolean | null
  /** Failures of the fast path alone, which are not searched for. */
  readonly leftOut: number
}

/** Keeps what both see: a failure that only the fast path has is none of the program's. */
export function seenByBoth(
  { failing, passing }: Pick<Split, 'failing' | 'passing'>,
  shown: readonly TestFailure[],
  pathOf: (module: number) => string,
): SameFailures {
  const isOver = (failure: TestFailure) =>
    TIMED_OUT.test(failure.message) && passing.some((test) => isSame(test, failure, pathOf(test.module)))
  // A command that fails by itself names no test, and a test that passes here was only too slow there.
  const named = shown.filter(
    (failure) => plain(failure.id) !== '' && !isOfCommand(failure) && !isOver(failure),
  )
  if (named.length === 0 || failing.length === 0 || shown.length >= NAMED_MAX)
    return { failing, same: null, leftOut: 0 }
  const both = failing.filter((test) => named.some((failure) => isSame(test, failure, pathOf(test.module))))
  // A runner that counts assertions shows a test more than once.
  const isShown = (failure: TestFailure) => both.some((test) => isSame(test, failure, pathOf(test.module)))
  const isAll = both.length >= named.length || named.every(isShown)
  return { failing: both, same: both.length > 0 && isAll, leftOut: failing.length - both.length }
}

function isSame(test: TestResult, shown: TestFailure, path: string): boolean {
  const said = firstLine(test.failure?.message ?? '')
  if (said.length >= TELLING_CHARS && shown.message.includes(said)) return true
  const id = plain(shown.id)
  // Some runners count assertions, and name each by what it says.
  if (said.length >= TELLING_CHARS && id.includes(plain(said))) return true
  // A runner that starts every file as a program knows no more than which of them failed.
  if (path !== '' && id.endsWith(plain(path))) return true
  // A file that could not be loaded has no test to be named by.
  const name = plain(test.name === LOADING ? path : test.name)
  if (name.length >= TELLING_CHARS && id.includes(name)) return true
  return name !== '' && (id.endsWith(name) || name.endsWith(id))
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

/** Runners join the names of suites and tests in different ways. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
