// One attempt in the agent's own worktree, between two checkpoints: the whole item at first, then cause by cause.
import type { Filled } from '@treadle/context/fill'
import type { AgentMove } from '@treadle/contracts/event'
import type { FailureGroup } from '@treadle/contracts/failure'
import type { GateResult } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import { isGoal } from '@treadle/contracts/paor'
import { type Applied, type FixNote, type Phase, phaseRecord } from '@treadle/contracts/run'
import { withDiscoveries } from '../learn/discovered.ts'
import { filesNamed } from '../learn/planned.ts'
import type { EngineTask, GoalTask, TurnEnd } from '../ports/engine.ts'
import type { LeftOut } from '../ports/git.ts'
import { failuresIn, isCommandAlone } from '../verify/failure/evidence.ts'
import { runGrouping } from '../verify/failure/grouping.run.ts'
import { groupNote } from '../verify/failure/note.ts'
import { changesOf } from '../work/changes.run.ts'
import { checkpointMessage } from '../work/commit-message.ts'
import { NOTHING_ASKED } from '../work/rework.ts'
import { checkpointRef, type WorkJob, type WorkWorld } from '../work/work-world.ts'
import { conversationOf } from './conversation.ts'
import { runFormat } from './format.run.ts'
import { NO_PAST, pastAfter } from './goal-past.ts'
import { guidanceWords } from './guidance.ts'
import {
  CONVENTIONS,
  contextNote,
  type PromptFacts,
  placesOf,
  suspectsOf,
  writeNews,
  writePrompt,
} from './prompt.ts'
import { runRecall } from './recall.run.ts'
import { refusedBy } from './refused-by.ts'
import { rankSuggestions, type Suggestion } from './suggest.ts'
import { awaitLeft, runTurn } from './turn.run.ts'
import { asksForRest, decideTurn } from './turn.ts'

/** Of what an engine said in the end, so much is kept. */
const SAID_MAX = 2_000
const SUMMARY_MAX = 4_000
/** Of the files that are too large to be kept, so many are named. */
const LEFT_OUT_NAMED = 5
/** Of what was said to one item, the latest. */
const GUIDANCE_MAX = 50

type Built = Extract<AgentMove, { type: 'build.finished' | 'build.failed' | 'claim.released' }>

export async function runBuild(
  world: WorkWorld,
  job: WorkJob,
  evidence: readonly GateResult[],
): Promise<Built> {
  const { clock, git, worktree } = world
  const attempt = job.item.attempts + 1
  const phase: Phase = attempt === 1 ? 'build' : 'improve'
  const startedAt = clock.now()
  const start = checkpointRef(job.run.id, `${attempt}-before`)
  // What was done before the engine was cut off belongs to the attempt.
  const left = job.isContinued === true ? await git.commitOf(start) : null
  const before = left ?? (await git.checkpoint(worktree, start, checkpointMessage('start', job.run.id)))
  const made = await attemptAll(world, job, { attempt, evidence })
  const end = ending(made)
  const form = await runFormat(world, job)
  const checkpoint = await git.checkpoint(
    worktree,
    checkpointRef(job.run.id, `${attempt}-${phase}`),
    checkpointMessage(phase, job.run.id),
  )
  const said = form === '' ? end.text : `${end.text}\n${form}`
  const summary = withLeftOut(said, await git.leftOut(worktree))
  const changed = await changesOf(world, before, checkpoint)
  const records = [
    phaseRecord({
      phase,
      iteration: attempt - 1,
      startedAt: startedAt.toISOString(),
      durationMs: clock.now().getTime() - startedAt.getTime(),
      outcome: end.outcome,
      summary,
      checkpoint,
      ...changed,
      ...(end.toolFault === undefined ? {} : { toolFault: end.toolFault }),
      fixes: made.map(({ fix }) => fix).slice(0, 100),
      applied: distinct(made.flatMap(({ applied }) => applied)).slice(0, 50),
    }),
  ]
  const { infrastructureRetries: spent, providerRestMsMax: restMs } = world.config.limits
  const choice = decideTurn({ ...end, faults: spent, faultsMax: spent, now: clock.now(), restMs })
  // No finding about the item: it goes back as it was, and no attempt is used.
  if (choice.is === 'suspend') {
    const { why, restsUntil } = choice
    const hasProgress = asksForRest(end) && changed.changes.length > 0
    return {
      type: 'claim.released',
      why,
      engine: world.engine.id,
      ...(restsUntil === undefined ? {} : { restsUntil }),
      ...(hasProgress ? { hasProgress } : {}),
    }
  }
  return choice.is === 'verify'
    ? {
        type: 'build.finished',
        summary,
        checkpoint,
        confidence: end.confidence ?? null,
        records,
      }
    : {
        type: 'build.failed',
        outcome: end.outcome,
        why: refusedBy(evidence, attempt, choice.is === 'fail' ? choice.why : end.text),
        records,
      }
}

