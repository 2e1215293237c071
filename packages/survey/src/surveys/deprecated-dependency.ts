// Packages that a manifest asks for and that their own authors have given up, as npm's lock file has it from the registry.
import {
  foundFrom,
  isOwnPlace,
  type LockEntry,
  type LockFile,
  lockFiles,
  unreadableLocks,
} from '../lock-file.ts'
import type { Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'

export const deprecatedDependency: Survey = {
  category: 'dependency-management',
  name: 'deprecated-dependency',
  look,
  kin,
}

const WORDS_MAX = 500

async function look(project: Project): Promise<Looked> {
  const locks = await lockFiles(project)
  if (locks.length === 0) return { is: 'skipped', why: 'there is no lock file of npm (version 2 or 3)' }
  return looked(
    locks.flatMap((lock) =>
      askedFor(lock).flatMap(({ key, folder, name, entry: { version, deprecated = '' } }) =>
        deprecated.trim() === ''
          ? []
          : [
              {
                key,
                title: `${name} ${version} is deprecated`,
                files: [folder === '' ? 'package.json' : `${folder}/package.json`],
                evidence: `${lock.path} has ${name} ${version}, of which its authors say: ${deprecated.replace(/\s+/g, ' ').slice(0, WORDS_MAX)}`,
                estimateHours: 2,
                mendable: false,
              },
            ],
      ),
    ),
  )
}

/** The same version, whether or not the lock file still says what its authors do; and lock files that say nothing. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const same = (await lockFiles(project)).flatMap(askedFor).filter((each) => each.key === key)
  return [...same.map((each) => each.key), ...(await unreadableLocks(project))]
}

interface AskedFor {
  readonly key: string
  readonly folder: string
  readonly name: string
  readonly entry: LockEntry
}

/** What manifests ask for themselves, as it is installed. */
function askedFor({ folder: top, packages }: LockFile): AskedFor[] {
  return [...packages].flatMap(([from, asking]) => {
    if (!isOwnPlace(from)) return []
    const folder = [top, from].filter((part) => part !== '').join('/')
    const names = new Set(LISTS.flatMap((list) => Object.keys(asking[list])))
    return [...names].flatMap((name) => {
      const place = foundFrom(from, name, (each) => packages.has(each))
      const entry = place === null ? undefined : packages.get(place)
      if (entry?.version === undefined) return []
      const key = `deprecated-dependency:${folder === '' ? '' : `${folder}:`}${name}@${entry.version}`
      return [{ key, folder, name, entry }]
    })
  })
}

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
