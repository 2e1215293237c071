// explain: what an attempt of a run, or of a fix without a daemon, did and on what evidence.
import { existsSync } from 'node:fs'
import { workspacePaths } from '@treadle/contracts/workspace'
import { FIX_MAIN, runAgentProgram } from '../agent-program.ts'
import { asCount, json, type Program, project, withClient } from '../program.ts'
import { findRepository } from '../workspace.ts'
import { explainRun } from './items.ts'

export function explainCommands(program: Program): void {
  const { root } = program
  root
    .command('explain')
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