/** What the engine said, and which of its files are not kept because of their size. */
function withLeftOut(text: string, left: readonly LeftOut[]): string {
  if (left.length === 0) return text.slice(0, SUMMARY_MAX)
  const named = left
    .slice(0, LEFT_OUT_NAMED)
    .map(({ file, bytes }) => `${file.slice(-200)} (${(bytes / 1024 ** 2).toFixed(1)} MB)`)
  const more = left.length > LEFT_OUT_NAMED ? ` and ${left.length - LEFT_OUT_NAMED} more` : ''
  const words = `Too large to be kept, and in no checkpoint or delivery: ${named.join(', ')}${more}. The limits are limits.checkpointFileBytes and limits.checkpointBytes.`
  return `${text.slice(0, SUMMARY_MAX - words.length - 1)}\n${words}`.trimStart()
}

interface AttemptResult {
  readonly end: TurnEnd
  readonly fix: FixNote
  readonly applied: readonly Applied[]
}

interface AttemptRequest {
  readonly attempt: number
  readonly evidence: readonly GateResult[]
}

/** One turn for the whole at first; then one for each cause, so that five tests with one cause are mended once. */
async function attemptAll(world: WorkWorld, job: WorkJob, order: AttemptRequest): Promise<AttemptResult[]> {
  const groups = await runGrouping(world, order.evidence)
  const whole = order.attempt === 1 || world.engine.takes === 'all' || isGoal(job.item)
  const targets: (FailureGroup | null)[] =
    whole || groups.length === 0 ? [null] : groups.slice(0, world.config.limits.groupsPerAttempt)
  const made: AttemptResult[] = []
  for (const target of targets) {
    made.push(await attemptOne(world, job, { ...order, groups, target }))
    // Whoever came next would be held as long.
    if (made.at(-1)?.end.restsUntil !== undefined) break
  }
  return made
}

interface Target extends AttemptRequest {
  readonly groups: readonly FailureGroup[]
  /** The cause that this turn is about; null: all of it. */
  readonly target: FailureGroup | null
}

async function attemptOne(world: WorkWorld, job: WorkJob, order: Target): Promise<AttemptResult> {
  await awaitLeft(world)
  const { attempt, evidence, target } = order
  const groups = target === null ? order.groups : [target]
  // A turn for everything is about one cause as well, if there is only one.
  const cause = target ?? (order.groups.length === 1 ? (order.groups[0] ?? null) : null)
  const lessons = await runRecall(world, groups, pathsOf(job.item, groups))
  const suggestion = cause === null ? null : best(cause, lessons.resolutions, job)
  const testCommand = job.item.testCommand ?? world.testCommand
  const goal = goalOf(world, job.item, evidence)
  // A goal has it in every plan.
  const guidance = goal === null ? tellGuidance(world) : []
  const facts: PromptFacts = {
    item: job.item,
    attempt,
    testCommand,
    gates: world.config.gates,
    groups,
    others: order.groups.length - groups.length,
    history: job.run.history,
    suggestion,
    rework: job.rework ?? null,
    asked: job.asked ?? NOTHING_ASKED,
    lessons,
    guidance,
    files: await readFiles(world, groups),
    worktree: world.worktree,
    budgetTokens: world.config.limits.promptTokens,
    count: await world.counter(),
  }
  const { text, news, filled } = wordsFor(world, job, facts)
  const prompt = await world.gates.keep(filled.text)
  const failures = target === null ? failuresIn(evidence) : target.failures
  const told = { text, ...news, item: job.item, attempt, testCommand, failures, evidence }
  const task: EngineTask = goal === null ? told : { ...told, goal }
  const { end, engine } = await withFirst(world, task)
  const followed = suggestion?.is === 'resolution' ? suggestion : null
  return {
    end,
    applied: lessons.applied,
    fix: {
      group: cause === null ? null : groupNote(cause),
      novel: followed === null,
      lessonId: followed?.lesson.id ?? null,
      confidence: followed?.confidence ?? null,
      engine,
      outcome: end.outcome,
      prompt,
      context: contextNote(filled),
      said: withDiscoveries(end.text, SAID_MAX),
    },
  }
}

/** The request as a whole, and what of it is new to a conversation that goes on; `filled` is the one that is said. */
function wordsFor(
  world: WorkWorld,
  job: WorkJob,
  facts: PromptFacts,
): { text: string; news: { news?: string }; filled: Filled } {
  const whole = writePrompt(facts)
  const isKnown = conversationOf(world, world.engine) !== null && !isGoal(job.item)
  if (!isKnown) return { text: whole.text, news: {}, filled: whole }
  const filled = writeNews(facts, job.isContinued === true)
  return { text: whole.text, news: { news: filled.text }, filled }
}

