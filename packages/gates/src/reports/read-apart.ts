// Reads a report in a process of its own, for a bounded time and with bounded memory: what tests print is anybody's
// text, and a process that answers others must neither stand still over it nor end with it. A thread would not do:
// one that runs out of memory takes minutes to end, and may take the whole process with it.
import { fileURLToPath } from 'node:url'
import { spawnTalking } from '@treadle/process/spawn'
import { killTree } from '@treadle/process/tree'
import { NamedReport } from './report.ts'
import { type ReportOrder, readNow } from './report-order.ts'
import type { OrderHead } from './report-process.ts'

export type ReadApart =
  | { readonly is: 'read'; readonly report: NamedReport | null }
  /** It was not read to its end; `why` says it in words. */
  | { readonly is: 'not_read'; readonly why: string }

export interface ReadLimits {
  /** How long one report may take. */
  readonly msMax: number
  /** Reports up to this length are read in place: a process costs more than the worst of them. */
  readonly bytesInPlace: number
}

const usual: ReadLimits = { msMax: 60_000, bytesInPlace: 32 * 1024 }
const heapMegabytesMax = 1_024
/** What a report, with as many failures as one lists, can have at most. */
const answerBytesMax = 64 * 1024 ** 2
const errorCharsMax = 4_000
const program = fileURLToPath(new URL('./report-process.ts', import.meta.url))

export async function readApart(order: ReportOrder, limits: ReadLimits = usual): Promise<ReadApart> {
  if (sizeOf(order) <= limits.bytesInPlace) return { is: 'read', report: readNow(order) }
  const args = [`--max-old-space-size=${heapMegabytesMax}`, '--no-warnings', program]
  const child = spawnTalking(process.execPath, args, { cwd: '/', env: {} })
  const { promise, resolve } = Promise.withResolvers<ReadApart>()
  const giveUp = (why: string): void => resolve({ is: 'not_read', why })
  const timer = setTimeout(() => giveUp(tooLong(order, limits)), limits.msMax)
  const answer: Buffer[] = []
  let bytes = 0
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > answerBytesMax) giveUp('the test report could not be read: what was found in it is too long')
    else answer.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-errorCharsMax)
  })
  // The exit code tells what happened.
  child.stdin.on('error', () => child.stdin.destroy())
  child.once('error', (error) => giveUp(`the test report could not be read: ${error.message}`))
  child.once('close', (code, signal) =>
    resolve(code === 0 ? answered(answer) : { is: 'not_read', why: brokenOff(order, { signal, said }) }),
  )
  try {
    send(child.stdin, order)
    return await promise
  } finally {
    clearTimeout(timer)
    if (child.pid !== undefined && child.exitCode === null) await killTree(child.pid, 0)
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
  }
}

function send(to: ReturnType<typeof spawnTalking>['stdin'], order: ReportOrder): void {
  const { data, ...rest } = order
  const head: OrderHead = { ...rest, lengths: data.map(({ length }) => length) }
  to.write(`${JSON.stringify(head)}\n`)
  for (const part of data) to.write(part)
  to.end()
}

function answered(answer: readonly Buffer[]): ReadApart {
  const found = NamedReport.nullable().safeParse(JSON.parse(Buffer.concat(answer).toString('utf8')))
  if (found.success) return { is: 'read', report: found.data }
  return { is: 'not_read', why: 'the test report could not be read: its reader gave no report' }
}

const sizeOf = ({ data }: ReportOrder): number => data.reduce((all, { length }) => all + length, 0)
const megabytesOf = (order: ReportOrder): string => `${(sizeOf(order) / 1024 ** 2).toFixed(1)} MB`

function tooLong(order: ReportOrder, { msMax }: ReadLimits): string {
  return `the test report (${megabytesOf(order)}) could not be read within ${msMax / 1_000} s`
}

function brokenOff(order: ReportOrder, { signal, said }: { signal: string | null; said: string }): string {
  const size = `the test report (${megabytesOf(order)}) could not be read`
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || /out of memory/i.test(said))
    return `${size} within ${heapMegabytesMax} MB of memory`
  return `${size}: ${/^\w*Error: .*/m.exec(said)?.[0].slice(0, 300) ?? 'its reader ended'}`
}
