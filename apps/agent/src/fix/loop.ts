// The build-test-improve loop on a repository's failing tests, without a daemon: begun anew or taken up again.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { openTokenCounter } from '@treadle/context/tokens'
import type { Config } from '@treadle/contracts/config'
import type { ItemMove } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import { blankItem } from '@treadle/contracts/item'
import { type LoopState, loopStateOf } from '@treadle/contracts/loop-state'
import { blankRun, type Confidence } from '@treadle/contracts/run'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { buildFor } from '@treadle/environment/build/build-command'
import { preparedGates } from '@treadle/environment/prepared-gates'
import { escalationOf } from '@treadle/flow/ask/escalation'
import { escalationMarkdown } from '@treadle/flow/ask/escalation-words'
import { Fault } from '@treadle/flow/fault'
import { isHeld } from '@treadle/flow/flow'
import { taughtBy } from '@treadle/flow/learn/after'
import type { Engine } from '@treadle/flow/ports/engine'
import type { Gates } from '@treadle/flow/ports/gates'
import type { WorktreeGit } from '@treadle/flow/ports/git'
import { failuresIn, isCommandAlone } from '@treadle/flow/verify/failure/evidence'
import { checkpointRef } from '@treadle/flow/work/work-world'
import { openGates } from '@treadle/gates/gates'
import { keepLimits } from '@treadle/git/keep-limits'
import { openWorktreeGit } from '@treadle/git/worktree'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { takeAgentLock } from '../agent-lock.ts'
import { clock } from '../compose.ts'
import { engineOf, firstEngineOf, markedEnv } from '../engines.ts'
import { watchedGates } from '../watched-gates.ts'
import { type AgentTools, type Held, workOn } from '../work.ts'
import type { FixQuestions } from './ask-person.ts'
import { fixBudgetClient } from './budget-client.ts'
import { type FoundBySearch, timesUp } from './found-by-search.ts'
import { FixLessons } from './lessons.ts'
import { submoduleNote, uncommittedNote } from './notes.ts'
import { reportLines } from './progress.ts'
import { type FixState, journalTo, saveState } from './state-file.ts'

interface FixedParts {
  readonly loop: LoopState
  readonly gates: readonly GateResult[]
  /** What the search found; null: none was made. */
  readonly found: FoundBySearch
  /** What the fix did not see. */
  readonly notes: readonly string[]
}

export type Fixed = FixedParts &
  (
    | { readonly outcome: 'nothing_to_fix'; readonly commit: string }
    | {
        readonly outcome: 'fixed'
        readonly branch: string
        readonly commit: string
        /** How far the engine trusts its change; null: it does not say. */
        readonly confidence: Confidence | null
        /** What the commit changes. */
        readonly diff: string
      }
    /** With a report for whoever takes over. */
    | { readonly outcome: 'not_fixed'; readonly reason: string; readonly report: string | null }
  )

export interface FixOrder {
  readonly paths: WorkspacePaths
  readonly config: Config
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
  readonly found: FoundBySearch
  /** Seconds of the clock that a search may take; null: the settings alone say. */
  readonly seconds: number | null
  readonly questions: FixQuestions
  /** No other engine is tried before the one that was asked for by name. */
  readonly withoutFirst: boolean
  /** Says what came of it. A fix that was killed before that is gone on with. */
  readonly onEnd: (fixed: Fixed) => void
}

export async function beginFix(order: FixOrder, testCommand: string | null): Promise<Fixed> {
  const { paths, config } = order
  mkdirSync(paths.evidence, { recursive: true })
  const { git, gates } = toolsOf(order)
  const command = testCommand ?? config.tests.command ?? (await gates.detectTestCommand(paths.root))
  if (command === null) throw new Fault('tests', 'no test command was found: give one with --test-command')
  const base = await git.commitOf('HEAD')
  if (base === null)
    throw new Fault('git', 'this repository has no commit yet', {
      hint: 'Make a first commit: git add -A && git commit -m start',
    })
  const engine = engineOf({ config, paths, memory: null, id: 'fix' })
  const usable = await engine.probe()
  if (usable.is === 'unusable')
    throw new Fault('engine', `engine ${engine.id}: ${usable.why}`, { hint: usable.hint })
  const id = randomUUID()
  const name = `fix-${id.slice(0, 8)}`
  const at = clock.now().toISOString()
  const item = blankItem({
    number: 1,
    title: 'Make the failing tests pass',
    state: 'claimed',
    runId: id,
    createdAt: at,
  })
  const state: FixState = {
    version: 1,
    item: { ...item, claimedByAgentId: 'agent-1', claimedAt: at },
    run: blankRun({ id, item: { projectNumber: 1, number: 1 }, agentId: 'agent-1', startedAt: at }),
    place: { worktree: `${paths.worktrees}/${name}`, branch: `treadle/${name}`, target: base },
    engine: config.engines.default,
    scenario: config.engines.scripted.scenario,
    testCommand: command,
    startedAt: at,
    endedAt: null,
  }
  await saveState(paths.fixes, state)
  return goOn(order, state, false)
}

