// Which packages the manifests of a repository ask for and publish. Only names are read: a manifest that nobody could
// install still names its packages.

export interface ManifestText {
  readonly path: string
  /** Null: it could not be read, or is larger than a manifest is. */
  readonly text: string | null
}

export type Ecosystem = 'npm' | 'python' | 'go' | 'rust' | 'maven' | 'ruby' | 'php'

export interface ManifestNames {
  readonly ecosystem: Ecosystem
  /** What it asks for, and the name under which it is published. */
  readonly names: readonly string[]
}

const NAMES_MAX = 5_000
const NAME = /^@?[A-Za-z0-9][\w.@/+-]{0,213}$/

type Reader = (text: string) => string[]

const READERS: readonly (readonly [file: RegExp, ecosystem: Ecosystem, read: Reader])[] = [
  [/^package\.json$/, 'npm', namesOfNpm],
  [/^pyproject\.toml$/, 'python', namesOfPyproject],
  [/^requirements[\w.-]{0,40}\.txt$/, 'python', namesOfRequirements],
  [/^go\.mod$/, 'go', namesOfGo],
  [/^Cargo\.toml$/, 'rust', namesOfCargo],
  [/^pom\.xml$/, 'maven', namesOfPom],
  [/^Gemfile$/, 'ruby', namesOfGemfile],
  [/^composer\.json$/, 'php', namesOfComposer],
]
/** One pattern for all, as most files of a repository are none. */
const READ = new RegExp(READERS.map(([file]) => file.source).join('|'))
/** Manifests that ask for packages in ways that are not read here. */
const UNREAD =
  /^(?:setup\.(?:py|cfg)|Pipfile|environment\.ya?ml|build\.gradle(?:\.kts)?|packages\.config|pubspec\.yaml|mix\.exs|rebar\.config|Package\.swift|Podfile|Cartfile|deno\.jsonc?|build\.sbt|project\.clj|deps\.edn|elm\.json|conanfile\.(?:txt|py)|vcpkg\.json|stack\.yaml|Project\.toml|build\.zig\.zon|DESCRIPTION)$|\.(?:csproj|fsproj|vbproj|gemspec|cabal|nimble)$/

export function isManifest(path: string): boolean {
  return READ.test(nameOf(path))
}

export function isUnreadManifest(path: string): boolean {
  return UNREAD.test(nameOf(path))
}

/** The names of a manifest; null: it is none, or has another form. */
export function namesInManifest({ path, text }: ManifestText): ManifestNames | null {
  const reader = readerOf(path)
  if (reader === undefined || text === null) return null
  const [, ecosystem, read] = reader
  try {
    const names = read(text).map((name) => name.trim())
    return { ecosystem, names: [...new Set(names)].filter((name) => NAME.test(name)).slice(0, NAMES_MAX) }
  } catch {
    // It is no JSON, or JSON of another shape.
    return null
  }
}

function readerOf(path: string): (typeof READERS)[number] | undefined {
  return READERS.find(([file]) => file.test(nameOf(path)))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

// ── JSON ────────────────────────────────────────────────────────────────────────────────────────

function namesOfNpm(text: string): string[] {
  const manifest = objectIn(text)
  const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  return [...ownName(manifest), ...groups.flatMap((group) => keysOf(manifest[group]))]
}

/** The language itself and its extensions are asked for, too, and are no packages. */
function namesOfComposer(text: string): string[] {
  const manifest = objectIn(text)
  const names = [...keysOf(manifest.require), ...keysOf(manifest['require-dev'])]
  return [...ownName(manifest), ...names.filter((name) => name.includes('/'))]
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const data: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new TypeError('no JSON object')
  return data as Readonly<Record<string, unknown>>
}

function ownName({ name }: Readonly<Record<string, unknown>>): string[] {
  return typeof name === 'string' ? [name] : []
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
}

// ── Lines ───────────────────────────────────────────────────────────────────────────────────────

const LINE_CHARS_MAX = 10_000
/** `"django>=4,<5"`, `'uvicorn[standard]'`: a requirement in quotation marks begins with its name. */
const QUOTED_REQUIREMENT =
  /["']([A-Za-z0-9][\w.-]{0,100})(?:\[[^\]"']{0,200}\])?\s{0,4}(?:[<>=!~;@ (][^"']{0,500})?["']/g

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.slice(0, LINE_CHARS_MAX).trim())
}

