// Looks for the next improvement where the queue runs low: asks agents for a thought about one category each.
import type { Category } from '@treadle/contracts/categories'
import type { Fact } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import { isReviewer } from '@treadle/contracts/review'
import { askThought, runWithdrawThought, type ThoughtWorld } from '../../work/thought.run.ts'
import { decideLook, type LookFacts, type LookNow } from './look-now.ts'
import type { LookWorld } from './look-world.ts'
import {
  type CategoryFacts,
  isExhausted,
  isStillLow,
  type Selected,
  selectCategory,
  whyOff,
} from './select-category.ts'
import { SURVEY_ENGINE, whoLooks } from './who-looks.ts'

/** More agents than there are. */
const LOOKERS_MAX = 100
const IN_REVIEW_MAX = 100
/** What a model that answers in words is asked to be; the request itself is the filled template. */
const SYSTEM =
  'You review a repository for its owner and answer in the form that you are asked for. You change nothing.'

/** Part of every sweep. */
export async function runLook(world: LookWorld & ThoughtWorld): Promise<void> {
  const isOn = world.config().flags.enable_ideation === true
  if (!isOn && !(await hasPending(world))) return
  const decided = decideLook(await lookFacts(world))
  if (decided.is === 'wait') return withdrawPending(world, decided)
  const missing = new Set<Category>()
  for (let asked = 0, tries = 0; asked < decided.agents && tries < LOOKERS_MAX; tries += 1) {
    const done = await askOne(world, missing)
    if (done === 'none') return
    if (done === 'asked') asked += 1
  }
}

/** Enough of a crew that somebody goes on building while another one looks. */
const CREW_MIN = 2

/**
 * Asks for a look by an agent that is about to take an item, where too little would wait behind it: with a crew that
 * is never idle, the queue would otherwise run dry first. False: it may as well take its item.
 */
export async function runLookFirst(world: LookWorld & ThoughtWorld, asking: AgentId): Promise<boolean> {
  const { store, config } = world
  if (config().flags.enable_ideation !== true) return false
  const { queued } = await store.healthCounts.ofLoop()
  // With nothing to take it waits, and the next sweep sees it.
  if (queued === 0 || queued > config().monitoring.queueLow) return false
  const crew = (await store.agents.list()).filter(({ id, wanted }) => !isReviewer(id) && wanted === 'running')
  if (crew.length < CREW_MIN) return false
  const missing = new Set<Category>()
  for (let tries = 0; tries < LOOKERS_MAX; tries += 1) {
    if (!isWanted(await lookFacts(world, asking))) return false
    const done = await askOne(world, missing, asking)
    if (done !== 'skipped') return done === 'asked'
  }
  return false
}

function isWanted(facts: LookFacts): boolean {
  const decided = decideLook(facts)
  return decided.is === 'look' && decided.agents > 0
}

/** What is looked at next, and why nobody looks now. */
export async function readNext(world: LookWorld): Promise<{ look: LookNow; selected: Selected }> {
  const look = decideLook(await lookFacts(world))
  return { look, selected: selectCategory(await readCategoryFacts(world)) }
}

export async function readCategoryFacts(
  { store, now, config, surveyed, changedAt = async () => null }: LookWorld,
  missing: ReadonlySet<Category> = new Set(),
): Promise<CategoryFacts> {
  const { agents, ideas } = config()
  const looker = whoLooks(config())
  const tallies = await store.ideations.tally(now())
  // Git is asked only where it decides something.
  const isAsked = tallies.some((tally) => isStillLow(tally, new Date(0)))
  return {
    now: now(),
    enabled: agents.enabledCategories,
    perDay: ideas.perCategoryPerDay,
    tallies,
    changedAt: isAsked ? await changedAt() : null,
    whyNot: (category) => {
      if (missing.has(category)) return 'its template is not there'
      return looker.is === 'survey' && !surveyed.includes(category)
        ? 'needs a model: no program looks for it'
        : null
    },
  }
}

