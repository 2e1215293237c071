// A configuration as a list of its keys with their values, whatever notation it is written in.
import { bare, field, list, nameOf, parseSource, type Source, type Syntax } from '../integrity/source.ts'

export interface Setting {
  readonly value: string
  readonly line: number
}
export type Settings = ReadonlyMap<string, Setting>

/** The key of all that stands in a configuration beside its settings. */
const BESIDE = '(code beside the settings)'

/** The keys of a configuration, from the outside in with dots between; null if it cannot be read. */
export function flatSettings(path: string, text: string): Settings | null {
  if (/\.(toml|ini|cfg)$/.test(path)) return flatSections(text)
  if (/\.ya?ml$/.test(path)) return null
  const isScript = /\.[cm]?[jt]sx?$/.test(path)
  if (!isScript && !/\.jsonc?$/.test(path) && !/^\s*\{/.test(text)) return null
  const source = isScript
    ? parseSource(path, text)
    : parseSource(`${path}.ts`, `export default ${text.trim()}`)
  if (source === null) return null
  const found = new Map<string, Setting>()
  const beside: string[] = []
  for (const statement of list(source.program, 'body')) {
    const settings = settingsIn(source, statement)
    if (settings === null) beside.push(spelled(source, statement))
    else flatten(source, settings, { at: '', found })
  }
  const code = beside.filter((each) => !/^import \{ ?defineConfig ?\} from/.test(each)).join('\n')
  if (code !== '') found.set(BESIDE, { value: code, line: 1 })
  return found
}

/** What a configuration hands out: `export default …` or `module.exports = …`. */
function settingsIn(source: Source, statement: Syntax): Syntax | null {
  if (statement.type === 'ExportDefaultDeclaration') return field(statement, 'declaration')
  const assigned = statement.type === 'ExpressionStatement' ? field(statement, 'expression') : null
  const left = assigned?.type === 'AssignmentExpression' ? field(assigned, 'left') : null
  if (assigned === null || left === null || spelled(source, left) !== 'module.exports') return null
  return field(assigned, 'right')
}

interface Flattening {
  readonly at: string
  readonly found: Map<string, Setting>
}

function flatten(source: Source, given: Syntax, { at, found }: Flattening): void {
  const node = configured(bare(given))
  const properties = list(node, 'properties')
  if (node.type !== 'ObjectExpression' || !properties.every(isPlain)) {
    const line = source.text.slice(0, node.start).split('\n').length
    found.set(at === '' ? '(all of it)' : at, { value: spelled(source, node), line })
    return
  }
  for (const each of properties) {
    const key = field(each, 'key')
    const name = key?.type === 'Identifier' ? nameOf(key) : String(key?.value)
    const inner = at === '' ? name : `${at}.${name}`
    flatten(source, field(each, 'value') ?? each, { at: inner, found })
  }
}

/** `defineConfig({ … })` is what it is given. */
function configured(node: Syntax): Syntax {
  const [only, ...more] = node.type === 'CallExpression' ? list(node, 'arguments') : []
  const isDefined = nameOf(field(node, 'callee')) === 'defineConfig' && more.length === 0
  return only !== undefined && isDefined ? bare(only) : node
}

function isPlain(property: Syntax): boolean {
  const { type, computed, method, kind } = property
  return type === 'Property' && computed !== true && method !== true && kind === 'init'
}

/** Code in one spelling, as far as layout goes. */
function spelled({ text }: Source, { start, end }: Syntax): string {
  return text
    .slice(start, end)
    .replace(/\s+/g, ' ')
    .replace(/ ?([[\](){},:]) ?/g, '$1')
    .replace(/,(?=[\])}])/g, '')
    .replace(/;$/, '')
}

/** Sections with `key = value`, over several lines where a bracket is open or a line is indented. */
function flatSections(text: string): Settings {
  const found = new Map<string, Setting>()
  let at: Line = { section: '', name: '', value: null, depth: 0 }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*([#;].*)?$/.test(line)) continue
    at = nextLine(at, line)
    if (at.value === null) continue
    const before = found.get(at.name)
    const value = `${before?.value ?? ''} ${at.value}`.trim()
    found.set(at.name, { value, line: before?.line ?? index + 1 })
  }
  return found
}

interface Line {
  readonly section: string
  /** The key that the line belongs to. */
  readonly name: string
  /** What the line adds to its value; null: it is the head of a section. */
  readonly value: string | null
  /** Brackets that are open after it. */
  readonly depth: number
}

function nextLine(at: Line, line: string): Line {
  const head = at.depth === 0 ? headOf.exec(line)?.[1] : undefined
  if (head !== undefined) {
    const section = head.replaceAll('"', '')
    return { section, name: section, value: null, depth: 0 }
  }
  const isInside = at.depth > 0 || /^\s/.test(line)
  const [, key, first] = isInside ? [] : (pairOf.exec(line) ?? [])
  const name = key === undefined ? at.name : nameIn(at.section, key)
  return { ...at, name, value: first ?? line.trim(), depth: Math.max(0, at.depth + opened(line)) }
}

const headOf = /^\[+\s*([^\]]+?)\s*\]+\s*(?:#.*)?$/
const pairOf = /^((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*[=:]\s*(.*)$/

function nameIn(section: string, key: string): string {
  return `${section === '' ? '' : `${section}.`}${key.replaceAll('"', '')}`
}

/** How many brackets a line opens and leaves open, outside of texts. */
function opened(line: string): number {
  const code = line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '').replace(/#.*$/, '')
  return countOf(code, /[[{]/g) - countOf(code, /[\]}]/g)
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}
