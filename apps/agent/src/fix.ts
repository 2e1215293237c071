// treadle fix: run the tests, let an engine build and improve, check, and leave the result as a commit on a branch.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type { Config } from '@treadle/contracts/config'
import { readConfig } from '@treadle/contracts/config-read'
import { gatesWords } from '@treadle/contracts/words/gates'
import { type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { explain } from '@treadle/flow/escalate/words'
import { Fault } from '@treadle/flow/fault'
import { openGates } from '@treadle/gates/gates'
import { complain } from './end.ts'
import { readEnv } from './env.ts'
import { describeDryRun, dryRun, dryRunJson } from './fix/dry-run.ts'
import { beginFix, type Fixed, type FixOrder, resumeFix } from './fix/loop.ts'
import { FixState, stateFile, unfinished } from './fix/state-file.ts'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      engine: { type: 'string' },
      'test-command': { type: 'string' },
      scenario: { type: 'string' },
      json: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      resume: { type: 'boolean' },
      explain: { type: 'string' },
      attempt: { type: 'string' },
    },
  })
  if (values.workspace === undefined) throw new Fault('usage', 'fix: --workspace DIR is needed')
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => ending.abort(new Fault('stopped', signal)))
  const paths = workspacePaths(values.workspace)
  if (values.explain !== undefined) return explainFix(paths, values)
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
      return [
        `Not fixed: ${fixed.reason}`,
        ...(fixed.report === null ? [] : [`What was tried and where to look: ${fixed.report}`]),
      ].join('\n')
  }
}

const tell = (text: string) => process.stderr.write(`${text}\n`)

interface FixOptions {
  readonly engine?: string | undefined
  readonly 'test-command'?: string | undefined
  readonly scenario?: string | undefined
  readonly resume?: boolean | undefined
  readonly json?: boolean | undefined
}

function settingsOf(paths: WorkspacePaths, options: FixOptions): Config {
  const { config, warnings, errors } = readConfig({
    own: readOptional(paths.config),
    vscode: readOptional(paths.vscode),
  })
  for (const notice of [...errors, ...warnings]) tell(`settings: ${notice}`)
  const scenario =
    options.scenario === undefined ? config.engines.scripted.scenario : resolve(options.scenario)
  return {
    ...config,
    engines: { ...config.engines, default: options.engine ?? config.engines.default, scripted: { scenario } },
  }
}

async function fix(paths: WorkspacePaths, options: FixOptions, signal: AbortSignal): Promise<Fixed> {
  const order: FixOrder = {
    paths,
    config: settingsOf(paths, options),
    env: readEnv(),
    signal,
    tell,
    withoutFirst: options.engine !== undefined,
  }
  const left = interrupted(paths)
  if (options.resume === true) {
    if (left === null)
      throw new Fault('fix', 'there is no interrupted fix to go on with', { hint: 'Start one: treadle fix' })
    return resumeFix(order, left)
  }
  if (left !== null && (await isWanted(left, options, signal))) return resumeFix(order, left)
  return beginFix(order, options['test-command'] ?? null)
}

/** The latest that was interrupted. What cannot be read is named and left where it is. */
function interrupted(paths: WorkspacePaths): FixState | null {
  for (const each of unfinished(paths.fixes)) {
    if (each.is === 'read') return each.state
    tell(`${each.file} cannot be read and is left alone: ${each.why.split('\n', 1)[0]}`)
  }
  return null
}

/** Offers to go on; without a terminal nobody can say yes, so the offer is only printed. */
async function isWanted(left: FixState, options: FixOptions, signal: AbortSignal): Promise<boolean> {
  const where = `${left.item.state}, after ${left.run.history.length} phase(s)`
  const offer = `A fix begun at ${left.startedAt} was interrupted while ${where}.`
  if (!process.stdin.isTTY || !process.stderr.isTTY || options.json === true) {
    tell(`${offer}\nGo on with it: treadle fix --resume. Now a new one begins.`)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${offer} Go on with it? [Y/n] `, { signal })
    return !/^n/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

/** Only a search can say what it would do without doing it. */
async function tryOnly(paths: WorkspacePaths, options: FixOptions, signal: AbortSignal): Promise<number> {
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

/** A fix that was made here, from its own file. */
function explainFix(
  paths: WorkspacePaths,
  { explain: id, attempt, json }: { explain?: string; attempt?: string; json?: boolean },
): number {
  const state = FixState.parse(JSON.parse(readFileSync(stateFile(paths.fixes, id ?? ''), 'utf8')))
  const told = explain(state, { attempt: attempt === undefined ? null : Number(attempt), alone: true })
  if (told === null) throw new Fault('explain', `the fix ${id} has no attempt ${attempt}`)
  process.stdout.write(json === true ? `${JSON.stringify(told, null, 2)}\n` : told.text)
  return 0
}

function readOptional(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

main().then((code) => process.exit(code), complain)
