// Reads everything that a specification is made from, once: documents, conventions, lessons, and the code that is there.
import type { Lesson } from '@treadle/contracts/lesson'
import type { ProjectTree } from '../ports/project-tree.ts'
import { conventionsIn } from './conventions.ts'
import { CONFIDENCE_MIN } from './inject-gotchas.ts'
import { loadTemplate } from './load-templates.run.ts'
import { topicsOf } from './names.ts'
import { NO_OWNERS, OWNER_FILES, type Owners, readOwners } from './owners.ts'
import { readPlain } from './read-plain.run.ts'
import {
  MISSING_DOCUMENTS,
  OPTIONAL_DOCUMENTS,
  pathsOf,
  REQUIRED_DOCUMENTS,
  type SpecContext,
  type SpecPlace,
  type SpecTemplates,
} from './spec-context.ts'
import type { SpecRefusal, SpecWorld } from './spec-world.ts'

const LESSONS_MAX = 100

/** Where the idea's documents lie: with whoever was named or began it, who works here, or has it in the tree. */
export async function findPlace(
  world: SpecWorld,
  slug: string,
  userSlug: string | undefined,
): Promise<SpecPlace> {
  const { dir } = world.config().ideas
  const place = (user: string) => ({ slug, userSlug: user, ...pathsOf(dir, user, slug) })
  if (userSlug !== undefined) return place(userSlug)
  const known = await world.store.specifications.find(slug)
  if (known !== null) return place(known.spec.userSlug)
  const begunBy = await world.whoseIdea(slug)
  if (begunBy !== null) return place(begunBy)
  const mine = place(await world.userSlug())
  if ((await world.documents.read(`${mine.folder}/${REQUIRED_DOCUMENTS.brief}`)).text !== null) return mine
  const head = `${dir.replace(/\/+$/, '')}/`
  const other = (await world.tree.files()).find(
    (file) => file.startsWith(head) && file.includes(`/ideas/${slug}/`),
  )
  const user = other?.slice(head.length).split('/')[0]
  return user !== undefined && /^[a-z0-9-]{1,60}$/.test(user) ? place(user) : mine
}

/** One reading for the whole generation: what changes meanwhile counts the next time. */
export async function loadContext(
  world: SpecWorld,
  place: SpecPlace,
): Promise<{ is: 'read'; context: SpecContext } | SpecRefusal> {
  const read = (name: string) => readPlain(world.documents, `${place.folder}/${name}`)
  const [readme, brief] = await Promise.all([read(REQUIRED_DOCUMENTS.readme), read(REQUIRED_DOCUMENTS.brief)])
  for (const document of [readme, brief])
    if (document.why !== null) return unreadable(document.path, document.why)
  const missing = [readme, brief]
    .filter(({ text }) => text === null || text.trim() === '')
    .map(({ path }) => path)
  if (missing.length > 0 || readme.text === null || brief.text === null)
    return missing.length === 2 && !(await isKnown(world, place))
      ? unknownIdea(place.slug)
      : notThere(place, missing)
  const optional: Record<string, string | null> = {}
  for (const [name, file] of Object.entries(OPTIONAL_DOCUMENTS)) {
    const document = await read(file)
    if (document.why !== null) return unreadable(document.path, document.why)
    optional[name] = document.text
  }
  const files = await world.tree.files()
  const head = `${world.config().ideas.dir.replace(/\/+$/, '')}/`
  const context: SpecContext = {
    required: { readme: readme.text, brief: brief.text },
    optional: optional as SpecContext['optional'],
    conventions: conventionsIn((await world.tree.read('CLAUDE.md')) ?? ''),
    gotchas: [],
    patterns: await recallPatterns(world, readme.text),
    existingFiles: files.filter((file) => !file.startsWith(head)),
    manifest: await world.tree.read('package.json'),
    owners: await loadOwners(world),
    templates: await loadTemplates(world),
  }
  return { is: 'read', context }
}

async function loadTemplates({ documents, config }: SpecWorld): Promise<SpecTemplates> {
  const { dir } = config().ideas
  const spec = await loadTemplate(documents, dir, 'spec')
  const tasks = await loadTemplate(documents, dir, 'tasks')
  return { spec: spec.text, tasks: tasks.text, why: [spec.why, tasks.why].filter((why) => why !== null) }
}

async function isKnown({ whoseIdea, tree }: SpecWorld, { slug, folder }: SpecPlace): Promise<boolean> {
  return (
    (await whoseIdea(slug)) !== null || (await tree.files()).some((file) => file.startsWith(`${folder}/`))
  )
}

function unknownIdea(slug: string): SpecRefusal {
  return {
    is: 'unknown',
    message: `There is no idea ${slug}.`,
    hint: 'Begin one: treadle idea "..."; or write its README.md and planning/brief.md by hand.',
  }
}

function unreadable(path: string, why: string): SpecRefusal {
  return {
    is: 'refused',
    message: `${path} cannot be read: ${why}.`,
    hint: 'Mend the file, or put it back from git; nothing was written.',
    details: { missing: [path] },
  }
}

function notThere({ slug, folder }: SpecPlace, missing: readonly string[]): SpecRefusal {
  const [first = folder] = missing
  return {
    is: 'refused',
    message: MISSING_DOCUMENTS,
    hint: `Write ${missing.join(' and ')}${missing.length > 1 ? '' : ` (${first.endsWith('brief.md') ? 'features, and what makes it done' : 'what it is about'})`}, or finish the talk about ${slug}; then generate again.`,
    details: { missing },
  }
}

export async function loadOwners({ tree }: { readonly tree: Pick<ProjectTree, 'read'> }): Promise<Owners> {
  for (const file of OWNER_FILES) {
    const text = await tree.read(file)
    if (text !== null) return readOwners(file, text)
  }
  return NO_OWNERS
}

async function recallPatterns({ lessons }: SpecWorld, readme: string): Promise<readonly Lesson[]> {
  const topics = topicsOf(readme)
  if (topics.length === 0) return []
  const found = await lessons.recall({ type: 'pattern', topics, minConfidence: CONFIDENCE_MIN, limit: 20 })
  // A lesson without a topic is about anything, and so about no topic in particular.
  return found.filter(({ topic }) => topic !== null)
}

/** Gotchas about files like those that tasks will touch, and about what is done to them. */
export async function recallGotchas(
  { lessons }: SpecWorld,
  paths: readonly string[],
): Promise<readonly Lesson[]> {
  const asked = { type: 'gotcha' as const, minConfidence: CONFIDENCE_MIN, limit: LESSONS_MAX }
  const found = new Map<string, Lesson>()
  for (const path of likely(paths))
    for (const lesson of await lessons.recall({ ...asked, path })) found.set(lesson.id, lesson)
  for (const action of ['CREATE', 'UPDATE', 'create', 'update'])
    for (const lesson of await lessons.recall({ ...asked, action })) found.set(lesson.id, lesson)
  return [...found.values()]
}

const PATHS_MAX = 40

/** One of each folder and ending comes first, so that every kind of file is asked about. */
function likely(paths: readonly string[]): readonly string[] {
  const kinds = new Map<string, string>()
  for (const path of paths) {
    const kind = path.replace(/[^/]+?(\.[^/]*)?$/, '*$1')
    if (!kinds.has(kind)) kinds.set(kind, path)
  }
  return [...new Set([...kinds.values(), ...paths])].slice(0, PATHS_MAX)
}
