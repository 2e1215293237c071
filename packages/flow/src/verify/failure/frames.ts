// The calls that led to an error, deepest first, from what a report gives or from the text of a stack.
import type { TestFailure } from '@treadle/contracts/gate'
import { stripColours } from './normalise.ts'

export interface Frame {
  readonly file: string
  readonly line: number | null
  readonly fn: string | null
  /** Code of the project, as opposed to the runner, the language and packages. */
  readonly own: boolean
}

const linesMax = 300
const lineCharsMax = 600
const framesMax = 60

const foreign =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.cargo|rustc|vendor|\.venv|venv)[\\/]|^(?:node|internal|native|bun|deno|jdk\.|java\.|javax\.|sun\.|kotlin\.|org\.junit|org\.gradle|org\.apache\.maven)|^<|[\\/](?:lib\/python[\d.]*|go\/src|usr\/lib)[\\/]|^\/rustc\//
const test =
  /(?:^|[\\/])(?:tests?|__tests__|specs?|e2e)[\\/]|[._-](?:test|spec|tests|suite)\.\w+$|(?:^|[\\/])(?:test_[\w.-]+|conftest)\.py$|_test\.(?:go|py|rs)$|Tests?\.(?:java|kt|cs)$/

export function isTestFile(file: string, failure: Pick<TestFailure, 'file'>): boolean {
  return file === failure.file || test.test(file)
}

/** Deepest first; paths inside the project are relative to it as far as the failure shows where that is. */
export function framesOf(failure: TestFailure): Frame[] {
  const given = failure.frames ?? []
  if (given.length > 0) {
    return given.map(({ file, line, fn, own }) => ({ file, line, fn: plainName(fn), own }))
  }
  return parseStack(failure.stack ?? '', failure.file)
}

export function parseStack(stack: string, testFile: string | null): Frame[] {
  const lines = stripColours(stack)
    .split('\n', linesMax)
    .filter((line) => line.length <= lineCharsMax)
  const found: { fn: string | null; file: string; line: number }[] = []
  let deepestLast = false
  let named: string | null = null
  for (const line of lines) {
    const frame = frameIn(line)
    if (frame === null) {
      named = nameAbove(line)
    } else if (found.length < framesMax) {
      deepestLast ||= frame.deepestLast
      found.push({ fn: plainName(frame.fn ?? named), file: frame.file, line: frame.line })
      named = null
    }
  }
  const root = rootIn(
    found.map(({ file }) => file),
    testFile,
  )
  const frames = found.map(({ fn, file, line }) => {
    const path = pathOf(file, root)
    return { fn, file: path, line, own: isOwn(path, root) }
  })
  return deepestLast ? frames.reverse() : frames
}

interface RawFrame {
  readonly fn: string | null
  readonly file: string
  readonly line: number
  /** Python prints the call that failed at the end. */
  readonly deepestLast: boolean
}

const place = String.raw`((?:[a-z]+:\/\/)?(?:[A-Za-z]:)?[^\s():"]+?):(\d{1,7})(?::\d+)?`
const shapes: readonly { pattern: RegExp; names: boolean; deepestLast: boolean }[] = [
  { pattern: /^\s*File "([^"]+)", line (\d+)(?:, in (\S+))?/, names: false, deepestLast: true },
  {
    pattern: new RegExp(String.raw`^\s*(?:at )?(?:async )?(?:new )?([^\s()@][^()@]*?) \(${place}\)\s*$`),
    names: true,
    deepestLast: false,
  },
  { pattern: /^\s*at ([\w.$<>/]+)\(([\w$]+\.\w+):(\d+)\)/, names: true, deepestLast: false },
  { pattern: new RegExp(String.raw`^([\w$.<>/*]*)@${place}\s*$`), names: true, deepestLast: false },
  {
    pattern: new RegExp(String.raw`^\s*(?:at |❯ )?${place}(?: \+0x[0-9a-f]+)?\s*$`),
    names: false,
    deepestLast: false,
  },
  {
    pattern: new RegExp(String.raw`^\s*${place}: (?:\w*(?:Error|Exception|Failed|Warning)\b|in )`),
    names: false,
    deepestLast: true,
  },
  { pattern: new RegExp(`panicked at (?:'.*', )?${place}`), names: false, deepestLast: false },
  { pattern: /^\s+([\w./-]+_test\.go):(\d+): /, names: false, deepestLast: false },
]

function frameIn(line: string): RawFrame | null {
  for (const { pattern, names, deepestLast } of shapes) {
    const [, first, second, third] = pattern.exec(line) ?? []
    if (first === undefined || second === undefined) continue
    if (!names) return { fn: third ?? null, file: first, line: Number(second), deepestLast }
    return { fn: first, file: second, line: Number(third), deepestLast }
  }
  return null
}

/** Go and Rust print the function on the line before its place. */
function nameAbove(line: string): string | null {
  const rust = /^\s*\d+: (?:0x[0-9a-f]+ - )?([\w:<>{}#., ]+)$/.exec(line)?.[1]
  const go = /^([\w./*()-]+)\(.*\)$/.exec(line)?.[1]
  return rust ?? go ?? null
}

const anonymous =
  /^(?:<anonymous>|anonymous|\?|<module>|Object\.<anonymous>|TestContext\.<anonymous>|\{\{closure\}\})$/

function plainName(fn: string | null): string | null {
  if (fn === null) return null
  const name = fn
    .replace(/^(?:async|new|Object\.|Module\.|Proxy\.) ?/, '')
    .replace(/ \[as [^\]]+\]$/, '')
    .replace(/::h[0-9a-f]{16}$/, '')
    .trim()
  return name === '' || anonymous.test(name) || name.endsWith('.<anonymous>') ? null : name.slice(0, 120)
}

/** An absolute path that ends with the relative name of the test file shows where the project is. */
function rootIn(files: readonly string[], testFile: string | null): string | null {
  if (testFile === null || testFile.startsWith('/')) return null
  const found = files.map(withoutScheme).find((file) => file.endsWith(`/${testFile}`))
  return found === undefined ? null : found.slice(0, -testFile.length)
}

function withoutScheme(file: string): string {
  return file.replace(/^file:\/\//, '').replaceAll('\\', '/')
}

function pathOf(file: string, root: string | null): string {
  const plain = withoutScheme(file)
  return (root !== null && plain.startsWith(root) ? plain.slice(root.length) : plain).replace(/^\.\//, '')
}

function isOwn(file: string, root: string | null): boolean {
  if (foreign.test(file)) return false
  return root === null || !file.startsWith('/')
}
