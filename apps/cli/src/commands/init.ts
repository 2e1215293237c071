// Makes the repository a workspace: one file that says how, and a note of what to do next.
import { existsSync, writeFileSync } from 'node:fs'
import { workspacePaths } from '@treadle/contracts/workspace'
import type { CliEnv } from '../env.ts'
import { type InstallCommand, installCommand } from '../install-command.ts'
import { print, printJson } from '../output.ts'
import { makeOwnerKey } from '../owner-key.ts'
import { json, type Program } from '../program.ts'
import { carryReceipts } from '../receipts.ts'
import { makeSigningKey, nameSigners } from '../signing-key.ts'
import { UserError } from '../user-error.ts'
import { currentBranch, findRepository, hasCommit, prepareState } from '../workspace.ts'

interface InitOptions {
  readonly target?: string
  readonly testCommand?: string
  readonly json?: boolean
}

export function initCommands(program: Program): void {
  const { root } = program
  root
    .command('init')
    .description('make this repository a workspace (writes treadle.json)')
    .option('--target <branch>', 'branch to merge into (default: the current one)')
    .option('--test-command <command>', 'how the tests are run (default: detected)')
    .addOption(json())
    .action((options) => {
      program.exitCode = init(program.env, options)
    })
}

function init(env: CliEnv, options: InitOptions): number {
  const paths = workspacePaths(findRepository(process.cwd()))
  const target = options.target ?? currentBranch(paths.root)
  if (target === null)
    throw new UserError(
      'HEAD is detached, so it is not clear where to merge.',
      'Name a branch: treadle init --target main',
      2,
    )
  prepareState(paths)
  makeOwnerKey(env)
  const made = !existsSync(paths.config)
  const install = made ? installCommand(paths.root) : null
  const setup = install === null ? {} : { setupCommand: install.command }
  if (made) {
    const command = options.testCommand === undefined ? {} : { command: options.testCommand }
    writeSettings(paths.config, target, { ...command, ...setup })
  }
  makeSigningKey(env, paths)
  const named = nameSigners(env, paths, { changesTracked: true })
  const carried = carryReceipts(paths.root)
  if (options.json) printJson({ workspace: paths.root, config: paths.config, made, target, ...setup })
  else tell(paths.root, { made, named, target, install, carried })
  return 0
}

function writeSettings(file: string, target: string, tests: Readonly<Record<string, string>>): void {
  const settings = {
    merge: { approval: 'human', target },
    ...(Object.keys(tests).length === 0 ? {} : { tests }),
  }
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' })
}

interface InitResult {
  readonly made: boolean
  /** Keys that sign merges were added to treadle.json. */
  readonly named: boolean
  readonly target: string
  readonly install: InstallCommand | null
  readonly carried: boolean
}

function tell(root: string, { made, named, target, install, carried }: InitResult): void {
  print(
    made
      ? `Wrote treadle.json: changes are merged into ${target} after you approve them.`
      : `treadle.json is there already; ${named ? 'only merge.signers was added to' : 'it was left as it is'}.`,
  )
  if (named)
    print(
      'Merges are signed; the public halves of the keys are in treadle.json (merge.signers). Commit it, so that treadle verify knows them.',
    )
  if (install !== null)
    print(
      `Because of ${install.lock}, every worktree begins with: ${install.command} (tests.setupCommand; take it out if you do not want it)`,
    )
  if (carried)
    print(
      'Receipts of merges come with every git fetch; with merges of yours they go out by: git push origin refs/notes/treadle',
    )
  if (!hasCommit(root)) print('The repository has no commit yet: make one before treadle up.')
  print('Next: treadle up --agents 2 --detach, then treadle add "what should change"')
}
