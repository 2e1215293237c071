// A build that has come to its end without its delivery is gone on with: nothing of it is lost, and nothing is a dead end.
import type { Client } from '@treadle/contracts/client'
import { expect, test } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import { begun, fail, failChecks, landed, play, start, stateOf, taskOf } from './hand-build.ts'

const open = useInProcess('any', { settings: { limits: { sweepMs: 300, improvements: 1 } } })

const offered = (client: Client, number: number) =>
  eventually(`#${number} is offered again`, async () =>
    (await stateOf(client, number)).state === 'backlog' ? true : undefined,
  )

test('a build of which nothing was built is resumed, or its task is tried again, and its delivery comes back with it', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  for (const [slug, order] of [
    ['nothing-resumed', () => client.resumeBuild({ params: { id: 'nothing-resumed' }, body: { by: 'ada' } })],
    [
      'nothing-retried',
      () => client.retryTask({ params: { id: 'nothing-retried' }, body: { by: 'ada', task: 'T1' } }),
    ],
  ] as const) {
    const build = await start(daemon, slug, [{ id: 'T1', file: `${slug}.txt` }])
    const { number } = taskOf(build, 'T1')
    await failChecks(daemon, number)
    await offered(client, number)
    await failChecks(daemon, number)
    const ended = await begun(
      client,
      slug,
      ({ status, deliveryState }) => status === 'failed' && deliveryState === 'withdrawn',
    )
    expect(ended.why).toBe('None of its tasks was built')
    await order()
    await play(daemon, number, { [`${slug}.txt`]: 'one\n' })
    await landed(client, number)
    const on = await begun(client, slug, ({ counts }) => counts.complete === 1)
    expect(on).toMatchObject({ status: 'running', why: null, deliveryState: 'backlog' })
    expect((await stateOf(client, on.delivery ?? 0)).dependsOn).toEqual([number])
  }
})

test('what waits for a task is skipped with it each time that it fails, and the rest is delivered', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  const build = await start(daemon, 'again', [
    { id: 'T1', file: 'a1.txt' },
    { id: 'T2', file: 'a2.txt' },
    { id: 'T3', file: 'a3.txt', dependsOn: ['T2'] },
  ])
  const numberOf = (id: string) => taskOf(build, id).number
  await play(daemon, numberOf('T1'), { 'a1.txt': 'one\n' })
  await landed(client, numberOf('T1'))
  for (const nth of [1, 2]) {
    await failChecks(daemon, numberOf('T2'))
    await offered(client, numberOf('T2'))
    await failChecks(daemon, numberOf('T2'))
    const without = await begun(client, 'again', ({ counts }) => counts.skipped === 2)
    expect(without).toMatchObject({ status: 'running', deliveryState: 'todo' })
    expect((await stateOf(client, build.delivery ?? 0)).dependsOn).toEqual([numberOf('T1')])
    if (nth === 2) break
    await client.retryTask({ params: { id: 'again' }, body: { by: 'ada', task: 'T2' } })
    expect((await stateOf(client, build.delivery ?? 0)).dependsOn.toSorted()).toEqual(
      [numberOf('T1'), numberOf('T2'), numberOf('T3')].toSorted(),
    )
  }
})

test('a build whose delivery somebody withdrew is resumed with it', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  const build = await start(daemon, 'withdrawn', [
    { id: 'T1', file: 'w1.txt' },
    { id: 'T2', file: 'w2.txt' },
  ])
  await play(daemon, taskOf(build, 'T1').number, { 'w1.txt': 'one\n' })
  await landed(client, taskOf(build, 'T1').number)
  await client.withdrawItem({
    params: { projectNumber: 1, issueNumber: build.delivery ?? 0 },
    body: { by: 'ada' },
  })
  const ended = await begun(client, 'withdrawn', ({ status }) => status === 'failed')
  expect(ended.why).toBe('Its delivery was withdrawn')
  await client.resumeBuild({ params: { id: 'withdrawn' }, body: { by: 'ada' } })
  await play(daemon, taskOf(build, 'T2').number, { 'w2.txt': 'two\n' })
  await landed(client, taskOf(build, 'T2').number)
  const on = await begun(client, 'withdrawn', ({ counts }) => counts.complete === 2)
  expect(on).toMatchObject({ status: 'running', deliveryState: 'backlog' })
})

test('a branch of a build that somebody has taken away comes back as it was with what had landed on it', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const build = await start(daemon, 'taken-away', [
    { id: 'T1', file: 't1.txt' },
    { id: 'T2', file: 't2.txt' },
  ])
  await play(daemon, taskOf(build, 'T1').number, { 't1.txt': 'one\n' })
  await landed(client, taskOf(build, 'T1').number)
  await begun(client, 'taken-away', ({ commits }) => commits.length === 1)
  const tip = workspace.git('rev-parse', 'build/taken-away')
  await client.stopBuild({ params: { id: 'taken-away' }, body: { by: 'ada' } })
  workspace.git('branch', '-D', 'build/taken-away')
  await client.resumeBuild({ params: { id: 'taken-away' }, body: { by: 'ada' } })
  expect(workspace.git('rev-parse', 'build/taken-away')).toBe(tip)
  workspace.git('branch', '-D', 'build/taken-away')
  await eventually('the branch of the running build is back', async () =>
    workspace.git('for-each-ref', '--format=%(objectname)', 'refs/heads/build/taken-away') === tip
      ? true
      : undefined,
  )
})

test('a delivery that cannot be put onto the target says so in the build, with the way out', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  const build = await start(daemon, 'stuck-delivery', [{ id: 'T1', file: 's1.txt' }])
  await play(daemon, taskOf(build, 'T1').number, { 's1.txt': 'one\n' })
  await landed(client, taskOf(build, 'T1').number)
  const why = 'build/stuck-delivery and the target have gone different ways in s1.txt. Merge them'
  await fail(daemon, build.delivery ?? 0, why)
  const stuck = await begun(client, 'stuck-delivery', ({ deliveryState }) => deliveryState === 'escalated')
  expect(stuck.hint).toBe(`The whole could not be delivered: ${why}`)
})
