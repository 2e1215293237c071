// Reads a report in a thread of its own, for a bounded time: what tests print is anybody's text, and a process that
// answers others must not stand still over it.
import { Worker } from 'node:worker_threads'
import type { ReportFormat, TestReport } from '@treadle/contracts/gate'
import { readEndOfOutput, readReport } from './read-report.ts'

/** What is to be read, and as what. */
export interface ReportText {
  readonly text: string
  readonly cwd: string
  readonly format?: ReportFormat | undefined
  /** Only the end of an output is there. */
  readonly end?: boolean
}

export type ReadApart =
  | { readonly is: 'read'; readonly report: TestReport | null }
  /** It was not read to its end; `why` says it in words. */
  | { readonly is: 'not_read'; readonly why: string }

export interface ReadLimits {
  /** How long one report may take. */
  readonly msMax: number
  /** Texts up to this length are read in place: a thread costs more than the worst of them. */
  readonly charsInPlace: number
}

const usual: ReadLimits = { msMax: 60_000, charsInPlace: 32 * 1024 }
const heapMegabytesMax = 2_048

/** One text, read as its length allows. */
export function readNow({ text, cwd, format, end }: ReportText): TestReport | null {
  return end ? readEndOfOutput(text, cwd) : readReport(text, cwd, format)
}

export async function readApart(asked: ReportText, limits: ReadLimits = usual): Promise<ReadApart> {
  if (asked.text.length <= limits.charsInPlace) return { is: 'read', report: readNow(asked) }
  const { promise, resolve } = Promise.withResolvers<ReadApart>()
  const worker = new Worker(new URL('./report-thread.ts', import.meta.url), {
    workerData: asked,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    env: {},
    stdin: false,
  })
  const timer = setTimeout(() => resolve({ is: 'not_read', why: tooLong(asked, limits) }), limits.msMax)
  worker.once('message', (report: TestReport | null) => resolve({ is: 'read', report }))
  worker.once('error', (error) =>
    resolve({ is: 'not_read', why: `the test report could not be read: ${error.message}` }),
  )
  worker.once('exit', () =>
    resolve({ is: 'not_read', why: 'the test report could not be read: its reader ended' }),
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function tooLong({ text }: ReportText, { msMax }: ReadLimits): string {
  const megabytes = (text.length / 1024 ** 2).toFixed(1)
  return `the test report (${megabytes} MB) could not be read within ${msMax / 1_000} s`
}
