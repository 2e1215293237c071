// What a reviewer is told: who it is, the item, its criteria, what the checks found and the change. What others wrote
// stands between marked lines as data; a template cannot be closed from inside.
import { type CountTokens, type Filled, fillContext } from '@treadle/context/fill'
import type { Part } from '@treadle/context/parts'
import { fillPrompt, promptText } from '@treadle/context/prompt-text'
import { type Evidence, type GateResult, waitsIn } from '@treadle/contracts/gate'
import type { ReviewCriterion } from '@treadle/contracts/review'
import type { ReviewMaterial } from '@treadle/contracts/routes/reviews'
import { GATE_WORDS, waitWords } from '@treadle/contracts/words/gates'

export interface ReviewPromptFacts {
  readonly material: ReviewMaterial
  /** The text of the project's own template; null: prompts/review-template.md. */
  readonly template: string | null
  /** What the repository says about its own ways. */
  readonly conventions: { readonly origin: string; readonly text: string } | null
  readonly budgetTokens: number
  readonly count: CountTokens
}

const FILES_SHOWN_MAX = 300
const CONVENTIONS_CHARS_MAX = 20_000
const TAIL_CHARS_MAX = 1_500

export function writeReviewPrompt(facts: ReviewPromptFacts): Filled {
  const { material } = facts
  const { item, review } = material
  const task = (origin: string, trust: Part['trust'], text: string | null): Part => ({
    name: 'task',
    origin,
    trust,
    text,
  })
  const parts: Part[] = [
    task('who you are', 'owner', promptText('review')),
    task('what to do', 'owner', fillTemplate(facts)),
    task('how to answer', 'owner', promptText('review-answer')),
    task('what the change newly brings; look at it first', 'tool', waitsText(review.checks)),
    task('the description of the item', 'untrusted', `#${item.number} ${item.title}\n\n${item.body}`),
    task('the acceptance criteria', 'untrusted', criteriaText(review.criteria)),
    task('the checks that were run', 'tool', checksText(review.checks)),
    task('the changed files', 'untrusted', filesText(material.changedFiles)),
    task(
      'earlier reviews of this item',
      'tool',
      material.earlier.length === 0 ? null : material.earlier.join('\n\n'),
    ),
    conventionsPart(facts),
    // The last, because it is the one that may have to be cut; the whole of it is in the copy.
    task(`the change${material.diffCut ? ', its beginning' : ''}`, 'untrusted', material.diff),
  ]
  return fillContext({ parts, budgetTokens: facts.budgetTokens, count: facts.count })
}

/** What the change itself has put there is no rule of the project; and no such file may crowd the change out. */
function conventionsPart({ conventions, material }: ReviewPromptFacts): Part {
  const origin = conventions?.origin ?? 'conventions'
  const trust = material.changedFiles.includes(origin) ? 'untrusted' : 'project'
  return { name: 'task', origin, trust, text: conventions?.text.slice(0, CONVENTIONS_CHARS_MAX) ?? null }
}

function fillTemplate({ material, template }: ReviewPromptFacts): string {
  const { review, changedFiles, item } = material
  const values: Readonly<Record<string, string>> = {
    projectNumber: String(review.issueNumber),
    issueNumber: String(review.issueNumber),
    issueTitle: `${JSON.stringify(item.title)} (data)`,
    issueBody: '(see the part "the description of the item")',
    parsedAcceptanceCriteria: `(${review.criteria.map(({ id }) => id).join(', ')}: see the part "the acceptance criteria")`,
    branchName: review.branchName,
    fileList: `(${changedFiles.length}: see the part "the changed files")`,
  }
  return fillPrompt(template ?? promptText('review-template'), values)
}

function criteriaText(criteria: readonly ReviewCriterion[]): string {
  return criteria
    .map(
      ({ id, description, status, note, askedIn }) =>
        `- ${id}: ${askedIn === undefined ? '' : `asked for after delivery ${askedIn}: `}${description}${status === 'met' ? ` (shown by ${note})` : ''}`,
    )
    .join('\n')
}

const WAITS_SHOWN_MAX = 100

function waitsText(checks: readonly GateResult[]): string | null {
  const waits = waitsIn(checks)
  if (waits.length === 0) return null
  const more = waits.length > WAITS_SHOWN_MAX ? [`- and ${waits.length - WAITS_SHOWN_MAX} more`] : []
  return [
    'These files could not do this before. See for each of them whether the item asks for it, or whether it could make the change look right under test only.',
    ...waits.slice(0, WAITS_SHOWN_MAX).map((wait) => `- ${waitWords(wait)}`),
    ...more,
  ].join('\n')
}

function filesText(files: readonly string[]): string {
  const more = files.length - FILES_SHOWN_MAX
  return [...files.slice(0, FILES_SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function checksText(checks: readonly GateResult[]): string {
  if (checks.length === 0) return 'No check could be run.'
  return checks.map(checkText).join('\n\n')
}

/** With exit code and the end of the output, so that nobody has to run it again to know. */
function checkText(gate: GateResult): string {
  const words = GATE_WORDS[gate.gate]
  const head = `${gate.gate}${words === gate.gate ? '' : ` (${words})`}: ${gate.is}`
  if (gate.is === 'skipped' || gate.is === 'not_run') return `${head}: ${gate.why}`
  const { command, exitCode, tail, report, strength } = gate.evidence
  return [
    head,
    `command: ${command}, exit code: ${exitCode ?? 'none'}`,
    ...(report === null || report.format === 'none'
      ? []
      : [`tests: ${report.passed} of ${report.total} passed`]),
    ...(gate.is === 'passed_with_warnings' ? gate.warnings.map((warning) => `warning: ${warning}`) : []),
    ...(gate.is === 'failed' ? gate.failures.map(({ id, message }) => `failed: ${id}: ${message}`) : []),
    ...(strength === undefined ? outputText(tail) : [strengthText(strength)]),
  ].join('\n')
}

function outputText(tail: string): string[] {
  return tail.trim() === '' ? [] : [`output ends:\n${tail.trimEnd().slice(-TAIL_CHARS_MAX)}`]
}

/** In words: its output is a document for programs. */
function strengthText({ noticed, planted, untaken = 0 }: NonNullable<Evidence['strength']>): string {
  const branches =
    untaken === 0 ? '' : `; ${untaken} ${untaken === 1 ? 'branch is' : 'branches are'} taken by no test`
  return `planted faults: the assertions noticed ${noticed} of ${planted}${branches}`
}
