// A group of failures in the size that history keeps.
import type { FailureGroup } from '@treadle/contracts/failure'
import type { GroupNote } from '@treadle/contracts/run'

/** As much of a test's name as history keeps. */
export const TEST_CHARS_MAX = 500

export function groupNote({ id, signature, cause, tests }: FailureGroup): GroupNote {
  return {
    id,
    signature: signature.text,
    cause: cause.slice(0, 1_000),
    tests: tests.slice(0, 100).map((test) => test.slice(0, TEST_CHARS_MAX)),
  }
}
