// Makes the repository a workspace: one file that says how, and a note of what to do next.
import { existsSync, writeFileSync } from 'node:fs'
import { unknownEngine } from '@treadle/contracts/config/engine-names'
import type { PackagePlan, ProjectLook } from '@treadle/contracts/readiness'
import { foundWords, mendWords } from '@treadle/contracts/words/readiness'
import { workspacePaths } from '@treadle/contracts/workspace'
import type { CliEnv } from '../env.ts'
import { paint, print, printJson } from '../output.ts'
import { makeOwnerKey } from '../owner-key.ts'
import { json, type Program } from '../program.ts'
import { lookAtProject, packageWords } from '../project-look.ts'
import { carryReceipts } from '../receipts.ts'
import { makeSigningKey, nameSigners } from '../signing-key.ts'
import { UserError } from '../user-error.ts'
import { currentBranch, findRepository, hasCommit, prepareState } from '../workspace.ts'

interface InitOptions {
  readonly target?: string
  readonly testCommand?: string
  readonly engine?: string
  /** False: the tests are not run. */
  readonly try: boolean
  readonly json?: boolean
}

export function initCommands(program: Program): void {
  const { root } = program
  root
    .command('init')
    .option('--target <branch>', 'branch to merge into (default: the current one)')
    .option('--test-command <command>', 'how the tests are run (default: detected)')
    .option('--engine <name>', 'who writes the code: claude-code, codex, native … (default: repair)')
    .option('--no-try', 'do not run the tests to see how long they take and what fails now')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await init(program.env, options)
    })
}

/** Longer than this nobody waits for `init`; the daemon looks to the end. */
const TRY_SECONDS = 120

async function init(env: CliEnv, options: InitOptions): Promise<number> {
  const paths = workspacePaths(findRepository(process.cwd()))
  const target = options.target ?? needBranch(paths.root)
  prepareState(paths)
  makeOwnerKey(env)
  const made = !existsSync(paths.config)
  const engine = chosenEngine(options, made)
  const first = await lookAtProject(env, paths.root, { run: false })
  const { packages } = first
  const setup = made && 'command' in packages ? { setupCommand: packages.command } : {}
  if (made) {
    const command = options.testCommand === undefined ? {} : { command: options.testCommand }
    writeSettings(paths.config, target, { tests: { ...command, ...setup }, engine })
  }
  makeSigningKey(env, paths)
  const named = nameSigners(env, paths, { changesTracked: true })
  const carried = carryReceipts(paths.root)
  const isTried = made && options.try
  if (!options.json) tell({ made, named, target, carried, packages })
  const tests = isTried ? await lookAtProject(env, paths.root, TRIED) : asConfigured(first, made, options)
  if (options.json) printJson({ workspace: paths.root, config: paths.config, made, target, ...setup, tests })
  else next(paths.root, tests, isTried)
  return 0
}

const TRIED = { run: true, seconds: TRY_SECONDS } as const

/** What was read before the settings were written, with the command that they have now. */
function asConfigured(look: ProjectLook, made: boolean, { testCommand }: InitOptions): ProjectLook {
  return made && testCommand !== undefined ? { ...look, testCommand } : look
}

/** The engine that was asked for; settings that are there already are left to whoever wrote them. */
function chosenEngine({ engine }: InitOptions, made: boolean): string | null {
  if (engine === undefined) return null
  const unknown = unknownEngine(engine)
  if (unknown !== null)
    throw new UserError(`It was not set up: ${unknown}.`, 'treadle doctor lists the engines.', 2)
  if (made) return engine
  throw new UserError(
    'treadle.json is there already, and is left as it is.',
    `Set it there: "engines": { "default": "${engine}" }`,
    2,
  )
}

function needBranch(root: string): string {
  const branch = currentBranch(root)
  if (branch !== null) return branch
  throw new UserError(
    'HEAD is detached, so it is not clear where to merge.',
    'Name a branch: treadle init --target main',
    2,
  )
}

interface FirstSettings {
  readonly tests: Readonly<Record<string, string>>
  readonly engine: string | null
}

function writeSettings(file: string, target: string, { tests, engine }: FirstSettings): void {
  const settings = {
    ...(engine === null ? {} : { engines: { default: engine } }),
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
  readonly carried: boolean
  /** How packages come into a worktree. */
  readonly packages: PackagePlan
}

function tell({ made, named, target, carried, packages }: InitResult): void {
  const how = made ? packageWords(packages) : null
  print(
    made
      ? `Wrote treadle.json: changes are merged into ${target} after you approve them.`
      : `treadle.json is there already; ${named ? 'only merge.signers was added to' : 'it was left as it is'}.`,
  )
  if (named)
    print(
      'Merges are signed; the public halves of the keys are in treadle.json (merge.signers). Commit it, so that treadle verify knows them.',
    )
  if (how !== null) print(how)
  if (carried)
    print(
      'Receipts of merges come with every git fetch; with merges of yours they go out by: git push origin refs/notes/treadle',
    )
}

/** What is known of the tests, and what to do next. */
function next(root: string, look: ProjectLook, isTried: boolean): void {
  for (const line of testLines(look, isTried)) print(line)
  if (!hasCommit(root)) print('The repository has no commit yet: make one before treadle up.')
  print('Next: treadle up --agents 2 --detach, then treadle add "what should change"')
}

/** How the tests are run, how long they take and what fails now. */
function testLines({ testCommand, found }: ProjectLook, isTried: boolean): string[] {
  const untested =
    'Tests: none were found. Items are worked on, and what they deliver is unproven; name a command in tests.command.'
  if (found === null) {
    if (testCommand === null) return [untested]
    const unknown = isTried ? `; it was not over after ${TRY_SECONDS} s, and treadle up looks to the end` : ''
    return [`Tests: \`${testCommand}\`${unknown}`]
  }
  if (found.is === 'untested') return [untested]
  if (found.is === 'ready') return [`Tests: ${foundWords(found)}`]
  const { trouble } = found
  return [
    paint('yellow', `Tests: ${trouble.text} ${mendWords(trouble)}.`),
    ...trouble.lines.split('\n').map((line) => paint('dim', `    ${line}`)),
  ]
}
