// A package that nothing uses is taken out of its manifest, and out of npm's lock file with whatever only it needed.
import { type Manifest, readManifest } from '@treadle/survey/manifest'
import type { Project } from '@treadle/survey/project'
import { removeMembers } from '../json-text.ts'
import { cannot, type Mend, type Planned } from '../mend.ts'
import { type Removed, withoutDependency } from '../npm-lock.ts'

const SURVEY = 'unused-dependency'
const LISTS = ['dependencies', 'devDependencies'] as const
/** A package that stands here, too, is wanted for something that a program does not know. */
const OTHER_LISTS = ['peerDependencies', 'optionalDependencies', 'peerDependenciesMeta', 'overrides']
const BUNDLED = ['bundleDependencies', 'bundledDependencies']

export const unusedDependencyMend: Mend = { survey: SURVEY, plan }

async function plan(project: Project, key: string): Promise<Planned> {
  const named = await namedBy(project, key)
  if (named === null) return cannot('no package.json asks for such a package')
  const { manifest, name } = named
  const text = (await project.read(manifest.path)) ?? ''
  const data = JSON.parse(text) as Record<string, unknown>
  const other = OTHER_LISTS.find((list) => Object.hasOwn(Object(data[list]), name))
  const bundled = BUNDLED.find((list) => Array.isArray(data[list]) && data[list].includes(name))
  if (other !== undefined || bundled !== undefined)
    return cannot(`${manifest.path} names ${name} in ${other ?? bundled}, too`)
  const lists = LISTS.filter((list) => Object.hasOwn(manifest[list], name))
  const without = removeMembers(
    text,
    lists.map((list) => [list, name]),
  )
  if (without === null) return cannot(`${manifest.path} says the same twice, or is not plain JSON`)
  const locked = await lockWithout(project, { folder: manifest.folder, name })
  if ('why' in locked) return cannot(locked.why)
  const edits = new Map([[manifest.path, without], ...locked.edits])
  const what = `took ${name} out of ${[...edits.keys()].join(' and ')}`
  return { is: 'edits', edits, what }
}

interface Named {
  readonly manifest: Manifest
  readonly name: string
}

/** The longest folder that fits, since a name may hold what looks like one. */
async function namedBy(project: Project, key: string): Promise<Named | null> {
  const rest = key.slice(SURVEY.length + 1)
  const manifests = (await project.manifests()).toSorted((a, b) => b.folder.length - a.folder.length)
  for (const known of manifests) {
    const { folder, path } = known
    if (folder !== '' && !rest.startsWith(`${folder}:`)) continue
    const name = folder === '' ? rest : rest.slice(folder.length + 1)
    const manifest = readManifest(path, (await project.read(path)) ?? '')
    if (manifest !== null && LISTS.some((list) => Object.hasOwn(manifest[list], name)))
      return { manifest, name }
  }
  return null
}

const NPM_LOCKS = ['npm-shrinkwrap.json', 'package-lock.json']
const OTHER_LOCKS = ['yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb']

type Locked = { readonly edits: readonly (readonly [string, string])[] } | { readonly why: string }

/** Of the lock file that is nearest: beside its manifest, or above it where packages of a workspace share one. */
async function lockWithout(
  project: Project,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<Locked> {
  const all = new Set(await project.everything())
  for (const above of foldersAbove(folder)) {
    const at = (file: string) => (above === '' ? file : `${above}/${file}`)
    const foreign = OTHER_LOCKS.map(at).find((file) => all.has(file))
    if (foreign !== undefined) return { why: `${foreign} is written by another package manager than npm` }
    const locks = NPM_LOCKS.map(at).filter((each) => all.has(each))
    const inside = above === '' ? folder : folder.slice(above.length + 1)
    if (locks.length > 0) return allWithout(project, locks, { folder: inside, name })
  }
  return { edits: [] }
}

async function allWithout(project: Project, locks: readonly string[], removed: Removed): Promise<Locked> {
  const edits: (readonly [string, string])[] = []
  for (const file of locks) {
    const text = await project.read(file)
    if (text === null) return { why: `${file} is too large to be read, or no text` }
    const pruned = withoutDependency(text, removed)
    if ('why' in pruned) return { why: `${file} ${pruned.why}` }
    edits.push([file, pruned.text])
  }
  return { edits }
}

function foldersAbove(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/')
  return Array.from({ length: parts.length + 1 }, (_, at) => parts.slice(0, parts.length - at).join('/'))
}
