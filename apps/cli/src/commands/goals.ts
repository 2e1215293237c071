// run, guide and history: names, options and help.
import { Option } from 'commander'
import { asCount, asNumber, json, type Program, project, withClient } from '../program.ts'
import { findWorkspace } from '../workspace.ts'
import { guideRun, showHistory } from './history.ts'
import { runGoal } from './run.ts'

const RUN_EXAMPLES = `
Examples:
  treadle run "Find all usages of loadUser and rename it to fetchUser" --verify "npm test"
  treadle run "Make the parser accept empty input" --engine claude-code
  treadle run --attach 7        watch #7 again, after leaving it with Ctrl-C

While it runs, type a line and press Enter to guide it; its next plan has your words.
Exit codes: 0 achieved, 1 not achieved, 2 wrong use, 3 waits for a person,
            130 or 143 left before its end (Ctrl-C, SIGTERM)`

const GUIDE_EXAMPLES = `
Examples:
  treadle guide 7 "Search only in src/utils"
  treadle guide 7 "the second one"      answers the question that #7 waits with`

export function goalCommands(program: Program): void {
  const { root, env } = program
  root
    .command('run')
    .argument('[goal]', 'the goal')
    .option('--engine <name>', 'who does it (default: engines.default of treadle.json)')
    .option('--verify <command>', 'must succeed before the goal counts as reached')
    .option('--may-change-tests', 'existing tests may be changed or removed')
    .addOption(new Option('--priority <n>', 'smaller is sooner').argParser(asCount(1_000)))
    .option('--verbose', 'every step, with what was observed')
    .option('--no-wait', 'only start it')
    .option('--keep', 'leave the daemon running, if this command has started it')
    .addOption(new Option('--attach <number>', 'watch a goal that is there already').argParser(asNumber))
    .addOption(project())
    .addOption(json())
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (goal, options) => {
      program.exitCode = await runGoal({ paths: findWorkspace(env), env }, goal, options)
    })
  root
    .command('guide')
    .argument('<run>', "a run's id, or an item's number")
    .argument('<text>', 'what it should know')
    .addOption(project())
    .addOption(json())
    .addHelpText('after', GUIDE_EXAMPLES)
    .action((run, text, options) => withClient(program, (client) => guideRun(client, run, text, options)))
  root
    .command('history')
    .argument('<run>', "a run's id, or an item's number for its last run")
    .option('--verbose', 'every event, every step and what was observed')
    .addOption(project())
    .addOption(json())
    .action((run, options) => withClient(program, (client) => showHistory(client, run, options)))
}
