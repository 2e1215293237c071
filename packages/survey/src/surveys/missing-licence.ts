// A package that others may use without a word on what they may do with it, and dependencies of that kind.
import { asksFor, isLibrary, type Manifest } from '../manifest.ts'
import type { Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'

export const missingLicence: Survey = {
  category: 'compliance-governance',
  name: 'missing-licence',
  look,
  kin,
}

async function look(project: Project): Promise<Looked> {
  const manifests = await project.manifests()
  if (manifests.length === 0) return { is: 'skipped', why: 'there is no package.json' }
  const ours = new Set(manifests.map(({ name }) => name))
  const findings: FindingFacts[] = []
  for (const manifest of manifests) {
    if (isLibrary(manifest) && !saysLicence(manifest)) findings.push(own(manifest))
    for (const name of Object.keys(manifest.dependencies))
      if (!ours.has(name) && (await isUnlicensed(project, manifest, name)))
        findings.push(foreign(manifest, name))
  }
  return looked(findings)
}

/** Every manifest that says no licence, offered to others or not; and a package of that kind while anything asks for it. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const manifests = await project.everyManifest()
  const asked = manifests.find((each) => key.startsWith(`${keyOf(each)}:`))
  const name = asked === undefined ? null : key.slice(keyOf(asked).length + 1)
  const keys = manifests.filter((each) => !saysLicence(each)).map(keyOf)
  if (asked === undefined || name === null || !asksFor(asked, name)) return keys
  return (await isLicensed(project, asked, name)) ? keys : [...keys, key]
}

const keyOf = ({ path }: Manifest): string => `missing-licence:${path}`

function saysLicence({
  license,
  licenses,
}: {
  readonly license?: unknown
  readonly licenses?: unknown
}): boolean {
  return [license, licenses].some(saysSomething)
}

/** Words, or the older forms: an object with a type, and a list of such. */
function saysSomething(licence: unknown): boolean {
  if (typeof licence === 'string') return licence.trim() !== ''
  if (Array.isArray(licence)) return licence.some(saysSomething)
  return typeof licence === 'object' && licence !== null && Object.values(licence).some(saysSomething)
}

/** Installed, and of a licence. */
async function isLicensed(project: Project, manifest: Manifest, name: string): Promise<boolean> {
  const places = [manifest.folder, ''].map((at) => `${at === '' ? '' : `${at}/`}node_modules/${name}`)
  const texts = await Promise.all(places.map((place) => project.read(`${place}/package.json`)))
  return texts.some((text) => text !== null) && !(await isUnlicensed(project, manifest, name))
}

/** Installed, with neither a field nor a file that names one. */
async function isUnlicensed(project: Project, { folder }: Manifest, name: string): Promise<boolean> {
  for (const at of new Set([folder, ''])) {
    const below = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    const text = await project.read(`${below}/package.json`)
    if (text === null) continue
    try {
      if (saysLicence(JSON.parse(text) as object)) return false
    } catch {
      // What cannot be read says nothing of its licence either way.
      return false
    }
    for (const file of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license', 'COPYING'])
      if ((await project.read(`${below}/${file}`)) !== null) return false
    return true
  }
  return false
}

function own(manifest: Manifest): FindingFacts {
  const { path, name } = manifest
  return {
    key: keyOf(manifest),
    title: `${name} does not say its licence`,
    files: [path],
    evidence: `${path} is not private and has no field license, so nobody may use the package.`,
    estimateHours: 0.5,
    mendable: false,
  }
}

function foreign({ path }: Manifest, name: string): FindingFacts {
  return {
    key: `missing-licence:${path}:${name}`,
    title: `The dependency ${name} has no licence`,
    files: [path],
    evidence: `The installed ${name} has neither a field license nor a licence file.`,
    estimateHours: 1,
    mendable: false,
  }
}