export function resumeFix(order: FixOrder, state: FixState): Promise<Fixed> {
  const { config } = order
  // The settings it was begun with: an interruption must not change the engine.
  const engines = { ...config.engines, default: state.engine, scripted: { scenario: state.scenario } }
  return goOn({ ...order, config: { ...config, engines } }, state, true)
}

async function goOn(order: FixOrder, state: FixState, resumed: boolean): Promise<Fixed> {
  const { paths } = order
  const lock = takeAgentLock(paths.locks, `fix-${state.run.id.slice(0, 8)}`)
  if (lock.is === 'held') throw new Fault('fix', `the fix ${state.run.id} is running in another process`)
  try {
    const { state: ended, notes } = await workHere(order, state, resumed)
    const fixed = { ...conclude(paths, ended, notes), found: order.found }
    order.onEnd(fixed)
    // Last of all: until its result was said, whoever was interrupted finds it again.
    await saveState(paths.fixes, { ...ended, endedAt: clock.now().toISOString() })
    return fixed
  } finally {
    lock.release()
  }
}

/** What came of the work; its worktree is gone by then. */
async function workHere(
  order: FixOrder,
  state: FixState,
  resumed: boolean,
): Promise<{ state: FixState; notes: Notes }> {
  const { paths, signal } = order
  const { place } = state
  const { git, gates } = toolsOf(order)
  const lessons = new FixLessons(paths, order.tell)
  const agentTools: AgentTools = toolsFor(order, state, { git, gates, lessons })
  const held: Held = { item: state.item, run: state.run, fence: 0, resumed }
  const unseen = await uncommittedNote({ repository: paths.root, env: order.env }, place.target)
  const notes: Notes = { unseen, missing: [], enough: null, diff: '' }
  try {
    if (isOver(state)) {
      order.tell('It was over when it was interrupted; its result follows.')
      if (state.run.history.length === 0) notes.enough = isEnough(state.run.baseline, agentTools.engine)
      await learn(lessons, state, state)
      return { state, notes: { ...notes, diff: await diffOf(git, state) } }
    }
    const worked = await workOn(agentTools, held, {
      workingCopy: place,
      signal,
      isEnough: (baseline) => {
        notes.missing.push(...submoduleNote(place.worktree))
        notes.enough = isEnough(baseline, agentTools.engine)
        return notes.enough
      },
    })
    if (worked.is === 'lost') throw new Fault('stopped', 'Stopped. Go on with: treadle fix --resume')
    const ended = { ...state, item: worked.item, run: worked.run }
    await learn(lessons, state, ended)
    return { state: ended, notes: { ...notes, diff: await diffOf(git, ended) } }
  } finally {
    await git.removeWorktree(place.worktree, checkpointRef(state.run.id, 'last'))
    dropEmptyBranch(paths.root, place.branch, place.target)
  }
}

/** Nothing is left to do for it; what came of it was perhaps not said yet. */
function isOver({ item, run }: FixState): boolean {
  if (isHeld(item.state)) return false
  return item.state !== 'escalated' || run.history.at(-1)?.phase === 'escalation'
}

async function diffOf(git: WorktreeGit, { item, place }: FixState): Promise<string> {
  if (item.headCommit === null) return ''
  return (await git.diff(place.target, item.headCommit)).text
}

async function learn(lessons: FixLessons, before: FixState, ended: FixState): Promise<void> {
  const { item: after, run } = ended
  // A fix is no item of the crew, so there is no place to name.
  for (const { seenAt: _, ...lesson } of taughtBy({
    run,
    before: before.item,
    after,
    move: lastMove(ended),
  }))
    await lessons.record(lesson)
  await lessons.keep(run.id)
}

/** Why no engine is asked; null if there is something to do for it. */
function isEnough(baseline: readonly GateResult[], engine: Engine): string | null {
  if (failuresIn(baseline).length === 0) return 'no test fails'
  // A search goes by failing tests; other engines may find out why the command fails.
  return engine.id === 'repair' && isCommandAlone(baseline) ? 'the test command itself fails' : null
}

/** How the loop ended, in the words that end a run of the crew. */
function lastMove({ item, run, place }: FixState): ItemMove {
  if (item.headCommit === null) return { type: 'item.escalated', why: item.reason ?? 'not fixed' }
  const delivered = { branch: place.branch, head: item.headCommit, gates: run.gates }
  return { type: 'verify.passed', ...delivered, pushed: false, pushNote: null }
}

interface FixTools {
  readonly git: WorktreeGit
  readonly gates: Gates
  readonly lessons: FixLessons
}

