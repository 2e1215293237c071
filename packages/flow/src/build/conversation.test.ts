// Which conversation of an earlier run goes on in the next: the one that knows the files that are there.
import type { TreadleEvent } from '@treadle/contracts/event'
import { GOAL_LABEL, type Plan } from '@treadle/contracts/paor'
import { expect, test } from 'vitest'
import { COMMIT, RUN, sampleItem } from '../work/testing/sample.ts'
import { type EarlierRun, earlierRun, isBegunAnewSince, type TakeOver, takeOver } from './conversation.ts'
import { runTakeOver, runTakeUp } from './take-over.run.ts'

const OTHER = 'b'.repeat(40)
const session = (id: string, from?: string): TreadleEvent => ({
  type: 'run.session',
  engine: 'native',
  session: id,
  ...(from === undefined ? {} : { from }),
})
const USED: TreadleEvent = {
  type: 'run.used',
  usage: { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, usd: 0 },
}
const GIVEN_BACK: TreadleEvent = { type: 'claim.released', why: 'overloaded', engine: 'native' }
const RUN_BEFORE = { id: RUN, agentId: 'agent-1', base: COMMIT, outcome: 'released' } as const
const told = (...events: TreadleEvent[]) =>
  earlierRun(
    RUN_BEFORE,
    events.map((event) => ({ event })),
  )

test.each<[string, TreadleEvent[], string | undefined]>([
  ['in which the model has answered', [session('s1'), USED, GIVEN_BACK], 's1'],
  ['in which it never answered', [session('s1'), GIVEN_BACK], undefined],
  [
    'that the run had taken over, though it was not answered any more',
    [session('s1', RUN), GIVEN_BACK],
    's1',
  ],
  ['that was lost, for one that was answered', [session('s1', RUN), session('s2'), USED], 's2'],
  ['that was lost, for one that was not answered', [session('s1', RUN), session('s2')], undefined],
])('a run has left a conversation %s', (_, events, left) => {
  expect(told(...events).conversations.get('native')).toBe(left)
})

test('who released the claim is known only where it was an engine in trouble', () => {
  expect(told(GIVEN_BACK).givenBackBy).toBe('native')
  expect(told({ type: 'claim.released', why: 'emergency stop' }).givenBackBy).toBeNull()
})

const OTHER_RUN = '22222222-2222-4222-8222-222222222222'
const CLAIMED = { type: 'claim.taken' } as TreadleEvent
const anewBy = (fresh?: true): TreadleEvent => ({
  type: 'item.reopened',
  by: 'ada',
  ...(fresh === undefined ? {} : { fresh }),
})

test.each<[string, [string | null, TreadleEvent][], boolean]>([
  [
    'it was reopened to start anew',
    [
      [RUN, CLAIMED],
      [RUN, GIVEN_BACK],
      [null, anewBy(true)],
    ],
    true,
  ],
  [
    'what is known of the run came after that',
    [
      [RUN, CLAIMED],
      [null, anewBy(true)],
      [RUN, USED],
    ],
    true,
  ],
  [
    'it was only reopened',
    [
      [RUN, CLAIMED],
      [RUN, GIVEN_BACK],
      [null, anewBy()],
    ],
    false,
  ],
  [
    'that was decided before the run',
    [
      [OTHER_RUN, CLAIMED],
      [null, anewBy(true)],
      [RUN, CLAIMED],
    ],
    false,
  ],
])('whether an item starts anew since a run: %s', (_, events, isAnew) => {
  const stored = events.map(([runId, event]) => ({ runId, event }))
  expect(isBegunAnewSince(RUN, stored)).toBe(isAnew)
})

const GIVEN: EarlierRun = told(session('s1'), USED, GIVEN_BACK)
const DELIVERED: EarlierRun = { ...GIVEN, outcome: 'success', givenBackBy: null }
const REWORK = {
  head: OTHER,
  how: 'carried',
  commit: OTHER,
  conflicts: [],
  isMoved: false,
  diff: '',
} as const
const afterRest: TakeOver = {
  item: sampleItem(),
  agentId: 'agent-1',
  engine: 'native',
  base: COMMIT,
  rework: null,
  isTakenUp: true,
  earlier: GIVEN,
}
const afterReview: TakeOver = { ...afterRest, rework: REWORK, isTakenUp: false, earlier: DELIVERED }

const GOAL = sampleItem({ labels: [GOAL_LABEL] })
const PLAN: Plan = { iteration: 1, tasks: [], scope: [], guidance: [], why: '' }

