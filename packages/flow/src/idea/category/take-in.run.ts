// Takes in what came of a look for an improvement: an item, a second try, or a category that is left alone for a while.
import type { IdeationOutcome } from '@treadle/contracts/category'
import type { Config } from '@treadle/contracts/config'
import type { Fact } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import { NewItem } from '@treadle/contracts/item'
import { type Finding, SurveyReport } from '@treadle/contracts/survey'
import { isOpenThought, type Thought } from '@treadle/contracts/thought'
import { SELF_GENERATED_LABEL } from '@treadle/contracts/words/category'
import { messageOf } from '../../fault.ts'
import type { Ideation } from '../../ports/ideations.ts'
import { chooseFinding } from './choose-finding.ts'
import { findingItem } from './finding-item.ts'
import { judgeAnswer } from './judge-answer.ts'
import { askAbout } from './look.run.ts'
import type { LookWorld } from './look-world.ts'
import { projectCreateText } from './project-create.ts'
import { projectItem, withoutCategory } from './project-item.ts'
import { whoLooks } from './who-looks.ts'

/** All items of the crew's own are of the first project. */
const PROJECT = 1
/** A finding that was put right and is there again may become an item again after that. */
const TAKEN_MS = 30 * 24 * 60 * 60_000

/** Once by the thought, however often it is called. */
export async function runTakeIn(world: LookWorld, id: string): Promise<void> {
  const packages = await world.packages()
  try {
    await whereEnded(world, id, (answered) => takeIn(world, { ...answered, packages }))
  } catch (error) {
    // It would fail again in every sweep; another category may do better.
    const why = `no item could be made of it: ${messageOf(error)}`
    await whereEnded(world, id, ({ ideation }) =>
      exhaust(world, ideation, { outcome: 'not_created', why, lasts: 'round' }),
    )
  }
}

/** In one transaction, if it is over and was not taken in yet. */
async function whereEnded(
  { store }: LookWorld,
  id: string,
  act: (answered: Omit<Answered, 'packages'>) => Promise<void>,
): Promise<void> {
  await store.tx(async () => {
    await store.ideations.lock()
    const ideation = await store.ideations.find(id)
    if (ideation === null || ideation.outcome !== null) return
    const thought = await store.thoughts.find(id)
    if (thought !== null && isOpenThought(thought)) return
    await act({ ideation, thought })
  })
}

const LEFT_MAX = 100

/** Part of every sweep: looks whose answer a killed daemon has not taken in. */
export async function runTakeInLeft(world: LookWorld): Promise<void> {
  for (const { thought } of await world.store.ideations.left(LEFT_MAX)) await runTakeIn(world, thought)
}

interface Answered {
  readonly ideation: Ideation
  /** Null: it is gone. */
  readonly thought: Thought | null
  readonly packages: readonly string[] | null
}

async function takeIn(world: LookWorld, answered: Answered): Promise<void> {
  const { thought, ideation } = answered
  if (thought?.status === 'withdrawn')
    return end(world, ideation, { outcome: 'withdrawn', why: thought.why ?? 'it was withdrawn' })
  const text = thought?.answer?.text ?? null
  if (thought === null || text === null)
    return end(world, ideation, { outcome: 'failed', why: thought?.why ?? 'its thought is gone' })
  if (thought.kind === 'category_survey') return takeInSurvey(world, { ideation, thought, text })
  return takeInIdea(world, { ...answered, thought, text })
}

interface Read {
  readonly ideation: Ideation
  readonly thought: Thought
  readonly text: string
}

async function takeInIdea(
  world: LookWorld,
  { ideation, thought, text, packages }: Read & Pick<Answered, 'packages'>,
): Promise<void> {
  const { attempt, category } = ideation
  const items = await world.store.ideations.titles(PROJECT)
  const titles = items.map(({ number, title }) => ({ number, title: withoutCategory(title) }))
  const judged = judgeAnswer({ text, attempt, titles, packages })
  if (judged.is === 'again') {
    await end(world, ideation, judged)
    const prompt = `${thought.prompt}\n\n${judged.reminder}`
    return askAbout(world, { category, attempt: 2, kind: 'category_idea', engine: thought.engine, prompt })
  }
  if (judged.is === 'exhausted') return exhaust(world, ideation, judged)
  const written = projectItem(projectCreateText(category, judged.idea), judged.idea.effort)
  if (written.is === 'unreadable')
    return exhaust(world, ideation, { outcome: 'not_created', why: written.why, lasts: 'round' })
  await create(world, { ideation, thought, item: written.item, finding: null })
}

