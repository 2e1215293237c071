import type { BuildStatus } from '@treadle/contracts/build'
import { expect, test } from 'vitest'
import { type BuildSign, buildAfter } from './build.machine.ts'

const SIGNS: readonly BuildSign['type'][] = ['primed', 'stopped', 'failed', 'resumed', 'delivered']

/** What each sign makes of each status; null: it makes no sense there. */
const TABLE: readonly (readonly [BuildStatus, readonly (BuildStatus | null)[]])[] = [
  ['priming', ['running', 'stopped', 'failed', null, null]],
  ['running', [null, 'stopped', 'failed', null, 'completed']],
  ['stopped', [null, null, 'failed', 'running', 'completed']],
  ['failed', [null, null, null, 'running', 'completed']],
  ['completed', [null, null, null, null, null]],
]

test.each(TABLE)('a build that is %s', (status, after) => {
  expect(SIGNS.map((type) => buildAfter(status, { type }))).toEqual(after)
})
