// Tests of the project with another input, which tell what the program makes of it instead of checking it.
import { isSyntax, type Syntax } from '../tree/convert.ts'
import { parseSource } from '../tree/parse.ts'
import { type Equality, equalityIn, isCheck, type Span, worded } from './assertion.ts'
import { literalOf, type NamedValues, otherValues } from './other-values.ts'

export interface TestText {
  readonly path: string
  readonly text: string
  /** The last names of the tests that failed. */
  readonly failing: ReadonlySet<string>
}

/** A text in the place of another. */
interface Replaced extends Span {
  readonly text: string
}

export interface Probe {
  readonly name: string
  readonly path: string
  /** The expression that is looked at, as it stands with the other input. */
  readonly seen: string
  /** The changed statement where the input does not stand in the expression itself. */
  readonly given: string | null
  readonly oddness: number
  /** The declaration that it was made from. */
  readonly declared: Span
  /** The text of the declaration that tells what is seen. */
  readonly telling: string
  /** The text of a test that expects an answer. */
  expecting(answer: string): string
}

interface Declared {
  readonly statement: Syntax
  readonly callee: Syntax
  readonly title: Syntax
  readonly act: Syntax
  readonly isFailing: boolean
}

const PROBES_MAX = 90
const OF_ONE_MAX = 30
const DECLARES = /^(it|test|specify)$/

/** Of all files; those of failing tests first, and each assertion in turn. */
export function probesOf(tests: readonly TestText[], named: NamedValues): Probe[] {
  const lists = tests.flatMap((test) => probeLists(test, named))
  const ordered = [true, false].flatMap((isFailing) =>
    inTurns(lists.filter((list) => list.isFailing === isFailing).map(({ drafts }) => drafts)),
  )
  return ordered.slice(0, PROBES_MAX).map((draft, at) => draft(`treadle probe ${at}`))
}

type Draft = (name: string) => Probe

function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((list) => list.slice(round, round + 1)),
  ).flat()
}

function probeLists(test: TestText, named: NamedValues) {
  const parsed = parseSource(test.path, test.text)
  if (parsed.is === 'faulty') return []
  const found: { isFailing: boolean; drafts: Draft[] }[] = []
  for (const declared of declaredIn(parsed.file.program, test))
    for (const { equality, holder } of equalitiesIn(declared.act)) {
      const drafts = draftsFor({ test, declared, equality, holder }, named)
      if (drafts.length > 0) found.push({ isFailing: declared.isFailing, drafts })
    }
  return found
}

function declaredIn(program: Syntax, { failing }: TestText): Declared[] {
  const found: Declared[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    if (!isSyntax(value)) return
    const declared = value.type === 'ExpressionStatement' ? declaredBy(value) : null
    if (declared !== null) {
      found.push({ ...declared, isFailing: failing.has(String(declared.title.value)) })
      return
    }
    for (const child of Object.values(value)) visit(child)
  }
  visit(program)
  return found
}

function declaredBy(statement: Syntax): Omit<Declared, 'isFailing'> | null {
  const call = statement.expression
  if (!isSyntax(call) || call.type !== 'CallExpression' || !isSyntax(call.callee)) return null
  const { callee } = call
  const args = call.arguments as readonly Syntax[]
  const [title] = args
  const act = args.findLast((arg) => /Function/.test(arg.type))
  if (callee.type !== 'Identifier' || !DECLARES.test(String(callee.name))) return null
  if (act === undefined || title?.type !== 'Literal' || typeof title.value !== 'string') return null
  return { statement, callee, title, act }
}

interface Checked {
  readonly equality: Equality
  /** What is replaced as a whole: the statement, or the body that is nothing but the assertion. */
  readonly holder: Syntax
}

function equalitiesIn(act: Syntax): Checked[] {
  const { body } = act
  if (!isSyntax(body)) return []
  if (body.type !== 'BlockStatement') {
    const equality = equalityIn(body)
    return equality === null ? [] : [{ equality, holder: body }]
  }
  return statementsOf(body).flatMap((statement) => {
    const equality = statement.type === 'ExpressionStatement' ? equalityIn(statement.expression) : null
    return equality === null ? [] : [{ equality, holder: statement }]
  })
}

const statementsOf = (block: Syntax): readonly Syntax[] => block.body as readonly Syntax[]

