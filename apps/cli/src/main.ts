// The command line: names, options and help in one place; each command lives in its own file.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ItemStatus } from '@treadle/contracts/item'
import { workspacePaths } from '@treadle/contracts/workspace'
import { Command, Option } from 'commander'
import { runAgentProgram } from './agent-program.ts'
import { conflictCommands } from './commands/conflicts.ts'
import { costCommands } from './commands/costs.ts'
import { down, listAgents, orderAgent, status, up } from './commands/crew.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { goalCommands } from './commands/goals.ts'
import { init } from './commands/init.ts'
import { addItem, explainRun, listItems, orderItem, showItem } from './commands/items.ts'
import { lessonCommands } from './commands/lessons.ts'
import { metricsCommands } from './commands/metrics.ts'
import { notificationCommands } from './commands/notifications.ts'
import { orderCommands } from './commands/orders.ts'
import { orphanCommands } from './commands/orphans.ts'
import { parseReport } from './commands/parse-report.ts'
import { questionCommands } from './commands/questions.ts'
import { retrospectiveCommands } from './commands/retrospectives.ts'
import { reviewCommands } from './commands/reviews.ts'
import { verify } from './commands/verify.ts'
import { type CliEnv, readEnv } from './env.ts'
import { explain } from './explain.ts'
import {
  asAgent,
  asAmount,
  asCount,
  asDate,
  asNumber,
  gather,
  json,
  type Program,
  project,
  refuseMore,
  withClient,
} from './program.ts'
import { findRepository, findWorkspace, prepareState } from './workspace.ts'

const FIX_MAIN = fileURLToPath(new URL('../../agent/src/fix.ts', import.meta.url))
const REPAIR_BENCH_MAIN = fileURLToPath(new URL('../../agent/src/repair-bench/main.ts', import.meta.url))
const VERSION = '0.1.0'

export async function main(argv: string[]): Promise<number> {
  const program: Program = { root: new Command('treadle'), env: readEnv(), exitCode: 0 }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly)
  program.root
    .description('Runs a crew of coding agents on a git repository, from idea to verified, merged code.')
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('(see treadle --help)')
    .addHelpText(
      'after',
      '\nStart here: treadle demo   (a sample repository, the whole flow, no key)\nExit codes: 0 done, 1 failed, 2 wrong use, 3 waits for a person',
    )
  crewCommands(program)
  itemCommands(program)
  goalCommands(program)
  runCommands(program)
  reviewCommands(program)
  questionCommands(program)
  lessonCommands(program)
  retrospectiveCommands(program)
  conflictCommands(program)
  agentCommands(program)
  orderCommands(program)
  orphanCommands(program)
  soloCommands(program)
  costCommands(program)
  metricsCommands(program)
  notificationCommands(program)
  for (const command of [parseReport, verify])
    program.root.addCommand(
      command(async (main, options) => {
        program.exitCode = await runAgentProgram(program.env, main, options)
      }).copyInheritedSettings(program.root),
    )
  try {
    await program.root.parseAsync(argv, { from: 'user' })
    return program.exitCode
  } catch (error) {
    return explain(error, argv.includes('--json'))
  }
}

