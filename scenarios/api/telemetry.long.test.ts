import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@treadle/telemetry/collector'
import { expect, test } from 'vitest'
import { daemonLog, startDaemon, stopDaemon, usePlaces } from '../kit/daemon.ts'
import { begin, say } from '../kit/hand-agent.ts'
import { eventually } from '../kit/wait.ts'

const place = usePlaces('embedded')

test('an endpoint that is away and a port that is taken hold nothing up', async (context) => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port: taken } = holder.address() as AddressInfo
  const away = `http://127.0.0.1:${await freePort()}`
  const telemetry = { prometheusPort: taken, otlpEndpoint: away }
  const { workspace } = await place(context, { settings: { telemetry } })
  const daemon = await startDaemon(workspace)
  const work = await begin(daemon)
  await say(work, { type: 'item.escalated', why: 'nobody knows' })
  await eventually('the log warns', () =>
    daemonLog(workspace).includes('telemetry.prometheusPort') ? true : undefined,
  )
  await stopDaemon(daemon)
  holder.close()
  expect(daemonLog(workspace)).toContain('"msg":"loop ended"')
})
