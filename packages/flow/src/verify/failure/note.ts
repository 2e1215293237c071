// A group of failures in the size that history keeps.
import type { FailureGroup } from '@treadle/contracts/failure'
import type { GroupNote } from '@treadle/contracts/run'

export function groupNote({ id, signature, cause, tests }: FailureGroup): GroupNote {
  return {
    id,
    signature: signature.text,
    cause: cause.slice(0, 1_000),
    tests: tests.slice(0, 100).map((test) => test.slice(0, 500)),
  }
}