/** `asking`: who is about to take an item, and counts as idle until then. */
async function lookFacts(
  { store, now, config, hasTests, unready, hold, isIdle }: LookWorld,
  asking: AgentId | null = null,
): Promise<LookFacts> {
  const { agents, flags, ideas, monitoring } = config()
  const crew = await store.agents.list()
  return {
    now: now(),
    settings: {
      ...ideas,
      isOn: flags.enable_ideation === true,
      budgetUSD: agents.ideationBudgetUSD,
      queueLow: monitoring.queueLow,
      queueHigh: monitoring.queueHigh,
    },
    depth: (await store.healthCounts.ofLoop()).queued,
    taking: asking === null ? 0 : 1,
    inReview: (await store.items.inStates(['in_review'], IN_REVIEW_MAX)).length,
    idle: crew.filter((agent) => !isReviewer(agent.id) && (agent.id === asking || isIdle(agent))).length,
    totals: await store.ideations.totals(now()),
    hasTests: hasTests(),
    unready: unready(),
    isFree: whoLooks(config()).is === 'survey',
    hold: hold(),
  }
}

type AskedOne = 'asked' | 'skipped' | 'none'

async function askOne(
  world: LookWorld & ThoughtWorld,
  missing: Set<Category>,
  asking: AgentId | null = null,
): Promise<AskedOne> {
  const facts = await readCategoryFacts(world, missing)
  const selected = selectCategory(facts)
  if (selected.is === 'none') {
    await tellExhausted(world, facts, selected)
    return 'none'
  }
  const { category } = selected
  const request = await requestFor(world, category)
  if (request === null) {
    missing.add(category)
    return 'skipped'
  }
  return world.store.tx(async () => {
    await world.store.ideations.lock()
    // Somebody else may have asked about it meanwhile, or about so much else that no more is wanted.
    if (!isWanted(await lookFacts(world, asking))) return 'none'
    if (whyOff(await readCategoryFacts(world, missing), category) !== null) return 'skipped'
    await askAbout(world, { category, attempt: 1, ...request })
    return 'asked'
  })
}

/** Null: its template is not there, which is told once a day. */
async function requestFor(world: LookWorld, category: Category) {
  const looker = whoLooks(world.config())
  if (looker.is === 'survey')
    return { kind: 'category_survey', engine: SURVEY_ENGINE, prompt: `treadle survey ${category}` } as const
  const filled = await world.prompt(category)
  if (filled.is === 'prompt')
    return { kind: 'category_idea', engine: looker.engine, prompt: filled.text } as const
  const day = world.now().toISOString().slice(0, 10)
  await tell(
    world,
    { type: 'category.template_missing', category, why: filled.why },
    `template:${category}:${day}`,
  )
  return null
}

interface CategoryRequest {
  readonly category: Category
  readonly attempt: number
  readonly kind: 'category_idea' | 'category_survey'
  readonly engine: string
  readonly prompt: string
}

/** Inside a transaction that has locked looks. */
export async function askAbout(world: LookWorld, request: CategoryRequest): Promise<void> {
  const { category, attempt, kind, engine, prompt } = request
  const thought = world.uuid()
  await askThought(world, {
    id: thought,
    kind,
    subject: category,
    engine,
    use: 'idea',
    system: kind === 'category_idea' ? SYSTEM : '',
    prompt,
    schema: null,
  })
  await world.store.ideations.ask({ thought, category, attempt, askedAt: world.now().toISOString() })
}

/** Told once, until somebody looks again. */
async function tellExhausted(
  world: LookWorld,
  facts: CategoryFacts,
  { until, why }: Extract<Selected, { is: 'none' }>,
): Promise<void> {
  if (!isExhausted(facts)) return
  await world.store.tx(async () => {
    await world.store.ideations.lock()
    if ((await world.store.ideations.allExhaustedAt()) !== null) return
    await tell(world, { type: 'category.all_exhausted', until: until?.toISOString() ?? null, why })
  })
}

/** With enough to do nobody has to look any more; whoever looks already may go on. */
async function withdrawPending(world: LookWorld & ThoughtWorld, { why }: { readonly why: string }) {
  for (const { id, status } of await pending(world))
    if (status === 'pending') await runWithdrawThought(world, id, `the crew (${why})`.slice(0, 200))
}

const PENDING_MAX = 100

async function pending({ store }: LookWorld) {
  const kinds = ['category_idea', 'category_survey'] as const
  const lists = await Promise.all(
    kinds.map((kind) => store.thoughts.list({ kind, isOpen: true, limit: PENDING_MAX })),
  )
  return lists.flat()
}

async function hasPending(world: LookWorld): Promise<boolean> {
  return (await pending(world)).length > 0
}

/** A fact about no item. */
async function tell({ store, now, uuid }: LookWorld, event: Fact, id: string = uuid()): Promise<void> {
  await store.events.append({ id, at: now(), item: null, agentId: null, runId: null, state: null, event })
}
