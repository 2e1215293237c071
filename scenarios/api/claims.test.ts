import { randomUUID } from 'node:crypto'
import { ApiError } from '@treadle/contracts/client'
import { Item } from '@treadle/contracts/item'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import { DRIVERS, useDaemon } from '../kit/daemon.ts'
import { addItem, path, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { refusal, send } from '../kit/raw-http.ts'
import { raceRounds } from './claim-race.ts'
import { crowd } from './claims-crowd.ts'

describe.each(DRIVERS)('queue and claims over HTTP on the %s database', (driver) => {
  // The embedded database does one thing at a time whoever asks; on the server the race is one between processes.
  const open = driver === 'server' ? useDaemon(driver) : useInProcess(driver)

  // First, while nothing else is in the queue.
  verifies(
    ['AC-2.1.b', 'ORCH-2.1-6', 'ORCH-S5-1'],
    'a crowd takes the whole queue: no item twice, none left',
    async (context) => {
      const daemon = await open(context)
      const { racers } = await crowd({ daemons: [daemon], clients: 12, items: 40 })
      expect(racers.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(0)
      expect((await daemon.client.queue()).items).toEqual([])
    },
  )

  verifies(
    ['ORCH-2.1-1', 'ORCH-2.1-2', 'ORCH-2.1-3'],
    'the queue has the unclaimed items of todo and backlog, by priority and then by number',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      const add = (title: string, priority: number | null, status: 'todo' | 'backlog' = 'todo') =>
        addItem(client, { title, priority, status })
      await add('none, first', null)
      await add('five', 5, 'backlog')
      await add('zero', 0)
      const held = await add('held', 0)
      const withdrawn = await add('withdrawn', 1)
      await add('none, second', null, 'backlog')
      await add('five, later', 5)
      await take(daemon, held)
      await client.withdrawItem({ params: path(withdrawn), body: {} })
      const titles = async () => (await client.queue()).items.map(({ title }) => title)
      const wanted = ['zero', 'five', 'five, later', 'none, first', 'none, second']
      expect(await titles()).toEqual(wanted)
      expect(
        (await client.queue()).items.every(({ status }) => status === 'todo' || status === 'backlog'),
      ).toBe(true)
      expect((await client.queue({ query: { limit: 2 } })).items.map(({ title }) => title)).toEqual(
        wanted.slice(0, 2),
      )
    },
  )

  test('items can be listed by status and by project', async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const project = 30
    const todo = await addItem(client, { projectNumber: project })
    const backlog = await addItem(client, { projectNumber: project, status: 'backlog' })
    const held = await addItem(client, { projectNumber: project })
    await take(daemon, held, 'agent-9')
    const numbers = async (query: NonNullable<Parameters<typeof client.listItems>[0]>['query']) =>
      (await client.listItems({ query: { projectNumber: project, ...query } })).items.map(
        ({ number }) => number,
      )
    expect(await numbers({})).toEqual([todo.number, backlog.number, held.number])
    expect(await numbers({ status: 'todo' })).toEqual([todo.number])
    expect(await numbers({ status: 'backlog' })).toEqual([backlog.number])
    expect(await numbers({ status: 'in_progress' })).toEqual([held.number])
    expect(await numbers({ status: 'done' })).toEqual([])
    expect(await numbers({ limit: 1 })).toEqual([todo.number])
    expect(await numbers({ numbers: `${held.number},${todo.number},999` })).toEqual([
      todo.number,
      held.number,
    ])
    for (const wrong of ['', '1,', '0', 'x', '1;2', Array.from({ length: 51 }, () => 1).join()])
      expect((await refusal(daemon, { path: `/api/items?numbers=${wrong}` })).status).toBe(400)
    expect(await refusal(daemon, { path: '/api/items?status=open' })).toEqual({
      status: 400,
      code: 'bad_request',
    })
  })

  verifies(
    ['AC-2.1.b', 'AC-2.1.c', 'ORCH-2.1-6', 'ORCH-S5-1'],
    'twenty clients race for one item: one gets 200, all others 409 with the holder',
    async (context) => {
      await raceRounds(await open(context), 5)
    },
  )

  verifies(
    ['ORCH-2.1-4', 'ORCH-2.1-5'],
    'a claim is a POST with the agent id; it answers 200 with the item, and 409 when the item is held',
    async (context) => {
      const daemon = await open(context)
      const { number } = await addItem(daemon.client, {
        title: 'Sum is wrong',
        projectNumber: 7,
        priority: 3,
      })
      const claim = { method: 'POST', path: `/api/projects/7/issues/${number}/claim` }
      const won = await send(daemon, { ...claim, body: '{"agentId":"agent-1"}' })
      expect(won.status).toBe(200)
      expect(Item.parse((JSON.parse(won.text) as { item: unknown }).item)).toMatchObject({
        projectNumber: 7,
        number,
        title: 'Sum is wrong',
        claimedByAgentId: 'agent-1',
      })
      const lost = await send(daemon, { ...claim, body: '{"agentId":"agent-2"}' })
      expect(lost.status).toBe(409)
      expect(JSON.parse(lost.text)).toMatchObject({
        error: {
          code: 'already_claimed',
          message: `#${number} is held by agent-1.`,
          details: { holder: 'agent-1' },
        },
      })
    },
  )

  verifies(
    'AC-4.4.d',
    'an item that the crew has made for itself is queued by its priority as any other, and any agent may claim it',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      const labels = ['agent-generated', 'category:security']
      for (const agentId of ['agent-4', 'agent-5', 'agent-6'] as const) {
        const byHand = await addItem(client, { title: 'Made by a person', priority: 2 })
        const ref = await addItem(client, { title: 'Made by the crew', priority: 1, labels })
        const { items } = await client.queue({ query: { limit: 1_000 } })
        const place = items.findIndex(({ number }) => number === ref.number)
        expect(items[place]).toMatchObject({ title: 'Made by the crew', labels })
        expect(place).toBeLessThan(items.findIndex(({ number }) => number === byHand.number))
        const { claim } = await take(daemon, ref, agentId)
        expect(claim.item).toMatchObject({ number: ref.number, claimedByAgentId: agentId })
      }
    },
  )

  test('the same request again, also at the same time, gets the same claim', async (context) => {
    const { client } = await open(context)
    const ref = await addItem(client)
    const body = { agentId: 'agent-3', requestId: randomUUID() }
    const ask = () => client.claimItem({ params: path(ref), body })
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    answers.push(await ask())
    expect(new Set(answers.map(({ fence }) => fence))).toEqual(new Set([1]))
    expect(new Set(answers.map(({ run }) => run.id)).size).toBe(1)
    const { runs, events } = await client.showItem({ params: path(ref) })
    expect(runs).toHaveLength(1)
    expect(events.filter(({ event }) => event.type === 'claim.taken')).toHaveLength(1)
  })

  test('another request of the holder gets 409, and so does the same request id of another agent', async (context) => {
    const { client } = await open(context)
    const ref = await addItem(client)
    const requestId = randomUUID()
    const claim = (agentId: string, id: string | undefined) =>
      client.claimItem({
        params: path(ref),
        body: { agentId, ...(id === undefined ? {} : { requestId: id }) },
      })
    await claim('agent-4', requestId)
    const others = [
      ['agent-4', randomUUID()],
      ['agent-4', undefined],
      ['agent-5', requestId],
    ] as const
    for (const [agentId, id] of others) {
      const refused = await claim(agentId, id).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(ApiError)
      expect(refused).toMatchObject({ status: 409, code: 'already_claimed', details: { holder: 'agent-4' } })
    }
  })

  test('a request that is repeated after its claim was lost does not claim again', async (context) => {
    const { client } = await open(context)
    const ref = await addItem(client)
    const body = { agentId: 'agent-6', requestId: randomUUID() }
    const first = await client.claimItem({ params: path(ref), body })
    await client.releaseItem({ params: path(ref), body: {} })
    const again = await client.claimItem({ params: path(ref), body })
    expect([again.fence, again.run.id]).toEqual([first.fence, first.run.id])
    const { item, runs } = await client.showItem({ params: path(ref) })
    expect(item).toMatchObject({ state: 'backlog', claimedByAgentId: null, fence: first.fence })
    expect(runs).toHaveLength(1)
  })

  test('an unknown item is 404 and a malformed agent id is 400', async (context) => {
    const daemon = await open(context)
    const { number } = await addItem(daemon.client)
    const claim = (issue: number, agentId: unknown) =>
      refusal(daemon, {
        method: 'POST',
        path: `/api/projects/1/issues/${issue}/claim`,
        body: JSON.stringify({ agentId }),
      })
    expect(await claim(999_999, 'agent-1')).toEqual({ status: 404, code: 'not_found' })
    const malformed = [
      'agent-0',
      'agent-01',
      'agent-',
      'Agent-1',
      ' agent-1',
      'agent-1\n',
      '../agent-1',
      '',
      1,
      null,
    ]
    for (const agentId of [...malformed, ['agent-1'], { id: 'agent-1' }, 'agent-99999', 'x'.repeat(5_000)])
      expect(await claim(number, agentId), JSON.stringify(agentId)).toEqual({
        status: 400,
        code: 'bad_request',
      })
    const { item } = await daemon.client.showItem({ params: path({ projectNumber: 1, number }) })
    expect(item.claimedByAgentId).toBeNull()
    expect((await daemon.client.listAgents()).items.map(({ id }) => id)).not.toContain('agent-0')
  })
})