async function takeInSurvey(world: LookWorld, { ideation, thought, text }: Read): Promise<void> {
  const report = SurveyReport.safeParse(jsonIn(text))
  if (!report.success)
    return exhaust(world, ideation, {
      outcome: 'unreadable',
      why: 'the survey could not be read',
      lasts: 'round',
    })
  const taken = await world.store.ideations.findingsTaken(new Date(world.now().getTime() - TAKEN_MS))
  const findings = report.data.findings.filter(({ category }) => category === ideation.category)
  const hasEngine = whoLooks(world.config()).is === 'engine'
  const busyFiles = await world.store.ideations.filesTaken()
  const chosen = chooseFinding({ findings, taken, busyFiles, hasEngine })
  if (chosen.is === 'busy') {
    const why = 'what is left in it is in files that are being changed'
    return exhaust(world, ideation, { outcome: 'none', why, lasts: 'moment' })
  }
  if (chosen.is === 'none') {
    const why = whyNothing(findings, taken)
    return exhaust(world, ideation, { outcome: 'none', why, lasts: 'long' })
  }
  const { finding } = chosen
  const item = findingItem(finding)
  const labels = [SELF_GENERATED_LABEL, ...item.labels]
  await create(world, { ideation, thought, item: { ...item, labels }, finding: finding.key })
}

function whyNothing(findings: readonly Finding[], taken: readonly string[]): string {
  if (findings.length === 0) return 'no program finds anything wrong in it'
  const left = findings.filter(({ key }) => !taken.includes(key)).length
  return left === 0
    ? 'an item was made of all that programs find in it'
    : `programs find ${left} in it that no program can put right; an engine could: treadle survey`
}

interface Exhausted {
  readonly outcome: IdeationOutcome
  readonly why: string
  readonly lasts: keyof typeof LASTS
}

const MOMENT_MS = 60_000
const LASTS = {
  long: ({ exhaustedMs }: Config['ideas']) => exhaustedMs,
  round: ({ roundMs }: Config['ideas']) => roundMs,
  moment: () => MOMENT_MS,
} as const

async function exhaust(
  world: LookWorld,
  ideation: Ideation,
  { outcome, why, lasts }: Exhausted,
): Promise<void> {
  const until = new Date(world.now().getTime() + LASTS[lasts](world.config().ideas))
  const { category, thought } = ideation
  await end(world, ideation, { outcome, why })
  await world.store.ideations.exhaust(category, until, why)
  await tell(world, `exhausted:${thought}`, null, {
    type: 'category.exhausted',
    category,
    until: until.toISOString(),
    why: why.slice(0, 4_000),
  })
}

async function end(
  world: LookWorld,
  { thought, category }: Ideation,
  { outcome, why }: { readonly outcome: IdeationOutcome; readonly why: string },
): Promise<void> {
  await world.store.ideations.end(thought, { outcome, why, item: null }, world.now())
  if (outcome === 'withdrawn') return
  const said = why.slice(0, 4_000) || 'no reason was given'
  await tell(world, `idea-rejected:${thought}`, null, { type: 'idea.rejected', category, outcome, why: said })
}

interface Creation {
  readonly ideation: Ideation
  readonly thought: Thought
  readonly item: NewItem
  readonly finding: string | null
}

/** The item, what is said of it, and the end of the look, in one transaction. */
async function create(
  world: LookWorld,
  { ideation, thought, item: wanted, finding }: Creation,
): Promise<void> {
  const { store, now } = world
  const at = now()
  const { category } = ideation
  const added = await store.items.add({ ...NewItem.parse(wanted), projectNumber: PROJECT }, at)
  const item: ItemRef = { projectNumber: added.projectNumber, number: added.number }
  const ideatedByAgentId = thought.agentId
  await store.ideations.record({ item, category, ideatedByAgentId, createdAt: at.toISOString() }, finding)
  await store.ideations.end(thought.id, { outcome: 'project', why: null, item }, at)
  const { title } = added
  await tell(
    world,
    `idea-generated:${thought.id}`,
    { item, agentId: ideatedByAgentId },
    {
      type: 'idea.generated',
      category,
      title,
    },
  )
  const by = ideatedByAgentId ?? 'system'
  await tell(world, `item-added:${thought.id}`, { item, agentId: null }, { type: 'item.added', title, by })
}

async function tell(
  { store, now }: LookWorld,
  id: string,
  about: { readonly item: ItemRef; readonly agentId: string | null } | null,
  event: Fact,
): Promise<void> {
  const { item = null, agentId = null } = about ?? {}
  const state = item === null ? null : 'todo'
  await store.events.append({ id, at: now(), item, agentId, runId: null, state, event })
}

/** Null: it is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
