// Takes in what a reviewer answered: read, held against the files and the checks, and only then acted on.
import { needsPerson, waitsIn } from '@treadle/contracts/gate'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item, RestsOn } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { ReviewEnd } from '@treadle/contracts/routes/reviews'
import { type AdvanceWorld, advance } from '../advance.ts'
import type { MergeGit, WorktreeGit } from '../ports/git.ts'
import { isTestFile } from '../verify/failure/frames.ts'
import { readAnswer } from './answer.ts'
import { decideChecks } from './checks.ts'
import { judgedIn } from './criteria.ts'
import { lackOf, waitsWords } from './decide.ts'
import { holds, placesIn, type ShownFile } from './evidence.ts'
import { judgeEvidence } from './evidence-level.ts'
import { baseOf } from './examine.run.ts'
import { feedbackText } from './feedback.ts'
import { type Hunk, hunksIn } from './hunks.ts'
import { refer } from './review.run.ts'
import { decideVerdict, type VerdictChoice } from './verdict.ts'

export interface JudgeWorld extends AdvanceWorld {
  readonly git: Pick<MergeGit, 'commitOf' | 'mergeBase'>
  readonly source: Pick<WorktreeGit, 'fileAt' | 'diff'>
  readonly target: string
  /** What keeps the crew's own code from deciding. */
  readonly restsOn: () => RestsOn
}
export interface Answer {
  readonly id: number
  readonly agentId: AgentId
  readonly fence: number
  readonly engine: string
  readonly end: ReviewEnd
}
export type Judged =
  | { readonly is: 'decided' | 'duplicate'; readonly review: Review }
  | { readonly is: 'fenced'; readonly review: Review }
  | { readonly is: 'missing' }

const FILES_MAX = 100
const CHANGES_MAX = 100
const short = (text: string) => text.slice(0, 2_000)

export async function runAnswer(world: JudgeWorld, answer: Answer): Promise<Judged> {
  const { store } = world
  const seen = await store.reviews.find(answer.id)
  if (seen === null) return { is: 'missing' }
  const choice = await choiceFor(world, seen, answer.end)
  return store.tx(async (): Promise<Judged> => {
    const ref = { projectNumber: seen.projectNumber, number: seen.issueNumber }
    // The item first, as everybody else does who needs both.
    const item = await store.items.lock(ref)
    const review = await store.reviews.lock(answer.id)
    if (item === null || review === null) return { is: 'missing' }
    const isHis = review.status === 'in_review' && review.claimedByAgentId === answer.agentId
    if (!isHis || review.fence !== answer.fence)
      return { is: review.fence === answer.fence && review.engine !== null ? 'duplicate' : 'fenced', review }
    await settle(world, { item, review, answer }, choice)
    return { is: 'decided', review: (await store.reviews.find(answer.id)) ?? review }
  })
}

async function choiceFor(world: JudgeWorld, review: Review, end: ReviewEnd): Promise<VerdictChoice> {
  const { criteria, checks } = review
  if (end.is === 'failed')
    return { is: 'person', criteria, why: `the reviewer could not do its work: ${end.why}` }
  const read = readAnswer(end.text)
  const notes = read.is === 'read' ? read.answer.criteria.map(({ note }) => note) : []
  const files = await filesNamed(world, review, notes)
  const choice = decideVerdict({
    read,
    criteria,
    holds: (evidence, { description }) => holds(evidence, description, { files, checks }),
  })
  if (choice.is !== 'approve') return choice
  const waits = waitsIn(checks)
  // Whatever a model says of them: these are a person's.
  if (waits.some(needsPerson)) return { is: 'person', criteria: choice.criteria, why: waitsWords(waits) }
  const evidence = review.evidence ?? judgeEvidence(checks)
  const lacking = lackOf({ evidence, needs: world.config().merge.needs })
  return lacking !== null
    ? { is: 'person', criteria: choice.criteria, why: `the reviewer approves it, and ${lacking}` }
    : choice
}

/** The files that the answer points at, as delivered; what shows nothing of the change is not among them. */
async function filesNamed(
  world: JudgeWorld,
  review: Review,
  notes: readonly string[],
): Promise<Map<string, ShownFile>> {
  const changed = await changedIn(world, review)
  const paths = [...new Set(notes.flatMap(placesIn).map(({ path }) => path))].slice(0, FILES_MAX)
  const files = new Map<string, ShownFile>()
  for (const path of paths) {
    const isTest = isTestFile(path, { file: null })
    const hunks = changed.get(path) ?? []
    const text = isTest || hunks.length > 0 ? await world.source.fileAt(review.headCommit, path) : null
    if (text !== null) files.set(path, { lines: text.replace(/\n$/, '').split('\n'), hunks, isTest })
  }
  return files
}

async function changedIn(world: JudgeWorld, review: Review): Promise<ReadonlyMap<string, readonly Hunk[]>> {
  const head = await world.git.commitOf(review.headCommit)
  if (head === null) return new Map()
  const base = await baseOf(world, head, await world.store.runs.find(review.runId))
  return base === null ? new Map() : hunksIn((await world.source.diff(base, head)).text)
}

interface Case {
  readonly item: Item
  readonly review: Review
  readonly answer: Answer
}

async function settle(
  world: JudgeWorld,
  { item, review, answer }: Case,
  choice: VerdictChoice,
): Promise<void> {
  const { store } = world
  const { agentId, engine, end } = answer
  const text = end.is === 'answered' ? end.text : null
  const model = end.is === 'answered' ? (end.model ?? null) : null
  await store.reviews.patch(review.id, { engine, model, answer: text, criteria: [...choice.criteria] })
  await advance(world, {
    item: { projectNumber: item.projectNumber, number: item.number },
    eventId: `judged:${review.id}:${review.fence}`,
    fence: null,
    agentId,
    move: {
      type: 'review.checked',
      evidence: review.evidence ?? judgeEvidence(review.checks),
      judged: judgedIn(item.acceptance, choice.criteria),
    },
  })
  const order = {
    item: { projectNumber: item.projectNumber, number: item.number },
    eventId: `reviewed:${review.id}:${review.fence}`,
    fence: null,
    agentId,
  }
  const { warnings } = decideChecks(review.checks)
  switch (choice.is) {
    case 'approve': {
      await store.reviews.patch(review.id, { feedback: warnings.length === 0 ? null : warnings.join('\n') })
      const at = world.now().toISOString()
      const approval = { kind: 'reviewer', by: agentId, at, restsOn: world.restsOn() } as const
      await advance(world, { ...order, move: { type: 'review.approved', approval } })
      return
    }
    case 'reject': {
      const feedback = feedbackText({
        cycle: review.cycle,
        cyclesMax: world.config().limits.reviewCycles,
        issues: choice.issues,
        changes: choice.changes,
        warnings,
      })
      const changes = choice.changes.filter((change) => change !== '').slice(0, CHANGES_MAX)
      const move = { type: 'review.rejected', by: agentId, feedback, changes: changes.map(short) } as const
      await advance(world, { ...order, move })
      return
    }
    case 'person':
      await store.reviews.patch(review.id, { status: 'pending', waitsFor: 'person', why: choice.why })
      await refer(world, { item, review, name: 'answered' }, choice.why)
  }
}
