// What is not the fault of an item costs it nothing: a reader's provider in trouble, a key that is refused. And what is
// to start anew does so, whatever was left of it.
import type { Review } from '@treadle/contracts/review'
import { expect, test } from 'vitest'
import { eventsLike, untilEvent } from '../goal/goals.ts'
import { addRepair, itemNumber, mergedOnMain, repair, told, until, up } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { type ModelAsked, type ModelSays, overloaded, QUICK, useModelCrews } from './model-crew.ts'
import { approval, criteria } from './reviewed.ts'

const crewWith = useModelCrews()

test('a review whose provider is overloaded waits, also when the hold is over, and is made then', async () => {
  let isDown = true
  const { workspace, model } = await crewWith(() => (isDown ? overloaded : { text: approval(1) }), {
    isReader: true,
    script: [[repair(1)]],
    limits: { ...QUICK, providerHoldMs: 1_000 },
  })
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1, criteria(1))
  const { headCommit } = await until(daemon, 1, 'in_review')
  const review = async (): Promise<Review | undefined> =>
    (await daemon.client.listReviews({ query: { issueNumber: 1 } })).items[0]
  // Several holds, each ended by its time: the reader asks anew after each.
  await eventually('a reader that asks after its hold is over', () =>
    model.requests.length > 8 ? true : undefined,
  )
  expect(await itemNumber(daemon, 1)).toMatchObject({
    state: 'in_review',
    headCommit,
    needsHuman: false,
    reviewCycles: 0,
  })
  expect(await review()).toMatchObject({
    status: 'in_review',
    claimedByAgentId: 'review-agent',
  })
  const { resting } = await eventually('a rest that people see', async () => {
    const status = await told<{ resting: { engine: string; why: string }[] }>(workspace, 'status')
    return status.resting.length === 0 ? undefined : status
  })
  expect(resting).toMatchObject([{ engine: 'native' }])
  isDown = false
  expect(await until(daemon, 1, 'done', 'escalated')).toMatchObject({
    state: 'done',
    approval: { kind: 'reviewer', by: 'review-agent' },
  })
  expect(await review()).toMatchObject({ status: 'approved', cycle: 1 })
  expect(mergedOnMain(workspace)).toEqual(['1/1'])
  expect(await eventsLike(daemon, 'item.escalated')).toEqual([])
  expect(await eventsLike(daemon, 'review.referred')).toEqual([])
})

/** Writes half of the work down if nobody has, and tells what was there; then `second` answers. */
function halfWay(second: (request: ModelAsked) => ModelSays) {
  const command = 'cat notes/half.txt || { mkdir -p notes; echo half way > notes/half.txt; }'
  return (request: ModelAsked): ModelSays => {
    if (request.messages.at(-1)?.results.length !== 0) return second(request)
    return { toolCalls: [{ name: 'bash', input: { command, description: 'Look' } }] }
  }
}

/** What the model has found when it looked, call by call. */
const found = (requests: readonly ModelAsked[]) =>
  requests.flatMap(({ messages }) => {
    const { results = [] } = messages.at(-1) ?? {}
    return results.map(({ text }) => (text.startsWith('half way') ? 'half' : 'nothing'))
  })

test.each([401, 403])(
  'when a key is refused with %i the item goes back unharmed, and its half is gone on with',
  async (status) => {
    let isRefused = true
    const finish = 'sed s/wrong/right/ src/module-01.txt > new && cat new > src/module-01.txt && rm new'
    const { workspace, model } = await crewWith(
      halfWay(({ messages }) => {
        if (isRefused) return { fault: { is: 'status', status } }
        const isDone = messages.some(({ calls }) => JSON.stringify(calls).includes('sed s/wrong'))
        if (isDone) return { text: 'It is right now.' }
        return { toolCalls: [{ name: 'bash', input: { command: finish, description: 'Finish' } }] }
      }),
      { limits: { engineBreakMs: 3_000 } },
    )
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1)
    await untilEvent(daemon, 'engine.suspended', ({ engine }) => engine === 'native')
    const back = await until(daemon, 1, 'backlog')
    expect(back).toMatchObject({ attempts: 0, claimedByAgentId: null, needsHuman: false })
    expect(found(model.requests)).not.toContain('half')
    const kept = workspace.git('for-each-ref', '--format=%(refname)', 'refs/treadle/given-back/')
    expect(workspace.git('show', `${kept.split('\n')[0]}:notes/half.txt`)).toBe('half way')
    isRefused = false
    expect(await until(daemon, 1, 'done', 'escalated')).toMatchObject({ state: 'done', attempts: 1 })
    await untilEvent(daemon, 'run.resumed', ({ why }) => why === 'it was given back unfinished')
    expect(workspace.git('show', 'main:notes/half.txt')).toBe('half way')
  },
)

test('what is to start anew does so each time, also when the last try at that was given back and withdrawn', async () => {
  const { workspace, model } = await crewWith(
    halfWay(() => overloaded),
    { limits: { providerRestMs: 5_000, providerRestMsMax: 5_000, providerHoldMs: 500, giveBacks: 100 } },
  )
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  const params = { projectNumber: 1, issueNumber: 1 }
  for (const times of [1, 2, 3]) {
    await eventually(`half of it, given back ${times} times`, async () =>
      (await eventsLike(daemon, 'claim.released')).length >= times ? true : undefined,
    )
    // Its engine rests, so that nobody has it.
    await daemon.client.withdrawItem({ params, body: {} })
    const before = model.requests.length
    await daemon.client.reopenItem({ params, body: { fresh: true } })
    await eventually('a model that has looked', () =>
      found(model.requests.slice(before)).length > 0 ? true : undefined,
    )
    expect(found(model.requests.slice(before))).not.toContain('half')
  }
})

test('an engine whose tools do not work here changes nothing, and a person is told what they say', async () => {
  const { workspace } = await crewWith(
    ({ messages }) =>
      messages.at(-1)?.results.length !== 0
        ? { text: 'I could not do it.' }
        : {
            toolCalls: [
              { name: 'bash', input: { command: 'no-such-sandbox --run ls', description: 'Look' } },
            ],
          },
    { limits: { improvements: 1 } },
  )
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  const { reason } = await until(daemon, 1, 'escalated')
  expect(reason).toContain('the engine changed nothing')
  expect(reason).toMatch(/none of its tools has worked here; the last: .*no-such-sandbox/s)
})
