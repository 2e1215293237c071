// Each accepted report is logged and measured once, after its answer is on the way.
import type { Config } from '@treadle/contracts/config'
import type { RunReport } from '@treadle/contracts/event'
import type { RunId } from '@treadle/contracts/ids'
import type { Store } from '@treadle/flow/ports/store'
import type { Reported } from '@treadle/flow/report.run'
import { logLines } from '@treadle/telemetry/log-line'
import { isMeasured } from '@treadle/telemetry/measure'
import { openTelemetry, type Telemetry } from '@treadle/telemetry/open-telemetry'
import type { Logger } from 'pino'

export interface Measuring {
  /** Does nothing for a report that was a repetition or was turned away. */
  take(runId: RunId, event: RunReport, told: Reported): void
  /** The settings have changed. */
  reload(): void
  close(): Promise<void>
}

interface MeasuringWorld {
  readonly store: Pick<Store, 'runs'>
  readonly config: () => Config
  readonly now: () => Date
  readonly log: Logger
}

/** More than this waits only if the database does not answer; then numbers are the least worry. */
const WAITING_MAX = 1_000

export function openMeasuring({ store, config, now, log }: MeasuringWorld): Measuring {
  const open = () => openTelemetry({ config: config().telemetry, log })
  let settings = JSON.stringify(config().telemetry)
  let telemetry: Telemetry = open()
  let line: Promise<void> = Promise.resolve()
  let waiting = 0
  const inTurn = (work: () => Promise<void>) => {
    waiting += 1
    line = line
      .then(work)
      .catch((error: unknown) => log.warn({ err: error }, 'measuring'))
      .finally(() => {
        waiting -= 1
      })
  }
  return {
    take(runId, event, told) {
      if (!isMeasured(event.type) || (told.is !== 'recorded' && told.is !== 'advanced')) return
      const at = now()
      const state = told.is === 'advanced' ? told.item.state : null
      for (const { facts, message } of logLines(event, state)) log.info({ run: runId, ...facts }, message)
      if (!telemetry.on || waiting >= WAITING_MAX) return
      inTurn(async () => {
        const run = await store.runs.find(runId)
        if (run !== null) telemetry.record(event, { run, state, at })
      })
    },
    reload() {
      const wanted = JSON.stringify(config().telemetry)
      if (wanted === settings) return
      settings = wanted
      inTurn(async () => {
        await telemetry.shutdown()
        telemetry = open()
      })
    },
    async close() {
      await line
      await telemetry.shutdown()
    },
  }
}
