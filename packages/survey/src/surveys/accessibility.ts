// Rules of accessibility that markup breaks by itself: no text for a picture, no language, no title, an order by hand.
import type { CodeFile } from '../code-file.ts'
import { isTest, type Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'
import { isSyntax, lineAt, type Syntax, walk } from '../syntax.ts'

export const accessibility: Survey = { category: 'accessibility', name: 'markup', look, kin }

const PAGE = /\.html?$/

async function look(project: Project): Promise<Looked> {
  const pages = (await project.files()).filter((path) => PAGE.test(path) && !isTest(path))
  const code = [...(await project.code()).values()].filter(
    ({ path }) => /\.[jt]sx$/.test(path) && !isTest(path),
  )
  if (pages.length + code.length === 0) return { is: 'skipped', why: 'there is no HTML and no JSX' }
  const broken = new Map<string, readonly Broken[]>()
  for (const path of pages) broken.set(path, brokenIn(tagsOf((await project.read(path)) ?? '')))
  for (const file of code) broken.set(file.path, brokenIn(elementsOf(file)))
  return looked(
    [...broken].flatMap(([path, found]) =>
      [...Map.groupBy(found, ({ rule }) => rule)].map(([rule, same]) => ({
        key: `markup:${path}:${rule}`,
        title: `${path}: ${RULES[rule]}${same.length === 1 ? '' : ` (${same.length} times)`}`.slice(0, 300),
        files: [path],
        evidence: same
          .map(({ line, name }) => `${path}:${line}: <${name}>: ${RULES[rule]}`)
          .join('\n')
          .slice(0, 4_000),
        estimateHours: Math.min(8, 0.5 * same.length),
        mendable: false,
      })),
    ),
  )
}

/** Every rule that any text breaks, also in samples and under another name, and where more is put into an element. */
async function kin(project: Project): Promise<readonly string[]> {
  const elements = new Map<string, readonly Element[]>()
  for (const file of (await project.code()).values()) elements.set(file.path, elementsOf(file))
  for (const path of await project.everything()) {
    const text = elements.has(path) ? null : await project.read(path)
    if (text !== null && /<(?:img|html|iframe)\b|tabindex/i.test(text)) elements.set(path, tagsOf(text))
  }
  return [...elements].flatMap(([path, all]) =>
    brokenIn(all.map((each) => ({ ...each, isOpen: false }))).map(({ rule }) => `markup:${path}:${rule}`),
  )
}

const RULES = {
  'image-alt': 'a picture without a text for those who do not see it (alt)',
  'html-lang': 'a page that does not say its language (lang)',
  'frame-title': 'a frame without a title',
  'tab-order': 'an order of the Tab key that is set by hand (tabindex above 0)',
} as const
type Rule = keyof typeof RULES

interface Element {
  readonly name: string
  readonly line: number
  /** By name in small letters; null: its value is computed. */
  readonly attributes: ReadonlyMap<string, string | null>
  /** It takes attributes that are not written here. */
  readonly isOpen: boolean
}

interface Broken {
  readonly rule: Rule
  readonly name: string
  readonly line: number
}

function brokenIn(elements: readonly Element[]): Broken[] {
  return elements.flatMap((element) =>
    rulesBroken(element).map((rule) => ({ rule, name: element.name, line: element.line })),
  )
}

function rulesBroken({ name, attributes, isOpen }: Element): Rule[] {
  const rules: Rule[] = []
  const isHidden = attributes.get('aria-hidden') === 'true' || attributes.get('role') === 'presentation'
  const isNamed = attributes.has('aria-label') || attributes.has('aria-labelledby')
  if (name === 'img' && !isOpen && !attributes.has('alt') && !isNamed && !isHidden) rules.push('image-alt')
  if (name === 'html' && !isOpen && !attributes.has('lang')) rules.push('html-lang')
  if (name === 'iframe' && !isOpen && !attributes.has('title') && !isNamed && !isHidden)
    rules.push('frame-title')
  if (Number(attributes.get('tabindex') ?? 0) > 0) rules.push('tab-order')
  return rules
}

const TAG =
  /<(img|html|iframe|[a-z][\w-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>/gi
const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

const HIDDEN = /<!--|<(?:script|style)/gi

/** A page without its comments, scripts and styles; every line stays where it is. What never ends is none of them. */
function shownIn(page: string): string {
  const endless = new Set<string>()
  let [shown, from] = ['', 0]
  for (const { 0: opening, index } of page.matchAll(HIDDEN)) {
    const kind = opening.toLowerCase()
    if (index < from || endless.has(kind)) continue
    const ending = kind === '<!--' ? /-->/g : new RegExp(`</${kind.slice(1)}>`, 'gi')
    ending.lastIndex = index
    const end = ending.exec(page) === null ? null : ending.lastIndex
    if (end === null) endless.add(kind)
    else {
      shown += page.slice(from, index) + page.slice(index, end).replace(/[^\n]/g, ' ')
      from = end
    }
  }
  return shown + page.slice(from)
}

function tagsOf(page: string): Element[] {
  const text = shownIn(page)
  let [line, counted] = [1, 0]
  const lineOf = (index: number) => {
    for (; counted < index; counted += 1) if (text[counted] === '\n') line += 1
    return line
  }
  return [...text.matchAll(TAG)].map(({ 1: name = '', 2: rest = '', index }) => ({
    name: name.toLowerCase(),
    line: lineOf(index),
    attributes: new Map(
      [...rest.matchAll(ATTRIBUTE)].map(([, key = '', ...values]) => [
        key.toLowerCase(),
        values.find((value) => value !== undefined) ?? '',
      ]),
    ),
    // A template puts more into it.
    isOpen: /\{\{|<%|\{%/.test(rest),
  }))
}

function elementsOf({ program, text }: CodeFile): Element[] {
  const elements: Element[] = []
  walk(program, (node) => {
    if (node.type !== 'JSXOpeningElement' || !isSyntax(node.name) || node.name.type !== 'JSXIdentifier')
      return
    const given = Array.isArray(node.attributes) ? node.attributes.filter(isSyntax) : []
    elements.push({
      name: String(node.name.name),
      line: lineAt(text, node.start),
      attributes: new Map(given.flatMap(attributeOf)),
      isOpen: given.some(({ type }) => type === 'JSXSpreadAttribute'),
    })
  })
  return elements
}

function attributeOf({ type, name, value }: Syntax): (readonly [string, string | null])[] {
  if (type !== 'JSXAttribute' || !isSyntax(name)) return []
  return [[String(name.name).toLowerCase(), literalOf(value)]]
}

/** Null: it is computed. */
function literalOf(value: unknown): string | null {
  const inner = isSyntax(value) && value.type === 'JSXExpressionContainer' ? value.expression : value
  const isLiteral = isSyntax(inner) && /^(?:String|Numeric)?Literal$/.test(inner.type)
  return isLiteral ? String(inner.value) : null
}
