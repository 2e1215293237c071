// up and down.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Client } from '@treadle/contracts/client'
import { isInside } from '@treadle/contracts/owner-key'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { Option } from 'commander'
import { callerName } from '../caller-name.ts'
import { showCodes } from '../confirm-code.ts'
import {
  dashboardLink,
  findAnsweringDaemon,
  findDaemon,
  type Running,
  type Start,
  startDaemon,
  stopDaemon,
} from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { endLeftovers, findLeftovers } from '../leftovers.ts'
import { paint, print, printJson, tell, withProgress } from '../output.ts'
import { showLive } from '../print-events.ts'
import { asCount, asNumber, json, type Program } from '../program.ts'
import { UserError } from '../user-error.ts'
import { findWorkspace, hasBranch } from '../workspace.ts'
import { holdLines } from './costs.ts'
import { tellOrphans } from './orphans.ts'

interface UpOptions {
  readonly agents?: number
  readonly detach?: boolean
  /** The user of the machine that engines and gates run as. */
  readonly asUser?: string
  /** False if no lesson is to be kept back from a run. */
  readonly trial?: boolean
  /** True: the crew looks for improvements itself. */
  readonly ideas?: boolean
  /** Ends the daemon with another process; for tests. */
  readonly dieWith?: number
  readonly json?: boolean
}

export function crewCommands(program: Program): void {
  const { root, env } = program
  root
    .command('up')
    .addOption(new Option('--agents <n>', 'how many agents (0: the daemon alone)').argParser(asCount(10)))
    .option('--ideas', 'look for improvements as well when the queue runs low')
    .option('--no-trial', 'keep no lesson back from a run to find out whether it helps')
    .option(
      '--as-user <name>',
      'run engines and gates as this user of the machine, where there is no sandbox',
    )
    .option('--detach', 'return once it answers')
    .addOption(new Option('--die-with <pid>', 'end with this process').argParser(asNumber).hideHelp())
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await up(findWorkspace(env), env, options)
    })
  root
    .command('down')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await down(findWorkspace(env), env, options)
    })
}

function tellSettings(
  settings: Answer<'workspace'>,
  { root }: WorkspacePaths,
  { trial = true, ideas = false }: UpOptions,
): void {
  for (const error of settings.errors) tell(paint('red', `settings: ${error}`))
  for (const warning of warningsOf(settings, root)) tell(paint('yellow', warning))
  if (settings.unconfined !== null) tell(paint('yellow', settings.unconfined))
  if (!trial && settings.config.lessons.trial)
    tell(paint('yellow', 'The daemon that is running goes on with trials. End it first: treadle down'))
  if (ideas && settings.config.flags.enable_ideation !== true)
    tell(paint('yellow', noIdeas(settings.config.flags.enable_ideation)))
}

function noIdeas(flag: boolean | undefined): string {
  return flag === false
    ? '--ideas has no effect: flags.enable_ideation is false in treadle.json, or by its rolloutStage.'
    : '--ideas has no effect on the daemon that is running. End it first: treadle down'
}

async function up(paths: WorkspacePaths, env: CliEnv, options: UpOptions): Promise<number> {
  const since = Date.now()
  // Ctrl-C is listened for from the start: a moment before the first line it must not leave a crew behind.
  const interrupted = options.detach ? null : interruption()
  const before = await findDaemon(paths, env)
  const running = before ?? (await startDaemon(paths, env, startOf(options)))
  const settings = await running.client.workspace()
  needSameUser(settings, options)
  tellSettings(settings, paths, options)
  for (const line of decisionLines(settings, env)) tell(paint('yellow', line))
  for (const line of holdLines(await running.client.costTotals())) tell(line)
  if (before === null || options.agents !== undefined) {
    const count = options.agents ?? settings.config.agents.maxConcurrent
    const { items } = await running.client.startAgents({ body: { count, by: callerName() } })
    for (const { id } of items.filter(({ wanted }) => wanted === 'paused'))
      tell(`${id} is paused and stays so. Let it go on: treadle agent resume ${id}`)
  }
  await tellOrphans(running.client)
  if (options.json) printJson({ url: running.url, token: running.token, pid: running.pid })
  else
    print(
      `${before === null ? 'Running' : 'Already running'} (process ${running.pid}). Dashboard: ${await dashboardLink(running)}`,
    )
  if (interrupted === null) return 0
  tell('Ctrl-C stops the agents and the daemon.')
  await stayUntil(interrupted, running, since)
  return 0
}

