// Stacks as JavaScript, Python, Go, Rust, Java and PHP print them, taken apart into frames.
import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { StackFrame } from '@treadle/contracts/gate'
import { type JavaSources, openJavaSources } from './java-sources.ts'

const lineCharsMax = 600
const linesMax = 400
const framesMax = 40

/** Relative to the project, so that the same test has the same name in every worktree. */
export function fileName(file: string, cwd: string): string {
  let path = file
  if (file.startsWith('file://')) {
    try {
      path = fileURLToPath(file)
    } catch {
      // Ava shortens such addresses to the project, and then they are none any more.
      return file.slice('file://'.length)
    }
  }
  if (!isAbsolute(path)) return path.replace(/^(?:\.\/)+/, '')
  const inside = relative(cwd, path)
  return inside !== '' && !inside.startsWith('..') ? inside.split(sep).join('/') : path
}

interface ParsedFrame {
  readonly path: string
  readonly line: number
  readonly column: number | null
  readonly fn: string | null
  readonly outermostFirst?: boolean
}

interface Shape {
  readonly pattern: RegExp
  read(parts: readonly (string | undefined)[], before: string): ParsedFrame | null
}

const numbered = (
  path: string | undefined,
  line: string | undefined,
  rest: Partial<ParsedFrame> = {},
): ParsedFrame => ({
  path: path ?? '',
  line: Number(line),
  column: null,
  fn: null,
  ...rest,
})
const columnOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

