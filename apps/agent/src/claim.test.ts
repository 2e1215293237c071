import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@treadle/contracts/client'
import type { Clock } from '@treadle/flow/ports/clock'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, expect } from 'vitest'
import { claim } from './claim.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A port on which requests are answered as told, then refused. */
async function daemonThat(answers: readonly number[]) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const status = answers[seen.length]
      seen.push(JSON.parse(body).requestId)
      if (status === undefined) return request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          error: {
            code: status === 409 ? 'already_claimed' : 'store_unavailable',
            message: 'no',
            hint: 'later',
          },
        }),
      )
    })
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const client = createClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 't',
  })
  return { seen, home: { client: () => client } }
}

function clockThatNotes() {
  const slept: number[] = []
  const clock: Clock = {
    now: () => new Date(0),
    sleep: async (ms) => {
      slept.push(ms)
    },
  }
  return { slept, clock }
}
const item = { projectNumber: 1, number: 2 }
const never = new AbortController().signal

verifies(
  ['ORCH-2.1-8', 'AC-2.1.e'],
  'a daemon that cannot be reached is asked again after 1, 2 and 4 s, then no more',
  async () => {
    const { seen, home } = await daemonThat([])
    const { slept, clock } = clockThatNotes()
    const said: string[] = []
    expect(
      await claim({ id: 'agent-1', home, clock, log: (text) => said.push(text) }, item, never),
    ).toBeNull()
    expect(slept).toEqual([1_000, 2_000, 4_000])
    expect(seen).toHaveLength(4)
    // One request, asked four times: the daemon can tell.
    expect(new Set(seen).size).toBe(1)
    expect(said).toEqual([expect.stringContaining('claim of #2')])
  },
)

verifies('ORCH-2.1-8', 'errors of the daemon are retried too, a lost race is not', async () => {
  const failing = await daemonThat([503, 500, 409])
  const { slept, clock } = clockThatNotes()
  expect(
    await claim({ id: 'agent-1', home: failing.home, clock, log: () => undefined }, item, never),
  ).toBeNull()
  expect(slept).toEqual([1_000, 2_000])
  expect(failing.seen).toHaveLength(3)
})
