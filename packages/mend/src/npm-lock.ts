// Takes a dependency out of npm's lock file, with the packages that nobody needs any more. By code of our own: npm
// itself would rewrite the whole file by the version that happens to be here, ask the registry where it misses
// something, and go by settings of the repository (docs/adr/0067-mend-prunes-the-lock-file-itself.md).

type Entry = Record<string, unknown>
type Entries = Record<string, Entry>

interface Lock {
  lockfileVersion?: unknown
  packages?: unknown
  dependencies?: unknown
}

export type Pruned = { readonly text: string } | { readonly why: string }

export interface Removed {
  /** Of the manifest, relative to the lock file; empty: beside it. */
  readonly folder: string
  readonly name: string
  /** The lists that it goes from; left out: all of them. */
  readonly lists?: readonly List[]
}

const LISTS = ['dependencies', 'devDependencies'] as const
type List = (typeof LISTS)[number]

export function withoutDependency(text: string, { folder, name, lists = LISTS }: Removed): Pruned {
  const opened = open(text)
  if ('why' in opened) return opened
  const asking = opened.packages[folder]
  if (asking === undefined || !lists.some((list) => Object.hasOwn(Object(asking[list]), name)))
    return { why: `does not say that ${folder === '' ? 'package.json' : folder} asks for ${name}` }
  // Which of two lists counts for what is installed is npm's to say; where it took the other, nothing is certain.
  const place = resolve(folder, name, new Set(Object.keys(opened.packages)))
  const { dev, devOptional } = opened.packages[place ?? ''] ?? {}
  if (lists.length === 1 && (dev === true || devOptional === true))
    return { why: `takes ${name} for a package of development` }
  prune(opened, () => {
    for (const list of lists) dropFrom(asking, list, name)
  })
  return { text: written(opened.lock, opened.format) }
}

/** A package that stands below another goes: whoever found it there finds the one above. */
export function withoutPlace(text: string, place: string): Pruned {
  const opened = open(text)
  if ('why' in opened) return opened
  if (!Object.hasOwn(opened.packages, place)) return { why: `has nothing at ${place}` }
  prune(opened, () => forget(opened.lock, opened.packages, place))
  return { text: written(opened.lock, opened.format) }
}

interface Opened {
  readonly lock: Lock
  readonly packages: Entries
  readonly format: Format
}

function open(text: string): Opened | { readonly why: string } {
  const lock = parsed(text)
  if (lock === null) return { why: 'is no JSON' }
  const { lockfileVersion, packages } = lock
  if ((lockfileVersion !== 2 && lockfileVersion !== 3) || !isEntries(packages))
    return { why: `has version ${String(lockfileVersion).slice(0, 20)}, and only 2 and 3 are known` }
  const format = formatOf(text)
  if (written(lock, format) !== text) return { why: 'is not written as npm writes it' }
  return { lock, packages, format }
}

function prune({ lock, packages }: Opened, change: () => void): void {
  const before = reached(packages)
  change()
  const after = reached(packages)
  for (const [at, entry] of Object.entries(packages)) {
    const was = before.get(at)
    const is = after.get(at)
    // What nobody needed before either is not ours to take away.
    if (was === undefined) continue
    if (is === undefined) forget(lock, packages, at)
    else remark(lock, { at, entry, was, is })
  }
}

function parsed(text: string): Lock | null {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : null
  } catch {
    return null
  }
}

function isEntries(value: unknown): value is Entries {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
  )
}

interface Format {
  readonly indent: string
  readonly newline: string
  readonly end: string
}

function formatOf(text: string): Format {
  return {
    indent: /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '',
    newline: text.includes('\r\n') ? '\r\n' : '\n',
    end: /\s*$/.exec(text.slice(-4))?.[0] ?? '',
  }
}

function written(lock: Lock, { indent, newline, end }: Format): string {
  return JSON.stringify(lock, null, indent).replaceAll('\n', newline) + end
}

function dropFrom(entry: Entry, list: string, name: string): void {
  const listed = entry[list]
  if (typeof listed !== 'object' || listed === null) return
  const { [name]: _, ...others } = listed as Record<string, unknown>
  if (Object.keys(others).length === 0) delete entry[list]
  else entry[list] = others
}

// ── Who needs what ──────────────────────────────────────────────────────────────────────────────

/** How a package is needed: each is true if every way to it leads over an edge of that kind. */
interface Need {
  readonly dev: boolean
  readonly optional: boolean
  readonly devOptional: boolean
  readonly peer: boolean
}

interface Edge {
  readonly to: string
  readonly dev: boolean
  readonly optional: boolean
  readonly peer: boolean
}

/** Every package that somebody needs, by its place. */
function reached(packages: Entries): ReadonlyMap<string, Need> {
  const places = new Set(Object.keys(packages))
  const edges = new Map(Object.entries(packages).map(([at, entry]) => [at, edgesOf(at, entry, places)]))
  const roots = [...places].filter((at) => at === '')
  const reach = (passes: (edge: Edge) => boolean) => closure(roots, edges, passes)
  const [all, noDev, noOptional] = [
    reach(() => true),
    reach(({ dev }) => !dev),
    reach(({ optional }) => !optional),
  ]
  const [neither, noPeer] = [reach(({ dev, optional }) => !dev && !optional), reach(({ peer }) => !peer)]
  return new Map(
    [...all].map((at) => {
      const need = { dev: !noDev.has(at), optional: !noOptional.has(at), peer: !noPeer.has(at) }
      return [at, { ...need, devOptional: !neither.has(at) && !need.dev && !need.optional }]
    }),
  )
}

