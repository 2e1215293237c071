// The words of the house: names that say nothing, names that say two things, images, folders that CONTEXT.md leaves out.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { codeFiles } from './imports.ts'
import { isProduct } from './reach.ts'

export interface Words {
  /** Exported type names that more than one file of a package declares, as `package: Name (files)`. */
  readonly namesTwice: readonly string[]
  /** Types called Place, Given, … as `file: Name`. */
  readonly vagueNames: readonly string[]
  /** Files, folders and exports with an image in their name, as `file: name`. */
  readonly imageNames: readonly string[]
  /** Folders whose word CONTEXT.md does not explain, as `word: folder`. */
  readonly foldersUnexplained: readonly string[]
}

export interface NamedSource {
  readonly file: string
  readonly types: readonly { readonly name: string; readonly exported: boolean }[]
  /** Names of all that the file exports by a declaration. */
  readonly exports: readonly string[]
}

const vague = /^(?:Place|Given|Asked|Seen|Found|Said|Made|Done)$/
const images = new Set([
  ...['counsel', 'purse', 'bench', 'desk', 'vitals', 'weigh', 'weighed', 'heir', 'heirs'],
  ...['foresight', 'foresee', 'foreseen', 'resting', 'bell', 'coin', 'upkeep', 'room'],
])
/** Names that are stored, or are a command of the command line, stay as they are. */
const kept = /(?:^|\/)(?:migrations|repair-bench)\/|^REPAIR_BENCH/
const topFolders = ['apps', 'bench', 'bin', 'docs', 'packages', 'requirements', 'scenarios', 'tools']

export function readWords(root: string, sources: readonly NamedSource[] = readNames(root)): Words {
  return {
    namesTwice: namesTwice(sources),
    vagueNames: vagueNames(sources),
    imageNames: imageNames(sources),
    foldersUnexplained: foldersUnexplained(root),
  }
}

function readNames(root: string): NamedSource[] {
  const files = codeFiles(root, ['packages', 'apps']).filter(isProduct)
  return files.map((file) => {
    const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'))
    return { file, ...namesIn(program) }
  })
}

interface Node {
  readonly type: string
  readonly id?: { readonly name: string } | null
  readonly declaration?: Node | null
  readonly declarations?: readonly Node[]
}
const typeDeclarations = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration'])

export function namesIn({ body }: { readonly body: unknown }): Omit<NamedSource, 'file'> {
  const nodes = body as readonly Node[]
  const types = nodes.flatMap((node) => {
    const exported = node.type === 'ExportNamedDeclaration'
    const declared = exported ? node.declaration : node
    if (!declared || !typeDeclarations.has(declared.type) || !declared.id) return []
    return [{ name: declared.id.name, exported }]
  })
  const exports = nodes.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !declaration) return []
    const { declarations = [declaration] } = declaration
    return declarations.flatMap(({ id }) => id?.name ?? [])
  })
  return { types, exports }
}

function vagueNames(sources: readonly NamedSource[]): string[] {
  return sources.flatMap(({ file, types }) =>
    types.filter(({ name }) => vague.test(name)).map(({ name }) => `${file}: ${name}`),
  )
}

function namesTwice(sources: readonly NamedSource[]): string[] {
  const declared = new Map<string, Set<string>>()
  for (const { file, types } of sources) {
    for (const { name } of types.filter(({ exported }) => exported)) {
      const key = `${file.split('/').slice(0, 2).join('/')}: ${name}`
      declared.set(key, (declared.get(key) ?? new Set()).add(file))
    }
  }
  return [...declared]
    .filter(([, files]) => files.size > 1)
    .map(([key, files]) => `${key} (${[...files].join(', ')})`)
}

function imageNames(sources: readonly NamedSource[]): string[] {
  return sources.flatMap(({ file, exports }) => {
    if (kept.test(file)) return []
    const path = file.replace(/^[^/]+\/[^/]+\/src\//, '')
    const names = [path, ...exports.filter((name) => !kept.test(name))]
    return names
      .filter((name) => wordsIn(name).some((word) => images.has(word)))
      .map((name) => `${file}: ${name}`)
  })
}

function wordsIn(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

function foldersUnexplained(root: string): string[] {
  const explained = explainedIn(readContext(root))
  const folders = new Map<string, string>()
  for (const file of codeFiles(root, ['packages', 'apps'])) {
    if (!/^[^/]+\/[^/]+\/src\/(?!.*\bfixtures\/)/.test(file)) continue
    const parts = file.split('/').slice(0, -1)
    parts.forEach((word, at) => {
      if (word !== 'src' && !folders.has(word)) folders.set(word, parts.slice(0, at + 1).join('/'))
    })
  }
  for (const word of topFolders) if (existsSync(join(root, word))) folders.set(word, word)
  return [...folders].filter(([word]) => !explained.has(plain(word))).map(([word, at]) => `${word}: ${at}`)
}

function readContext(root: string): string {
  try {
    return readFileSync(join(root, 'CONTEXT.md'), 'utf8')
  } catch {
    return ''
  }
}

/** The words of the left column of each table. */
function explainedIn(text: string): Set<string> {
  const rows = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, words = '']) => words)
  return new Set(rows.flatMap((words) => words.split(',').map((word) => plain(word))))
}

/** One of several is the same word. */
function plain(word: string): string {
  return word.replaceAll('`', '').trim().toLowerCase().replace(/s$/, '')
}
