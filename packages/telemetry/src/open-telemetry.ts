// Takes each accepted report once and shows it to whoever is to see it. Never waits and never throws.
import type { TelemetryConfig } from '@treadle/contracts/config/telemetry'
import type { RunReport } from '@treadle/contracts/event'
import type { Exporters } from './exporters.ts'
import { type MeasureContext, measure } from './measure.ts'

export interface Log {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

export interface Telemetry {
  /** Is there anybody to see it? If not, gathering a context is a waste. */
  readonly on: boolean
  record(report: RunReport, context: MeasureContext): void
  /** Sends what is left, but not for longer than a moment. */
  shutdown(): Promise<void>
}

const FLUSH_MS_MAX = 2_000
/** Reports that come while the SDK is being loaded. */
const EARLY_MAX = 1_000

const OFF: Telemetry = { on: false, record: () => undefined, shutdown: async () => undefined }

export function openTelemetry({ config, log }: { config: TelemetryConfig; log: Log }): Telemetry {
  if (config.otlpEndpoint === null && config.prometheusPort === null) return OFF
  let early: (() => void)[] | null = []
  let exporters: Exporters | null = null
  const give = (report: RunReport, context: MeasureContext) => {
    try {
      for (const measurement of measure(report, context)) exporters?.play(measurement)
    } catch (error) {
      log.warn({ why: String(error), type: report.type }, 'a report was not measured')
    }
  }
  const opening = load(config, log).then((opened) => {
    exporters = opened
    for (const late of early ?? []) late()
    early = null
  })
  return {
    on: true,
    record(report, context) {
      if (early === null) give(report, context)
      else if (early.length < EARLY_MAX) early.push(() => give(report, context))
    },
    shutdown: () =>
      within(FLUSH_MS_MAX, async () => {
        await opening
        await exporters?.close()
      }).catch((error: unknown) => log.warn({ why: String(error) }, 'the last measurements were not sent')),
  }
}

async function load(config: TelemetryConfig, log: Log): Promise<Exporters | null> {
  try {
    const { openExporters } = await import('./exporters.ts')
    return await openExporters(config, log)
  } catch (error) {
    log.warn({ why: String(error) }, 'telemetry does not work')
    return null
  }
}

async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${ms} ms`)), ms)
  try {
    await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
