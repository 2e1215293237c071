// Asks a model for its reply in a talk: what it is told is read when it is needed, and no more than that.
import type { Idea } from '@treadle/contracts/idea'
import type { Lesson } from '@treadle/contracts/lesson'
import { isOpenThought } from '@treadle/contracts/thought'
import type { WebResult } from '../ports/web-search.ts'
import { askThought, runWithdrawThought } from '../work/thought.run.ts'
import { folderOf } from './documents.ts'
import { queryFor } from './look-up.ts'
import {
  type IdeaContext,
  MEMORY_MESSAGES,
  profileIn,
  type TalkPrompt,
  type UserProfile,
  writeTalkPrompt,
} from './prompt.ts'
import type { TalkWorld } from './talk-world.ts'
import { decideTaught, recallTaught } from './taught.run.ts'

/** What lies in files; read before the transaction. */
export interface LoadedTalk {
  readonly ideaContext: IdeaContext | null
  readonly userProfile: UserProfile | null
  /** What the web says, where the message asks for it. */
  readonly web: readonly WebResult[]
  /** Lessons of earlier talks that fit, before it is decided which of them this one is told. */
  readonly lessons: readonly Lesson[]
}

export const NOTHING_LOADED: LoadedTalk = { ideaContext: null, userProfile: null, web: [], lessons: [] }

/** More were asked for at the same time by nobody. */
const OPEN_MAX = 10

/** Documents only of a candidate, and only where a model is asked. */
export async function loadDocuments(
  world: Pick<TalkWorld, 'documents' | 'config' | 'recall'>,
  idea: Idea,
  web: readonly WebResult[],
): Promise<LoadedTalk> {
  if (idea.mode !== 'engine') return NOTHING_LOADED
  const userProfile = await loadProfile(world, idea.userSlug)
  const lessons = await recallTaught(world)
  if (idea.candidateAt === null) return { ideaContext: null, userProfile, web, lessons }
  const folder = folderOf(idea, world.config().ideas.dir)
  const read = async (name: string) => (await world.documents.read(`${folder}/${name}`)).text
  const ideaContext = {
    readme: await read('README.md'),
    targetUsers: await read('target-users.md'),
    problemSolution: await read('problem-solution.md'),
    research: {
      market: await read('research/market.md'),
      competitive: await read('research/competitive.md'),
    },
  }
  return { ideaContext, userProfile, web, lessons }
}

export async function loadProfile(
  { documents, config }: Pick<TalkWorld, 'documents' | 'config'>,
  userSlug: string,
): Promise<UserProfile | null> {
  const { text } = await documents.read(`${config().ideas.dir.replace(/\/+$/, '')}/${userSlug}/profile.md`)
  return text === null ? null : profileIn(text)
}

/** Looked up before the transaction, and only where somebody asks and the owner has configured who does it. */
export async function lookUp(
  { webSearch, onLookUpFailed }: Pick<TalkWorld, 'webSearch' | 'onLookUpFailed'>,
  { text, title }: { readonly text: string; readonly title: string },
): Promise<readonly WebResult[]> {
  const query = queryFor(text, title)
  const found = query === null ? undefined : await webSearch()?.search(query)
  if (found?.is === 'failed') onLookUpFailed(found.why)
  return found?.is === 'found' ? found.results : []
}

/** Within the transaction of the message that is to be answered. An answer to what was said before is not waited for. */
export async function askReply(world: TalkWorld, idea: Idea, loaded: LoadedTalk): Promise<void> {
  const memory = await world.store.ideas.messages(idea.slug, { limit: MEMORY_MESSAGES })
  const { slug, title, phase, signals } = idea
  await withdrawOpen(world, slug)
  const { lessons, ...told } = loaded
  const taught = await decideTaught(world, slug, lessons)
  await askFor(
    world,
    idea,
    writeTalkPrompt({ session: { slug, title, phase }, memory, signals, taught, ...told }),
  )
}

export async function askFor(
  world: TalkWorld,
  { slug, engine }: Pick<Idea, 'slug' | 'engine'>,
  { system, prompt }: TalkPrompt,
  kind: 'idea_reply' | 'idea_signals' = 'idea_reply',
): Promise<void> {
  if (engine === null) return
  await askThought(world, {
    id: world.uuid(),
    kind,
    subject: slug,
    engine,
    use: 'idea',
    system,
    prompt,
    schema: null,
  })
}

/** Nobody is to reply any more to what was said so far. */
export async function withdrawOpen(world: TalkWorld, subject: string): Promise<void> {
  const nothing = { lockSubject: async () => undefined, endThought: async () => null }
  for (const thought of await world.store.thoughts.list({ subject, kind: 'idea_reply', limit: OPEN_MAX }))
    if (isOpenThought(thought))
      await runWithdrawThought({ ...world, ...nothing }, thought.id, 'the next message')
}