function toolsFor(order: FixOrder, state: FixState, tools: FixTools): AgentTools {
  const { paths, config, env, tell } = order
  const { found, questions, seconds } = order
  found.readFrom(`${paths.fixes}/${state.run.id}.search.json`)
  const search = {
    reportFile: found.file,
    retries: timesUp(paths.fixes, state.place.target),
    onGreen: (diff: string) => {
      if (found.sawGreen(diff)) tell('  · a patch makes the tests pass; others are looked for')
    },
    ...(seconds === null ? {} : { wallSeconds: seconds }),
  }
  const choice = { config, paths, memory: tools.lessons, id: 'fix', search }
  const first = order.withoutFirst ? null : firstEngineOf(choice)
  return {
    id: 'agent-1',
    paths,
    config,
    target: state.place.target,
    testCommand: state.testCommand,
    testsSeeChanges: false,
    ...tools,
    engine: questions.around(engineOf(choice)),
    first: first === null ? null : questions.around(first),
    clock,
    budget: ({ run }) => fixBudgetClient(config, run.usage),
    guidanceChannel: null,
    counter: openTokenCounter,
    journal: journalTo(paths.fixes, state, async (report) => {
      for (const line of reportLines(report)) tell(line)
    }),
    env: markedEnv(env),
    log: tell,
    onPhase: () => undefined,
  }
}

function toolsOf({ paths, config, env, tell }: FixOrder): { git: WorktreeGit; gates: Gates } {
  const git = openWorktreeGit({ repository: paths.root, env, keep: keepLimits(config) })
  const gates = openGates({
    evidenceDir: paths.evidence,
    env,
    tailBytes: config.limits.outputTailBytes,
    outputBytesMax: config.limits.outputBytes,
    trace: config.tests.trace === 'auto',
    surroundings: openSurroundings({ ...config.sandbox, owner: paths.root }),
    buildFor: buildFor(config.tests.buildCommand),
    network: config.gates.network,
  })
  const preparing = { folder: paths.packages, packages: 'shared', log: tell } as const
  return { git, gates: watchedGates(preparedGates(gates, preparing), git) }
}

interface Notes {
  readonly unseen: readonly string[]
  /** Of the change that was made; empty: there is none. */
  readonly diff: string
  /** What may be the very reason why tests fail. */
  readonly missing: string[]
  /** Why no engine was asked; null: one was. */
  enough: string | null
}

type Concluded = Fixed extends infer F ? (F extends Fixed ? Omit<F, 'found'> : never) : never

function conclude(
  paths: WorkspacePaths,
  state: FixState,
  { unseen, missing, enough, diff }: Notes,
): Concluded {
  const notes = [...unseen, ...missing]
  const { item, run, place } = state
  const loop = loopStateOf(run)
  if (item.headCommit !== null) {
    const { branch } = place
    const { headCommit: commit, confidence } = item
    return { outcome: 'fixed', branch, commit, confidence, diff, gates: run.gates, loop, notes }
  }
  // An engine whose key was refused gives the item back as well; it was asked.
  if (enough !== null) {
    const why = whyNotBegun(run.baseline)
    const told = { gates: run.baseline, loop, notes }
    if (why === null) return { outcome: 'nothing_to_fix', commit: place.target, ...told }
    return { outcome: 'not_fixed', reason: [why, ...missing].join('; '), report: null, ...told }
  }
  const reason = [item.reason ?? 'no reason is known', ...missing].join('; ')
  const escalation = escalationOf({ ...item, reason }, run, true)
  const report = `${paths.fixes}/${run.id}.md`
  writeFileSync(report, escalationMarkdown(escalation))
  writeFileSync(`${paths.fixes}/${run.id}.report.json`, `${JSON.stringify(escalation, null, 2)}\n`)
  const gates = run.gates.length > 0 ? run.gates : run.baseline
  return { outcome: 'not_fixed', reason, report, gates, loop, notes }
}

/** Null: no test fails, so there was nothing to begin. */
function whyNotBegun(baseline: readonly GateResult[]): string | null {
  const notRun = baseline.find((gate) => gate.is === 'not_run' || gate.is === 'skipped')
  if (notRun !== undefined && 'why' in notRun) return `the tests did not run: ${notRun.why}`
  const [failure] = failuresIn(baseline)
  return failure === undefined
    ? null
    : `${failure.message.split('\n', 1)[0]}; no edit can be searched for by that`
}

/** A branch on which nothing was committed is of no use to anybody. Git refuses if it is not at the base any more. */
function dropEmptyBranch(root: string, branch: string, base: string): void {
  const args = ['-c', 'core.hooksPath=/dev/null', 'update-ref', '-d', `refs/heads/${branch}`, base]
  spawnSync('git', args, { cwd: root, stdio: 'ignore' })
}
