// Takes in what a model has written of a specification: what holds is written down, what does not is asked for again,
// and after the last try it stays with the rules. Whoever is killed on the way is followed by the next look.
import { isOpenThought, type Thought, type ThoughtAnswer } from '@treadle/contracts/thought'
import { type WrittenSpecification, writtenSchema } from '@treadle/contracts/written-specification'
import type { SpecWriting } from '../ports/spec-writings.ts'
import { askThought } from '../work/thought.run.ts'
import { checkWritten, type WrittenJudgement } from './check-written.ts'
import { type Outline, outlineOf } from './design-spec.ts'
import { factsOf, generateFrom, numbersFor, type Work } from './generate.run.ts'
import type { SpecWriter } from './generate-request.ts'
import { findPlace, loadContext } from './load-context.run.ts'
import { placeCriteria } from './make-tasks.ts'
import { readWritten } from './read-written.ts'
import type { SpecRefusal, SpecWorld } from './spec-world.ts'
import { ASKING } from './write.run.ts'
import { askedAgain } from './writing-prompt.ts'
import { migrationsIn, withNumbers } from './written-design.ts'

/** So many answers may not hold. */
const ANSWERS_MAX = 3
const SAID_MAX = 3
const BATCH = 50
const WHY_MAX = 2_000

export type TakenIn = 'written' | 'asked_again' | 'waiting' | 'nothing'

export function runTakeIn(world: SpecWorld, slug: string): Promise<TakenIn> {
  return world.contexts.inTurn(slug, () => takeIn(world, slug))
}

/** Those whose answer is in; answers how many were written. */
export async function runTakeInLeft(world: SpecWorld): Promise<number> {
  const { workspace, store } = world
  let written = 0
  for (const { slug } of await store.specWritings.list(workspace.shared ? workspace.id : null, BATCH))
    if ((await runTakeIn(world, slug)) === 'written') written += 1
  return written
}

async function takeIn(world: SpecWorld, slug: string): Promise<TakenIn> {
  const writing = await world.store.specWritings.find(slug)
  if (writing === null) return 'nothing'
  const thought = await world.store.thoughts.find(writing.thought)
  if (thought === null || isOpenThought(thought)) return 'waiting'
  const work = await workOf(world, writing)
  if ('is' in work) return postpone(world, writing, work.message)
  const judged = await judge(world, { writing, thought, work })
  if (judged.is === 'again') return again(world, { writing, thought, problems: judged.problems })
  const made = await generateFrom(world, {
    ...work,
    request: {
      ...work.request,
      writer: judged.writer,
      settle: () => world.store.specWritings.remove(slug, thought.id),
    },
  })
  if (made.is !== 'generated' && made.is !== 'settled') return postpone(world, writing, made.message)
  world.contexts.drop(slug)
  return made.is === 'generated' ? 'written' : 'nothing'
}

/** The world is not as it has to be: it is tried again at the next look. */
async function postpone(world: SpecWorld, writing: SpecWriting, message: string): Promise<'waiting'> {
  const why = message.slice(0, WHY_MAX)
  const { store, now } = world
  await store.tx(async () => {
    const current = await store.specWritings.lock(writing.slug)
    if (current !== null && current.thought === writing.thought && current.why !== why)
      await store.specWritings.put({ ...current, why }, now())
  })
  return 'waiting'
}

/** From what was read when it was begun; of another daemon's beginning, from what is there now. */
async function workOf(world: SpecWorld, writing: SpecWriting): Promise<Work | SpecRefusal> {
  const { slug, userSlug, complexity, requests } = writing
  const place = await findPlace(world, slug, userSlug ?? undefined)
  const request = { ideaSlug: slug, complexity, requests }
  const known = world.contexts.find(slug)
  if (known !== null) return { place, context: known, request }
  const read = await loadContext(world, place)
  if (read.is !== 'read') return read
  world.contexts.keep(slug, read.context)
  return { place, context: read.context, request }
}

interface Answer {
  readonly writing: SpecWriting
  readonly thought: Thought
  readonly work: Work
}

type Judged =
  | { readonly is: 'again'; readonly problems: readonly string[] }
  | { readonly is: 'write'; readonly writer: SpecWriter }

