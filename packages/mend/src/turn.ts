// One turn of mend: a plan, a small change, another look; what did not put the finding right is taken back.
import { type FindingName, findingOf, type SurveyedCommit } from '@treadle/contracts/finding-measure'
import type { EngineOpen, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { judgeFinding } from '@treadle/gates/review/decide-finding'
import { Project, type SurveyedTree } from '@treadle/survey/project'
import { surveyCommit } from '@treadle/survey/survey-commit'
import { applyEdits } from './apply-edits.ts'
import type { Planned } from './mend.ts'
import { planMend } from './mends.ts'

export interface MendSettings {
  /** The files of a worktree as they are now; those that are gone are not among them. */
  openTree(worktree: string, env: Readonly<Record<string, string>>): SurveyedTree
}

type Open = Pick<EngineOpen, 'cwd' | 'env' | 'onEvent'>
type Plan = Extract<Planned, { is: 'edits' }>

const OUTPUT_MAX = 7_900
const INTERRUPTED: TurnEnd = {
  outcome: 'interrupted',
  text: 'The mend was interrupted; nothing was changed.',
}

export async function runMend(
  settings: MendSettings,
  open: Open,
  { task, signal }: { readonly task: EngineTask; readonly signal: AbortSignal },
): Promise<TurnEnd> {
  const measure = task.item?.measure ?? null
  const finding = measure === null ? null : findingOf(measure.command)
  if (finding === null)
    return refused('The item is not for a finding of a survey, and mend puts nothing else right.')
  if (task.attempt > 1)
    return refused(`mend has had its try at ${finding.key}: it makes one small change, and that was refused.`)
  const now = new Date()
  const look = () => new Project(settings.openTree(open.cwd, open.env), () => now)
  const started = performance.now()
  const project = look()
  const before = await surveyCommit(project, finding)
  if (signal.aborted) return INTERRUPTED
  const plan = await planFor(project, finding, before)
  const words = plan.is === 'edits' ? plan.what : plan.why
  observe(open, { tool: 'plan', input: finding.key, output: words, success: plan.is === 'edits' }, started)
  if (plan.is === 'cannot') return refused(cannotWords(finding, plan.why))
  const isLeft = await makeChange(open, { finding, before, plan, look, signal })
  open.onEvent({ is: 'used', usage: { model: 'none', inputTokens: 0, outputTokens: 0, usd: 0 } })
  if (signal.aborted) return INTERRUPTED
  return isLeft.is === 'good' ? doneWith(finding, plan) : refused(cannotWords(finding, isLeft.why))
}

/** What is not found, or not looked at, has no plan. */
async function planFor(project: Project, { key }: FindingName, before: SurveyedCommit): Promise<Planned> {
  if (before.is === 'not_run') return { is: 'cannot', why: before.why }
  const plan = await planMend(project, key)
  if (plan.is === 'cannot' || before.findings.some((each) => each.key === key)) return plan
  return { is: 'cannot', why: 'it is not there' }
}

interface Change {
  readonly finding: FindingName
  readonly before: SurveyedCommit
  readonly plan: Plan
  readonly look: () => Project
  readonly signal: AbortSignal
}

type Kept = { readonly is: 'good' } | { readonly is: 'taken_back'; readonly why: string }

/** The change stays only if the finding is put right and nothing new came. */
async function makeChange(open: Open, { finding, before, plan, look, signal }: Change): Promise<Kept> {
  const started = performance.now()
  const applied = applyEdits(open.cwd, plan.edits)
  if (applied.is === 'cannot') return { is: 'taken_back', why: applied.why }
  let isGood = false
  try {
    const { found, why } = judgeFinding(finding, { base: before, head: await surveyCommit(look(), finding) })
    const brought = found.is === 'improved' ? (found.brought ?? []) : []
    isGood = found.is === 'improved' && brought.length === 0 && !signal.aborted
    const words = brought.length === 0 ? why : `it brought ${brought.join('; ')}`
    observe(open, { tool: 'survey', input: finding.key, output: words, success: isGood }, started)
    return isGood
      ? { is: 'good' }
      : { is: 'taken_back', why: `the change (${plan.what}) was taken back: ${words}` }
  } finally {
    if (!isGood) applied.takeBack()
  }
}

interface Step {
  readonly tool: string
  readonly input: string
  readonly output: string
  readonly success: boolean
}

function observe({ onEvent }: Open, { output, ...step }: Step, started: number): void {
  const durationMs = performance.now() - started
  onEvent({ is: 'observed', observation: { ...step, output: output.slice(0, OUTPUT_MAX), durationMs } })
}

function doneWith({ key }: FindingName, { edits, what }: Plan): TurnEnd {
  const why = 'The surveys no longer find it, and find nothing that they did not find before.'
  const text = `mend ${what} (${key}). Changed: ${[...edits.keys()].join(', ')}. ${why}`
  return { outcome: 'done', text, confidence: { level: 'high', why } }
}

function cannotWords({ key }: FindingName, why: string): string {
  return `mend cannot put ${key} right: ${why}. Nothing was changed.`
}

function refused(text: string): TurnEnd {
  return { outcome: 'refused', text }
}
