// What a judgement of a delivery takes: its files without their history, and the prompt with the owner's words.
import type { CountTokens } from '@treadle/context/fill'
import type { Config } from '@treadle/contracts/config'
import type { Review } from '@treadle/contracts/review'
import type { ReviewMaterial } from '@treadle/contracts/routes/reviews'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { CONVENTIONS } from '@treadle/flow/build/prompt'
import { writeReviewPrompt } from '@treadle/flow/review/prompt'
import { exportFiles } from '@treadle/git/export'
import { readText } from '../read-text.ts'
import { findTemplate, missingTemplate } from './template.ts'

export interface JudgeTools {
  readonly paths: WorkspacePaths
  readonly config: Config
  readonly env: Readonly<Record<string, string>>
  readonly log: (message: string) => void
  readonly counter: () => Promise<CountTokens>
}

/** Puts the delivered files into the folder; answers what the model is told. */
export async function briefJudge(
  tools: JudgeTools,
  material: ReviewMaterial,
  folder: string,
): Promise<string> {
  const { paths, env, config, log, counter } = tools
  await exportFiles({ repository: paths.root, env }, material.review.headCommit, folder)
  const { template: given } = config.review
  const template = await findTemplate(paths.root, given)
  if (template === null) log(missingTemplate(given))
  const filled = writeReviewPrompt({
    material,
    template: template?.text ?? null,
    conventions: await conventionsIn(folder),
    budgetTokens: config.limits.promptTokens,
    count: await counter(),
  })
  return filled.text
}

/** What people see of whoever reads it. */
export function readingOf({ issueNumber, branchName, issueTitle }: Review) {
  return { currentProjectNumber: issueNumber, branchName, currentTaskDescription: issueTitle }
}

async function conventionsIn(folder: string): Promise<{ origin: string; text: string } | null> {
  for (const origin of CONVENTIONS) {
    const text = await readText(folder, origin)
    if (text !== null) return { origin, text }
  }
  return null
}
