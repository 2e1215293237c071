// treadle fix: run the tests, let an engine try once, check, and leave the result as a commit on a branch of its own.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '@treadle/contracts/config'
import { readConfig } from '@treadle/contracts/config-read'
import type { GateResult } from '@treadle/contracts/gate'
import { blankItem, type Item } from '@treadle/contracts/item'
import { gatesWords } from '@treadle/contracts/words/gates'
import { type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { failuresIn } from '@treadle/flow/build/prompt'
import { runBuild } from '@treadle/flow/build/run'
import { Fault } from '@treadle/flow/fault'
import { checkpointMessage } from '@treadle/flow/merge/commit-message'
import { runTestGates, runVerify } from '@treadle/flow/verify/run'
import { checkpointRef, type WorkWorld } from '@treadle/flow/work'
import { openGates } from '@treadle/gates/gates'
import { openWorktreeGit } from '@treadle/git/worktree'
import { clock } from './compose.ts'
import { describeDryRun, dryRun, dryRunJson } from './dry-run.ts'
import { complain } from './end.ts'
import { engineOf, firstEngineOf } from './engines.ts'
import { readEnv } from './env.ts'

type Fixed =
  | { readonly outcome: 'nothing_to_fix'; readonly gates: readonly GateResult[] }
  | {
      readonly outcome: 'fixed'
      readonly branch: string
      readonly commit: string
      readonly gates: readonly GateResult[]
    }
  | { readonly outcome: 'not_fixed'; readonly reason: string; readonly gates: readonly GateResult[] }

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      engine: { type: 'string' },
      'test-command': { type: 'string' },
      scenario: { type: 'string' },
      json: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
    },
  })
  if (values.workspace === undefined) throw new Fault('usage', 'fix: --workspace DIR is needed')
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => ending.abort(new Fault('stopped', signal)))
  const paths = workspacePaths(values.workspace)
  if (values['dry-run'] === true) return tryOnly(paths, values, ending.signal)
  const fixed = await fix(paths, values, ending.signal)
  if (values.json) process.stdout.write(`${JSON.stringify(fixed, null, 2)}\n`)
  else process.stdout.write(`${describe(fixed)}\n`)
  return fixed.outcome === 'not_fixed' ? 1 : 0
}

function describe(fixed: Fixed): string {
  switch (fixed.outcome) {
    case 'nothing_to_fix':
      return `Nothing to fix: ${gatesWords(fixed.gates)}.`
    case 'fixed':
      return `Fixed: ${gatesWords(fixed.gates)}.\nThe change is commit ${fixed.commit.slice(0, 12)} on branch ${fixed.branch}; your checkout was not touched.\nLook: git diff HEAD...${fixed.branch}   Take it: git merge ${fixed.branch}`
    case 'not_fixed':
      return `Not fixed: ${fixed.reason}`
  }
}

const tell = (text: string) => process.stderr.write(`${text}\n`)

interface FixOptions {
  readonly engine?: string | undefined
  readonly 'test-command'?: string | undefined
  readonly scenario?: string | undefined
}

function settingsOf(paths: WorkspacePaths, options: FixOptions): Config {
  const { config, warnings } = readConfig(readOptional(paths.config))
  for (const warning of warnings) tell(`treadle.json: ${warning}`)
  const scenario =
    options.scenario === undefined ? config.engines.scripted.scenario : resolve(options.scenario)
  return {
    ...config,
    engines: { ...config.engines, default: options.engine ?? config.engines.default, scripted: { scenario } },
  }
}

/** Only a search can say what it would do without doing it. */
async function tryOnly(
  paths: WorkspacePaths,
  options: FixOptions & { json?: boolean | undefined },
  signal: AbortSignal,
): Promise<number> {
  const env = readEnv()
  const config = settingsOf(paths, options)
  if (config.engines.default !== 'repair') {
    throw new Fault('usage', `engine ${config.engines.default} cannot do a dry run`, {
      hint: 'Use: treadle fix --engine repair --dry-run',
    })
  }
  const gates = openGates({ evidenceDir: paths.evidence, env, tailBytes: config.limits.outputTailBytes })
  const testCommand =
    options['test-command'] ?? config.tests.command ?? (await gates.detectTestCommand(paths.root))
  const found = await dryRun({ root: paths.root, testCommand, env, ...config.engines.repair, tell }, signal)
  process.stdout.write(
    options.json ? `${JSON.stringify(dryRunJson(found), null, 2)}\n` : `${describeDryRun(found)}\n`,
  )
  return found.outcome === 'plausible' ? 0 : 1
}