// Each is tried on one trimmed line of bounded length.
const shapes: readonly Shape[] = [
  {
    // JavaScript with a function's name; node:test leaves out the first word.
    pattern: /^(?:at )?(?:async )?(.+?) \((.+?):(\d{1,7}):(\d{1,7})\)/,
    read: ([fn, path, line, column]) => numbered(path, line, { fn: fn ?? null, column: columnOf(column) }),
  },
  {
    // Java names the file without its folder, and may name a class loader and a module; Kotlin's names hold anything.
    pattern: /^at (?:[\w.@-]*\/){0,2}(\S.*)\(([\w$-]+\.(?:java|kts?|groovy|scala)):(\d{1,7})\)$/,
    read: ([fn, path, line]) => numbered(path, line, { fn: fn ?? null }),
  },
  {
    // JavaScript without a name, and Rust, whose name stands on the line before.
    pattern: /^at (?:async )?([^()]+?):(\d{1,7}):(\d{1,7})$/,
    read: ([path, line, column], before) =>
      numbered(path, line, { fn: /^\d+: (.+)$/.exec(before)?.[1] ?? null, column: columnOf(column) }),
  },
  {
    pattern: /^(?:async )?((?:file:\/\/)?\/[^()]+?):(\d{1,7}):(\d{1,7})$/,
    read: ([path, line, column]) => numbered(path, line, { column: columnOf(column) }),
  },
  {
    pattern: /^at ([\w.@/-]+\.\w{1,5}):(\d{1,7})$/,
    read: ([path, line]) => numbered(path, line),
  },
  {
    // Vitest.
    pattern: /^❯ (?:(.+?) )?(\S+?):(\d{1,7}):(\d{1,7})$/,
    read: ([fn, path, line, column]) => numbered(path, line, { fn: fn ?? null, column: columnOf(column) }),
  },
  {
    // Ava.
    pattern: /^› (?:(.+?) \()?(\S+?):(\d{1,7}):(\d{1,7})\)?$/,
    read: ([fn, path, line, column]) => numbered(path, line, { fn: fn ?? null, column: columnOf(column) }),
  },
  {
    // Python.
    pattern: /^File "(.+?)", line (\d{1,7})(?:, in (.+))?$/,
    read: ([path, line, fn]) => numbered(path, line, { fn: fn ?? null, outermostFirst: true }),
  },
  {
    // Pytest.
    pattern: /^(\S+\.py):(\d{1,7}): ?(?:in (.+)|[\w.]*)$/,
    read: ([path, line, fn]) => numbered(path, line, { fn: fn ?? null, outermostFirst: true }),
  },
  {
    // A panic of Rust.
    pattern: /panicked at (?:'.*', )?([^\s':]+):(\d{1,7}):(\d{1,7}):?$/,
    read: ([path, line, column]) => numbered(path, line, { column: columnOf(column) }),
  },
  {
    // Go: a goroutine's stack, or a line that the test logged.
    pattern: /^(\S+\.go):(\d{1,7})(?:: .*| \+0x[0-9a-f]+)?$/,
    read: ([path, line], before) =>
      numbered(path, line, { fn: /^([\w./*()-]+)\(.*\)$/.exec(before)?.[1] ?? null }),
  },
  {
    pattern: /^(\S+\.go):(\d{1,7}):(\d{1,7}): /,
    read: ([path, line, column]) => numbered(path, line, { column: columnOf(column) }),
  },
  {
    // PHP.
    pattern: /^(\/.+\.php):(\d{1,7})$/,
    read: ([path, line]) => numbered(path, line),
  },
  {
    pattern: /^#\d+ (.+?)\((\d{1,7})\): (.+)$/,
    read: ([path, line, fn]) => numbered(path, line, { fn: fn ?? null }),
  },
]

/** The calls of a stack, innermost first, a bounded number of them. */
export function framesOf(stack: string, cwd: string): StackFrame[] {
  const found: ParsedFrame[] = []
  let before = ''
  for (const raw of stack.split('\n', linesMax)) {
    const line = raw.trim()
    const frame = line.length <= lineCharsMax ? readFrame(line, before) : null
    if (frame) found.push(frame)
    before = line.slice(0, lineCharsMax)
  }
  if (found.length > 0 && found.every((each) => each.outermostFirst)) found.reverse()
  const frames = found.slice(0, framesMax).map(({ path, line, column, fn }) => {
    const file = fileName(path, cwd)
    return { file, line, column, fn, own: isOwn(file, fn) }
  })
  return frames.some(isUnplaced) ? withFolders(frames, openJavaSources(cwd)) : frames
}

const isUnplaced = ({ file, fn, own }: StackFrame): boolean => own && fn !== null && javaName.test(file)

function withFolders(frames: readonly StackFrame[], sources: JavaSources): StackFrame[] {
  const files = frames.map((frame) => (isUnplaced(frame) ? fileOfCall(frame, sources) : null))
  // Where one call is found in the project, those that are not found are not of it.
  const known = files.some((file) => file !== null)
  return frames.map((frame, at) => {
    if (!known || !isUnplaced(frame)) return frame
    const file = files[at] ?? null
    return { ...frame, file: file ?? frame.file, own: file !== null }
  })
}

/** The function's name is the class and the method. */
function fileOfCall({ file, fn }: StackFrame, sources: JavaSources): string | null {
  const className = /^[\w.$]+(?=\.)/.exec(fn ?? '')?.[0]
  return className === undefined ? null : sources.fileOf(className, file)
}

function readFrame(line: string, before: string): ParsedFrame | null {
  for (const { pattern, read } of shapes) {
    const [whole, ...parts] = pattern.exec(line) ?? []
    if (whole !== undefined) return read(parts, before)
  }
  return null
}

const foreignFolder = /(^|\/)(node_modules|site-packages|dist-packages|\.venv|venv|vendor|\.cargo|\.yarn)\//
const javaName = /^[\w$-]+\.(?:java|kts?|groovy|scala)$/
const foreignJava =
  /^(java|javax|jakarta|jdk|sun|com\.sun|junit|kotlin|kotlinx|groovy|scala|io\.kotest|net\.bytebuddy|org\.(junit|gradle|apache\.maven|testng|hamcrest|assertj|opentest4j|mockito|codehaus\.groovy|spockframework)|worker\.org)\b/

function isOwn(file: string, fn: string | null): boolean {
  if (file === '' || isAbsolute(file) || file.startsWith('..')) return false
  if (/^(node:|internal\/|<)/.test(file) || /^\w+:\/\//.test(file)) return false
  return !foreignFolder.test(file) && !(javaName.test(file) && foreignJava.test(fn ?? ''))
}

const testFile = /(^|[/._-])(test|tests|spec|specs|__tests__)[/._-]|Tests?\.\w+$/

/** Where a failure belongs, when the report names no file: in a test's file rather than in what it called. */
export function placeOf(frames: readonly StackFrame[]): StackFrame | null {
  const own = frames.filter((frame) => frame.own)
  return own.find(({ file }) => testFile.test(file)) ?? own[0] ?? null
}

// Bounded by line, since a message may be one huge word.
const anyPlace =
  /((?:file:\/\/|(?<![\w.@/-]))\/[^\s():]{1,300}|[\w.@-][\w.@/-]{0,200}\.[a-z]{1,4}):(\d{1,7})(?::\d+)?/g

/** Where an error was thrown: the first place in the test's own file, else the first in the project. */
export function frameOf(
  stack: string,
  cwd: string,
  file: string | null,
): { file: string; line: number } | null {
  // Relative first: a project's own path may hold spaces, and then no frame in it could be told.
  const places = stack
    .replaceAll(`${pathToFileURL(cwd).href}/`, '')
    .replaceAll(`${cwd}/`, '')
    .split('\n', linesMax)
    .filter((line) => line.length <= lineCharsMax)
    .flatMap((line) => [...line.matchAll(anyPlace)])
    .map(([, path, line]) => ({ file: fileName(path ?? '', cwd), line: Number(line) }))
  // A report from elsewhere may have whole paths and stacks with short ones.
  const same = places.find((each) => each.file === file || file?.endsWith(`/${each.file}`))
  return (
    (file !== null && same ? { file, line: same.line } : null) ??
    places.find((each) => isOwn(each.file, null)) ??
    places.find((each) => !/node_modules|^node:/.test(each.file)) ??
    null
  )
}
