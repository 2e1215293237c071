// What an output says is not there: packages, files and tools. Pure.

export interface MissingModule {
  /** As it was asked for: `mocha`, `../build/index.cjs`, an absolute path. */
  readonly name: string
  /** The file that asked for it, as it was printed; null: not said. */
  readonly from: string | null
}

const MODULES = [
  /Cannot find (?:module|package) '([^'\n]+)'/g,
  /Failed to resolve import "([^"\n]+)"/g,
  /Could not resolve "([^"\n]+)"/g,
  // TypeScript, which names the file that it extends or includes.
  /error TS(?:5083|6053)[^'\n]*'([^'\n]*node_modules[^'\n]+)'/g,
]
const FROM = / (?:imported )?from ['"]?([^\s'",]+)|Require stack:\s*\n\s*- ([^\n]+)/
const FROM_CHARS_MAX = 400

export function missingModules(output: string): MissingModule[] {
  return MODULES.flatMap((words) =>
    [...output.matchAll(words)].map((found) => {
      const end = found.index + found[0].length
      const [, from, stack] = FROM.exec(output.slice(end, end + FROM_CHARS_MAX)) ?? []
      return { name: found[1] ?? '', from: from ?? stack ?? null }
    }),
  )
}

const PYTHON = /(python[\d.]*(?:\.exe)?: )?No module named '?([\w.]+)'?/g

export interface MissingPython {
  /** The first word of the module. */
  readonly name: string
  /** Whether it is what Python was told to run. */
  readonly isRun: boolean
}

export function missingPython(output: string): MissingPython[] {
  return [...output.matchAll(PYTHON)].map(([, run, name = '']) => ({
    name: name.split('.')[0] ?? '',
    isRun: run !== undefined,
  }))
}

const TOOLS = [
  /(?:^|\n)[^\n]*?(?:\bsh|\bbash|\bdash|\benv):[^\n]*?[ '‘]([\w@.+/-]+)['’]?: (?:command not found|not found|No such file or directory)/,
  /Command "([\w@.+/-]+)" not found/,
  /command not found: ([\w@.+/-]+)/,
  /npx canceled due to missing packages[^[]*\["([\w@.+/-]+?)(?:@[\d^~][^"]*)?"/,
  /\bspawn ([\w@.+/-]+) ENOENT/,
]

/** A program that could not be started; null: none is named. */
export function missingTool(output: string): string | null {
  for (const words of TOOLS) {
    const [, tool] = words.exec(output) ?? []
    if (tool !== undefined) return tool
  }
  return null
}

/** The package that a module belongs to; null: it is a file. */
export function packageOf(name: string): string | null {
  const inside = name.split('node_modules/').at(-1) ?? name
  if (inside === name && /^(?:\.|\/|[A-Za-z]:|file:)/.test(name)) return null
  return inside
    .split('/')
    .slice(0, inside.startsWith('@') ? 2 : 1)
    .join('/')
}

const COMPILERS = [
  /SyntaxError:[\s\S]{0,800}?(?:wrapSafe|compileSourceTextModule|node:internal\/(?:modules|vm))/,
  /\[build failed\]/,
  /error: could not compile/,
  /COMPILATION ERROR|Compilation failed|BUILD FAILURE/,
  /(?:Transform|Build) failed with \d+ error/,
  /ERROR collecting[\s\S]{0,4000}?SyntaxError/,
]
/** A name or a file that is not there yet, in the words of compilers: a test may ask for what is to be written. */
const UNWRITTEN =
  /does not provide an export named|Named export '[^'\n]+' not found|No matching export in|is not exported by|Could not resolve "\.|: undefined: |undefined \(type |error\[E0(?:405|407|412|423|425|432|433|599)\]|cannot find symbol|[Uu]nresolved reference/
/** The same, and what follows of it, as TypeScript numbers it. */
const UNWRITTEN_TYPES = new Set(
  '2304 2305 2307 2339 2551 2552 2613 2614 2694 2724 7006 7031'.split(' ').map((code) => `TS${code}`),
)
const TYPE_ERROR = /(?:([^\s()'"]+?)(?:\(\d+,\d+\)|:\d+:\d+)(?: -|:) )?error (TS\d{4,5}):/g

/**
 * Whether a compiler, and no test, said that something is wrong which nobody is about to write. `isOwn`: whether a file
 * is that of the item which is worked on, in which anything may be wrong.
 */
export function hasCompileError(output: string, isOwn: (file: string) => boolean = () => false): boolean {
  const isWrong = [...output.matchAll(TYPE_ERROR)].some(
    ([, file, code = '']) => !UNWRITTEN_TYPES.has(code) && (file === undefined || !isOwn(file)),
  )
  return isWrong || (!UNWRITTEN.test(output) && COMPILERS.some((words) => words.test(output)))
}
