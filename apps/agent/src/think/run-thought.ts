// One thought: a model is asked in a folder that is thrown away, and nothing may be changed.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import { THOUGHT_CHARS_MAX, type Thought } from '@treadle/contracts/thought'
import { runTurn, type TurnWorld } from '@treadle/flow/build/turn.run'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Engine, TurnEnd } from '@treadle/flow/ports/engine'
import { playPatiently } from '../play-patiently.ts'
import { makeScratch } from '../scratch-folder.ts'
import { secretsRemover } from '../without-secrets.ts'
import { briefOf, type ThoughtShown } from './brief.ts'
import { runSurveyThought } from './survey-thought.ts'
import type { ThinkTools } from './think-tools.ts'

export interface Thinking {
  readonly signal: AbortSignal
  /** A pause is waited out here, before each call of the model. */
  readonly checkpoint: () => Promise<void>
  readonly onSaid: (text: string, leftOut: number | undefined) => void
  readonly onShown: (shown: ThoughtShown) => void
}

export async function runThought(
  tools: ThinkTools,
  thought: Thought,
  thinking: Thinking,
): Promise<ThoughtEnd> {
  if (thought.kind === 'category_survey') {
    await thinking.checkpoint()
    return runSurveyThought(tools, thought, thinking.signal)
  }
  const folder = makeScratch(tools)
  try {
    const { engine, attempt, shown, fill } = await briefOf(tools, thought, thinking.signal)
    thinking.onShown(shown)
    const probed = await engine.probe()
    if (probed.is === 'unusable') return failed(`${probed.why} ${probed.hint}`)
    const text = await fill(folder)
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
          // Not the item itself: an engine that is given one would build it.
          text,
          item: null,
          attempt,
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
  if (end.outcome !== 'done') return failed(end.text === '' ? `${id} ended with ${end.outcome}` : end.text)
  // What was checked against a schema came over the wire as JSON.
  const structured = end.structured === undefined ? null : (end.structured as null)
  return { is: 'answered', text: end.text.slice(0, THOUGHT_CHARS_MAX), structured, model }
}

function failed(why: string): ThoughtEnd {
  return { is: 'failed', why: why.slice(0, 4_000) }
}

function turnWorld(
  tools: ThinkTools,
  { id, fence, subject, work }: Thought,
  { folder, signal, models, checkpoint, onSaid }: Thinking & { folder: string; models: string[] },
) {
  const clean = secretsRemover(tools.env)
  return {
    clock: tools.clock,
    config: tools.config,
    // A git that is started there does not find a repository above it.
    env: { ...tools.env, GIT_CEILING_DIRECTORIES: dirname(folder) },
    guidanceChannel: null,
    budget: tools.budget({ thought: id, fence, work }),
    worktree: folder,
    signal,
    checkpoint,
    say: async ({ type }: { readonly type: string }) => tools.log(`${subject}: ${type}`),
    note: (noted: Parameters<TurnWorld['note']>[0]) => {
      const event = clean(noted)
      if (event.type === 'run.used') models.push(event.usage.model)
      if (event.type === 'run.said') onSaid(event.text, event.leftOut)
    },
  }
}