/** Whoever read the output has gone, as `| head` does. A command that stays is told to stop; others just end. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM')
  else process.exit(0)
}

function crewCommands(program: Program): void {
  const { root, env } = program
  root
    .command('demo')
    .description('a sample repository with real bugs, two agents, the whole flow; no key')
    .option('--headless', 'run to the end, then stop')
    .option('--dir <dir>', 'where to make the sample (default: a temporary folder)')
    .addOption(new Option('--agents <n>', 'how many agents').argParser(asCount(10)).default(2))
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await demo(env, options)
    })
  root
    .command('init')
    .description('make this repository a workspace (writes treadle.json)')
    .option('--target <branch>', 'branch to merge into (default: the current one)')
    .option('--test-command <command>', 'how the tests are run (default: detected)')
    .addOption(json())
    .action((options) => {
      program.exitCode = init(options)
    })
  root
    .command('up')
    .description('start the daemon and the agents; stays until Ctrl-C')
    .addOption(new Option('--agents <n>', 'how many agents (0: the daemon alone)').argParser(asCount(10)))
    .option('--no-trial', 'keep no lesson back from a run to find out whether it helps')
    .option('--detach', 'return once it answers')
    .addOption(new Option('--die-with <pid>', 'end with this process').argParser(asNumber).hideHelp())
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await up(findWorkspace(env), env, options)
    })
  root
    .command('down')
    .description('stop the agents and the daemon; work in hand is resumed by the next up')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await down(findWorkspace(env), options)
    })
  root
    .command('status')
    .description('what everyone is doing')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await status(findWorkspace(env), options)
    })
}

function itemCommands(program: Program): void {
  const { root } = program
  root
    .command('add')
    .description('add an item')
    .argument('<title>', 'what should change')
    .option('--body <text>', 'description')
    .option('--body-file <file>', 'description from a file (- for standard input)')
    .option('--accept <criterion>', 'acceptance criterion (repeatable)', gather, [])
    .option('--label <label>', 'label (repeatable)', gather, [])
    .option('--test <command>', 'what must be green for this item (default: the whole suite)')
    .option(
      '--may-change-tests',
      'existing tests may be changed or removed (default: such a change is blocked)',
    )
    .option('--engine <name>', 'who writes the code (default: engines.default of treadle.json)')
    .addOption(new Option('--priority <n>', 'smaller is sooner').argParser(asCount(1_000)))
    .option('--backlog', 'put it in the backlog')
    .addOption(project())
    .addOption(json())
    .action((title, options) => withClient(program, (client) => addItem(client, title, options)))
  root
    .command('list')
    .description('list items')
    .addOption(new Option('--status <status>', 'only these').choices(ItemStatus.options))
    .addOption(json())
    .action((options) => withClient(program, (client) => listItems(client, options)))
  root
    .command('show')
    .description('one item with its runs and events')
    .argument('<number>', 'item number', asNumber)
    .addOption(project())
    .addOption(json())
    .action((number, options) =>
      withClient(program, (client) => showItem(client, { number, project: options.project }, options)),
    )
  const orders = [
    ['withdraw', 'withdrawItem', 'take an item out of the flow (reversible)'],
    ['reopen', 'reopenItem', 'put an escalated, conflicting or withdrawn item back in the queue'],
    ['release', 'releaseItem', 'take an item from its holder and queue it again'],
  ] as const
  for (const [name, order, description] of orders) {
    root
      .command(name)
      .description(description)
      .argument('<number>', 'item number', asNumber)
      .addOption(project())
      .addOption(json())
      .action((number, options) =>
        withClient(program, (client) =>
          orderItem(client, order, { number, project: options.project }, options),
        ),
      )
  }
}

function runCommands(program: Program): void {
  const { root } = program
  root
    .command('explain')
    .description('what an attempt did, on what evidence, and how it went; without one, what is left to do')
    .argument('<run>', "a run's id, an item's number for its last run, or the id of a fix")
    .argument('[attempt]', '1 is the build, each further one an improvement', asCount(1_000))
    .addOption(project())
    .addOption(json())
    .action(async (run, attempt, options) => {
      const paths = workspacePaths(findRepository(process.cwd()))
      if (/^[0-9a-f-]{36}$/.test(run) && existsSync(`${paths.fixes}/${run}.json`)) {
        const args = { workspace: paths.root, explain: run, attempt: attempt?.toString(), json: options.json }
        program.exitCode = await runAgentProgram(program.env, FIX_MAIN, args)
        return
      }
      await withClient(program, (client) => explainRun(client, run, attempt ?? null, options))
    })
}

function agentCommands(program: Program): void {
  const agent = program.root.command('agent').description('look at the crew and give orders')
  agent
    .command('list', { isDefault: true })
    .description('every agent')
    .addOption(json())
    .allowExcessArguments()
    .action((options, command) => {
      refuseMore(command)
      return withClient(program, (client) => listAgents(client, options))
    })
  for (const order of ['start', 'stop', 'pause', 'resume', 'restart'] as const) {
    const command = agent
      .command(order)
      .description(`${order} one agent, or all`)
      .argument('[id]', 'agent-1, or just 1', asAgent)
      .option('--all', 'every agent')
    if (order === 'pause') command.option('--now', 'in the middle of a phase (default: at its end)')
    command.addOption(json()).action((id, options) => {
      if (id === undefined && !options.all) command.error("error: missing required argument 'id', or --all")
      if (id !== undefined && options.all) command.error('error: say which agent, or --all, not both')
      return orderAgent(findWorkspace(program.env), order, id, options)
    })
  }
}

function soloCommands(program: Program): void {
  const { root, env } = program
  root
    .command('fix')
    .description(
      "run this repository's tests and let an engine make them pass, attempt by attempt; the result is a branch",
    )
    .option('--engine <name>', 'engine (default: engines.default of treadle.json)')
    .option('--test-command <command>', 'how the tests are run')
    .option('--scenario <file>', 'scenario file of the scripted engine')
    .addOption(
      new Option('--dry-run', 'change nothing: search and print the patches (engine repair)').conflicts(
        'resume',
      ),
    )
    .option('--resume', 'go on with the fix that was interrupted')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await fix(env, options)
    })
  root
    .command('repair')
    .description('measure the repair engine on your own code')
    .command('bench')
    .description(
      "mine a repository's one-file fixes that have tests, and see how many the engine would have found",
    )
    .requiredOption('--from-history <repository>', 'the repository; it is not touched')
    .addOption(new Option('--limit <n>', 'at most so many fixes').argParser(asAmount))
    .addOption(new Option('--seconds <n>', 'search time for each').argParser(asAmount))
    .addOption(
      new Option('--since <date>', 'only commits since then, such as 2026-01-31 or "3 months ago"').argParser(
        asDate,
      ),
    )
    .addOption(json())
    .action(async ({ fromHistory, limit, seconds, since, json: asJson }) => {
      program.exitCode = await runAgentProgram(env, REPAIR_BENCH_MAIN, {
        'from-history': fromHistory,
        limit,
        seconds,
        since,
        json: asJson,
      })
    })
  root
    .command('doctor')
    .description('check that everything is here')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await doctor(env, options)
    })
}

interface FixOptions {
  readonly engine?: string
  readonly testCommand?: string
  readonly scenario?: string
  readonly dryRun?: boolean
  readonly resume?: boolean
  readonly json?: boolean
}

/** The work is an agent's; the command only starts one for this once. */
async function fix(env: CliEnv, options: FixOptions): Promise<number> {
  const paths = workspacePaths(findRepository(process.cwd()))
  prepareState(paths)
  const { engine, testCommand, scenario, dryRun, resume, json } = options
  const args = {
    workspace: paths.root,
    engine,
    'test-command': testCommand,
    scenario,
    'dry-run': dryRun,
    resume,
    json,
  }
  return runAgentProgram(env, FIX_MAIN, args)
}
