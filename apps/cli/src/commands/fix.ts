// fix: the work is an agent's; the command only starts one for this once.
import { workspacePaths } from '@treadle/contracts/workspace'
import { Option } from 'commander'
import { FIX_MAIN, runAgentProgram } from '../agent-program.ts'
import type { CliEnv } from '../env.ts'
import { asAmount, json, type Program } from '../program.ts'
import { findRepository, prepareState } from '../workspace.ts'

export function fixCommands(program: Program): void {
  const { root, env } = program
  root
    .command('fix')
    .option('--engine <name>', 'engine (default: engines.default of treadle.json)')
    .option('--test-command <command>', 'how the tests are run')
    .option('--scenario <file>', 'scenario file of the scripted engine')
    .addOption(
      new Option('--dry-run', 'change nothing: search and print the patches (engine repair)').conflicts(
        'resume',
      ),
    )
    .option('--answer <input=value>', 'what the input of the question should give, where patches differ')
    .addOption(new Option('--seconds <n>', 'at most so long on the clock for a search').argParser(asAmount))
    .option('--resume', 'go on with the fix that was interrupted')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await fix(env, options)
    })
}

interface FixOptions {
  readonly engine?: string
  readonly testCommand?: string
  readonly scenario?: string
  readonly dryRun?: boolean
  readonly resume?: boolean
  readonly answer?: string
  readonly seconds?: string
  readonly json?: boolean
}

async function fix(env: CliEnv, options: FixOptions): Promise<number> {
  const paths = workspacePaths(findRepository(process.cwd()))
  prepareState(paths)
  const { engine, testCommand, scenario, dryRun, resume, answer, seconds, json } = options
  const args = {
    workspace: paths.root,
    engine,
    'test-command': testCommand,
    scenario,
    'dry-run': dryRun,
    resume,
    answer,
    seconds,
    json,
  }
  return runAgentProgram(env, FIX_MAIN, args)
}
