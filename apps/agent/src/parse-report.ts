// treadle parse-report: reads what a test runner wrote or printed, and says what it says.
import { fstatSync, openSync, readSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { passRate, ReportFormat, type TestReport } from '@treadle/contracts/gate'
import { Fault, messageOf } from '@treadle/flow/fault'
import { readApart } from '@treadle/gates/reports/read-apart'

const MIB = 1024 * 1024
const BYTES_MAX = 64 * MIB
const CHUNK = 64 * 1024
const STDIN = 0

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { file: { type: 'string' }, format: { type: 'string' }, json: { type: 'boolean' } },
  })
  const { file, json } = values
  if (file === undefined) throw new Fault('usage', 'parse-report: a file is needed')
  try {
    const report = await readOrFault(file, values.format)
    process.stdout.write(json ? `${JSON.stringify(dataOf(report), null, 2)}\n` : wordsOf(report))
    return 0
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const words = error.hint === null ? error.message : `${error.message}\n${error.hint}`
    process.stderr.write(`${words}\n`)
    if (json) process.stdout.write(`${JSON.stringify({ error: error.message, hint: error.hint }, null, 2)}\n`)
    return 1
  }
}

async function readOrFault(file: string, format: string | undefined): Promise<TestReport> {
  const name = file === '-' ? 'standard input' : file
  const data = readBounded(file, name)
  if (data.length <= CHUNK && data.toString('utf8').trim() === '')
    throw new Fault('report', `${name} is empty: there is no test report in it`)
  const as = format === undefined ? undefined : ReportFormat.parse(format)
  const found = await readApart({ data: [data], cwd: process.cwd(), format: as })
  if (found.is === 'not_read') throw new Fault('report', `${name}: ${found.why}`)
  const { report } = found
  if (report !== null && report.format !== 'none') {
    const { ran: _, ...shown } = report
    return shown
  }
  const hint =
    format === undefined
      ? 'Is it the whole output of a test runner? Name the format with --format if you know it.'
      : 'Leave --format out to have it told from the content.'
  throw new Fault('report', `${name}: ${report?.warnings.join('; ')}`, { hint })
}

/** Read piece by piece: what comes through a pipe has no size that could be asked for first. */
function readBounded(file: string, name: string): Buffer {
  const tooBig = (): Fault => {
    const hint = 'Give the runner its own report file, or only the part that matters.'
    return new Fault('report', `${name} is larger than ${BYTES_MAX / MIB} MiB, which is more than is read`, {
      hint,
    })
  }
  try {
    const from = file === '-' ? STDIN : openSync(file, 'r')
    const stat = fstatSync(from)
    if (stat.isDirectory()) throw new Fault('report', `${name} is a folder; give one report file`)
    if (stat.size > BYTES_MAX) throw tooBig()
    const pieces: Buffer[] = []
    for (let bytes = 0; bytes <= BYTES_MAX; ) {
      const piece = Buffer.alloc(CHUNK)
      const length = readSome(from, piece)
      if (length === 0) return Buffer.concat(pieces)
      pieces.push(piece.subarray(0, length))
      bytes += length
    }
    throw tooBig()
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('report', `${name} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

/** A pipe that has nothing yet says so with an error; it is asked again. */
function readSome(from: number, into: Buffer): number {
  for (;;) {
    try {
      return readSync(from, into)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

function dataOf(report: TestReport) {
  const { format, total, passed, failed, skipped, warnings } = report
  const failures = report.failures.map(({ id, file, line, message, stack }) => ({
    id,
    file,
    line,
    message,
    stack,
  }))
  return { format, total, passed, failed, skipped, passRate: passRate(report), failures, warnings }
}

function wordsOf(report: TestReport): string {
  const { format, total, passed, failed, skipped } = report
  const rate = total === 0 ? 'no tests' : `${(Math.floor(passRate(report) * 1_000) / 10).toFixed(1)} % passed`
  const lines = [
    `${format}: ${total} tests, ${passed} passed, ${failed} failed, ${skipped} skipped (${rate})`,
  ]
  for (const { id, file, line, message } of report.failures) {
    const place = file === null ? 'no place given' : `${file}${line === null ? '' : `:${line}`}`
    lines.push('', `failed: ${id}`, `  ${place}`, `  ${message.split('\n')[0]}`)
  }
  if (report.warnings.length > 0) lines.push('', ...report.warnings.map((warning) => `warning: ${warning}`))
  return `${lines.join('\n')}\n`
}

process.exitCode = await main()
