import { expectWithin, timed } from '@treadle/requirements/within'
import { test } from 'vitest'
import { freePort } from './collector.ts'
import { openTelemetry } from './open-telemetry.ts'
import { context, phase } from './sample.ts'

test('an endpoint that is away holds nobody up at the end for more than ten seconds', async () => {
  const log = { info: () => undefined, warn: () => undefined }
  await expectWithin(10_000, async () => {
    const config = { otlpEndpoint: `http://127.0.0.1:${await freePort()}`, prometheusPort: null }
    const telemetry = openTelemetry({ config, log })
    telemetry.record(phase({}), context())
    return timed(() => telemetry.shutdown())
  })
})
