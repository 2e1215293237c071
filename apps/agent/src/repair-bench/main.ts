// treadle repair bench --from-history: measures the repair engine on the fixes in a repository's own history.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Fault } from '@treadle/flow/fault'
import { openGit } from '@treadle/git/git'
import { complain } from '../end.ts'
import { readEnv } from '../env.ts'
import { bench } from './bench.ts'
import { dataOf, tableOf } from './report.ts'

const LIMIT = 40
const SECONDS = 20
const GRACE_MS = 10_000
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
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop(ending, name))
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
  })
  process.stdout.write(`${values.json ? JSON.stringify(dataOf(run), null, 2) : tableOf(run)}\n`)
  return run.isStopped ? STOPPED : 0
}

function positive(name: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given)
  if (Number.isFinite(value) && value > 0) return value
  throw new Fault('usage', `repair bench: --${name} wants a number above 0, not ${given}`)
}

/** Runners end with this process, so a step that does not heed the signal is not waited for for ever. */
function stop(ending: AbortController, name: string): void {
  if (ending.signal.aborted) process.exit(STOPPED)
  process.stderr.write(`${name}: stopping\n`)
  ending.abort(new Fault('stopped', name))
  sleep(GRACE_MS, null, { ref: false }).then(() => process.exit(STOPPED), complain)
}

main().then((code) => process.exit(code), complain)
