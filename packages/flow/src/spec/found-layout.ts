// A layout as the files of a repository show it: the folders that hold routes, types, migrations, components and tests.
import type { Layout } from './layouts.ts'
import type { Spelling } from './names.ts'
import type { Language, ProjectKind } from './project-kind.ts'

interface FoundLayout {
  readonly layout: Partial<Layout>
  readonly spelling: Spelling | null
  readonly digits: number
  readonly words: readonly string[]
}

interface About {
  readonly base: Layout
  readonly kind: ProjectKind
  readonly language: Language
}

const TEST = /(?:\.(?:test|spec)\.[cm]?[jt]sx?|_test\.go|(?:^|\/)test_[^/]+\.py|_test\.py)$/
const MIGRATION = /(?:^|\/)(?:migrations?|migrate)\/(?:[^/]+\/)?(\d+)[_-][^/]*\.sql$/
const ROUTE = /(?:^|\/)(?:routes|controllers|handlers|endpoints|routers)\/[^/]+\.(?:[cm]?[jt]s|py|go|rs)$/
const COMPONENT = /(?:^|\/)(?:components|views|pages|screens)\/(?:[^/]+\/)*[^/]+\.(?:[jt]sx|vue|svelte)$/
const TYPES = /(?:^|\/)(?:types|models|entities)\/[^/]+\.(?:[cm]?[jt]s|py)$/
const INDEX = /(?:^|\/)(?:index|mod|__init__|main)\.\w+$/

/** What is not a test: tests alone do not say what a project is. */
export function codeIn(sources: readonly string[]): string[] {
  return sources.filter((file) => !TEST.test(file))
}

/** What a repository with code in it is; null where its files do not say. */
export function foundKind(sources: readonly string[], manifest: string | null): ProjectKind | null {
  const code = codeIn(sources)
  const says = (pattern: RegExp) => manifest !== null && pattern.test(manifest)
  if (says(/"vscode"\s*:|"@types\/vscode"/)) return 'extension'
  if (says(/"(?:react-native|expo)"/)) return 'mobile'
  const served =
    code.some((file) => ROUTE.test(file) || /(?:^|\/)(?:server|api)\//.test(file)) || says(SERVERS)
  const stored = code.some((file) => MIGRATION.test(file))
  const drawn = code.some((file) => COMPONENT.test(file) || /\.(?:tsx|jsx|vue|svelte|html)$/.test(file))
  if (served || stored) return drawn ? 'web' : 'service'
  if (drawn) return 'web'
  if (says(/"(?:docusaurus|vitepress|@docusaurus\/core|mkdocs)"/)) return 'docs'
  if (says(/"bin"\s*:/) || code.some((file) => /(?:^|\/)(?:cli|cmd)\b/.test(file))) return 'cli'
  return code.length > 0 ? 'library' : null
}

const SERVERS = /"(?:express|fastify|koa|hono|@nestjs\/core|next|nuxt)"/

export function foundLayout(sources: readonly string[], about: About): FoundLayout {
  const code = codeIn(sources)
  const layout: { -readonly [Name in keyof Layout]?: Layout[Name] } = {}
  const words: string[] = []
  const note = (name: keyof Layout, pattern: string | null, example: string) => {
    if (pattern === null) return
    Object.assign(layout, { [name]: pattern })
    words.push(`${name}: ${pattern}, like ${example}`)
  }
  const migration = last(sources.filter((file) => MIGRATION.test(file)))
  const [, number = ''] = MIGRATION.exec(migration ?? '') ?? []
  if (migration !== undefined) note('database', migrationPattern(migration), migration)
  for (const [name, pattern] of [
    ['api', ROUTE],
    ['types', TYPES],
    ['ui', COMPONENT],
  ] as const) {
    const example = first(code.filter((file) => pattern.test(file) && !INDEX.test(file)))
    if (example !== undefined) note(name, besides(example, code), example)
  }
  Object.assign(layout, indexesIn(code, layout))
  const logic = mostUsed(code, about)
  if (logic !== null) note('queries', logic.pattern, logic.example)
  const test = first(sources.filter((file) => TEST.test(file)))
  if (test !== undefined) note('tests', testPattern(test, about), test)
  // A repository of its own making has only what it shows.
  if (code.length > 0) dropMissing(layout, { code, about })
  return {
    layout,
    spelling: logic === null ? null : spellingOf(code),
    digits: number.length > 0 && number.length < 6 ? number.length : 3,
    words,
  }
}

type Growing = { -readonly [Name in keyof Layout]?: Layout[Name] }

/** Layers that a repository with code has none of are not begun behind its back, unless it is a web repository. */
function dropMissing(layout: Growing, { code, about }: { code: readonly string[]; about: About }): void {
  const { kind, base } = about
  const own = code.some((file) => TYPES.test(file))
  if (kind === 'web' || kind === 'service') {
    if (!isServed(code)) Object.assign(layout, { database: null, api: null, apiIndex: null })
    if (layout.types === undefined && base.types !== null && !own) layout.types = base.types
    return
  }
  layout.database ??= null
  layout.api ??= null
  if (kind !== 'mobile') layout.types ??= null
  if (base.entry !== null) layout.entry ??= entryOf(code, base.entry)
}

/** Whether something answers requests there, or keeps data. */
function isServed(code: readonly string[]): boolean {
  return code.some(
    (file) => ROUTE.test(file) || MIGRATION.test(file) || /(?:^|\/)(?:server|api)\//.test(file),
  )
}

function entryOf(code: readonly string[], usual: string): string | null {
  if (code.includes(usual)) return usual
  const entry = /^(?:src\/|lib\/)?(?:index|lib|main|cli|extension)\.(?:[cm]?[jt]s|rs|py)$/
  return code.find((file) => entry.test(file)) ?? null
}

function indexesIn(code: readonly string[], layout: Growing): Growing {
  const found: Growing = {}
  const near = (pattern: string | null | undefined, names: RegExp) => {
    if (pattern === null || pattern === undefined) return undefined
    const folder = folderOf(pattern)
    const above = folderOf(folder)
    return code.find((file) => [folder, above].includes(folderOf(file)) && names.test(file))
  }
  const api = near(layout.api, /(?:^|\/)(?:api|app|server|index|routes|router|main)\.(?:[cm]?[jt]s|py|go)$/)
  const types = near(layout.types, /(?:^|\/)(?:index)\.[cm]?[jt]s$/)
  if (layout.api !== undefined) found.apiIndex = api ?? null
  if (layout.types !== undefined) found.typesIndex = types ?? null
  return found
}

function migrationPattern(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1)
  const [, sign = '_'] = /^\d+([_-])/.exec(name) ?? []
  return `${folderOf(file)}/{number}${sign}${sign === '_' && !name.includes('-') ? '{snake}' : '{slug}'}.sql`
}

