// Where no sandbox keeps the owner's key from the crew, a decision wants a code that only the owner is shown.
import { ApiError, createClient } from '@treadle/contracts/client'
import { afterEach, expect, test } from 'vitest'
import { daemonLog } from '../kit/daemon.ts'
import { expectTold } from '../kit/feed.ts'
import { begin, deliver, itemOf, path, type Work } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'

const clock = new LedClock()
const open = useInProcess('any', {
  clock,
  probe: async () => ({ is: 'none', why: 'bubblewrap is not installed' }),
  settings: {
    sandbox: { mode: 'auto', show: [] },
    merge: { approval: 'human' },
    approval: { confirm: 'auto' },
  },
})

let delivered = 0
async function delivery(daemon: InProcessDaemon): Promise<Work> {
  delivered += 1
  const work = await begin(daemon)
  await deliver(daemon.workspace, work, { [`file-${delivered}.txt`]: 'right\n' })
  return work
}

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  )
  if (error instanceof ApiError) return error
  throw new Error(`not refused: ${error}`)
}

const approve = ({ client }: InProcessDaemon, work: Work, code?: string) =>
  client.approveItem({ params: path(work.ref), body: { by: 'ada', ...(code === undefined ? {} : { code }) } })

async function codeFor({ client }: InProcessDaemon, { ref }: Work): Promise<string> {
  const { items } = await client.listCodes()
  const code = items.find(({ what }) => what === `approve #${ref.number}`)?.code
  if (code === undefined) throw new Error(`no code to approve #${ref.number}`)
  return code
}

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

// Wrong codes of one test are none of the next.
afterEach(() => clock.pass(3_600_000))

test('the first request is answered with what is wanted, and the code makes the decision, which says so', async (context) => {
  const daemon = await open(context)
  const work = await delivery(daemon)
  expect((await daemon.client.workspace()).decisions).toEqual({
    restsOn: 'code',
    code: true,
    why: 'bubblewrap is not installed',
  })
  const asked = await refusal(approve(daemon, work))
  expect(asked).toMatchObject({ status: 409, code: 'code_needed' })
  expect(asked.hint).toContain('treadle open')
  expect(await itemOf(work)).toMatchObject({ state: 'in_review', approval: null })
  const code = await codeFor(daemon, work)
  expect(JSON.stringify(asked)).not.toContain(code)
  const approved = await approve(daemon, work, code)
  expect(approved.approval).toMatchObject({ kind: 'human', by: 'ada', restsOn: 'code' })
})

test('the crew is shown no code: not by its route, not in the events, not in the log', async (context) => {
  const daemon = await open(context)
  const crew = createClient({ url: daemon.url, token: daemon.token })
  const work = await delivery(daemon)
  await refusal(approve(daemon, work))
  const code = await codeFor(daemon, work)
  expect(await refusal(crew.listCodes())).toMatchObject({ status: 403, code: 'owner_key_needed' })
  const { items } = await crew.newestEvents({ query: { limit: 1_000 } })
  expect(JSON.stringify(items)).not.toContain(code)
  expect(daemonLog(daemon.workspace)).not.toContain(code)
  expect(await refusal(crew.approveItem({ params: path(work.ref), body: { code } }))).toMatchObject({
    status: 403,
  })
})

test('a code is good once, for what it was shown for, and for two minutes', async (context) => {
  const daemon = await open(context)
  const [one, two] = [await delivery(daemon), await delivery(daemon)]
  await refusal(approve(daemon, one))
  const code = await codeFor(daemon, one)
  expect(await refusal(approve(daemon, two, code))).toMatchObject({ code: 'code_needed' })
  expect((await approve(daemon, one, code)).approval).not.toBeNull()
  expect(await refusal(approve(daemon, one, code))).toMatchObject({ code: 'code_needed' })
  const late = await codeFor(daemon, two)
  clock.pass(121_000)
  expect(await refusal(approve(daemon, two, late))).toMatchObject({ code: 'code_needed' })
  expect(await itemOf(two)).toMatchObject({ state: 'in_review' })
})

test('three wrong tries use a code up, and ten of them shut the door for a while', async (context) => {
  const daemon = await open(context)
  const work = await delivery(daemon)
  await refusal(approve(daemon, work))
  const first = await codeFor(daemon, work)
  for (let tries = 0; tries < 3; tries += 1) await refusal(approve(daemon, work, other(first)))
  expect(await codeFor(daemon, work)).toHaveLength(6)
  // A new code was drawn, so that the old one opens nothing but by chance.
  for (let tries = 0; tries < 7; tries += 1)
    await refusal(approve(daemon, work, other(await codeFor(daemon, work))))
  const right = (await daemon.client.listCodes()).items.at(-1)?.code ?? '000000'
  const shut = await refusal(approve(daemon, work, right))
  expect(shut.message).toContain('Too many wrong codes')
  clock.pass(601_000)
  await refusal(approve(daemon, work))
  expect((await approve(daemon, work, await codeFor(daemon, work))).approval?.restsOn).toBe('code')
})

test('whoever waits for codes hears of one as it is asked for; stopping everyone wants none', async (context) => {
  const daemon = await open(context)
  const work = await delivery(daemon)
  const known = (await daemon.client.listCodes()).items.map(({ id }) => id).join(',')
  const waiting = daemon.client.listCodes({ query: { waitMs: 20_000, known } })
  await refusal(approve(daemon, work))
  expect((await waiting).items.map(({ what }) => what)).toContain(`approve #${work.ref.number}`)
  const paused = await daemon.client.giveOrder({ body: { order: { is: 'pause_all' } } })
  expect(paused.order).toBe('pause_all')
  const resume = daemon.client.giveOrder({ body: { order: { is: 'resume_all' } } })
  expect(await refusal(resume)).toMatchObject({ code: 'code_needed' })
})

test('what is decided so is in the receipt of the merge, and in the log of orders', async (context) => {
  const daemon = await open(context)
  const work = await delivery(daemon)
  await refusal(approve(daemon, work))
  await approve(daemon, work, await codeFor(daemon, work))
  await expect.poll(async () => (await itemOf(work)).state, { timeout: 60_000, interval: 200 }).toBe('done')
  const kept = await daemon.client.showReceipt({ params: path(work.ref) })
  expect(kept.receipt?.predicate.review).toMatchObject({ kind: 'human', by: 'ada', restsOn: 'code' })
  await expectTold(daemon.client, { type: 'order.given' }).toContainEqual(
    expect.objectContaining({ target: `#${work.ref.number}`, restsOn: 'code' }),
  )
})

test('never: no code is wanted, and the approval says that it rests on nothing', async (context) => {
  const daemon = await open(context)
  const { workspace, client } = daemon
  const settings = { tests: { command: 'true' }, merge: { approval: 'human' } }
  workspace.setConfig({ ...settings, approval: { confirm: 'never' } })
  await expect
    .poll(async () => (await client.workspace()).decisions, { timeout: 30_000 })
    .toMatchObject({ restsOn: 'nothing', code: false })
  const approved = await approve(daemon, await delivery(daemon))
  expect(approved.approval).toMatchObject({ kind: 'human', restsOn: 'nothing' })
})
