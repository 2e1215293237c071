// A package that is listed twice stays in one list; one that is installed twice without need goes where it is spare.
import { lockFiles } from '@treadle/survey/lock-file'
import type { Project } from '@treadle/survey/project'
import { sparePlaces } from '@treadle/survey/surveys/duplicate-dependency'
import { removeMembers } from '../json-text.ts'
import { manifestNamed } from '../manifest-named.ts'
import { cannot, type Mend, type Planned } from '../mend.ts'
import { withoutPlace } from '../npm-lock.ts'
import { locksWithout } from '../npm-locks.ts'

const SURVEY = 'duplicate-dependency'

export const duplicateDependencyMend: Mend = {
  survey: SURVEY,
  plan: async (project, key) => {
    const rest = key.slice(SURVEY.length + 1)
    return (await planSpare(project, rest)) ?? (await planListed(project, rest))
  },
}

/** Null: the key names no place of a lock file. */
async function planSpare(project: Project, rest: string): Promise<Planned | null> {
  for (const lock of await lockFiles(project)) {
    const spare = sparePlaces(lock).filter(({ name, version }) => rest === `${lock.path}:${name}@${version}`)
    if (spare.length === 0) continue
    let text = (await project.read(lock.path)) ?? ''
    for (const { place } of spare) {
      const pruned = withoutPlace(text, place)
      if ('why' in pruned) return cannot(`${lock.path} ${pruned.why}`)
      text = pruned.text
    }
    const { name = '', version = '', instead = '' } = spare[0] ?? {}
    const what = `took ${name} ${version} out of ${lock.path}, where ${instead} does for all`
    return { is: 'edits', edits: new Map([[lock.path, text]]), what }
  }
  return null
}

async function planListed(project: Project, rest: string): Promise<Planned> {
  const named = await manifestNamed(project, rest)
  if (named === null) return cannot('no package.json asks for such a package')
  const { manifest, name } = named
  const { path, folder, dependencies, devDependencies } = manifest
  const [range, devRange] = [dependencies[name], devDependencies[name]]
  if (range === undefined || devRange === undefined) return cannot(`${path} asks for ${name} only once`)
  if (range !== devRange) return cannot(`${path} asks for ${name} by two ranges, ${range} and ${devRange}`)
  const without = removeMembers((await project.read(path)) ?? '', [['devDependencies', name]])
  if (without === null) return cannot(`${path} says the same twice, or is not plain JSON`)
  const locked = await locksWithout(project, { folder, name, lists: ['devDependencies'] })
  if ('why' in locked) return cannot(locked.why)
  const edits = new Map([[path, without], ...locked.edits])
  return { is: 'edits', edits, what: `took ${name} out of the devDependencies of ${path}` }
}
