// Reports over a line of their own: what POST /api/runs/{id}/events says, without a request for each.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { reach } from '@treadle/agent/reach'
import { createClient } from '@treadle/contracts/client'
import type { RunReport } from '@treadle/contracts/event'
import { REPORT_LINE_PATH } from '@treadle/contracts/report-line'
import { expect, onTestFinished, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { begin, itemOf, SOME_COMMIT, type Work } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any')

const observed = (output: string): RunReport => ({
  type: 'run.observed',
  observation: { tool: 'read', input: '{}', output, durationMs: 1, success: true },
})
const bodyOf = ({ claim }: Work, event: object, eventId: string = randomUUID()) =>
  JSON.stringify({ eventId, fence: claim.fence, event })

/** The feed may lag while anybody on the same server has a transaction open. */
function outputsOf({ client }: Daemon, id: string, count: number): Promise<string[]> {
  return eventually(`${count} observations`, async () => {
    const { items } = await client.runHistory({ params: { id } })
    const outputs = items.flatMap(({ event }) =>
      event.type === 'run.observed' ? [event.observation.output] : [],
    )
    return outputs.length < count ? undefined : outputs
  })
}

interface Line {
  readonly socket: Socket
  /** Sends these bytes, and waits for so many answers. */
  say(text: string, answers?: number): Promise<{ status: number; body: Record<string, unknown> }[]>
}

async function lineTo(daemon: Daemon, token: string | null, path = REPORT_LINE_PATH): Promise<Line | string> {
  const { hostname, port, host } = new URL(daemon.url)
  const socket = createConnection(Number(port), hostname).setEncoding('utf8')
  onTestFinished(() => void socket.destroy())
  const key = token === null ? '' : `authorization: Bearer ${token}\r\n`
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${key}connection: Upgrade\r\nupgrade: treadle-reports\r\n\r\n`,
  )
  let heard = ''
  let changed = Promise.withResolvers<void>()
  const change = () => {
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }
  socket.on('data', (piece: string) => {
    heard += piece
    change()
  })
  socket.on('close', change)
  socket.on('error', change)
  const until = async (isThere: () => boolean) => {
    while (!isThere() && !socket.destroyed) await changed.promise
  }
  await until(() => heard.includes('\r\n\r\n'))
  if (!heard.startsWith('HTTP/1.1 101')) return heard
  heard = heard.slice(heard.indexOf('\r\n\r\n') + 4)
  return {
    socket,
    async say(text, answers = 1) {
      socket.write(text)
      await until(() => heard.split('\n').length > answers)
      const lines = heard.split('\n')
      heard = lines.slice(answers).join('\n')
      return lines.slice(0, answers).map((line) => ({
        status: Number(line.slice(0, 3)),
        body: JSON.parse(line.slice(4)) as Record<string, unknown>,
      }))
    },
  }
}

async function openLine(daemon: Daemon): Promise<Line> {
  const line = await lineTo(daemon, daemon.token)
  if (typeof line === 'string') throw new Error(line)
  return line
}

test('reports on a line are recorded in order, once each, and answered like requests', async (context) => {
  const daemon = await open(context)
  const work = await begin(daemon)
  const line = await openLine(daemon)
  const { id } = work.claim.run
  const [first, again] = [randomUUID(), `${id} ${bodyOf(work, observed('größe ✓\nzwei'))}\n`]
  const repeated = `${id} ${bodyOf(work, observed('one'), first)}\n`
  const many = Array.from({ length: 40 }, (_, n) => `${id} ${bodyOf(work, observed(`step ${n}`))}\n`)
  const answers = await line.say([repeated, repeated, again, ...many].join(''), 43)
  expect(answers.map(({ status }) => status)).toEqual(Array(43).fill(200))
  expect(answers.map(({ body }) => body.is)).toEqual(['recorded', 'duplicate', ...Array(41).fill('recorded')])
  const whole = ['one', 'größe ✓\nzwei', ...many.map((_, n) => `step ${n}`)]
  expect(await outputsOf(daemon, id, whole.length)).toEqual(whole)
  const [moved] = await line.say(
    `${id} ${bodyOf(work, { type: 'build.started', branch: 'agent-1/project-1', base: SOME_COMMIT })}\n`,
  )
  expect(moved).toMatchObject({ status: 200, body: { is: 'advanced' } })
})

test('what is refused on a line is refused as a request is, and the line goes on', async (context) => {
  const daemon = await open(context)
  const work = await begin(daemon)
  const { id } = work.claim.run
  const line = await openLine(daemon)
  const whole = bodyOf(work, observed('x'))
  const old = JSON.stringify({ eventId: randomUUID(), fence: 99, event: observed('x') })
  const answers = await line.say(
    [
      `${id} not json`,
      `${id} `,
      '',
      `nobody ${whole}`,
      `${randomUUID()} ${whole}`,
      `${id} ${old}`,
      `${id} ${whole.replace('{', '{"__proto__":{"a":1},')}`,
      `${id} ${whole.replace('{', '{"more":1,')}`,
      `${id} ${whole}`,
    ]
      .map((text) => `${text}\n`)
      .join(''),
    9,
  )
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 409, 400, 400, 200])
  for (const { status, body } of answers)
    if (status !== 200)
      expect(body).toMatchObject({ error: { code: expect.any(String), hint: expect.any(String) } })
})

test('a report that is too long ends the line', async (context) => {
  const daemon = await open(context)
  const line = await openLine(daemon)
  const { bodyBytes } = (await daemon.client.workspace()).config.limits
  const [answer] = await line.say('x'.repeat(bodyBytes + 70_000))
  expect(answer).toMatchObject({ status: 413, body: { error: { code: 'too_large' } } })
  if (!line.socket.closed) await once(line.socket, 'close')
})

test('nobody without a key gets a line, and nobody gets one elsewhere', async (context) => {
  const daemon = await open(context)
  for (const token of [null, '', '0'.repeat(64)])
    expect(await lineTo(daemon, token)).toMatch(/^HTTP\/1\.1 401 /)
  for (const path of ['/api/runs', '/api/runs/reports/more', '/api/items', '//'])
    expect(await lineTo(daemon, daemon.token, path), path).toMatch(/^HTTP\/1\.1 404 /)
})

test('an agent reports by requests and on its line, whichever is there, and loses nothing', async (context) => {
  const daemon = await open(context)
  const work = await begin(daemon)
  const client = createClient({ url: daemon.url, token: daemon.token, fetch: reach })
  const report = (output: string) =>
    client.reportRun({
      params: { id: work.claim.run.id },
      body: { eventId: randomUUID(), fence: work.claim.fence, event: observed(output) },
    })
  for (let turn = 0; turn < 60; turn += 1) expect(await report(`${turn}`)).toMatchObject({ is: 'recorded' })
  const { state } = await itemOf(work)
  await expect(
    client.reportRun({
      params: { id: work.claim.run.id },
      body: { eventId: randomUUID(), fence: 99, event: observed('late') },
    }),
  ).rejects.toMatchObject({ status: 409, code: 'fenced', details: { state } })
  const told = await outputsOf(daemon, work.claim.run.id, 60)
  expect(told).toEqual(Array.from({ length: 60 }, (_, turn) => `${turn}`))
})
