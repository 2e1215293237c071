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

const PYTHON = /No module named '?([\w.]+)'?/g

/** Modules of Python, by their first word. */
export function missingPython(output: string): string[] {
  return [...output.matchAll(PYTHON)].map(([, name = '']) => name.split('.')[0] ?? '')
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
  /error TS\d{4,5}:/,
  /SyntaxError:[\s\S]{0,800}?(?:wrapSafe|compileSourceTextModule|node:internal\/(?:modules|vm))/,
  /\[build failed\]/,
  /error: could not compile/,
  /COMPILATION ERROR|Compilation failed|BUILD FAILURE/,
  /(?:Transform|Build) failed with \d+ error/,
  /ERROR collecting[\s\S]{0,4000}?SyntaxError/,
]

/** Whether a compiler, and no test, said that something is wrong. */
export function hasCompileError(output: string): boolean {
  return COMPILERS.some((words) => words.test(output))
}
