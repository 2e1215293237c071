// Lock files of npm: an update that its manifest asks for is ordinary work; whatever else changes one is told.
import { posix } from 'node:path'

interface Locked {
  readonly version?: string
  readonly name?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
type Packages = Readonly<Record<string, Locked>>
interface Lock {
  readonly packages: Packages
  /** Everything that is not told package by package. */
  readonly rest: string
}

export interface LockChange {
  readonly before: string | null
  readonly after: string | null
  /** package.json of the same folder. */
  readonly manifestBefore: string | null
  readonly manifestAfter: string | null
}

export function isNpmLock(path: string): boolean {
  return /^(package-lock|npm-shrinkwrap)\.json$/.test(posix.basename(path))
}

/** Why a changed lock file needs a person; null: it follows its manifest, from the same place, with hashes. */
export function lockConcern(change: LockChange): string | null {
  if (change.before === null) return 'it is new'
  if (change.after === null) return 'it was removed'
  const [was, is] = [readLock(change.before), readLock(change.after)]
  if (was === null || is === null) return 'it cannot be read as a lock file of npm 7 or later'
  if (was.rest !== is.rest) return 'more than packages was changed in it'
  const wanted = wantedBy(change.manifestAfter)
  if (wanted === null || !isSame(wanted, directOf(is))) return 'it does not say what package.json says'
  const asked = changedNames(wantedBy(change.manifestBefore) ?? {}, wanted)
  const changed = Object.keys(is.packages).filter(
    (at) => at !== '' && isOther(was.packages[at], is.packages[at]),
  )
  const known = reachableFrom(asked, is.packages)
  const unasked = changed.find((at) => !known.has(at))
  if (unasked !== undefined) return `${unasked} was changed, and no change of package.json asks for it`
  return changed.flatMap((at) => entryConcern(at, was.packages, is.packages) ?? [])[0] ?? null
}

function readLock(text: string): Lock | null {
  try {
    const { packages, dependencies, version: _, ...rest } = JSON.parse(text)
    if (typeof packages !== 'object' || packages === null || ![2, 3].includes(rest.lockfileVersion))
      return null
    // What older versions of npm read must be no other story.
    return agree(dependencies, packages) ? { packages, rest: JSON.stringify(rest) } : null
  } catch {
    return null
  }
}

interface Nested {
  readonly [name: string]: Locked & { readonly requires?: object; readonly dependencies?: Nested }
}

function agree(nested: Nested | undefined, packages: Packages, under = ''): boolean {
  return Object.entries(nested ?? {}).every(([name, entry]) => {
    const at = `${under}node_modules/${name}`
    const own = packages[at]
    const isAlike =
      own !== undefined &&
      (own.link === true || (own.resolved === entry.resolved && own.integrity === entry.integrity))
    return isAlike && agree(entry.dependencies as Nested | undefined, packages, `${at}/`)
  })
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const
type Wanted = Readonly<Record<string, string>>

function allOf(entry: Locked): Wanted {
  return Object.fromEntries(
    KINDS.flatMap((kind) =>
      Object.entries(entry[kind] ?? {}).map(([name, range]) => [`${kind} ${name}`, range]),
    ),
  )
}

function wantedBy(manifest: string | null): Wanted | null {
  try {
    return allOf(JSON.parse(manifest ?? '') as Locked)
  } catch {
    return null
  }
}

const directOf = ({ packages }: Lock): Wanted => allOf(packages[''] ?? {})

function isSame(one: Wanted, other: Wanted): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

function changedNames(before: Wanted, after: Wanted): string[] {
  return Object.keys(after)
    .filter((key) => before[key] !== after[key])
    .map((key) => key.slice(key.indexOf(' ') + 1))
}

/** Whether other code would be installed; who needs a package is no part of it. */
function isOther(was: Locked | undefined, is: Locked | undefined): boolean {
  const told = (entry: Locked | undefined) =>
    JSON.stringify([
      entry?.version,
      entry?.name,
      entry?.resolved,
      entry?.integrity,
      entry?.link,
      entry?.hasInstallScript,
      entry?.dependencies,
      entry?.optionalDependencies,
    ])
  return told(was) !== told(is)
}

/** All that packages of these names need, where Node would find it. */
function reachableFrom(names: readonly string[], packages: Packages): ReadonlySet<string> {
  const found = new Set<string>()
  const open = names.flatMap((name) => locate('', name, packages) ?? [])
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue
    found.add(at)
    const own = packages[at] ?? {}
    const needs = { ...own.dependencies, ...own.optionalDependencies, ...own.peerDependencies }
    for (const name of Object.keys(needs)) open.push(...[locate(at, name, packages) ?? []].flat())
  }
  return found
}

function locate(from: string, name: string, packages: Packages): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const at = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (Object.hasOwn(packages, at)) return at
    if (folder === '') return null
    if (!folder.includes('/node_modules/')) folder = ''
  }
}

function entryConcern(at: string, before: Packages, after: Packages): string | null {
  const [was, is] = [before[at], after[at] ?? {}]
  const name = at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (is.link === true || is.version === undefined) return `${at} is no package of a registry`
  if (is.name !== undefined && is.name !== name) return `${at} is another package by that name, ${is.name}`
  if (!/^sha(384|512)-/.test(is.integrity ?? '')) return `${at} has no hash that is to be trusted`
  if (was?.version === is.version && (was.integrity !== is.integrity || was.resolved !== is.resolved))
    return `${at} has the same version and other contents`
  if (is.hasInstallScript === true && !hadScript(name, before))
    return `${at} newly runs a script when it is installed`
  return placeConcern(at, { name, is, before })
}

function hadScript(name: string, packages: Packages): boolean {
  return Object.entries(packages).some(
    ([at, { hasInstallScript }]) => at.endsWith(`node_modules/${name}`) && hasInstallScript === true,
  )
}

/** A package comes from a registry that was asked before, under its own name; or no lock entry says where from. */
function placeConcern(
  at: string,
  { name, is, before }: { name: string; is: Locked; before: Packages },
): string | null {
  const known = Object.values(before).flatMap(({ resolved }) => originOf(resolved) ?? [])
  if (is.resolved === undefined) return known.length === 0 ? null : `${at} does not say where it comes from`
  const origin = originOf(is.resolved)
  if (origin === null || !known.includes(origin))
    return `${at} comes from elsewhere: ${is.resolved.slice(0, 200)}`
  const file = `/${name}/-/${posix.basename(name)}-${is.version}.tgz`
  const isOwn = decodeURIComponent(new URL(is.resolved).pathname).endsWith(file)
  return isOwn ? null : `${at} comes from the place of another package: ${is.resolved.slice(0, 200)}`
}

function originOf(resolved: string | undefined): string | null {
  if (resolved === undefined || !URL.canParse(resolved)) return null
  const { protocol, origin, username } = new URL(resolved)
  return protocol === 'https:' && username === '' ? origin : null
}
