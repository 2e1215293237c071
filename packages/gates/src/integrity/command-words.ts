// What a command line starts: the scripts that it hands to an interpreter, and the targets that it asks a runner for.
import { posix } from 'node:path'

export type Started =
  | { readonly is: 'script'; readonly path: string; readonly isShell: boolean }
  | { readonly is: 'manifest'; readonly folder: string; readonly script: string }
  | { readonly is: 'target'; readonly folder: string; readonly target: string | null }

const shells = /^(sh|bash|dash|ash|zsh|ksh)$/
const interpreters = /^(node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php)$/
const managers = /^(npm|pnpm|yarn|bun)$/
/** They start what comes after them. */
const wrappers = /^(exec|env|time|command|nice|nohup|sudo|timeout|xvfb-run|!|if|then|else|do|\{|\()$/
/** What follows is not a file of the project, or is one that the runner of tests looks at. */
const inline = /^(-[ecmp]|--eval|--print|--test)$/
/** What follows is loaded before anything else. */
const loading = /^(-r|--require|--import|--loader|--experimental-loader)$/
const folderFlags = /^(-C|--prefix|--cwd|--dir|--directory)$/
const DEPTH_MAX = 3

/** Not what is put together by variables, loops or substitutions. */
export function startedBy(command: string, folder = '.', depth = 0): Started[] {
  const found: Started[] = []
  let at = folder
  for (const words of partsOf(command)) {
    const given = unwrapped(words)
    const [program = '', ...rest] = given
    if (program === 'cd') at = posix.join(at, rest[0] ?? '.')
    else if (program !== '') found.push(...startedIn(program, rest, { at, depth }))
  }
  return found
}

interface CommandContext {
  readonly at: string
  readonly depth: number
}

function startedIn(program: string, rest: readonly string[], { at, depth }: CommandContext): Started[] {
  const name = posix.basename(program)
  if (program === '.' || program === 'source') return scripts(at, rest.slice(0, 1), true)
  if (shells.test(name)) return inShell(rest, { at, depth })
  if (managers.test(name) && !/\.\w+$/.test(rest.find((word) => !word.startsWith('-')) ?? ''))
    return manifestScript(rest, at)
  if (/^g?make$/.test(name)) return targets(rest, at)
  if (interpreters.test(name)) return scripts(at, loaded(rest), false)
  return program.includes('/') ? scripts(at, [program], true) : []
}

function inShell(rest: readonly string[], { at, depth }: CommandContext): Started[] {
  const flag = rest.findIndex((word) => /^-\w*c$/.test(word))
  if (flag >= 0) return depth < DEPTH_MAX ? startedBy(rest[flag + 1] ?? '', at, depth + 1) : []
  return scripts(at, rest.filter((word) => !word.startsWith('-')).slice(0, 1), true)
}

/** Those of the project; what is made from variables is known to nobody before it runs. */
function scripts(at: string, paths: readonly string[], isShell: boolean): Started[] {
  return paths
    .filter((path) => !posix.isAbsolute(path) && !/[$`*~]/.test(path))
    .map((path) => posix.join(at, path))
    .filter((path) => !path.startsWith('..'))
    .map((path) => ({ is: 'script', path, isShell }))
}

function loaded(rest: readonly string[]): string[] {
  const found: string[] = []
  for (const [index, word] of rest.entries()) {
    if (inline.test(word)) break
    const before = rest[index - 1] ?? ''
    if (loading.test(before)) found.push(word)
    else if (!word.startsWith('-') && word !== 'run') return [...found, word]
  }
  return found
}

function manifestScript(rest: readonly string[], at: string): Started[] {
  const folder = posix.join(at, wordAfter(rest, folderFlags) ?? '.')
  const words = plainWords(rest)
  const script = /^(run|run-script)$/.test(words[0] ?? '') ? words[1] : words[0]?.replace(/^(t|tst)$/, 'test')
  return script === undefined ? [] : [{ is: 'manifest', folder, script }]
}

function targets(rest: readonly string[], at: string): Started[] {
  const folder = posix.join(at, wordAfter(rest, folderFlags) ?? '.')
  const words = plainWords(rest).filter((word) => !word.includes('='))
  return (words.length === 0 ? [null] : words).map((target) => ({ is: 'target', folder, target }))
}

function wordAfter(words: readonly string[], flags: RegExp): string | undefined {
  const index = words.findIndex((word) => flags.test(word))
  return index < 0 ? undefined : words[index + 1]
}

function plainWords(rest: readonly string[]): string[] {
  return rest.filter((word, index) => !word.startsWith('-') && !folderFlags.test(rest[index - 1] ?? ''))
}

/** Without the variables that are set for it, and without what only starts it. */
function unwrapped(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word, index) => {
    const isTime = /^[\d.]+[smhd]?$/.test(word) || (index > 0 && word.startsWith('-'))
    return !/^\w+=/.test(word) && !wrappers.test(word) && !isTime
  })
  return first < 0 ? [] : words.slice(first)
}

/** The simple commands of a line, each as its words; a comment ends a line. */
function partsOf(command: string): string[][] {
  const parts: string[][] = [[]]
  const token = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(&&|\|\||[;|&\n()])|(#[^\n]*)|((?:[^\s"'&|;()\\]|\\.)+)/g
  for (const [, double, single, border, comment, plain] of command.matchAll(token)) {
    if (border !== undefined) parts.push([])
    else if (comment === undefined) parts.at(-1)?.push(double ?? single ?? plain ?? '')
  }
  return parts.filter((words) => words.length > 0)
}