const TOML_ENTRY = /^(?:"([\w.-]{1,100})"|([\w.-]{1,100}))\s{0,20}=(?!=)\s{0,20}(.*)$/

interface TomlLine {
  /** The last heading above it, without its brackets. */
  readonly section: string
  readonly line: string
}

function tomlLines(text: string): TomlLine[] {
  let section = ''
  return linesOf(text).map((line) => {
    section = /^\[{1,2}\s*([^\]]{1,200}?)\s*\]{1,2}/.exec(line)?.[1] ?? section
    return { section, line: line.startsWith('#') ? '' : line }
  })
}

/** Arrays of requirements under a key or in a section of dependencies, and the tables of Poetry. */
function namesOfPyproject(text: string): string[] {
  let isList = false
  return tomlLines(text).flatMap((at) => {
    const entry = entryIn(at)
    isList = entry?.asks ?? (isList && !at.line.startsWith('['))
    if (entry === null) return isList ? requirementsIn(at.line) : []
    return namesOfEntry(at.section, entry)
  })
}

interface TomlEntry {
  readonly key: string
  readonly value: string
  /** What is listed under it are packages that are asked for. */
  readonly asks: boolean
}

function entryIn({ section, line }: TomlLine): TomlEntry | null {
  const [, quoted, bare, value = ''] = TOML_ENTRY.exec(line) ?? []
  const key = quoted ?? bare
  if (key === undefined) return null
  return { key, value, asks: isDependencies(section) || /^(?:[\w-]+-)?(?:dependencies|requires)$/.test(key) }
}

function namesOfEntry(section: string, { key, value, asks }: TomlEntry): string[] {
  if (section === 'project' && key === 'name') return requirementsIn(value)
  if (value.startsWith('[')) return asks ? requirementsIn(value) : []
  return isDependencies(section) && key !== 'python' ? [key] : []
}

function isDependencies(section: string): boolean {
  return /dependenc/i.test(section)
}

function requirementsIn(line: string): string[] {
  return [...line.matchAll(QUOTED_REQUIREMENT)].map(([, name = '']) => name)
}

function namesOfRequirements(text: string): string[] {
  return linesOf(text).flatMap((line) => {
    const [, egg] = /#egg=([A-Za-z0-9][\w.-]{0,100})/.exec(line) ?? []
    if (egg !== undefined) return [egg]
    const [, name, behind = ''] = /^([A-Za-z0-9][\w.-]{0,100})\s{0,10}(.?)/.exec(line) ?? []
    return name === undefined || /[:/\\]/.test(behind) ? [] : [name]
  })
}

function namesOfGo(text: string): string[] {
  let isBlock = false
  return linesOf(text).flatMap((line) => {
    if (/^require\s{0,10}\($/.test(line)) isBlock = true
    else if (line === ')') isBlock = false
    const [, own] = /^module\s{1,10}(\S{1,200})/.exec(line) ?? []
    const [, asked] =
      (isBlock ? /^(\S{1,200})\s{1,10}v\d/ : /^require\s{1,10}(\S{1,200})\s{1,10}v\d/).exec(line) ?? []
    return [own, asked].filter((name) => name !== undefined)
  })
}

function namesOfCargo(text: string): string[] {
  return tomlLines(text).flatMap(({ section, line }) => {
    const [, key, value = ''] =
      /^["']?([\w-]{1,100})["']?(?:\.[\w-]{1,40})?\s{0,20}=\s{0,20}(.*)$/.exec(line) ?? []
    if (section === 'package' && key === 'name') return [value.replace(/["'\s]/g, '')]
    if (/(?:^|[.-])dependencies$/.test(section)) return key === undefined ? [] : [key]
    // [dependencies.serde]: one package with a section of its own.
    const [, named] = /(?:^|[.-])dependencies\.([\w-]{1,100})$/.exec(section) ?? []
    return named === undefined ? [] : [named]
  })
}

function namesOfPom(text: string): string[] {
  return [...text.matchAll(/<artifactId>\s{0,20}([\w.-]{1,200})\s{0,20}<\/artifactId>/g)].map(
    ([, name = '']) => name,
  )
}

function namesOfGemfile(text: string): string[] {
  return linesOf(text).flatMap((line) => {
    const [, name] = /^gem\s{0,10}\(?\s{0,10}["']([\w.-]{1,100})["']/.exec(line) ?? []
    return name === undefined ? [] : [name]
  })
}
