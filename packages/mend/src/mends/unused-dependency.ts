// A package that nothing uses is taken out of its manifest, and out of npm's lock file with whatever only it needed.
import type { Project } from '@treadle/survey/project'
import { removeMembers } from '../json-text.ts'
import { manifestNamed } from '../manifest-named.ts'
import { cannot, type Mend, type Planned } from '../mend.ts'
import { locksWithout } from '../npm-locks.ts'

const SURVEY = 'unused-dependency'
const LISTS = ['dependencies', 'devDependencies'] as const
/** A package that stands here, too, is wanted for something that a program does not know. */
const OTHER_LISTS = ['peerDependencies', 'optionalDependencies', 'peerDependenciesMeta', 'overrides']
const BUNDLED = ['bundleDependencies', 'bundledDependencies']

export const unusedDependencyMend: Mend = { survey: SURVEY, plan }

async function plan(project: Project, key: string): Promise<Planned> {
  const named = await manifestNamed(project, key.slice(SURVEY.length + 1))
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
  const locked = await locksWithout(project, { folder: manifest.folder, name })
  if ('why' in locked) return cannot(locked.why)
  const edits = new Map([[manifest.path, without], ...locked.edits])
  const what = `took ${name} out of ${[...edits.keys()].join(' and ')}`
  return { is: 'edits', edits, what }
}
