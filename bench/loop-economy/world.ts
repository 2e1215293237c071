// The edge of the world for our loop: an engine that is a script, a git that is a list, a clock that stands still.
// Tests are really run, once for each state of the project; the rest is the agent's own code.
import type { AgentTools, Held, WorkingCopy } from '@treadle/agent/work'
import { Config } from '@treadle/contracts/config'
import { blankItem } from '@treadle/contracts/item'
import { blankRun } from '@treadle/contracts/run'
import { workspacePaths } from '@treadle/contracts/workspace'
import type { Clock } from '@treadle/flow/ports/clock'
import type { Engine, EngineTask } from '@treadle/flow/ports/engine'
import type { Gates } from '@treadle/flow/ports/gates'
import type { WorktreeGit } from '@treadle/flow/ports/git'
import { failuresIn } from '@treadle/flow/verify/failure/evidence'
import type { ScriptedEngine, Tree } from './engine.ts'
import { type Project, type State, TEST_COMMAND } from './project.ts'
import type { Scenario } from './scenarios.ts'

const NOW = new Date('2026-01-02T03:04:05.000Z')
const RUN = '00000000-0000-4000-8000-000000000001'
const KEPT = '0'.repeat(64)
const config = Config.parse({})

export const PLACE: WorkingCopy = { worktree: 'no-folder', branch: 'treadle/fix', target: 'HEAD' }

export interface Edge {
  readonly project: Project
  readonly scenario: Scenario
  readonly brokenBy: ReadonlyMap<string, string>
  readonly tree: Tree
  readonly engine: ScriptedEngine
  /** Told of each run of the suite. */
  readonly onTests: (state: State) => void
}

/** As `treadle fix` sets it up, without an engine that tries first. */
export function benchOf(edge: Edge): AgentTools {
  return {
    id: 'agent-1',
    paths: workspacePaths('.'),
    config,
    target: PLACE.target,
    testCommand: TEST_COMMAND,
    testsSeeChanges: true,
    git: gitOf(edge.tree),
    gates: gatesOf(edge),
    engine: engineOf(edge),
    first: null,
    guidanceChannel: null,
    clock,
    journal: { append: async () => undefined },
    lessons: { recall: async () => [] },
    budget: () => ({
      begin: async () => {
        throw new Error('nothing here costs money')
      },
    }),
    // Only the budget of a prompt hangs on it, and these prompts are far below.
    counter: async () => (text) => Math.ceil(text.length / 4),
    env: {},
    log: (message) => {
      throw new Error(message)
    },
    onPhase: () => undefined,
  }
}

export function heldItem(): Held {
  const createdAt = NOW.toISOString()
  const item = blankItem({ number: 1, title: 'Make the failing tests pass', state: 'claimed', createdAt })
  const run = blankRun({
    id: RUN,
    item: { projectNumber: 1, number: 1 },
    agentId: 'agent-1',
    startedAt: createdAt,
  })
  return {
    item: { ...item, runId: RUN, claimedByAgentId: 'agent-1', claimedAt: createdAt },
    run,
    fence: 0,
    resumed: false,
  }
}

const clock: Clock = { now: () => NOW, sleep: async () => undefined }

function gatesOf({ project, scenario, tree, onTests }: Edge): Gates {
  return {
    canary: async () => ({ is: 'nothing', why: 'nothing is planted here' }),
    detectTestCommand: async () => TEST_COMMAND,
    runSetup: async () => ({ is: 'ok' }),
    format: async () => [],
    runBuild: async () => null,
    runTests: async () => {
      const state = await project.state(scenario, tree.left)
      onTests(state)
      return state.gate
    },
    // What the tests refuse is not asked further; what they let pass is delivered.
    runDeliveryGates: async () => [],
    runAffected: async () => [],
    mapTests: async () => undefined,
    settleFlaky: async ({ result }) => result,
    confirmFixed: async ({ result }) => result,
    hints: async () => (await project.state(scenario, tree.left)).hints,
    keep: async () => KEPT,
  }
}

function engineOf({ brokenBy, engine }: Edge): Engine {
  return {
    id: 'scripted',
    takes: 'groups',
    isFree: () => true,
    probe: async () => ({ is: 'usable', note: '' }),
    open: async () => ({
      prompt: async (task) => {
        engine.fix(asksIn(task, brokenBy))
        return { outcome: 'done', text: 'changed what seemed wrong' }
      },
      interrupt: async () => undefined,
      stop: async () => undefined,
    }),
  }
}

/** The causes behind the failures that a task hands over; evidence is what its text really says about them. */
function asksIn(task: EngineTask, brokenBy: ReadonlyMap<string, string>) {
  const asks = new Map<string, boolean>()
  for (const { id, message } of task.failures) {
    const cause = brokenBy.get(id)
    if (cause === undefined) throw new Error(`${id} does not fail in this scenario`)
    asks.set(cause, asks.get(cause) === true || task.text.includes(message))
  }
  return [...asks].map(([cause, evidence]) => ({ cause, evidence }))
}

type Snapshot = Readonly<Tree>

function gitOf(tree: Tree): WorktreeGit {
  const commits: Snapshot[] = []
  const refs = new Map<string, string>()
  const save = (ref: string): string => {
    const id = String(commits.push({ ...tree })).padStart(40, '0')
    refs.set(ref, id)
    return id
  }
  const at = (id: string): Snapshot => {
    const found = commits[Number(id) - 1]
    if (found === undefined) throw new Error(`there is no commit ${id}`)
    return found
  }
  const filesBetween = (from: Snapshot, to: Snapshot) => (from.edits === to.edits ? [] : ['src/changed.ts'])
  const base = save('HEAD')
  return {
    commitOf: async (ref) => refs.get(ref) ?? null,
    ensureWorktree: async () => ({ head: base, resumed: false }),
    leftOut: async () => [],
    checkpoint: async (_, ref) => save(ref),
    restore: async (_, checkpoint, keepRef) => {
      save(keepRef)
      Object.assign(tree, at(checkpoint))
    },
    commit: async () => ({ is: 'committed', commit: save(PLACE.branch) }),
    changedFiles: async (_, from) => filesBetween(at(from), tree),
    watch: (_, __, use) => use(),
    clearArtefacts: async () => undefined,
    worktreeDiff: async () => ({ files: [], text: '' }),
    diff: async (from, to) => {
      const files = filesBetween(at(from), at(to))
      return { files, text: files.map((file) => `--- a/${file}\n+++ b/${file}\n`).join('') }
    },
    fileChanges: async () => [],
    fileAt: async () => null,
    idsAt: async () => new Map(),
    inverseOf: async () => null,
    carry: async () => null,
    push: async () => ({ is: 'no_remote' }),
    latest: async (branch) => ({ commit: base, from: 'here', beside: null, note: branch }),
    removeWorktree: async () => undefined,
  }
}

export function hasFailures(gates: Parameters<typeof failuresIn>[0]): boolean {
  return failuresIn(gates).length > 0
}
