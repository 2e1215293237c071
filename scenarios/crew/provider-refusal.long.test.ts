// What is not the fault of an item costs it nothing: a reader's provider in trouble, a key that is refused. And what is
// to start anew does so, whatever was left of it.
import type { Review } from '@treadle/contracts/review'
import { expect, test } from 'vitest'
import { eventsLike, untilEvent } from '../goal/goals.ts'
import { stopDaemon } from '../kit/daemon.ts'
import { addRepair, changeSettings, itemNumber, mergedOnMain, moduleOf, told, until } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { type ModelAsked, type ModelSays, overloaded, QUICK, useModelCrew } from './model-crew.ts'
import { approval, criteria } from './reviewed.ts'

const readBy = useModelCrew({ items: 1, isReader: true, limits: { ...QUICK, providerHoldMs: 1_000 } })
// The tests run in their order, each with the next item.
const crewWith = useModelCrew({ items: 4, limits: { engineBreakMs: 3_000 } })

test('a review whose provider is overloaded waits, also when the hold is over, and is made then', async () => {
  let isDown = true
  const { daemon, asked } = await readBy(() => (isDown ? overloaded : { text: approval(1) }))
  const { workspace } = daemon
  await addRepair(daemon, 1, criteria(1))
  const { headCommit } = await until(daemon, 1, 'in_review')
  const review = async (): Promise<Review | undefined> =>
    (await daemon.client.listReviews({ query: { issueNumber: 1 } })).items[0]
  // Several holds, each ended by its time: the reader asks anew after each.
  await eventually('a reader that asks after its hold is over', () => (asked().length > 8 ? true : undefined))
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
  await stopDaemon(daemon)
})

/** Writes half of the work down if nobody has, and tells what was there; then `second` answers. */
function halfWay(n: number, second: (request: ModelAsked) => ModelSays) {
  const command = `cat ${halfOf(n)} || { mkdir -p notes; echo half way > ${halfOf(n)}; }`
  return (request: ModelAsked): ModelSays => {
    if (request.messages.at(-1)?.results.length !== 0) return second(request)
    return { toolCalls: [{ name: 'bash', input: { command, description: 'Look' } }] }
  }
}

const halfOf = (n: number) => `notes/half-${n}.txt`

/** What the model has found when it looked, call by call. */
const found = (requests: readonly ModelAsked[]) =>
  requests.flatMap(({ messages }) => {
    const { results = [] } = messages.at(-1) ?? {}
    return results.map(({ text }) => (text.startsWith('half way') ? 'half' : 'nothing'))
  })

test.each([
  [401, 1],
  [403, 2],
])(
  'when a key is refused with %i the item goes back unharmed, and its half is gone on with',
  async (status, n) => {
    let isRefused = true
    const file = moduleOf(n)
    const finish = `sed s/wrong/right/ ${file} > new && cat new > ${file} && rm new`
    const { daemon, asked } = await crewWith(
      halfWay(n, ({ messages }) => {
        if (isRefused) return { fault: { is: 'status', status } }
        const isDone = messages.some(({ calls }) => JSON.stringify(calls).includes('sed s/wrong'))
        if (isDone) return { text: 'It is right now.' }
        return { toolCalls: [{ name: 'bash', input: { command: finish, description: 'Finish' } }] }
      }),
    )
    const { git } = daemon.workspace
    const suspensions = async () =>
      (await eventsLike(daemon, 'engine.suspended')).filter(({ engine }) => engine === 'native').length
    const before = await suspensions()
    await addRepair(daemon, n)
    await eventually('a rest of the engine', async () => ((await suspensions()) > before ? true : undefined))
    const back = await until(daemon, n, 'backlog')
    expect(back).toMatchObject({ attempts: 0, claimedByAgentId: null, needsHuman: false })
    expect(found(asked())).not.toContain('half')
    const refs = git('for-each-ref', '--format=%(refname)', 'refs/treadle/given-back/').split('\n')
    const kept = refs.find((ref) => git('ls-tree', '-r', '--name-only', ref).includes(halfOf(n)))
    expect(git('show', `${kept}:${halfOf(n)}`)).toBe('half way')
    isRefused = false
    expect(await until(daemon, n, 'done', 'escalated')).toMatchObject({ state: 'done', attempts: 1 })
    await untilEvent(daemon, 'run.resumed', ({ why }) => why === 'it was given back unfinished', n)
    expect(git('show', `main:${halfOf(n)}`)).toBe('half way')
  },
)

test('an engine whose tools do not work here changes nothing, and a person is told what they say', async () => {
  const look = { command: 'no-such-sandbox --run ls', description: 'Look' }
  const { daemon } = await crewWith(({ messages }) =>
    messages.at(-1)?.results.length !== 0
      ? { text: 'I could not do it.' }
      : { toolCalls: [{ name: 'bash', input: look }] },
  )
  await changeSettings(daemon, { limits: { improvements: 1 } })
  await addRepair(daemon, 3)
  const { reason } = await until(daemon, 3, 'escalated')
  expect(reason).toContain('the engine changed nothing')
  expect(reason).toMatch(/none of its tools has worked here; the last: .*no-such-sandbox/s)
})

test('what is to start anew does so each time, also when the last try at that was given back and withdrawn', async () => {
  const { daemon, asked } = await crewWith(halfWay(4, () => overloaded))
  const limits = { providerRestMs: 5_000, providerRestMsMax: 5_000, providerHoldMs: 500, giveBacks: 100 }
  await changeSettings(daemon, { limits })
  await addRepair(daemon, 4)
  const params = { projectNumber: 1, issueNumber: 4 }
  for (const times of [1, 2]) {
    await eventually(`half of it, given back ${times} times`, async () =>
      (await eventsLike(daemon, 'claim.released', 4)).length >= times ? true : undefined,
    )
    // Its engine rests, so that nobody has it.
    await daemon.client.withdrawItem({ params, body: {} })
    const before = asked().length
    await daemon.client.reopenItem({ params, body: { fresh: true } })
    await eventually('a model that has looked', () =>
      found(asked().slice(before)).length > 0 ? true : undefined,
    )
    expect(found(asked().slice(before))).not.toContain('half')
  }
})
