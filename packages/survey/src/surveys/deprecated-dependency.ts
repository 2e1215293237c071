// Packages that a manifest asks for itself and whose makers have given them up, as npm has written it into the lock file.
import { z } from 'zod'
import type { Manifest } from '../manifest.ts'
import type { Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'

export const deprecatedDependency: Survey = {
  category: 'dependency-management',
  name: 'deprecated-dependency',
  look,
}

const Entry = z.looseObject({
  version: z.string().catch(''),
  deprecated: z.string().nullable().catch(null).default(null),
})
const Lock = z.looseObject({ packages: z.record(z.string(), Entry) })
type Packages = z.infer<typeof Lock>['packages']

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
const WORDS_MAX = 500

async function look(project: Project): Promise<Looked> {
  const manifests = await project.manifests()
  if (manifests.length === 0) return { is: 'skipped', why: 'there is no package.json' }
  const findings: FindingFacts[] = []
  let isKnown = false
  for (const manifest of manifests) {
    const locked = await lockOf(project, manifest)
    if (locked === null) continue
    isKnown = true
    for (const name of new Set(LISTS.flatMap((list) => Object.keys(manifest[list])))) {
      const entry = entryOf(locked.packages, name, locked.below)
      if (entry?.deprecated) findings.push(found(manifest, name, { ...entry, deprecated: entry.deprecated }))
    }
  }
  if (isKnown) return looked(findings)
  return {
    is: 'skipped',
    why: 'no package-lock.json of npm 7 or later says which packages are deprecated; npm install --package-lock-only writes one',
  }
}

/** The lock file beside a manifest, else that of the whole repository. */
async function lockOf(
  project: Project,
  { folder }: Manifest,
): Promise<{ readonly packages: Packages; readonly below: string } | null> {
  for (const at of new Set([folder, ''])) {
    const text = await project.read(`${at === '' ? '' : `${at}/`}package-lock.json`)
    const packages = text === null ? null : packagesIn(text)
    if (packages !== null) return { packages, below: at === folder ? '' : folder }
  }
  return null
}

function packagesIn(text: string): Packages | null {
  try {
    const read = Lock.safeParse(JSON.parse(text))
    return read.success ? read.data.packages : null
  } catch {
    // Whoever installs is told.
    return null
  }
}

/** A package of a workspace has its own copy first. */
function entryOf(packages: Packages, name: string, below: string): z.infer<typeof Entry> | undefined {
  const own = below === '' ? undefined : packages[`${below}/node_modules/${name}`]
  return own ?? packages[`node_modules/${name}`]
}

function found(
  { path }: Manifest,
  name: string,
  { version, deprecated }: { readonly version: string; readonly deprecated: string },
): FindingFacts {
  return {
    key: `deprecated-dependency:${path}:${name}`,
    title: `The dependency ${name} is deprecated`.slice(0, 300),
    files: [path],
    evidence: `${path} asks for ${name}, of which ${version} is installed. Its makers say: ${deprecated.slice(0, WORDS_MAX)}`,
    estimateHours: 2,
    mendable: false,
  }
}
