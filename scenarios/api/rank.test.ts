// The order of the queue is the owner's: what is moved is claimed where it was put.
import { ApiError } from '@treadle/contracts/client'
import { beforeEach, expect, test } from 'vitest'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { addItem, path, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'

const open = useInProcess('any', { settings: { tests: { command: 'true' }, merge: { approval: 'never' } } })
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const queue = async () => (await daemon.client.queue()).items.map(({ number }) => number)
const edit = (number: number, changes: object) =>
  daemon.client.editItem({ params: path({ projectNumber: 1, number }), body: { by: 'ada', ...changes } })
/** Adds items, and withdraws what was there. */
const add = async (priorities: readonly (number | null)[]): Promise<number[]> => {
  for (const number of await queue())
    await daemon.client.withdrawItem({ params: path({ projectNumber: 1, number }), body: {} })
  const added: number[] = []
  for (const priority of priorities) added.push((await addItem(daemon.client, { priority })).number)
  return added
}

test('agents are offered items by priority, then by rank, then by age', async () => {
  const { client } = daemon
  const [a = 0, b = 0, c = 0, urgent = 0] = await add([null, null, null, 1])
  expect(await queue()).toEqual([urgent, a, b, c])
  await edit(c, { rank: 'first' })
  await edit(a, { rank: 'last' })
  expect(await queue()).toEqual([urgent, c, b, a])
  const later = await addItem(client)
  expect(await queue()).toEqual([urgent, c, b, a, later.number])
  // Beside an item of another priority, it has that priority; the event says both.
  await edit(b, { rank: `before:${urgent}` })
  expect(await queue()).toEqual([b, urgent, c, a, later.number])
  const { item, events } = await client.showItem({ params: path({ projectNumber: 1, number: b }) })
  expect(item.priority).toBe(1)
  expect(events.at(-1)?.event).toMatchObject({
    type: 'item.edited',
    by: 'ada',
    changes: { rank: `before:${urgent}`, priority: 1 },
  })
  // What an agent claims is what it is told to, one after the other.
  const claimed: number[] = []
  for (const agentId of ['agent-81', 'agent-82', 'agent-83'] as const) {
    const next = (await queue())[0] ?? 0
    claimed.push((await take(daemon, { projectNumber: 1, number: next }, agentId)).claim.item.number)
  }
  expect(claimed).toEqual([b, urgent, c])
})

test('many moves at once lose none, and a hundred into one gap find their place', async () => {
  const numbers = await add([null, null, null, null, null, null])
  const [first = 0, second = 0, ...rest] = numbers
  await Promise.all(rest.map((number) => edit(number, { rank: `before:${first}` })))
  const moved = await queue()
  expect(moved.toSorted((a, b) => a - b)).toEqual(numbers)
  expect(moved.slice(-2)).toEqual([first, second])
  for (let turn = 0; turn < 100; turn += 1) await edit(rest[turn % 2] ?? 0, { rank: `before:${first}` })
  expect((await queue()).slice(-4)).toEqual([rest[0], rest[1], first, second])
})

test('a place that is none is refused and changes nothing', async () => {
  const [a = 0, b = 0] = await add([null, null])
  const refused = async (number: number, rank: string) => {
    const error = await edit(number, { rank }).catch((thrown: unknown) => thrown)
    return error instanceof ApiError ? [error.status, error.message] : error
  }
  expect(await refused(a, 'before:99999')).toEqual([400, 'body.rank: there is no item #99999'])
  expect(await refused(a, `after:${a}`)).toEqual([400, `body.rank: #${a} cannot be moved beside itself`])
  for (const odd of ['top', 'before:', 'before:0', 'before:1e9', 'after:-1', `before:${b};drop`])
    expect(await refused(a, odd)).toEqual([400, expect.any(String)])
  expect(await queue()).toEqual([a, b])
})

test('the command line moves an item and says where to', async () => {
  const [a = 0, b = 0] = await add([null, null])
  const run = (...args: string[]) => treadle(daemon.workspace, ['edit', ...args])
  const moved = await run(`${b}`, '--rank', `before:#${a}`)
  expect([moved.code, moved.stdout]).toEqual([0, `Edited #${b}: before #${a}\n`])
  expect(await queue()).toEqual([b, a])
  expect((await run(`${b}`, '--rank', 'last')).stdout).toContain('last of its priority')
  expect(await queue()).toEqual([a, b])
  const odd = await run(`${b}`, '--rank', 'top')
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('before:<number>')])
})
