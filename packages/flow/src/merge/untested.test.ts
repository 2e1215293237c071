import type { GateResult } from '@treadle/contracts/gate'
import type { Approval, Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { green, NOW, red, sampleItem } from '../work/testing/sample.ts'
import { mayMergeUntested } from './untested.ts'

const skipped: GateResult = { is: 'skipped', gate: 'tests_pass', why: 'no tests: no command' }
const empty: GateResult = {
  is: 'not_run',
  gate: 'no_regression',
  why: 'the command ran no tests',
  noTests: true,
}
const crashed: GateResult = { is: 'not_run', gate: 'tests_pass', why: 'the run was interrupted' }
const by = (kind: Approval['kind']): Approval => ({ kind, by: 'Ada', at: NOW.toISOString() })
const said = (level: 'proven' | 'supported' | 'unproven'): Item['evidence'] => ({ level, why: 'so' })

test.each<[string, Partial<Item>, readonly GateResult[], boolean]>([
  [
    'a person has approved what has no tests',
    { approval: by('human'), evidence: said('unproven') },
    [skipped],
    true,
  ],
  [
    'a person has approved what runs no tests',
    { approval: by('human'), evidence: said('unproven') },
    [green(), empty],
    true,
  ],
  ['a person has approved before there were levels', { approval: by('human') }, [skipped], true],
  [
    'the tests were there when a person approved',
    { approval: by('human'), evidence: said('supported') },
    [skipped],
    false,
  ],
  ['a test fails', { approval: by('human'), evidence: said('unproven') }, [empty, red()], false],
  ['the tests could not be run', { approval: by('human'), evidence: said('unproven') }, [crashed], false],
  ['a standing order', { approval: by('standing_order'), evidence: said('unproven') }, [skipped], false],
  ['a reviewer', { approval: by('reviewer'), evidence: said('unproven') }, [skipped], false],
  ['nobody', {}, [skipped], false],
])('%s', (_, item, gates, may) => {
  expect(mayMergeUntested(sampleItem(item), gates)).toBe(may)
})