interface ProbeSite extends Checked {
  readonly test: TestText
  readonly declared: Declared
}

function draftsFor(place: ProbeSite, named: NamedValues): Draft[] {
  const { test, equality } = place
  const inside = sitesIn(equality.seen)
  const before = statementsBefore(place).flatMap((statement) =>
    sitesIn(statement).map((site) => ({ site, statement })),
  )
  const own = inside.map((site) =>
    otherValues(site, test.text, named).map(({ text, oddness }) => ({
      site,
      text,
      oddness,
      statement: null,
    })),
  )
  const others = before.map(({ site, statement }) =>
    otherValues(site, test.text, named).map(({ text, oddness }) => ({ site, text, oddness, statement })),
  )
  const changes = [...inTurns(own), ...inTurns(others)]
  const both = pairsOf(own)
  const singles = changes.map((change) => [change])
  return inTurns([singles, both])
    .slice(0, OF_ONE_MAX)
    .map((made) => (name: string) => makeProbe(place, made, name))
}

interface OtherInput {
  readonly site: Syntax
  readonly text: string
  readonly oddness: number
  readonly statement: Syntax | null
}

/** Two inputs of the expression at once, of each a few. */
function pairsOf([first = [], second = []]: readonly (readonly OtherInput[])[]): OtherInput[][] {
  return first
    .slice(0, 4)
    .flatMap((one) => second.slice(0, 3).map((other) => [one, other]))
    .filter(([one, other]) => one !== undefined && other !== undefined && !isInside(one.site, other.site))
}

const isInside = (one: Span, other: Span) => one.start < other.end && other.start < one.end

function statementsBefore({ declared, holder }: ProbeSite): readonly Syntax[] {
  const { body } = declared.act
  if (!isSyntax(body) || body.type !== 'BlockStatement') return []
  return statementsOf(body).filter(
    (statement) => statement.end <= holder.start && !isCheck(statement.expression),
  )
}

/** Literals that are inputs: names of properties and of modules are not. */
function sitesIn(root: Syntax): Syntax[] {
  const found: Syntax[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    if (!isSyntax(value)) return
    const isLiteral = literalOf(value) !== undefined
    if (isLiteral || value.type === 'ArrayExpression') found.push(value)
    if (!isLiteral) for (const child of inputsBelow(value)) visit(child)
  }
  visit(root)
  return found
}

function inputsBelow(node: Syntax): readonly unknown[] {
  const { type, computed, callee } = node
  if (type.startsWith('TSType') || type === 'ImportExpression') return []
  if (type === 'Property' && computed !== true) return [node.value]
  if (type === 'MemberExpression' && computed !== true) return [node.object]
  if (type === 'CallExpression' && isSyntax(callee) && callee.name === 'require') return []
  return Object.values(node)
}

function makeProbe(place: ProbeSite, inputs: readonly OtherInput[], name: string): Probe {
  const { test, declared, equality, holder } = place
  const { text } = test
  const replaced = inputs.map(({ site, text: other }) => ({ start: site.start, end: site.end, text: other }))
  const within = (span: Span) =>
    written(
      text,
      span,
      replaced.filter((each) => isInside(each, span)),
    )
  const seen = within(equality.seen)
  const outside = inputs.find(({ statement }) => statement !== null)?.statement ?? null
  const rest = [...setAside(place), ...replaced.filter((each) => !isInside(each, holder))]
  const isBody = holder === declared.act.body
  const told = isBody ? `{ throw treadleSeen(${seen}) }` : `throw treadleSeen(${seen})`
  const only = { start: declared.callee.end, end: declared.callee.end, text: '.only' }
  const titled = (title: string) => ({ ...spanOf(declared.title), text: title })
  const declaration = (more: readonly Replaced[]) => written(text, declared.statement, [...rest, ...more])
  return {
    name,
    path: test.path,
    seen: seen.trim(),
    given: outside === null ? null : within(outside).trim(),
    oddness: inputs.reduce(
      (sum, { oddness }) => sum + oddness,
      inputs.length - 1 + (outside === null ? 0 : 1),
    ),
    declared: spanOf(declared.statement),
    telling: declaration([only, titled(`'${name}'`), { ...spanOf(holder), text: told }]),
    expecting: (answer) => {
      const checked = worded(equality, text, seen, answer)
      const semicolon = text[holder.end - 1] === ';' && !isBody ? ';' : ''
      const title = quotedAs(
        text,
        declared.title,
        `${String(declared.title.value)}: ${titleOf(seen, answer)}`,
      )
      return declaration([titled(title), { ...spanOf(holder), text: `${checked}${semicolon}` }])
    },
  }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })
