// treadle fix: run the tests, let an engine build and improve, check, and leave the result as a commit on a branch.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type { Config } from '@treadle/contracts/config'
import { readConfig } from '@treadle/contracts/config/read'
import type { TestFailure } from '@treadle/contracts/gate'
import type { Confidence } from '@treadle/contracts/run'
import { gatesWords } from '@treadle/contracts/words/gates'
import { type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { explain } from '@treadle/flow/ask/explain'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Gates, TestGateRequest } from '@treadle/flow/ports/gates'
import { openGates } from '@treadle/gates/gates'
import { refused } from '@treadle/repair/result'
import { type CopyOptions, ScratchCopy } from '@treadle/repair/validate'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { complain } from './end.ts'
import { sandboxOfEngines } from './engines.ts'
import { readEnv } from './env.ts'
import { FixQuestions } from './fix/ask-person.ts'
import { describeDryRun, dryRun, dryRunJson } from './fix/dry-run.ts'
import { FoundBySearch, wouldTell } from './fix/found-by-search.ts'
import { beginFix, type Fixed, type FixOrder, resumeFix } from './fix/loop.ts'
import { dryRunNote } from './fix/notes.ts'
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
      answer: { type: 'string' },
      seconds: { type: 'string' },
    },
  })
  if (values.workspace === undefined) throw new Fault('usage', 'fix: --workspace DIR is needed')
  const ending = new AbortController()
  const found = new FoundBySearch()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => stop(ending, { name: signal, values, found }))
  const paths = workspacePaths(values.workspace)
  if (values.explain !== undefined) return explainFix(paths, values)
  if (values['dry-run'] === true && values.resume === true)
    throw new Fault('usage', 'fix: --dry-run and --resume exclude each other')
  try {
    return await begin(paths, values, { signal: ending.signal, found })
  } catch (error) {
    // Whoever asked for JSON gets the reason there as well.
    if (error instanceof Fault || ending.signal.aborted)
      printUnfit(error instanceof Fault ? error : STOPPED, values, found)
    if (ending.signal.aborted) {
      process.stderr.write(`${messageOf(error)}\n`)
      return STOPPED_CODE
    }
    throw error
  }
}

const STOPPED = new Fault('stopped', 'Stopped. Go on with: treadle fix --resume')
/** As shells have it for a program that was interrupted. */
const STOPPED_CODE = 130
/** Whoever asks for the end has it within three seconds, with what there is by then. */
const GRACE_MS = 2_200

interface Stopping {
  readonly name: string
  readonly values: FixOptions
  readonly found: FoundBySearch
}

/**
 * A search ends by itself, with its best; one that takes longer is not waited for, and what it has started ends with
 * us. Other engines may have written something, which is kept first.
 */
function stop(ending: AbortController, { name, values, found }: Stopping): void {
  if (ending.signal.aborted) return
  process.stderr.write(`${name}: stopping\n`)
  ending.abort(new Fault('stopped', name))
  setTimeout(() => {
    if (!found.isAlone) return
    printUnfit(STOPPED, values, found)
    process.exit(STOPPED_CODE)
  }, GRACE_MS).unref()
}

function printUnfit(error: Fault, values: FixOptions, found: FoundBySearch): void {
  if (values.json === true) process.stdout.write(`${asJson(unfit(error, values, found))}\n`)
}

interface Beginning {
  readonly signal: AbortSignal
  readonly found: FoundBySearch
}

