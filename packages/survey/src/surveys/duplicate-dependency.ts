// A package in two lists of one manifest, and two versions of a package in a lock file of which one would do for all.
import {
  foundFrom,
  isOwnPlace,
  type LockEntry,
  type LockFile,
  lockFiles,
  nameAt,
  unreadableLocks,
} from '../lock-file.ts'
import type { Manifest } from '../manifest.ts'
import type { Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'
import { isWithin } from '../version-range.ts'

export const duplicateDependency: Survey = {
  category: 'dependency-management',
  name: 'duplicate-dependency',
  look,
  kin,
}

const NAME = 'duplicate-dependency'

async function look(project: Project): Promise<Looked> {
  const manifests = await project.manifests()
  if (manifests.length === 0) return { is: 'skipped', why: 'there is no package.json' }
  const locks = await lockFiles(project)
  return looked([...manifests.flatMap(listedTwice), ...locks.flatMap(installedTwice)])
}

/** A lock file or a manifest that can no longer be read, or is not there, tells of nothing that was put right. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const known = new Set((await project.manifests()).map(({ path }) => path))
  const manifests = (await project.everything()).filter((path) => /(?:^|\/)package\.json$/.test(path))
  const unread = manifests.filter((path) => !known.has(path)).map((path) => `unreadable:${path}`)
  const [, lock] = /^duplicate-dependency:((?:.*\/)?(?:package-lock|npm-shrinkwrap)\.json):/.exec(key) ?? []
  const isGone = lock !== undefined && !(await lockFiles(project)).some(({ path }) => path === lock)
  return [...unread, ...(await unreadableLocks(project)), ...(isGone ? [key] : [])]
}

function listedTwice(manifest: Manifest): FindingFacts[] {
  const { path, folder, dependencies, devDependencies } = manifest
  return Object.keys(devDependencies)
    .filter((name) => Object.hasOwn(dependencies, name))
    .map((name) => ({
      key: `${NAME}:${folder === '' ? '' : `${folder}:`}${name}`,
      title: `${name} is in dependencies and in devDependencies`,
      files: [path],
      evidence: `${path} asks for ${name} twice: ${dependencies[name]} in dependencies, ${devDependencies[name]} in devDependencies.`,
      estimateHours: 0.5,
      mendable: dependencies[name] === devDependencies[name],
    }))
}

/** Packages that stand below another though the version that everybody else finds would do for them, too. */
function installedTwice(lock: LockFile): FindingFacts[] {
  const findings: FindingFacts[] = []
  for (const spare of sparePlaces(lock)) {
    const { name, version, instead, wantedBy } = spare
    findings.push({
      key: `${NAME}:${lock.path}:${name}@${version}`,
      title: `${name} ${version} is installed besides ${instead}, which would do`,
      files: [lock.path],
      evidence: `${lock.path} has ${name} ${version} at ${spare.place}, wanted by ${wantedBy.join(', ')}. The version ${instead} that is found without it is within ${wantedBy.length === 1 ? 'that range' : 'those ranges'}.`,
      estimateHours: 0.5,
      mendable: true,
    })
  }
  return findings
}

interface SparePlace {
  readonly place: string
  readonly name: string
  readonly version: string
  /** The version that is found when the place is empty. */
  readonly instead: string
  readonly wantedBy: readonly string[]
}

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

export function sparePlaces({ packages }: LockFile): SparePlace[] {
  const asked = askedOf(packages)
  return [...packages].flatMap(([place, entry]) => {
    const other = foundInstead(packages, place)
    if (other === null || !isPlain(entry) || !isPlain(other) || entry.name !== other.name) return []
    const wanted = asked.get(place) ?? []
    const would = wanted.every(({ range }) => isWithin(other.version, range) === true)
    if (entry.version === other.version || wanted.length === 0 || !would) return []
    const wantedBy = wanted.map(({ from, range }) => `${nameAt(from)} (${range})`)
    return [{ place, name: nameAt(place), version: entry.version, instead: other.version, wantedBy }]
  })
}

/** What is found by the same name where a place below another package is empty. */
function foundInstead(packages: LockFile['packages'], place: string): LockEntry | null {
  const parent = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))
  if (isOwnPlace(place) || isOwnPlace(parent)) return null
  const found = foundFrom(parent, nameAt(place), (each) => each !== place && packages.has(each))
  return found === null ? null : (packages.get(found) ?? null)
}

/** It comes from a registry, and not with another package or from a folder. */
function isPlain(entry: LockEntry): entry is LockEntry & { readonly version: string } {
  const { version, resolved, link, inBundle } = entry
  return version !== undefined && resolved !== undefined && link !== true && inBundle !== true
}

interface Wish {
  readonly from: string
  readonly range: string
}

/** By place: who finds a package there, and asks for it by which range. */
function askedOf(packages: LockFile['packages']): ReadonlyMap<string, readonly Wish[]> {
  const all = [...packages].flatMap(([from, entry]) =>
    LISTS.filter((list) => list !== 'devDependencies' || isOwnPlace(from)).flatMap((list) =>
      Object.entries(entry[list]).map(([name, range]) => ({ from, name, range })),
    ),
  )
  const found = all.flatMap((each) => {
    const place = foundFrom(each.from, each.name, (at) => packages.has(at))
    return place === null ? [] : [{ ...each, place }]
  })
  return Map.groupBy(found, ({ place }) => place)
}