/** Null: it is no goal, and is built in one turn. */
function goalOf(
  { config, guidanceChannel }: WorkWorld,
  item: Item,
  evidence: readonly GateResult[],
): GoalTask | null {
  if (!isGoal(item)) return null
  const { goalIterations: iterationsMax, stuckAfter } = config.limits
  const { plans, reflections } = pastAfter(guidanceChannel?.past() ?? NO_PAST, evidence)
  return { iterationsMax, stuckAfter, verifyCommand: item.testCommand, guidance: [], plans, reflections }
}

/** What people said goes into the prompt, and counts as heard from then on. */
function tellGuidance({ guidanceChannel, note }: WorkWorld): string[] {
  const said = guidanceChannel?.said().slice(-GUIDANCE_MAX) ?? []
  const news = guidanceChannel?.hear(said) ?? []
  if (news.length > 0) note({ type: 'run.heard', guidance: news.map(({ id }) => id) })
  return said.map((guidance) => {
    const { answers } = guidance
    return guidanceWords(guidance, answers === null ? null : (guidanceChannel?.asked(answers) ?? null))
  })
}

/** Files that the item names, and those where it fails. */
function pathsOf({ title, body, acceptance }: Item, groups: readonly FailureGroup[]): string[] {
  const named = filesNamed([title, body, ...acceptance.map(({ text }) => text)].join('\n'))
  const failing = groups.flatMap(({ failures }) => failures.flatMap(({ file }) => file ?? []))
  return [...named, ...placesOf(groups).map(({ file }) => file), ...failing]
}

/** The project's own words and the code where it fails. */
async function readFiles(world: WorkWorld, groups: readonly FailureGroup[]): Promise<PromptFacts['files']> {
  const files = new Map<string, string>()
  const code = [...placesOf(groups), ...suspectsOf(groups)].map(({ file }) => file)
  for (const path of [...CONVENTIONS, 'README.md', ...code]) {
    const text = files.has(path) ? null : await world.read(path)
    if (text !== null) files.set(path, text)
  }
  return files
}

function best(
  group: FailureGroup,
  resolutions: Parameters<typeof rankSuggestions>[1],
  job: WorkJob,
): Suggestion | null {
  return rankSuggestions(group, resolutions, job.run.history)[0] ?? null
}

/** A free engine may try before the one that costs; what it found out goes along, so that nothing is looked for twice. */
async function withFirst(world: WorkWorld, task: EngineTask): Promise<{ end: TurnEnd; engine: string }> {
  const usual = world.engine
  // A conversation of the usual engine that goes on has had its first try behind it.
  const isUsual = task.attempt > 1 || task.news !== undefined || task.goal !== undefined
  if (world.first === null || isUsual || isCommandAlone(task.evidence))
    return { end: await runTurn(world, { engine: usual, task }), engine: usual.id }
  const early = await runTurn(world, { engine: world.first, task })
  if (early.outcome === 'done') return { end: early, engine: world.first.id }
  const text = `${task.text}\n\n## What ${world.first.id} found out before you\n\n${early.text}`
  return { end: await runTurn(world, { engine: usual, task: { ...task, text } }), engine: usual.id }
}

/** Of several turns: they are worth testing if any of them is; doubt in one is doubt in all. */
function ending(made: readonly AttemptResult[]): TurnEnd {
  const ends = made.map(({ end }) => end)
  const good = ends.filter(({ outcome }) => outcome === 'done' || outcome === 'max_turns')
  const [first] = good.length > 0 ? good : ends
  if (first === undefined) return { outcome: 'refused', text: 'there was nothing to try' }
  if (ends.length === 1) return first
  const doubt = good.find(({ confidence }) => confidence?.level === 'low')?.confidence ?? first.confidence
  const text = ends.map((end, index) => `${index + 1}. ${end.text}`).join('\n')
  const rests = ends.at(-1)?.restsUntil
  const faults = ends.flatMap(({ toolFault }) => toolFault ?? [])
  return {
    outcome: first.outcome,
    text,
    ...(doubt === undefined ? {} : { confidence: doubt }),
    ...(faults.length < ends.length ? {} : { toolFault: faults.at(-1) ?? '' }),
    ...(rests === undefined || good.length > 0 ? {} : { restsUntil: rests }),
  }
}

function distinct(applied: readonly Applied[]): Applied[] {
  return [...new Map(applied.map((each) => [each.lessonId, each])).values()]
}
