// One thought: a model is asked in a folder that is thrown away, and nothing may be changed.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'
import type { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import { THOUGHT_CHARS_MAX, type Thought } from '@treadle/contracts/thought'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { runTurn, type TurnWorld } from '@treadle/flow/build/turn.run'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { BudgetClient } from '@treadle/flow/ports/budget'
import type { Clock } from '@treadle/flow/ports/clock'
import type { Engine, TurnEnd } from '@treadle/flow/ports/engine'
import { exportFiles } from '@treadle/git/export'
import type { Hold } from '../budget-client.ts'
import { playPatiently } from '../play-patiently.ts'
import { makeScratch } from '../scratch-folder.ts'

export interface ThinkTools {
  readonly id: AgentId
  readonly paths: WorkspacePaths
  readonly config: Config
  readonly env: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: (message: string) => void
  readonly budget: (hold: Hold) => BudgetClient
  /** Throws a Fault if there is none of that name. */
  readonly engine: (thought: Pick<Thought, 'engine' | 'use'>) => Engine
  /** The commit whose files a thought about the whole repository may read; null: there is none. */
  readonly targetCommit: () => Promise<string | null>
}

export interface Thinking {
  readonly signal: AbortSignal
  /** A pause is waited out here, before each call of the model. */
  readonly checkpoint: () => Promise<void>
  readonly onSaid: (text: string, leftOut: number | undefined) => void
}

export async function runThought(
  tools: ThinkTools,
  thought: Thought,
  thinking: Thinking,
): Promise<ThoughtEnd> {
  const folder = makeScratch('think', tools)
  try {
    const engine = tools.engine(thought)
    const probed = await engine.probe()
    if (probed.is === 'unusable') return failed(`${probed.why} ${probed.hint}`)
    await fill(tools, thought, folder)
    const models: string[] = []
    const end = await playPatiently(tools, `the thought about ${thought.subject}`, thinking.signal, () =>
      runTurn(turnWorld(tools, thought, { ...thinking, folder, models }), {
        engine,
        readOnly: true,
        form: {
          ...(thought.system === '' ? {} : { system: thought.system }),
          ...(thought.schema === null ? {} : { schema: thought.schema }),
        },
        task: {
          text: thought.prompt,
          item: null,
          attempt: thought.nth,
          testCommand: null,
          failures: [],
          evidence: [],
          thought: { kind: thought.kind, subject: thought.subject },
        },
      }),
    )
    return endOf(engine, end, models.at(-1) ?? null)
  } catch (error) {
    if (thinking.signal.aborted) throw error
    if (!(error instanceof Fault))
      tools.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return failed(messageOf(error))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function endOf({ id }: Engine, end: TurnEnd, model: string | null): ThoughtEnd {
  if (end.outcome !== 'done') return failed(`${id} ended with ${end.outcome}: ${end.text}`)
  // What was checked against a schema came over the wire as JSON.
  const structured = end.structured === undefined ? null : (end.structured as null)
  return { is: 'answered', text: end.text.slice(0, THOUGHT_CHARS_MAX), structured, model }
}

function failed(why: string): ThoughtEnd {
  return { is: 'failed', why: why.slice(0, 4_000) }
}

/** A specification is written by who can read the code; a reply needs the talk alone. */
async function fill(
  { paths, env, targetCommit }: ThinkTools,
  { kind }: Thought,
  folder: string,
): Promise<void> {
  if (kind !== 'spec_write') return
  const commit = await targetCommit()
  if (commit !== null) await exportFiles({ repository: paths.root, env }, commit, folder)
}

function turnWorld(
  tools: ThinkTools,
  { id, fence, subject }: Thought,
  { folder, signal, models, checkpoint, onSaid }: Thinking & { folder: string; models: string[] },
) {
  return {
    clock: tools.clock,
    config: tools.config,
    // A git that is started there does not find a repository above it.
    env: { ...tools.env, GIT_CEILING_DIRECTORIES: dirname(folder) },
    guidanceChannel: null,
    budget: tools.budget({ thought: id, fence }),
    worktree: folder,
    signal,
    checkpoint,
    say: async ({ type }: { readonly type: string }) => tools.log(`${subject}: ${type}`),
    note: (event: Parameters<TurnWorld['note']>[0]) => {
      if (event.type === 'run.used') models.push(event.usage.model)
      if (event.type === 'run.said') onSaid(event.text, event.leftOut)
    },
  }
}
