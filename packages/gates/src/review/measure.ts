// The measure of an item: its command on the base and on the head, in turns, in the surroundings of the tests.
import type { Measure, MeasureFound } from '@treadle/contracts/measure'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { changedJudges } from '../integrity/judges.ts'
import { type GateOptions, runGateCommand } from '../tests.ts'
import { judgeMeasure, type MeasureRun } from './decide-measure.ts'
import { readHead } from './head.ts'

/** Each side is measured so often, so that noise does not count as an improvement. */
const TIMES = 2

export interface Measured {
  readonly found: MeasureFound
  /** The runs, for people. */
  readonly lines: readonly string[]
}

/** What the measure says of the change; null if the item has none, or the run was interrupted. */
export async function takeMeasure(
  options: GateOptions,
  request: ReviewChecksRequest,
): Promise<Measured | null> {
  const { measure } = request.item
  if (measure === null) return null
  const [rewritten] = await changedJudges({
    commands: [measure.command],
    changed: request.changed,
    readBase: (path) => request.readBase(path),
    readHead: (path) => readHead(request.cwd, path),
  })
  if (rewritten !== undefined) return unknown(`the change touches ${rewritten.file}, which the measure runs`)
  // Neither has been tested in: what tests leave behind must not count.
  const used = await request.withBase((base) =>
    request.withHead((head) => runOnBoth(options, request, { measure, base, head })),
  )
  if (request.signal?.aborted) return null
  const ran = used.is === 'used' ? used.value : used
  return ran.is === 'failed' ? unknown(`it could not be taken: ${ran.why}`) : ran.value
}

async function runOnBoth(
  options: GateOptions,
  { timeoutMs, signal }: ReviewChecksRequest,
  { measure, base, head }: { measure: Measure; base: string; head: string },
): Promise<Measured> {
  const { command, better } = measure
  const lines: string[] = []
  const runIn = async (where: string, folder: string): Promise<MeasureRun> => {
    const env = { CI: 'true', ...options.env }
    const ran = await runGateCommand(options, { command, cwd: folder, env, timeoutMs, signal })
    const ended = ran.timedOut ? 'did not end in time' : `exit code ${ran.exitCode}`
    lines.push(`the measure \`${command}\` on the ${where}: ${ended}; output ${ran.output}`)
    return ran
  }
  const runs: { base: MeasureRun[]; head: MeasureRun[] } = { base: [], head: [] }
  // In turns: a machine that gets busier or warmer meanwhile does so for both.
  for (let time = 0; time < TIMES && !signal?.aborted; time += 1) {
    runs.base.push(await runIn('base', base))
    runs.head.push(await runIn('head', head))
  }
  return { found: judgeMeasure(better, runs), lines }
}

function unknown(why: string): Measured {
  return { found: { is: 'unknown', why }, lines: [] }
}
