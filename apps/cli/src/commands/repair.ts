// repair bench: measures the repair engine, by a program of the agent.
import { fileURLToPath } from 'node:url'
import { Option } from 'commander'
import { runAgentProgram } from '../agent-program.ts'
import { asAmount, asDate, json, type Program } from '../program.ts'

const REPAIR_BENCH_MAIN = fileURLToPath(new URL('../../../agent/src/repair-bench/main.ts', import.meta.url))

export function repairCommands(program: Program): void {
  const { root, env } = program
  root
    .command('repair')
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
}
