// What makes a process of the daemon: arguments, environment, signals, log and exit code.
import module from 'node:module'
import { parseArgs } from 'node:util'
import { EXIT_LOCKED, workspacePaths } from '@treadle/contracts/workspace'
import { Fault, messageOf } from '@treadle/flow/fault'
import { useGitLauncher } from '@treadle/git/git-launcher'
import pino from 'pino'
import { recordCrash } from './crash-note.ts'
import { readEnv } from './env.ts'
import { giveBackMemorySoon } from './give-back-memory.ts'
import { watchParent } from './parent-watch.ts'
import { Refusal } from './refusal.ts'
import { startDaemon } from './start.ts'

export async function runProcess(): Promise<never> {
  try {
    await runToEnd()
    process.exit(0)
  } catch (error) {
    const told = error instanceof Fault || error instanceof Refusal ? error : null
    process.stderr.write(
      `${messageOf(error)}${told?.hint ? `\n${told.hint}` : ''}\n${told === null && error instanceof Error ? `${error.stack}\n` : ''}`,
    )
    process.exit(error instanceof Fault && error.kind === 'store_locked' ? EXIT_LOCKED : 1)
  }
}

async function runToEnd(): Promise<void> {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      agents: { type: 'string' },
      'no-trial': { type: 'boolean', default: false },
      ideas: { type: 'boolean', default: false },
      'die-with': { type: 'string' },
    },
  })
  const { workspace, agents } = values
  if (workspace === undefined) throw new Fault('usage', 'daemon: --workspace DIR is needed')
  const out = pino.destination({ dest: 1, sync: true })
  let lost = 0
  // A line that a full disk does not take must not end the request, or the daemon, that writes it.
  out.on('error', () => {
    lost += 1
  })
  const log = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, out)
  recordCrash(workspacePaths(workspace).crash, { log, now: () => new Date() })
  // Now, while this process is small itself.
  useGitLauncher()
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => ending.abort(signal))
  if (values['die-with'] !== undefined)
    watchParent(Number(values['die-with']), () => ending.abort('the process that it was to end with is gone'))
  const daemon = await startDaemon({
    workspace,
    env: readEnv(),
    log,
    trial: !values['no-trial'],
    ideas: values.ideas,
    signal: ending.signal,
    ...(agents === undefined ? {} : { agents: Number(agents) }),
  })
  // Written now, for whoever is killed writes nothing.
  module.flushCompileCache()
  giveBackMemorySoon()
  await daemon.ended
  if (lost > 0) process.stderr.write(`${lost} lines of the log could not be written\n`)
}