/** A new file beside one that is there, named as its neighbours are. */
function besides(example: string, code: readonly string[]): string {
  const folder = folderOf(example)
  const neighbours = code.filter((file) => folderOf(file) === folder && !INDEX.test(file))
  const spelling = spellingOf(neighbours) ?? 'kebab'
  const name = example.slice(folder === '' ? 0 : folder.length + 1)
  const [, suffix = ''] = /^[^.]+(\..+)$/.exec(name) ?? []
  return `${folder === '' ? '' : `${folder}/`}${placeholder(spelling)}${suffix}`
}

function placeholder(spelling: Spelling): string {
  return spelling === 'kebab' ? '{slug}' : `{${spelling}}`
}

/** The folder of most files of logic. */
function mostUsed(
  code: readonly string[],
  { kind, language, base }: About,
): { pattern: string; example: string } | null {
  if (language === 'go') return null
  const logic = code.filter(
    (file) =>
      !MIGRATION.test(file) &&
      !ROUTE.test(file) &&
      !COMPONENT.test(file) &&
      !TYPES.test(file) &&
      ownCode(file, language),
  )
  const counts = new Map<string, string[]>()
  for (const file of logic) {
    const files = counts.get(folderOf(file))
    if (files === undefined) counts.set(folderOf(file), [file])
    else files.push(file)
  }
  if (kind === 'web' || kind === 'service') return null
  const commands = [...counts].find(([folder]) => /(?:^|\/)(?:commands|steps)$/.test(folder))
  const ranked = [...counts].sort((a, b) => weight(b) - weight(a))
  const [folder, files] = (kind === 'cli' || kind === 'pipeline' ? commands : undefined) ?? ranked[0] ?? []
  const example = files?.find((file) => !INDEX.test(file)) ?? files?.[0]
  if (folder === undefined || example === undefined || base.queries === null) return null
  return { pattern: besides(example, code), example }
}

/** Source folders before others, then by how many files they hold. */
function weight([folder, files]: [string, string[]]): number {
  return files.length + (/(?:^|\/)(?:src|lib)(?:\/|$)/.test(folder) ? 1_000 : 0)
}

function ownCode(file: string, language: Language): boolean {
  const endings: Partial<Record<Language, RegExp>> = {
    ts: /\.[cm]?ts$/,
    js: /\.[cm]?js$/,
    py: /(?<!setup|conftest)\.py$/,
    rs: /\.rs$/,
  }
  return endings[language]?.test(file) ?? false
}

function testPattern(test: string, { language }: About): string | null {
  if (language === 'go') return null
  const folder = folderOf(test)
  const name = test.slice(folder === '' ? 0 : folder.length + 1)
  const place = folder === '' ? '' : `${folder}/`
  if (/^test_/.test(name)) return `${place}test_{snake}.py`
  if (/_test\.py$/.test(name)) return `${place}{snake}_test.py`
  const [, stem = '', ending = ''] = /^(.+?)(\.(?:test|spec)\.[cm]?[jt]sx?)$/.exec(name) ?? []
  if (ending === '') return null
  return `${place}${placeholder(spellingOf([`${stem}.ts`]) ?? 'kebab')}${ending}`
}

/** How names of several words are written; null: none has several. */
function spellingOf(files: readonly string[]): Spelling | null {
  const counts = { snake: 0, kebab: 0, pascal: 0, camel: 0 }
  for (const file of files) {
    const stem = file.slice(file.lastIndexOf('/') + 1).split('.')[0] ?? ''
    if (/^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(stem)) counts.snake += 1
    else if (/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(stem)) counts.kebab += 1
    else if (/^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)*$/.test(stem)) counts.pascal += 1
    else if (/^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(stem)) counts.camel += 1
  }
  const [most] = (Object.entries(counts) as [Spelling, number][]).sort((a, b) => b[1] - a[1])
  return most !== undefined && most[1] > 0 ? most[0] : null
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

function first(files: readonly string[]): string | undefined {
  return [...files].sort()[0]
}

function last(files: readonly string[]): string | undefined {
  return [...files].sort().at(-1)
}