function closure(
  roots: readonly string[],
  edges: ReadonlyMap<string, readonly Edge[]>,
  passes: (edge: Edge) => boolean,
): ReadonlySet<string> {
  const reached = new Set(roots)
  for (const at of reached) for (const edge of edges.get(at) ?? []) if (passes(edge)) reached.add(edge.to)
  return reached
}

const isOwn = (at: string): boolean => !/(?:^|\/)node_modules\//.test(at)

function edgesOf(at: string, entry: Entry, places: ReadonlySet<string>): Edge[] {
  // A link stands for the folder that it leads to.
  if (entry.link === true && typeof entry.resolved === 'string')
    return places.has(entry.resolved)
      ? [{ to: entry.resolved, dev: false, optional: false, peer: false }]
      : []
  const optional = Object.keys(Object(entry.optionalDependencies))
  const own = isOwn(at) ? edgesIn(at, entry, places, 'devDependencies') : []
  const named = [
    ...own.map((edge) => ({ ...edge, dev: true })),
    ...edgesIn(at, entry, places, 'dependencies').filter(({ name }) => !optional.includes(name)),
    ...edgesIn(at, entry, places, 'optionalDependencies').map((edge) => ({ ...edge, optional: true })),
    ...edgesIn(at, entry, places, 'peerDependencies').map((edge) => ({
      ...edge,
      peer: true,
      optional: Object(Object(entry.peerDependenciesMeta)[edge.name]).optional === true,
    })),
  ]
  return [...named, ...(at === '' ? workspacesOf(places) : [])]
}

interface NamedEdge extends Edge {
  readonly name: string
}

function edgesIn(at: string, entry: Entry, places: ReadonlySet<string>, list: string): NamedEdge[] {
  return Object.keys(Object(entry[list])).flatMap((name) => {
    const to = resolve(at, name, places)
    return to === null ? [] : [{ name, to, dev: false, optional: false, peer: false }]
  })
}

/** Folders of the repository are its own, whoever asks for them. */
function workspacesOf(places: ReadonlySet<string>): Edge[] {
  return [...places]
    .filter((at) => at !== '' && isOwn(at))
    .map((to) => ({ to, dev: false, optional: false, peer: false }))
}

/** Where a package finds another by its name: in its own folder, then in each above it. */
function resolve(from: string, name: string, places: ReadonlySet<string>): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (!/(?:^|\/)node_modules$/.test(folder) && places.has(place)) return place
    if (folder === '') return null
  }
}

// ── What is said of a package ───────────────────────────────────────────────────────────────────

function forget(lock: Lock, packages: Entries, at: string): void {
  delete packages[at]
  const [name, owner] = legacyPlace(lock, at)
  if (name !== null && owner !== null) {
    delete owner[name]
  }
}

interface Marked {
  readonly at: string
  readonly entry: Entry
  readonly was: Need
  readonly is: Need
}

const MARKS = ['dev', 'optional', 'devOptional', 'peer'] as const

/** Only where what it said before is what we would have said: else somebody knows more than we do. */
function remark(lock: Lock, { at, entry, was, is }: Marked): void {
  const changed = MARKS.filter((mark) => was[mark] !== is[mark])
  if (changed.length === 0 || MARKS.some((mark) => (entry[mark] === true) !== was[mark])) return
  const [name, owner] = legacyPlace(lock, at)
  const legacy = name === null || owner === null ? undefined : owner[name]
  for (const mark of changed) {
    setMark(entry, mark, is[mark])
    if (legacy !== undefined && mark !== 'peer') setMark(legacy, mark, is[mark])
  }
}

/** Marks stand behind what says where a package is from. */
const BEFORE_MARKS = ['version', 'resolved', 'integrity', 'link']

function setMark(entry: Entry, mark: string, is: boolean): void {
  const members = Object.entries(entry).filter(([name]) => name !== mark)
  const at = members.findLastIndex(([name]) => BEFORE_MARKS.includes(name)) + 1
  const marked = is ? [...members.slice(0, at), [mark, true] as const, ...members.slice(at)] : members
  for (const name of Object.keys(entry)) delete entry[name]
  for (const [name, value] of marked) entry[name] = value
}

/** Where version 2 says the same again for npm 6; nulls: nowhere. */
function legacyPlace({ dependencies }: Lock, at: string): readonly [string | null, Entries | null] {
  const names = at.split(/(?:^|\/)node_modules\//).slice(1)
  let owner = dependencies
  for (const name of names.slice(0, -1)) owner = Object(Object(owner)[name]).dependencies
  const name = names.at(-1) ?? null
  return isEntries(owner) && name !== null && Object.hasOwn(owner, name) ? [name, owner] : [null, null]
}