async function fix(paths: WorkspacePaths, options: FixOptions, signal: AbortSignal): Promise<Fixed> {
  const env = readEnv()
  const config = settingsOf(paths, options)
  const git = openWorktreeGit({ repository: paths.root, env })
  mkdirSync(paths.evidence, { recursive: true })
  const gates = openGates({ evidenceDir: paths.evidence, env, tailBytes: config.limits.outputTailBytes })
  const testCommand =
    options['test-command'] ?? config.tests.command ?? (await gates.detectTestCommand(paths.root))
  if (testCommand === null)
    throw new Fault('tests', 'no test command was found: give one with --test-command')
  const base = await git.commitOf('HEAD')
  if (base === null) throw new Fault('git', 'this repository has no commit yet')
  const runId = randomUUID()
  const name = `fix-${runId.slice(0, 8)}`
  const branch = `treadle/${name}`
  const worktree = `${paths.worktrees}/${name}`
  const choice = { config, paths, memory: null }
  const world: WorkWorld = {
    git,
    gates,
    clock,
    config,
    env,
    worktree,
    testCommand,
    signal,
    engine: engineOf(choice),
    first: options.engine === undefined ? firstEngineOf(choice) : null,
    say: async () => undefined,
    note: (report) => {
      if (report.type === 'run.observed')
        tell(
          `  ${report.observation.success ? '·' : '✗'} ${report.observation.tool} ${report.observation.input.split('\n', 1)[0]}`,
        )
    },
  }
  const usable = await world.engine.probe()
  if (usable.is === 'unusable')
    throw new Fault('engine', `engine ${world.engine.id}: ${usable.why}. ${usable.hint}`)
  await git.ensureWorktree({
    path: worktree,
    branch,
    base,
    fresh: true,
    keepRef: checkpointRef(runId, 'found'),
  })
  try {
    return await attempt(world, { runId, branch, base })
  } finally {
    await git.removeWorktree(worktree, checkpointRef(runId, 'last'))
    dropEmptyBranch(paths.root, branch, base)
  }
}

/** A branch on which nothing was committed is of no use to anybody. Git refuses if it is not at the base any more. */
function dropEmptyBranch(root: string, branch: string, base: string): void {
  spawnSync('git', ['update-ref', '-d', `refs/heads/${branch}`, base], { cwd: root, stdio: 'ignore' })
}

async function attempt(
  world: WorkWorld,
  { runId, branch, base }: { runId: string; branch: string; base: string },
): Promise<Fixed> {
  const { gates, worktree, testCommand, config, signal, git } = world
  if (config.tests.setupCommand !== null) {
    tell(`Setting up: ${config.tests.setupCommand}`)
    const ready = await gates.runSetup({
      cwd: worktree,
      command: config.tests.setupCommand,
      timeoutMs: config.tests.timeoutMs,
      signal,
    })
    if (ready.is === 'failed') throw new Fault('setup', ready.why)
  }
  tell(`Running the tests: ${testCommand}`)
  const baseline = await runTestGates({
    gates,
    cwd: worktree,
    item: { testCommand: null },
    suite: testCommand,
    timeoutMs: config.tests.timeoutMs,
    signal,
  })
  const failing = failuresIn(baseline)
  if (failing.length === 0) {
    const notRun = baseline.find((gate) => gate.is === 'not_run')
    return notRun === undefined
      ? { outcome: 'nothing_to_fix', gates: baseline }
      : { outcome: 'not_fixed', reason: `the tests did not run: ${notRun.why}`, gates: baseline }
  }
  tell(`${failing.length} failing; engine ${world.engine.id} tries`)
  await git.checkpoint(worktree, checkpointRef(runId, '0-start'), checkpointMessage('start', runId))
  const item = synthetic(
    failing.map((failure) => failure.id),
    clock.now().toISOString(),
  )
  const run = { id: runId, baseline }
  const built = await runBuild(world, { item, run, branch, base }, baseline)
  if (built.type === 'build.failed') return { outcome: 'not_fixed', reason: built.why, gates: baseline }
  tell('Checking the result')
  const verified = await runVerify(world, { item: { ...item, attempts: 1 }, run, branch, base })
  return verified.type === 'verify.passed'
    ? { outcome: 'fixed', branch, commit: verified.head, gates: verified.gates }
    : { outcome: 'not_fixed', reason: verified.why, gates: verified.gates }
}

/** The failing tests, put as an item, so that an engine is asked as it always is. */
function synthetic(failing: readonly string[], at: string): Item {
  return blankItem({
    number: 1,
    title: `Make ${failing.length} failing test(s) pass`,
    body: failing.map((id) => `- ${id}`).join('\n'),
    state: 'building',
    createdAt: at,
  })
}

function readOptional(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

main().then((code) => process.exit(code), complain)