async function begin(paths: WorkspacePaths, values: FixOptions, beginning: Beginning): Promise<number> {
  if (values['dry-run'] === true) return tryOnly(paths, values, beginning)
  const fixed = await fix(paths, values, beginning)
  return fixed.outcome === 'not_fixed' ? 1 : 0
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** What came of an order that could not be begun, in the shape of its result. */
function unfit({ message, hint }: Fault, values: FixOptions, found: FoundBySearch) {
  if (values['dry-run'] === true) return { ...dryRunJson(refused(message), []), ...greenOf(found), hint }
  const nothing = {
    outcome: 'not_fixed',
    reason: message,
    hint,
    report: null,
    gates: [],
    loop: null,
    notes: [],
  }
  return { ...nothing, ...found.toJSON() }
}

/** Of a dry run that was cut off: the patch that was green by then. */
function greenOf(found: FoundBySearch) {
  const { patch } = found.toJSON()
  return patch === null ? {} : { outcome: 'plausible', patches: [patch] }
}

function jsonOf({ found, ...fixed }: Fixed) {
  return { ...fixed, ...found.toJSON() }
}

function describe(fixed: Fixed): string {
  switch (fixed.outcome) {
    case 'nothing_to_fix':
      return fixed.notes.length === 0
        ? `Nothing to fix: ${gatesWords(fixed.gates)}.`
        : [
            `Nothing to fix in commit ${fixed.commit.slice(0, 7)}: ${gatesWords(fixed.gates)}.`,
            ...but(fixed),
          ].join('\n')
    case 'fixed':
      return [
        `Fixed: ${gatesWords(fixed.gates)}.`,
        ...(fixed.confidence === null ? [] : [confidenceWords(fixed.confidence)]),
        ...but(fixed),
        '',
        ...shortened(fixed.diff),
        '',
        ...wouldTell(fixed.found),
        `The change is commit ${fixed.commit.slice(0, 12)} on branch ${fixed.branch}; your checkout was not touched.`,
        `Look: git diff HEAD...${fixed.branch}   Take it: git merge ${fixed.branch}`,
      ].join('\n')
    case 'not_fixed':
      return [
        `Not fixed: ${fixed.reason}`,
        ...but(fixed),
        ...(fixed.report === null ? [] : [`What was tried and where to look: ${fixed.report}`]),
      ].join('\n')
  }
}

/** Green tests are all that is known; what the engine makes of that is said beside. */
function confidenceWords({ level, why }: Confidence): string {
  return level === 'high' ? `Confidence high: ${why}` : `Confidence low, look before you take it: ${why}`
}

const DIFF_LINES_MAX = 200

function shortened(diff: string): string[] {
  const lines = diff.trimEnd().split('\n')
  if (lines.length <= DIFF_LINES_MAX) return lines
  return [...lines.slice(0, DIFF_LINES_MAX), `… and ${lines.length - DIFF_LINES_MAX} more lines`]
}

function but({ notes }: Fixed): string[] {
  return notes.map((note) => `But ${note}.`)
}

const tell = (text: string) => process.stderr.write(`${text}\n`)

interface FixOptions {
  readonly engine?: string | undefined
  readonly 'test-command'?: string | undefined
  readonly scenario?: string | undefined
  readonly resume?: boolean | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly json?: boolean | undefined
  readonly answer?: string | undefined
  readonly seconds?: string | undefined
}

function settingsOf(paths: WorkspacePaths, options: FixOptions): Config {
  const own = readOptional(paths.config)
  if (own !== null) refuseBroken(paths.config, own)
  const { config, warnings, errors } = readConfig({
    own,
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

/** A gate that was configured must not vanish because the file cannot be read. */
function refuseBroken(file: string, text: string): void {
  const why = ((): string | null => {
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? null
        : 'it is not a JSON object'
    } catch (error) {
      return messageOf(error)
    }
  })()
  if (why === null) return
  throw new Fault('settings', `${file} cannot be read: ${why}`, { hint: 'Correct it; nothing was run.' })
}

async function fix(paths: WorkspacePaths, options: FixOptions, beginning: Beginning): Promise<Fixed> {
  const { signal, found } = beginning
  const hasTerminal = process.stdin.isTTY && process.stderr.isTTY && options.json !== true
  const questions = new FixQuestions({ answer: options.answer ?? null, hasTerminal, signal, tell })
  found.asks(questions)
  const config = settingsOf(paths, options)
  found.isAlone = config.engines.default === 'repair'
  const order: FixOrder = {
    paths,
    config,
    env: readEnv(),
    signal,
    tell,
    found,
    questions,
    seconds: secondsOf(options),
    withoutFirst: options.engine !== undefined,
    onEnd: (fixed) =>
      process.stdout.write(`${options.json === true ? asJson(jsonOf(fixed)) : describe(fixed)}\n`),
  }
  const fixed = await beginOrResume(order, options)
  if (questions.unused !== null && questions.asked === null)
    tell(`--answer "${questions.unused}" was not used: nothing was asked.`)
  return fixed
}

async function beginOrResume(order: FixOrder, options: FixOptions): Promise<Fixed> {
  const { paths, signal } = order
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
async function tryOnly(
  paths: WorkspacePaths,
  options: FixOptions,
  { signal, found: sofar }: Beginning,
): Promise<number> {
  const env = readEnv()
  const config = settingsOf(paths, options)
  if (config.engines.default !== 'repair') {
    throw new Fault('usage', `engine ${config.engines.default} cannot do a dry run`, {
      hint: 'Use: treadle fix --engine repair --dry-run',
    })
  }
  const gates = openGates({
    evidenceDir: paths.evidence,
    env,
    tailBytes: config.limits.outputTailBytes,
    surroundings: openSurroundings({ ...config.sandbox, owner: paths.root }),
  })
  const testCommand =
    options['test-command'] ?? config.tests.command ?? (await gates.detectTestCommand(paths.root))
  const { repair } = config.engines
  sofar.isAlone = true
  const testTimeoutMs = config.tests.timeoutMs
  const sandbox = sandboxOfEngines({ config, paths })
  const request = { cwd: paths.root, command: testCommand, timeoutMs: testTimeoutMs, signal }
  const failures = await failuresNow(gates, request, { env, sandbox })
  const wallSeconds = secondsOf(options)
  const order = {
    root: paths.root,
    testCommand,
    failures,
    env,
    ...repair,
    wallSeconds,
    testTimeoutMs,
    sandbox,
    tell,
    onGreen: (diff: string) => sofar.sawGreen(diff),
  }
  const found = await dryRun(order, signal)
  const notes = await dryRunNote({ repository: paths.root, env })
  const told = options.json ? asJson(dryRunJson(found, notes)) : describeDryRun(found)
  process.stdout.write(`${told}\n`)
  if (!options.json) for (const note of notes) tell(note)
  if (signal.aborted) return STOPPED_CODE
  return found.outcome === 'plausible' ? 0 : 1
}

/** What fails as it is: tests may write where they run, so they run in a copy. */
async function failuresNow(
  gates: Gates,
  request: TestGateRequest,
  options: CopyOptions,
): Promise<readonly TestFailure[]> {
  if (request.command === null) return []
  tell(`Running the tests as they are: ${request.command}`)
  const copy = new ScratchCopy(request.cwd, options)
  try {
    const shown = await gates.runTests({ ...request, cwd: copy.path })
    return shown.is === 'failed' ? shown.failures : []
  } finally {
    copy.remove()
  }
}

/** A fix that was made here, from its own file. */
function explainFix(
  paths: WorkspacePaths,
  { explain: id, attempt, json }: { explain?: string; attempt?: string; json?: boolean },
): number {
  const state = FixState.parse(JSON.parse(readFileSync(stateFile(paths.fixes, id ?? ''), 'utf8')))
  const told = explain(state, {
    attempt: attempt === undefined ? null : Number(attempt),
    alone: true,
    now: new Date(),
  })
  if (told === null) throw new Fault('explain', `the fix ${id} has no attempt ${attempt}`)
  process.stdout.write(json === true ? `${JSON.stringify(told, null, 2)}\n` : told.text)
  return 0
}

/** Null: the settings alone say how long. */
function secondsOf({ seconds }: FixOptions): number | null {
  if (seconds === undefined) return null
  const value = Number(seconds)
  if (Number.isFinite(value) && value > 0) return value
  throw new Fault('usage', `fix: --seconds wants a number above 0, not ${seconds}`)
}

function readOptional(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (!existsSync(file)) return null
    throw new Fault('settings', `${file} cannot be read: ${messageOf(error)}`)
  }
}

main().then((code) => process.exit(code), complain)
