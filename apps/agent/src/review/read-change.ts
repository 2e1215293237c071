// One delivery read by an engine: in a copy of its files that is thrown away, whatever was done to it.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CountTokens } from '@treadle/context/fill'
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'
import type { ReviewEnd, ReviewMaterial } from '@treadle/contracts/routes/reviews'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { CONVENTIONS } from '@treadle/flow/build/prompt'
import { runTurn, type TurnWorld } from '@treadle/flow/build/turn.run'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { BudgetClient } from '@treadle/flow/ports/budget'
import type { Clock } from '@treadle/flow/ports/clock'
import type { Engine } from '@treadle/flow/ports/engine'
import { writeReviewPrompt } from '@treadle/flow/review/prompt'
import { exportFiles } from '@treadle/git/export'
import type { Hold } from '../budget-client.ts'
import { playPatiently } from '../play-patiently.ts'
import { readText } from '../read-text.ts'
import { makeScratch } from '../scratch-folder.ts'
import { findTemplate, missingTemplate } from './template.ts'

export interface ReviewTools {
  readonly id: AgentId
  readonly paths: WorkspacePaths
  readonly config: Config
  readonly env: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: (message: string) => void
  readonly counter: () => Promise<CountTokens>
  readonly budget: (hold: Hold) => BudgetClient
  /** Throws a Fault if the settings name none that exists. */
  readonly engine: (authorModels: readonly string[]) => Engine
}

const ANSWER_CHARS_MAX = 400_000

export async function readChange(
  tools: ReviewTools,
  material: ReviewMaterial,
  signal: AbortSignal,
): Promise<ReviewEnd> {
  const folder = makeScratch('review', tools)
  try {
    const engine = tools.engine(material.authorModels)
    const probed = await engine.probe()
    if (probed.is === 'unusable') return { is: 'failed', why: `${probed.why} ${probed.hint}`.slice(0, 4_000) }
    await exportFiles({ repository: tools.paths.root, env: tools.env }, material.review.headCommit, folder)
    const text = await promptFor(tools, material, folder)
    const models: string[] = []
    const end = await playPatiently(tools, 'the review', signal, () =>
      runTurn(turnWorld(tools, material, { folder, signal, models }), {
        engine,
        readOnly: true,
        // Not the item itself: an engine that is given one would build it.
        task: {
          text,
          item: null,
          attempt: material.review.cycle,
          testCommand: null,
          failures: [],
          evidence: [],
        },
      }),
    )
    return end.outcome === 'done'
      ? { is: 'answered', text: end.text.slice(0, ANSWER_CHARS_MAX), model: models.at(-1) ?? null }
      : { is: 'failed', why: `${engine.id} ended with ${end.outcome}: ${end.text}`.slice(0, 4_000) }
  } catch (error) {
    if (signal.aborted) throw error
    if (!(error instanceof Fault))
      tools.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return { is: 'failed', why: messageOf(error).slice(0, 4_000) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function promptFor(tools: ReviewTools, material: ReviewMaterial, folder: string): Promise<string> {
  const { template: given } = tools.config.review
  const template = await findTemplate(tools.paths.root, given)
  if (template === null) tools.log(missingTemplate(given))
  const filled = writeReviewPrompt({
    material,
    template: template?.text ?? null,
    conventions: await conventionsIn(folder),
    budgetTokens: tools.config.limits.promptTokens,
    count: await tools.counter(),
  })
  return filled.text
}

async function conventionsIn(folder: string): Promise<{ origin: string; text: string } | null> {
  for (const origin of CONVENTIONS) {
    const text = await readText(folder, origin)
    if (text !== null) return { origin, text }
  }
  return null
}

function turnWorld(
  tools: ReviewTools,
  { review }: ReviewMaterial,
  { folder, signal, models }: { folder: string; signal: AbortSignal; models: string[] },
) {
  const item = { projectNumber: review.projectNumber, number: review.issueNumber }
  return {
    clock: tools.clock,
    config: tools.config,
    // A git that is started there does not find a repository above it.
    env: { ...tools.env, GIT_CEILING_DIRECTORIES: dirname(folder) },
    guidanceChannel: null,
    budget: tools.budget({ item, run: { id: review.runId }, fence: review.fence }),
    worktree: folder,
    signal,
    say: async ({ type }: { readonly type: string }) => tools.log(`#${item.number}: ${type}`),
    note: (event: Parameters<TurnWorld['note']>[0]) => {
      if (event.type === 'run.used') models.push(event.usage.model)
    },
  }
}