function startOf({ trial = true, ideas = false, dieWith, asUser }: UpOptions): Start {
  return {
    agents: null,
    trial,
    ideas,
    ...(dieWith === undefined ? {} : { dieWith }),
    ...(asUser === undefined ? {} : { asUser }),
  }
}

/** A crew that runs already keeps the user that it runs foreign programs as. */
function needSameUser({ asUser: running }: Answer<'workspace'>, { asUser }: UpOptions): void {
  if (asUser === undefined || asUser === running) return
  throw new UserError(
    `The daemon that is running runs engines and gates as ${running ?? 'you'}, not as ${asUser}.`,
    `Restart it: treadle down, then treadle up --as-user ${asUser}`,
  )
}

/** What does not keep the crew from deciding for the owner, in a line each. */
function decisionLines(
  { root, decisions, config, asUser }: Answer<'workspace'>,
  { ownerKey }: CliEnv,
): string[] {
  const { restsOn, code, why } = decisions
  const open = `Nothing keeps your key from code that your agents run${why === null ? '' : ` (${why})`}.`
  return [
    ...(isInside(root, ownerKey)
      ? [
          `Your key is inside this workspace (${ownerKey.file}). Keep it elsewhere: set TREADLE_CONFIG_HOME, or another HOME.`,
        ]
      : []),
    ...(asUser === null
      ? []
      : [`Engines and gates run as ${asUser}, who cannot read your key. Logins of yours are not there.`]),
    ...(restsOn === 'code'
      ? [`${open} Decisions ask for a code shown here: that stops scripts, not code written against it.`]
      : []),
    ...(restsOn === 'nothing' && !code
      ? [`${open} With approval.confirm = ${config.approval.confirm} it can approve its own work.`]
      : []),
  ]
}

/** Warnings about what will stop every item, said before the first one gets there. */
function warningsOf({ warnings, target, testCommand }: Answer<'workspace'>, root: string): string[] {
  return [
    ...warnings.map((warning) => `settings: ${warning}`),
    ...(hasBranch(root, target)
      ? []
      : [
          `merge.target: there is no branch ${target}, so nothing can be built. Make it: git branch ${target}`,
        ]),
    ...(testCommand === null
      ? ['tests.command: none is set and none was found, so only items with a test of their own can pass.']
      : []),
  ]
}

/** Resolves with the first Ctrl-C. */
export function interruption(): Promise<void> {
  return new Promise((done) => {
    process.once('SIGINT', () => done())
    process.once('SIGTERM', () => done())
  })
}

/** Shows what happens until Ctrl-C, then stops everything in good order. */
export async function stayUntil(interrupted: Promise<void>, running: Running, since: number): Promise<void> {
  const { config } = await running.client.workspace()
  const live = showLive(running, since, config.notifications.terminal)
  const codes = showCodes(running.client)
  await interrupted
  codes.stop()
  live.stop()
  await withProgress('stopping', stopDaemon(running))
  tell('Stopped. Work in hand goes on with the next: treadle up')
}

async function down(paths: WorkspacePaths, env: CliEnv, options: { json?: boolean }): Promise<number> {
  const running = await withProgress('asking the daemon', findAnsweringDaemon(paths, env))
  if (running !== null) await withProgress('stopping', stopDaemon(running))
  // A daemon that was killed leaves its agents behind, waiting for the next one.
  const left = findLeftovers(paths)
  await withProgress('stopping what was left', endLeftovers(left, paths.root))
  const ended = left.map(({ name }) => name)
  if (options.json) printJson({ stopped: running !== null, pid: running?.pid ?? null, ended })
  else print(downWords(running !== null, ended))
  return 0
}

function downWords(stopped: boolean, ended: readonly string[]): string {
  if (stopped) return ended.length === 0 ? 'Stopped.' : `Stopped, and ended ${ended.join(', ')}.`
  return ended.length === 0
    ? 'Nothing was running.'
    : `No daemon answered. Ended what was left: ${ended.join(', ')}.`
}

/** Until every item has come to rest (done, or waiting for a person), or nobody is left to work. */
export async function waitSettled(client: Client, pollMs: number): Promise<void> {
  for (;;) {
    const [{ items }, { items: agents }] = await Promise.all([client.listItems(), client.listAgents()])
    if (agents.length > 0 && agents.every((agent) => agent.status === 'failed')) return
    if (items.every((item) => item.status === 'done' || item.state === 'withdrawn' || item.needsHuman)) return
    await sleep(pollMs)
  }
}
