import type { Reflection } from '@treadle/contracts/paor'
import { decideNext } from '@treadle/engines/goal/decide'
import { pastAfter } from '@treadle/flow/build/goal-past'
import { green, red } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'

const reflection = (verdict: Reflection['verdict'], iteration = 2): Reflection => ({
  iteration,
  verdict,
  why: 'It looks right',
  remaining: [],
  question: null,
  stuck: false,
  verified: null,
})

test('what was achieved and then refused by the checks is planned again, with what they found', () => {
  const past = pastAfter({ plans: [], reflections: [reflection('achieved')] }, [
    green(),
    red('tests_pass', ['sum']),
  ])
  const last = past.reflections.at(-1)
  expect(last).toMatchObject({ iteration: 2, verdict: 'not_yet', why: expect.stringContaining('refused') })
  expect(last?.remaining[0]).toContain('sum')
  if (last === undefined) throw new Error('it was there')
  expect(decideNext({ reflection: last, iterationsMax: 15, hasNews: false }).is).toBe('plan_again')
})

verifies('PAOR-LOOP-5', 'iterations count on when the checks have sent a goal back', () => {
  const past = pastAfter({ plans: [], reflections: [reflection('achieved', 15)] }, [red()])
  const [last] = past.reflections
  if (last === undefined) throw new Error('it was there')
  expect(decideNext({ reflection: last, iterationsMax: 15, hasNews: false })).toMatchObject({
    outcome: 'max_iterations',
  })
})

test.each<[string, Reflection[]]>([
  ['nothing was done', []],
  ['it was not achieved', [reflection('not_yet')]],
])('nothing changes where %s', (_, reflections) => {
  expect(pastAfter({ plans: [], reflections }, [red()])).toEqual({ plans: [], reflections })
})

test('nothing changes where no check has refused it', () => {
  const reflections = [reflection('achieved')]
  expect(pastAfter({ plans: [], reflections }, [green()])).toEqual({ plans: [], reflections })
})
