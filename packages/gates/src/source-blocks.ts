// Functions, tests and names in a source text, told by indentation and a few words of each language.
// No parser: a test that fails may be in any language, and a formatted text is all that is needed.

const lineCharsMax = 400

export interface Block {
  readonly is: 'test' | 'hook' | 'function' | 'getter' | 'class' | 'variable'
  readonly name: string
  /** First line and the line after the last, from 0. */
  readonly start: number
  readonly end: number
  readonly inClass: boolean
}

/** A name in a text, and how it is used there. */
export interface Use {
  readonly name: string
  readonly dotted: boolean
  readonly called: boolean
  /** `this.rows.get(…)`: most likely of a collection, not of the project. */
  readonly ofField: boolean
}

const modifiers = String.raw`(?:(?:export|default|public|private|protected|internal|static|async|override|final|abstract|readonly|pub(?:\([\w ]+\))?|unsafe|const|virtual|synchronized)\s+)*`
const testCall = /^\s*(?:test|it|specify|scenario|fit|xit)(?:\.\w+)*\s*(?:\(|<|`)/
const hookCall = /^\s*(?:test\.)?(?:beforeEach|before|beforeAll|setup)\s*\(/
const testName = /^\s*(?:async\s+)?(?:def\s+test|func\s+Test)/
const testMark = /^\s*(?:#\[(?:\w+::)?test|@Test|@ParameterizedTest)/
const hookName = /^(?:setUp|setup|setup_method|set_up)$/
const name = String.raw`(#?[A-Za-z_$][\w$]*)`
const asFunction = String.raw`(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>|\(\s*$)`
const declarations: readonly [Block['is'], RegExp][] = [
  ['class', new RegExp(`^\\s*${modifiers}(?:class|struct|impl(?:<[^>]*>)?(?:\\s+\\w+\\s+for)?)\\s+${name}`)],
  [
    'function',
    new RegExp(`^\\s*${modifiers}(?:function\\s*\\*?|def|fn|func(?:\\s*\\([^)]*\\))?|fun)\\s+${name}`),
  ],
  [
    'function',
    new RegExp(`^\\s*(?:export\\s+)?(?:const|let|var)\\s+${name}\\s*(?::[^=]+)?=\\s*${asFunction}`),
  ],
  ['variable', new RegExp(`^(?:export\\s+)?(?:const|let|var|static|val)\\s+${name}`)],
  ['variable', /^([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/],
]
/** Inside a function a line like `run(() => {` is a call; only a class has methods. */
const methods: readonly [Block['is'], RegExp][] = [
  ['getter', new RegExp(`^\\s+${modifiers}get\\s+${name}\\s*\\(`)],
  [
    'function',
    new RegExp(`^\\s+${modifiers}(?:set\\s+)?\\*?\\s*${name}\\s*(?:<[^()]*>)?\\((?:.*\\{|[^)]*)\\s*$`),
  ],
  ['function', /^\s+(?:[\w<>[\],.?]+\s+)+([A-Za-z_]\w*)\s*\([^;]*\)\s*(?:throws [\w., ]+)?\{\s*$/],
]
const noName = new Set(
  'if for while switch catch return function await new throw else do try with match super typeof yield'.split(
    ' ',
  ),
)

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0
}

/** Where the block that begins on this line ends: before the next line that stands no deeper and closes nothing. */
export function endOf(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] ?? '')
  let end = start + 1
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (indentOf(line) <= indent && !/^\s*[)}\]]/.test(line)) break
    end = at + 1
    // A closing brace at the block's own depth that opens nothing again is its last line.
    if (indentOf(line) === indent && /^\s*[)}\]]+[;,]?\s*$/.test(line)) break
  }
  return end
}

export function blocksIn(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  const open: Block[] = []
  for (let start = 0; start < lines.length; start += 1) {
    const line = lines[start] ?? ''
    if (line.trim() === '' || line.length > lineCharsMax) continue
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= start) open.pop()
    const found = declarationIn(lines, start, open.at(-1)?.is === 'class')
    if (found === null) continue
    const block = { ...found, start, end: endOf(lines, start), inClass: open.at(-1)?.is === 'class' }
    blocks.push(block)
    open.push(block)
  }
  return blocks
}

