import { existsSync } from 'node:fs'
import { describe, expect, type TestContext, test } from 'vitest'
import { addItem, begin, itemOf, path } from '../../../scenarios/kit/hand-agent.ts'
import { useInProcess } from '../../../scenarios/kit/in-process.ts'
import { LedClock } from '../../../scenarios/kit/led-clock.ts'
import { eventually } from '../../../scenarios/kit/wait.ts'

describe('a daemon in the process of its caller', () => {
  const clock = new LedClock(new Date('2031-05-01T12:00:00Z'))
  const open = useInProcess('server', { clock })

  test('has the time of the clock that it was given', async (context) => {
    const { client } = await open(context)
    const ref = await addItem(client)
    const { item } = await client.showItem({ params: path(ref) })
    expect(item.createdAt).toBe('2031-05-01T12:00:00.000Z')
  })

  test('takes a claim back when its time is over by that clock, at once', async (context) => {
    const daemon = await open(context)
    const work = await begin(daemon)
    const { config } = await daemon.client.workspace()
    const before = performance.now()
    await eventually('the end of the claim', async () => {
      clock.pass(config.limits.claimMs)
      const { claimedByAgentId } = await itemOf(work)
      return claimedByAgentId === null ? true : undefined
    })
    expect(performance.now() - before).toBeLessThan(config.limits.claimMs)
  })
})

describe('two daemons in one process', () => {
  const [one, other] = [useInProcess('server'), useInProcess('server')]
  const both = (context: TestContext) => Promise.all([one(context), other(context)])

  test('share a database server and know nothing of each other', async (context) => {
    const [here, there] = await both(context)
    await addItem(here.client, { title: 'Only here' })
    expect((await here.client.listItems()).items).toHaveLength(1)
    expect((await there.client.listItems()).items).toEqual([])
    const refused = await fetch(`${there.url}/api/items`, {
      headers: { authorization: `Bearer ${here.token}` },
    })
    expect(refused.status).toBe(401)
  })

  test('end on an order over the API, and leave no address behind', async (context) => {
    const [here] = await both(context)
    await here.client.shutdown()
    await eventually('the end', () => (existsSync(here.workspace.paths.daemon) ? undefined : true))
    await expect(fetch(`${here.url}/health`)).rejects.toThrow()
  })
})
