// treadle repair bench --from-history: measures the repair engine on the fixes in a repository's own history.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Fault } from '@treadle/flow/fault'
import { openGit } from '@treadle/git/git'
import { complain } from '../end.ts'
import { readEnv } from '../env.ts'
import { type BenchRun, bench } from './bench.ts'
import { dataOf, tableOf } from './report.ts'

const LIMIT = 40
const SECONDS = 20
/** Whoever asks for the end has it within three seconds, with the figures so far. */
const GRACE_MS = 2_200
const STOPPED = 130

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'from-history': { type: 'string' },
      limit: { type: 'string' },
      seconds: { type: 'string' },
      since: { type: 'string' },
      tsc: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  const repository = values['from-history']
  if (repository === undefined) throw new Fault('usage', 'repair bench: --from-history REPOSITORY is needed')
  const ending = new AbortController()
  const print = (run: BenchRun) =>
    process.stdout.write(`${values.json ? JSON.stringify(dataOf(run), null, 2) : tableOf(run)}\n`)
  let soFar: BenchRun | null = null
  const end = () => {
    if (soFar !== null) print({ ...soFar, isStopped: true })
    process.exit(STOPPED)
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop(ending, name, end))
  const env = readEnv()
  const run = await bench({
    git: openGit({ repository: resolve(repository), env }),
    limit: positive('limit', values.limit, LIMIT),
    seconds: positive('seconds', values.seconds, SECONDS),
    since: values.since ?? null,
    env,
    tsc: values.tsc === undefined ? null : resolve(values.tsc),
    signal: ending.signal,
    tell: (text) => process.stderr.write(`${text}\n`),
    onProgress: (progress) => {
      soFar = progress
    },
  })
  print(run)
  return run.isStopped ? STOPPED : 0
}

function positive(name: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given)
  if (Number.isFinite(value) && value > 0) return value
  throw new Fault('usage', `repair bench: --${name} wants a number above 0, not ${given}`)
}

/** Runners end with this process, so a step that does not heed the signal is not waited for. */
function stop(ending: AbortController, name: string, end: () => void): void {
  // A terminal sends it to us and to whoever started us, who hands it on.
  if (ending.signal.aborted) return
  process.stderr.write(`${name}: stopping\n`)
  ending.abort(new Fault('stopped', name))
  setTimeout(end, GRACE_MS).unref()
}

main().then((code) => process.exit(code), complain)
