// What the API tells of a run at work, and what people may say to the next one.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { begin, path } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'

const open = useInProcess('any', { settings: { merge: { approval: 'human' } } })

test('what an engine says is in the history of its run, not among the events of its item', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  const work = await begin(daemon)
  const params = { id: work.claim.run.id }
  const say = (event: object) =>
    client.reportRun({
      params,
      body: { eventId: randomUUID(), fence: work.claim.fence, event: event as never },
    })
  await say({ type: 'run.said', text: 'I look at it', leftOut: 3 })
  await say({ type: 'run.began', callId: 'c', tool: 'bash', input: 'ls' })
  await expect(say({ type: 'run.said', text: 'x'.repeat(4_001) })).rejects.toMatchObject({ status: 400 })
  const { items } = await client.runHistory({ params })
  expect(items.map(({ event }) => event.type)).toEqual(expect.arrayContaining(['run.said', 'run.began']))
  const { events } = await client.showItem({ params: path(work.ref) })
  expect(events.map(({ event }) => event.type)).not.toContain('run.said')
  expect(events.map(({ event }) => event.type)).not.toContain('run.began')
})

test('the change of a run without a worktree is none, and of an unknown run there is no answer', async (context) => {
  const { client, ...daemon } = await open(context)
  const work = await begin({ ...daemon, client })
  const change = await client.runChange({ params: { id: work.claim.run.id } })
  expect(change).toEqual({ from: 'none', files: [], diff: '', isCut: false })
  await expect(client.runChange({ params: { id: randomUUID() } })).rejects.toMatchObject({ status: 404 })
})

test('an item is reopened with words for the next attempt and another engine', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  const work = await begin(daemon)
  const params = path(work.ref)
  const event = { type: 'item.escalated', why: 'gave up' } as const
  await client.reportRun({
    params: { id: work.claim.run.id },
    body: { eventId: randomUUID(), fence: work.claim.fence, event },
  })
  expect(await client.editItem({ params, body: { engine: 'claude-code' } })).toMatchObject({
    engine: 'claude-code',
  })
  const item = await client.reopenItem({ params, body: { by: 'ada', text: 'Only the first module' } })
  expect(item.state).toBe('backlog')
  const { items } = await client.listGuidance({ params: { id: work.claim.run.id }, query: {} })
  expect(items.map(({ guidance }) => [guidance.by, guidance.text])).toEqual([
    ['ada', 'Only the first module'],
  ])
})