type Declared = Pick<Block, 'is' | 'name'>

function declarationIn(lines: readonly string[], at: number, inClass: boolean): Declared | null {
  const line = lines[at] ?? ''
  if (testCall.test(line)) return { is: 'test', name: titleAt(lines, at) }
  if (hookCall.test(line)) return { is: 'hook', name: 'hook' }
  const found = namedIn(line, inClass ? [...declarations, ...methods] : declarations)
  if (found?.is !== 'function') return found
  if (testMark.test(lines[at - 1] ?? '') || testName.test(line)) return { ...found, is: 'test' }
  return hookName.test(found.name) ? { ...found, is: 'hook' } : found
}

function namedIn(line: string, patterns: typeof declarations): Declared | null {
  for (const [is, pattern] of patterns) {
    const found = pattern.exec(line)?.[1]
    if (found !== undefined && !noName.has(found)) return { is, name: found }
  }
  return null
}

function titleAt(lines: readonly string[], at: number): string {
  const text = lines.slice(at, at + 30).join('\n')
  return /(['"`])((?:(?!\1)[^\\]|\\.)*)\1/s.exec(text)?.[2] ?? ''
}

function withoutText(line: string): string {
  return line
    .replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''")
    .replace(/\/\/.*$|^\s*#(?!\[).*$|^\s*\*.*$/, '')
}

/** Parameters and variables of a block: a name that it makes itself is not a function of the project. */
function localsIn(lines: readonly string[]): Set<string> {
  const text = lines.map(withoutText).join('\n')
  const lists = [
    ...text.matchAll(/(?:function\s*\*?\s*[\w$]*|\b(?:def|fn|func|fun)\s+\w+)\s*(?:<[^()]*>)?\(([^()]*)\)/g),
    ...text.matchAll(/\(([^()]*)\)\s*(?::[^=(){}]+)?=>/g),
    ...text.matchAll(/([\w$]+)\s*=>/g),
    ...text.matchAll(/\b(?:const|let|var)\s+(\{[^}=]*\}|\[[^\]=]*\]|[\w$]+)/g),
  ].map(([, list]) => list ?? '')
  return new Set(
    lists.flatMap((list) =>
      [...list.matchAll(/(?:^|[{[(,:]|\.\.\.)\s*([A-Za-z_$][\w$]*)/g)].map(([, name]) => name ?? ''),
    ),
  )
}

/** Of a whole function: without the names that it makes itself. */
export function freeUsesIn(lines: readonly string[]): Use[] {
  const locals = localsIn(lines)
  return usesIn(lines).filter(({ name, dotted }) => dotted || !locals.has(name))
}

export function usesIn(lines: readonly string[]): Use[] {
  const uses: Use[] = []
  for (const line of lines.filter(({ length }) => length <= lineCharsMax * 5)) {
    for (const match of withoutText(line).matchAll(
      /(this\.|self\.)?([\w$#]+\??\.)?([A-Za-z_$#][\w$]*)\s*(\(|<[\w$, [\]]*>\()?/g,
    )) {
      const [, own, receiver, name, call] = match
      if (name === undefined || noName.has(name)) continue
      const before = withoutText(line)[(match.index ?? 0) - 1]
      uses.push({
        name,
        dotted: own !== undefined || receiver !== undefined || before === '.',
        called: call !== undefined,
        ofField: own !== undefined && receiver !== undefined,
      })
      if (receiver !== undefined) {
        const word = receiver.replace(/[?.]/g, '')
        uses.push({ name: word, dotted: own !== undefined, called: false, ofField: false })
      }
    }
  }
  return uses
}

/** Files that a text names as its own: relative imports, and modules of the project in other languages. */
export function importsOf(text: string): string[] {
  const found = [
    ...text.matchAll(/(?:from|import|require\()\s*['"](\.{1,2}\/[^'"]+)['"]/g),
    ...text.matchAll(
      /^\s*(?:from\s+([.\w]+)\s+import|import\s+([\w.]+)|(?:pub\s+)?mod\s+(\w+);|use\s+crate::(\w+))/gm,
    ),
  ]
  return found.flatMap(([, ...names]) => names.filter((name) => name !== undefined))
}
