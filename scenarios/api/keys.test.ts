// Two powers, two keys: what the crew key opens, what it does not, and in whose name things are recorded.
import { type RouteName, routes } from '@treadle/contracts/api'
import { createClient, fillPath } from '@treadle/contracts/client'
import type { Route } from '@treadle/contracts/route'
import { expect, test } from 'vitest'
import { addItem, begin, deliver, itemOf, path } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { readProblem, send } from '../kit/raw-http.ts'

const open = useInProcess('any', { settings: { merge: { approval: 'human' } } })

const EXAMPLE: Readonly<Record<string, string>> = {
  projectNumber: '1',
  issueNumber: '1',
  id: 'agent-1',
  order: 'start',
  act: 'recover',
}
const TABLE = Object.entries(routes) as [RouteName, Route][]

/** Everything that changes something and that the crew may do. What is not here wants the owner's key. */
const CREW_MAY_CHANGE: readonly RouteName[] = [
  'addItem',
  'startRun',
  'beginModelCall',
  'claimItem',
  'createProject',
  'markCategoryUsed',
  'recordSelfGenerated',
  'heartbeat',
  'openSession',
  'endModelCall',
  'endSession',
  'reportRun',
  'recallForRun',
  'takeFiles',
  'recordLesson',
  'askQuestion',
  'enqueueReview',
  'claimReview',
  'answerThought',
  'claimThought',
  'sayThought',
  'logCost',
  'reserveCost',
  'restModel',
  'settleCost',
]

const DECIDES: readonly RouteName[] = [
  'approveItem',
  'approveSpecification',
  'rejectItem',
  'reopenItem',
  'revertItem',
  'resolveConflict',
  'settleConflict',
  'giveOrder',
  'answerQuestion',
  'guideRun',
]

test('every route that changes something is decided: the crew may do these, and nothing else', () => {
  const changing = TABLE.filter(([, { method }]) => method === 'POST')
  const crew = changing.filter(([, { key }]) => key === 'crew').map(([name]) => name)
  expect(crew.toSorted()).toEqual(CREW_MAY_CHANGE.toSorted())
  // What decides for the owner wants his key, and a code where nothing hides that.
  const deciding = TABLE.filter(([, { decides }]) => decides)
  expect(deciding.map(([name]) => name).toSorted()).toEqual(DECIDES.toSorted())
  expect(deciding.every(([, { key }]) => key === 'owner')).toBe(true)
  expect(TABLE.filter(([, { key }]) => key === 'none').map(([name]) => name)).toEqual(['health'])
})

test('with the crew key alone, whatever wants the owner is refused with 403 and says what to do', async (context) => {
  const daemon = await open(context)
  const owners = TABLE.filter(([, { key }]) => key === 'owner')
  expect(owners.length).toBeGreaterThan(20)
  for (const [name, route] of owners) {
    const answer = await send(daemon, {
      method: route.method,
      path: fillPath(route.path, EXAMPLE),
      token: daemon.token,
      ...(route.method === 'POST' ? { body: '{"by":"human"}' } : {}),
    })
    expect([answer.status, readProblem(answer).code], name).toEqual([403, 'owner_key_needed'])
    expect(readProblem(answer).hint, name).toContain('treadle')
  }
})

test('whoever has only the crew key cannot approve, reject or answer; the owner can', async (context) => {
  const daemon = await open(context)
  const crew = createClient({ url: daemon.url, token: daemon.token })
  const work = await begin({ client: crew })
  await deliver(daemon.workspace, work, { 'approved.txt': 'by nobody yet\n' })
  const params = path(work.ref)
  for (const attempt of [
    () => crew.approveItem({ params, body: { by: 'the-owner' } }),
    () => crew.rejectItem({ params, body: { by: 'the-owner', feedback: 'no' } }),
    () => crew.withdrawItem({ params, body: {} }),
    () => crew.giveOrder({ body: { order: { is: 'stop_all' } } }),
    () => crew.shutdown({ body: {} }),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'owner_key_needed' })
  expect(await itemOf(work)).toMatchObject({ state: 'in_review', approval: null })
  const approved = await daemon.client.approveItem({ params, body: { by: 'ada' } })
  expect(approved.approval).toMatchObject({ kind: 'human', by: 'ada' })
})

test('the crew key cannot speak in the name of a person: what it says is recorded as the agent’s', async (context) => {
  const daemon = await open(context)
  const crew = createClient({ url: daemon.url, token: daemon.token })
  const text = '/project-create testing: Theirs, too\n\nFew tests.\n\nAcceptance Criteria:\n- More tests\n'
  const [mine, theirs, thought] = [
    await daemon.client.addItem({ body: { title: 'Mine', by: 'ada' } }),
    await crew.addItem({ body: { title: 'Theirs', by: 'human' } }),
    await crew.createProject({ body: { text, by: 'ada' } }),
  ]
  const by = async (number: number) => {
    const { events } = await crew.showItem({ params: { projectNumber: 1, issueNumber: number } })
    return events.flatMap(({ event }) => (event.type === 'item.added' ? [event.by] : []))
  }
  expect(await by(mine.number)).toEqual(['ada'])
  expect(await by(theirs.number)).toEqual(['agent'])
  expect(await by(thought.number)).toEqual(['agent'])
  const lesson = { type: 'gotcha', content: 'Trust me.', topic: 'keys' } as const
  const told = await crew.recordLesson({ body: { ...lesson, discoveredBy: 'the-owner' } })
  expect(told.lesson.discoveredBy).toBe('agent')
})

test('the event stream is read with either key and with no other', async (context) => {
  const daemon = await open(context)
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const headers = { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
  const first = async (token: string) => {
    const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/api/events/stream`, [
      'treadle',
      `token.${token}`,
    ])
    return new Promise<string>((done) => {
      socket.addEventListener('open', () => done('open'))
      socket.addEventListener('error', () => done('refused'))
    }).finally(() => socket.close())
  }
  expect(await first(daemon.token)).toBe('open')
  expect(await first(daemon.ownerKey)).toBe('open')
  expect(await first('0'.repeat(64))).toBe('refused')
  expect((await send(daemon, { path: '/api/events/stream', headers, token: null })).status).toBe(401)
})

test('a key that is neither is no key, whichever half of one it has', async (context) => {
  const daemon = await open(context)
  await addItem(daemon.client)
  for (const token of [daemon.ownerKey.slice(0, 63), `${daemon.ownerKey}0`, daemon.token.toUpperCase()])
    expect((await send(daemon, { path: '/api/items', token })).status).toBe(401)
  for (const token of [daemon.ownerKey, daemon.token])
    expect((await send(daemon, { path: '/api/items', token })).status).toBe(200)
})
