// What follows the end of the thought that judges a delivery: the answer is read, held against files and checks, and
// only then acted on. Without an answer it is a person's.
import type { Fact } from '@treadle/contracts/event'
import { needsPerson, waitsIn } from '@treadle/contracts/gate'
import type { Item, RestsOn } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import type { Thought } from '@treadle/contracts/thought'
import { duration } from '@treadle/contracts/words/time'
import type { MergeGit, WorktreeGit } from '../ports/git.ts'
import type { MovingWorld } from '../ports/moving.ts'
import type { Store } from '../ports/store.ts'
import { isTestFile } from '../verify/failure/frames.ts'
import { onTargetOf } from '../work/item-target.ts'
import type { AnswerFollowUp, ThoughtEnding } from '../work/thought.run.ts'
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

export interface JudgeWorld extends MovingWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'events' | 'runs' | 'reviews'>
  readonly git: Pick<MergeGit, 'commitOf' | 'mergeBase'>
  readonly source: Pick<WorktreeGit, 'fileAt' | 'diff'>
  readonly target: string
  /** What keeps the crew's own code from deciding. */
  readonly restsOn: () => RestsOn
}

const FILES_MAX = 100
const CHANGES_MAX = 100
const short = (text: string) => text.slice(0, 2_000)

/** The item first, as everybody else does who needs both. Null: nobody wants this judgement any more. */
export async function lockJudged(
  { store }: Pick<JudgeWorld, 'store'>,
  thought: Pick<Thought, 'id' | 'work'>,
): Promise<{ item: Item; review: Review } | null> {
  const item = thought.work === null ? null : await store.items.lock(thought.work.item)
  const found = await store.reviews.ofThought(thought.id)
  const review = found === null ? null : await store.reviews.lock(found.id)
  const isOpen = review?.status === 'pending' || review?.status === 'in_review'
  return item === null || review === null || !isOpen ? null : { item, review }
}

/** Nobody judges what is their own. Null: this agent may. */
export async function whyNotJudge(
  { store }: Pick<JudgeWorld, 'store'>,
  { id }: Pick<Thought, 'id'>,
  agentId: string,
): Promise<string | null> {
  const review = await store.reviews.ofThought(id)
  return review?.completedByAgentId === agentId ? 'it is about your own work' : null
}

export async function judgeClaimFact(
  { store }: Pick<JudgeWorld, 'store'>,
  { id }: Pick<Thought, 'id'>,
): Promise<Fact | null> {
  const review = await store.reviews.ofThought(id)
  return review === null ? null : { type: 'review.claimed', reviewId: review.id, cycle: review.cycle }
}

/** Reads an answer in the files and the history of the delivery; what it gives back acts on it. */
export async function readJudgement(
  world: JudgeWorld,
  thought: Thought,
  end: ThoughtEnd,
): Promise<AnswerFollowUp | null> {
  const review = await world.store.reviews.ofThought(thought.id)
  if (review === null) return null
  const choice = await choiceFor(world, review, end)
  return async (ended) => {
    const locked = await lockJudged(world, ended)
    if (locked !== null) await settle(world, { ...locked, thought: ended }, choice)
    return null
  }
}

/** It is over without an answer that could be read: whoever waited for it is told, and a person decides. */
export async function runUnjudged(
  world: Pick<JudgeWorld, 'store' | 'now' | 'config' | 'advance'>,
  thought: Thought,
  ending: ThoughtEnding,
): Promise<null> {
  const locked = await lockJudged(world, thought)
  if (locked === null) return null
  const { item, review } = locked
  const isLate = ending === 'too_late'
  const after = duration(world.config().limits.reviewWaitMs)
  const why = isLate
    ? `${thought.agentId} has had the review for more than ${after} without an answer`
    : `the reviewer could not do its work: ${thought.why ?? 'there is no answer'}`
  const escalatedAt = isLate ? { escalatedAt: world.now() } : {}
  await world.store.reviews.patch(review.id, { waitsFor: 'person', why, ...escalatedAt })
  if (isLate) await tellEscalated(world, { item, review }, { id: thought.id, why })
  await refer(world, { item, review, name: isLate ? 'overdue' : 'answered' }, why)
  return null
}

/** Inside a transaction: it waits, or was read, for too long. */
export async function tellEscalated(
  {
    store,
    now,
  }: {
    readonly store: Pick<Store, 'events'>
    readonly now: () => Date
  },
  { item, review }: { readonly item: Item; readonly review: Review },
  { id, why }: { readonly id: string; readonly why: string },
): Promise<void> {
  await store.events.append({
    id: `escalated:${review.id}:${id}`,
    at: now(),
    item: { projectNumber: item.projectNumber, number: item.number },
    agentId: null,
    runId: review.runId,
    state: item.state,
    event: { type: 'review.escalated', reviewId: review.id, why },
  })
}

async function choiceFor(world: JudgeWorld, review: Review, end: ThoughtEnd): Promise<VerdictChoice> {
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
  const item = await world.store.items.find({
    projectNumber: review.projectNumber,
    number: review.issueNumber,
  })
  if (item === null) return new Map()
  const base = await baseOf(onTargetOf(world, item), head, await world.store.runs.find(review.runId))
  return base === null ? new Map() : hunksIn((await world.source.diff(base, head)).text)
}

interface Case {
  readonly item: Item
  readonly review: Review
  readonly thought: Thought
}

async function settle(
  world: JudgeWorld,
  { item, review, thought }: Case,
  choice: VerdictChoice,
): Promise<void> {
  const { store } = world
  const { engine, answer } = thought
  const agentId = thought.agentId ?? thought.engine
  const criteria = [...choice.criteria]
  const read = { engine, model: answer?.model ?? null, answer: answer?.text ?? null }
  await store.reviews.patch(review.id, { ...read, criteria, waitsFor: null })
  const about = {
    item: { projectNumber: item.projectNumber, number: item.number },
    fence: null,
    agentId: thought.agentId,
  }
  await world.advance({
    ...about,
    eventId: `judged:${thought.id}`,
    move: {
      type: 'review.checked',
      evidence: review.evidence ?? judgeEvidence(review.checks),
      judged: judgedIn(item.acceptance, choice.criteria),
    },
  })
  const order = { ...about, eventId: `reviewed:${thought.id}` }
  const { warnings } = decideChecks(review.checks)
  switch (choice.is) {
    case 'approve': {
      await store.reviews.patch(review.id, { feedback: warnings.length === 0 ? null : warnings.join('\n') })
      const at = world.now().toISOString()
      const approval = { kind: 'reviewer', by: agentId, at, restsOn: world.restsOn() } as const
      await world.advance({ ...order, move: { type: 'review.approved', approval } })
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
      await world.advance({ ...order, move })
      return
    }
    case 'person':
      await store.reviews.patch(review.id, { waitsFor: 'person', why: choice.why })
      await refer(world, { item, review, name: 'answered' }, choice.why)
  }
}