test('a goal that was given back goes on in its conversation and with its plans', async () => {
  expect(takeOver({ ...afterRest, item: GOAL })).toEqual({ session: 's1', is: 'cut_off' })
  const earlier = told({ type: 'run.planned', plan: PLAN }, session('s1'), USED, GIVEN_BACK)
  const said: object[] = []
  const plans: Plan[] = []
  const world = {
    engine: { id: 'native' },
    guidanceChannel: { planned: (plan: Plan) => void plans.push(plan) },
    say: async (report: object) => void said.push(report),
  } as unknown as Parameters<typeof runTakeUp>[0]
  await runTakeUp(world, { ...afterRest, item: GOAL }, async () => earlier)
  expect(plans).toEqual([PLAN])
  expect(said.at(-1)).toMatchObject({ type: 'run.resumed', continues: RUN })
  // On another target its files are not there any more, and neither is what the plans were about.
  await runTakeUp(world, { ...afterRest, item: GOAL, base: OTHER }, async () => earlier)
  expect(said.at(-1)).not.toHaveProperty('continues')
  await runTakeUp(world, { ...afterRest, isTakenUp: false }, async () => earlier)
  expect(said).toHaveLength(2)
})

test('after a rest it goes on where it was cut off; after a review with what was delivered', () => {
  expect(takeOver(afterRest)).toEqual({ session: 's1', is: 'cut_off' })
  expect(takeOver(afterReview)).toEqual({ session: 's1', is: 'sent_back' })
  // What is reworked, given back and taken up is as the conversation left it too.
  expect(takeOver({ ...afterRest, rework: REWORK })).toEqual({ session: 's1', is: 'cut_off' })
  // So is what was begun anew: to start anew is decided once.
  const anew = sampleItem({ startsAnew: true })
  expect(takeOver({ ...afterRest, item: anew })).toEqual({ session: 's1', is: 'cut_off' })
})

test.each<[string, Partial<TakeOver>]>([
  ['there was no run before', { earlier: null }],
  ['another agent has it now', { agentId: 'agent-2' }],
  ['another engine has it now', { engine: 'codex' }],
])('everything is told again where %s', (_, changes) => {
  expect(takeOver({ ...afterRest, ...changes })).toBeNull()
  expect(takeOver({ ...afterReview, ...changes })).toBeNull()
})

test.each<[string, TakeOver]>([
  [
    'it is to start anew, without the delivery',
    { ...afterReview, item: sampleItem({ startsAnew: true }), rework: null },
  ],
  ['a goal was delivered', { ...afterReview, item: GOAL }],
  ['nothing of the work was taken up', { ...afterRest, isTakenUp: false }],
  ['the run before has not left that work', { ...afterRest, earlier: { ...GIVEN, givenBackBy: null } }],
  ['the run before stood on another commit', { ...afterRest, base: OTHER }],
  ['the delivery does not merge', { ...afterReview, rework: { ...REWORK, how: 'conflicted' } }],
  ['the delivery is nothing to build on', { ...afterReview, rework: null }],
  [
    'a run that did not deliver came in between',
    { ...afterReview, earlier: { ...DELIVERED, outcome: 'released' } },
  ],
])('everything is told again where %s', (_, facts) => {
  expect(takeOver(facts)).toBeNull()
})

test('what is taken over is the conversation of the new run, and is recorded with where it began', async () => {
  const said: object[] = []
  const conversations = new Map<string, string>()
  const world = {
    conversations,
    engine: { id: 'native', can: { resume: true } },
    say: async (report: object) => void said.push(report),
  } as unknown as Parameters<typeof runTakeOver>[0]
  const earlier = async () => ({ ...DELIVERED, base: OTHER })
  // The delivery has been put on a later commit since, which the conversation does not know.
  expect(await runTakeOver(world, afterReview, earlier)).toEqual({ rework: { ...REWORK, isMoved: true } })
  expect(conversations).toEqual(new Map([['native', 's1']]))
  expect(said).toEqual([{ type: 'run.session', engine: 'native', session: 's1', from: RUN }])
  expect(await runTakeOver(world, afterRest, async () => GIVEN)).toEqual({ rework: null, isContinued: true })
})

test('nobody is asked about an earlier run for an engine that cannot go on', async () => {
  const world = { conversations: new Map(), engine: { id: 'scripted' } }
  const asked = async () => {
    throw new Error('asked')
  }
  expect(await runTakeOver(world as unknown as Parameters<typeof runTakeOver>[0], afterRest, asked)).toEqual({
    rework: null,
  })
})