const titleOf = (seen: string, answer: string) =>
  `${seen.replace(/\s+/g, ' ').trim()} ${answer.startsWith('throws ') ? answer : `is ${answer}`}`

function quotedAs(text: string, { start }: Span, words: string): string {
  const quote = text[start] === '"' ? '"' : "'"
  return `${quote}${words.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('\n', ' ')}${quote}`
}

/** Other assertions go away; of those before this one stays what they call, which may matter to it. */
function setAside({ declared, holder, test }: ProbeSite): Replaced[] {
  const { body } = declared.act
  if (!isSyntax(body) || body.type !== 'BlockStatement') return []
  return statementsOf(body)
    .filter((statement) => statement !== holder && isCheck(statement.expression))
    .map((statement) => {
      const seen = equalityIn(statement.expression)?.seen
      const isKept = seen !== undefined && statement.end <= holder.start && isMethodCall(seen)
      if (isKept) return { ...spanOf(statement), text: test.text.slice(seen.start, seen.end) }
      const from = test.text.lastIndexOf('\n', statement.start)
      const isAlone = test.text.slice(from + 1, statement.start).trim() === '' && from > 0
      return { start: isAlone ? from : statement.start, end: statement.end, text: '' }
    })
}

/** `list.pop()` may change what comes after it; `add(1, 2)` of the program seldom does. */
function isMethodCall({ type, callee }: Syntax): boolean {
  return type === 'CallExpression' && isSyntax(callee) && callee.type === 'MemberExpression'
}

function written(text: string, { start, end }: Span, replaced: readonly Replaced[]): string {
  let out = ''
  let at = start
  for (const change of replaced.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (change.start < at || change.end > end) continue
    out += text.slice(at, change.start) + change.text
    at = change.end
  }
  return out + text.slice(at, end)
}

/** A test file in which nothing but the probes is run. */
export function probing(text: string, probes: readonly Probe[]): string {
  const byPlace = Map.groupBy(probes, ({ declared }) => declared.start)
  const replaced = [...byPlace.values()].flatMap((own) => {
    const [first] = own
    return first === undefined
      ? []
      : [{ ...first.declared, text: own.map(({ telling }) => telling).join('\n;') }]
  })
  return `${written(text, { start: 0, end: text.length }, replaced)}\n${TELLER}`
}

export const SEEN = '«seen»'
export const OPAQUE = '«opaque»'

/** Part of the probing file: an error whose words are the value, written out where that can be done. */
const TELLER = `function treadleSeen(value) {
  let isOpaque = false
  const kind = (each) => Object.prototype.toString.call(each)
  const key = (name) => (/^[A-Za-z_$][\\w$]*$/.test(name) ? name : JSON.stringify(name))
  const spell = (each, depth) => {
    if (typeof each === 'string') return JSON.stringify(each)
    if (typeof each === 'bigint') return String(each) + 'n'
    if (typeof each === 'number') return Object.is(each, -0) ? '-0' : String(each)
    if (each === null || typeof each === 'undefined' || typeof each === 'boolean') return String(each)
    if (depth < 6 && Array.isArray(each)) return '[' + each.map((item) => spell(item, depth + 1)).join(', ') + ']'
    if (depth < 6 && kind(each) === '[object Object]') {
      const above = Object.getPrototypeOf(each)
      if (above !== null && Object.getPrototypeOf(above) !== null) isOpaque = true
      const parts = Object.keys(each).map((name) => key(name) + ': ' + spell(each[name], depth + 1))
      return parts.length === 0 ? '{}' : '{ ' + parts.join(', ') + ' }'
    }
    isOpaque = true
    return kind(each) === '[object Date]' ? 'Date ' + each.getTime() : kind(each) + String(each).slice(0, 200)
  }
  const text = spell(value, 0)
  return new Error((isOpaque || text.length > 1500 ? '${OPAQUE}' : '${SEEN}') + text)
}
`