async function judge(world: SpecWorld, { writing, thought, work }: Answer): Promise<Judged> {
  const kept = await world.store.specifications.find(writing.slug)
  const isLast = writing.refused + 1 >= ANSWERS_MAX
  const by = kept?.spec.writtenBy ?? 'rules'
  const hold = (why: string): Judged => ({
    is: 'write',
    writer: { is: by === 'rules' ? 'rules' : 'kept', why },
  })
  if (thought.status === 'withdrawn') return hold(`Nobody was to write it any more: ${thought.why ?? ''}`)
  if (thought.answer === null) {
    const why = thought.why ?? 'it failed'
    if (!isLast && mayFailAgain(world, thought))
      return { is: 'again', problems: [`There was no answer: ${why}`] }
    return hold(`${thought.engine} gave no answer, so ${holder(by)}: ${why}`)
  }
  const outline = outlineOf(factsOf(world, work, kept))
  const { written, problems, gaps } = await readAnswer(world, thought.answer, { outline, work })
  if (written !== null && problems.length === 0 && (gaps.length === 0 || isLast))
    return { is: 'write', writer: { is: 'model', engine: thought.engine, written } }
  if (!isLast) return { is: 'again', problems: [...problems, ...gaps] }
  const shown = problems.slice(0, SAID_MAX).join('; ')
  return hold(
    `${thought.engine} has written it ${ANSWERS_MAX} times in a way that does not hold, so ${holder(by)}. The last time: ${shown}`,
  )
}

interface AnswerRead extends WrittenJudgement {
  readonly written: WrittenSpecification | null
}

async function readAnswer(
  world: SpecWorld,
  answer: ThoughtAnswer,
  around: { readonly outline: Outline; readonly work: Work },
): Promise<AnswerRead> {
  const read = readWritten(answer)
  if (read.is === 'unreadable') return { written: null, problems: read.why, gaps: [] }
  const written = await numbered(world, read.written, around)
  return { written, ...checkWritten(written, writtenFacts(world, around.outline, around.work)) }
}

function holder(writtenBy: string): string {
  return writtenBy === 'rules' ? 'rules have written it' : `it stays as ${writtenBy} has written it before`
}

/** Somebody tried, and it was over in time; what nobody has taken up is not asked for once more. */
function mayFailAgain({ config }: SpecWorld, { agentId, fence, endedAt, deadlineAt }: Thought): boolean {
  if (agentId === null || fence >= config().limits.thoughtTries) return false
  return endedAt !== null && deadlineAt !== null && Date.parse(endedAt) < Date.parse(deadlineAt)
}

function writtenFacts(world: SpecWorld, { profile, features, requested }: Outline, { context }: Work) {
  return {
    tree: new Set(context.existingFiles),
    ideasDir: world.config().ideas.dir.replace(/\/+$/, ''),
    layout: profile.layout,
    features,
    criteria: placeCriteria(requested.criteria, features),
    testCommand: world.testCommand,
  }
}

async function numbered(
  world: SpecWorld,
  written: WrittenSpecification,
  { outline, work }: { readonly outline: Outline; readonly work: Work },
): Promise<WrittenSpecification> {
  const { layout, digits } = outline.profile
  const made = migrationsIn(written, layout)
  const names = made.map(({ name }) => name)
  const { slug } = work.place
  const numbers = await numbersFor(world, { slug, names, pattern: layout.database, context: work.context })
  const byFile = new Map(
    made.flatMap(({ name, file }) => {
      const number = numbers.get(name)
      return number === undefined ? [] : [[file, number] as const]
    }),
  )
  return withNumbers(written, byFile, digits)
}

async function again(
  world: SpecWorld,
  { writing, thought, problems }: Omit<Answer, 'work'> & { readonly problems: readonly string[] },
): Promise<TakenIn> {
  const { store, uuid, now } = world
  const { slug, first } = writing
  const prompt = (await store.thoughts.find(first))?.prompt ?? thought.prompt
  const answer = thought.answer === null ? null : answerText(thought.answer)
  return store.tx(async (): Promise<TakenIn> => {
    const current = await store.specWritings.lock(slug)
    if (current === null || current.thought !== thought.id) return 'nothing'
    const id = uuid()
    await store.specWritings.put({ ...current, thought: id, refused: current.refused + 1, why: null }, now())
    await askThought(world, {
      id,
      ...ASKING,
      subject: slug,
      engine: thought.engine,
      system: thought.system,
      prompt: askedAgain(prompt, answer, problems),
      schema: writtenSchema(),
    })
    return 'asked_again'
  })
}

function answerText({ text, structured }: NonNullable<Thought['answer']>): string {
  return structured === null ? text : JSON.stringify(structured)
}
