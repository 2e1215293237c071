// What a test command runs: its words with package scripts put in, the files that it names, what it loads before them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'
import { readRunnerSettings } from './runner-settings.ts'

export interface TestCommand {
  /** Paths, folders and patterns that stand where a runner expects its test files; relative, with slashes. */
  readonly named: readonly string[]
  /** Words that some runners look for anywhere in a path. */
  readonly parts: readonly string[]
  /** Modules that are loaded before the tests: packages, or paths relative to the project. */
  readonly setup: readonly string[]
}

const DEPTH_MAX = 4
const SCRIPT_BYTES_MAX = 1024 * 1024
/** Options whose next word is theirs, and no test file. */
const VALUED =
  /^(-r|-R|-t|-g|-j|-e|-O|--(config|configPath|require|import|loader|experimental-loader|reporter|reporter-options?|ui|opts|file|extension|ext|watch-extensions|timeout|slow|retries|jobs|grep|fgrep|name|testNamePattern|test-name-pattern|test-skip-pattern|test-reporter|test-reporter-destination|project|tsconfig|root|rootDir|dir|environment|env|env-file|pool|conditions|globals|setupFiles|setupFilesAfterEnv|maxWorkers|package|exclude|ignore|selectProjects|outputFile|shard|colors|preset|transform))$/
const LOADS = /^(-r|--require|--import|--file)$/
/** What only translates or reports changes no test's world, and the sources are translated here anyway. */
const TRANSLATES =
  /(^|[/@-])(register|tsx|ts-node|esbuild|swc|babel|sucrase|source-map-support|esm|coffee-?script|nyc|istanbul)\b|\/register(\.[cm]?js)?$/

export function readTestCommand(root: string, command: string | null): TestCommand {
  const all = command === null ? [] : expand(root, command, 0).map(unwrapped)
  const read = runnersOf(all).map((call) => readRunner(root, call))
  const distinct = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())]
  return {
    named: distinct(read.map(({ named }) => named)),
    parts: distinct(read.map(({ parts }) => parts)),
    setup: distinct(read.map(({ setup }) => setup)).filter((word) => !TRANSLATES.test(word)),
  }
}

/** The one call of a runner that a command comes down to; null: there are others beside it, or none. */
export function runnerCallOf(
  root: string,
  command: string,
): { readonly program: string; readonly words: readonly string[] } | null {
  const calls = expand(root, command, 0).map(unwrapped)
  const [call = []] = calls.filter((words) => !CHECKS.test(programOf(words)))
  if (calls.filter((words) => !CHECKS.test(programOf(words))).length !== 1 || !RUNNER.test(programOf(call)))
    return null
  const start =
    nameOf(call[0] ?? '') === 'node' ? call.findIndex((word) => word.includes('node_modules/')) : 0
  return { program: programOf(call).replace(/^_/, ''), words: call.slice(start + 1) }
}

/** They look at sources and change nothing that tests see. */
const CHECKS = /^(eslint|standard|prettier|biome|xo|jshint|jscs|tslint)$/

/** A linter or a build in the same script names files too: where a runner is, only runners are asked. */
function runnersOf(calls: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const runners = calls.filter((call) => RUNNER.test(programOf(call)) || isNodeTest(call))
  if (runners.length > 0) return runners
  const scripts = calls.filter((call) => programOf(call) === 'node')
  return scripts.length > 0 ? scripts : calls.filter((call) => !DELEGATES.test(programOf(call)))
}

function readRunner(root: string, call: readonly string[]): TestCommand {
  const read = readCall(withoutSubcommand(call))
  const isKnown = RUNNER.test(programOf(call)) || programOf(call) === 'node'
  // Of what is no runner only words that look like a file are taken for one.
  const named = isKnown ? read.named : read.named.filter((word) => /\.\w+$/.test(word))
  const setup = isKnown ? read.setup : []
  const isByFile = /^(jest|vitest|react-scripts)$/.test(programOf(call))
  const parts = isByFile ? named : []
  if (isByFile) return { named, parts, setup: [...readRunnerSettings(root).setup, ...setup] }
  if (!/^_?mocha$/.test(programOf(call))) return { named, parts, setup }
  const added = mochaSettings(root, call, named)
  return { named: [...named, ...added.named], parts, setup: [...added.setup, ...setup] }
}

/** The simple commands of a command line; a script of the package stands with its own. */
function expand(root: string, command: string, depth: number): string[][] {
  return splitCommands(command).flatMap((words) => {
    const script = depth < DEPTH_MAX ? scriptCalled(root, words) : null
    return script === null ? [words] : expand(root, script, depth + 1)
  })
}

/** The text of the script that these words run, with the words after it. */
function scriptCalled(root: string, words: readonly string[]): string | null {
  const [program = '', ...rest] = words
  if (!/^(npm|yarn|pnpm|bun)$/.test(program)) return null
  const plain = rest.filter((word) => !/^(--silent|-s|--if-present|--quiet)$/.test(word))
  // In other folders than this one, or in all of them.
  if (
    plain.some((word) =>
      /^(-r|-w|-ws|--recursive|--workspaces?|--filter|-F|--prefix|-C|--dir|workspaces?)(=|$)/.test(word),
    )
  )
    return null
  const [first = '', ...after] = plain
  const isRun = /^(run|run-script)$/.test(first)
  const name = isRun ? after.shift() : first.replace(/^t$/, 'test')
  const script = name === undefined ? undefined : scriptsOf(root)[name]
  if (script === undefined) return null
  const given = program === 'npm' ? after.slice(after.indexOf('--') + 1 || after.length) : after
  return [script, ...given.filter((word) => word !== '--').map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./*?{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function scriptsOf(root: string): Readonly<Record<string, string>> {
  const manifest = readJson(join(root, 'package.json'))
  const scripts = Object.entries((manifest?.scripts ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    scripts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function readJson(file: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(boundedText(file, SCRIPT_BYTES_MAX) ?? '')
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null
  } catch {
    // Settings that cannot be read name nothing.
    return null
  }
}

/** Words of each simple command, as a shell would part them; settings of variables before a program are left out. */
export function splitCommands(command: string): string[][] {
  const calls: string[][] = [[]]
  const word = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|(&&|\|\||[;|&\n])|(\s+)|([^\s"'\\;|&]+)/g
  let open: string | null = null
  const close = () => {
    if (open !== null) calls.at(-1)?.push(open)
    open = null
  }
  for (const [, double, single, escaped, end, space, plain] of command.matchAll(word)) {
    if (end !== undefined) {
      close()
      calls.push([])
    } else if (space !== undefined) close()
    else open = (open ?? '') + (double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? plain ?? '')
  }
  close()
  return calls.map(withoutVariables).filter((words) => words.length > 0)
}

function withoutVariables(words: readonly string[]): string[] {
  const rest = [...words]
  while (/^\w+=/.test(rest[0] ?? '')) rest.shift()
  return rest
}

const WRAPS = /^(cross-env|env|npx|bunx|time|exec|c8|nyc|istanbul|xvfb-run|dotenv|timeout|nice)$/
const MANAGERS = /^(npm|yarn|pnpm|bun)$/
/** Programs that start other commands in folders of their own, or from files that are not read here. */
const DELEGATES = /^(npm|yarn|pnpm|bun|turbo|nx|lerna|make|wireit|rush|wsrun)$/

/** The command that others start: measuring, with variables, for a time, by a package manager. */
function unwrapped(words: readonly string[]): readonly string[] {
  const [program = '', second = '', ...rest] = words
  const at = words.slice(1).findIndex((word) => RUNNER.test(nameOf(word)) || nameOf(word) === 'node') + 1
  if (WRAPS.test(nameOf(program)) && at > 0) return unwrapped(words.slice(at))
  if (!MANAGERS.test(program)) return words
  if (/^(exec|x|dlx)$/.test(second))
    return unwrapped(rest.filter((word, index) => index > 0 || word !== '--'))
  // `yarn mocha` runs the program where no script has that name.
  return RUNNER.test(second) ? [second, ...rest] : words
}

const RUNNER = /^(_?mocha|jest|vitest|tap|ava|tape|uvu|jasmine|qunit|lab|borp|tsx|ts-node|react-scripts)$/

const nameOf = (word: string) => word.slice(word.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '')

/** The runner itself where Node is given its file. */
function programOf([program = '', ...rest]: readonly string[]): string {
  const name = nameOf(program)
  if (name !== 'node') return name
  const script = rest.find((word) => !word.startsWith('-')) ?? ''
  return script.includes('node_modules/') ? nameOf(script) : name
}

const isNodeTest = (words: readonly string[]) => programOf(words) === 'node' && words.includes('--test')

const SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  vitest: /^(run|watch|dev|related|bench|list)$/,
  tap: /^run$/,
  'react-scripts': /^test$/,
}

/** The words of a runner after the name of what it is to do. */
function withoutSubcommand(words: readonly string[]): readonly string[] {
  const start = nameOf(words[0] ?? '') === 'node' && programOf(words) !== 'node' ? 1 : 0
  const own = SUBCOMMANDS[programOf(words)]
  const at = words.findIndex((word, index) => index > start && !word.startsWith('-'))
  return at > 0 && own?.test(words[at] ?? '') ? words.toSpliced(at, 1) : words
}

function readCall([, ...words]: readonly string[]): Omit<TestCommand, 'parts'> {
  const named: string[] = []
  const setup: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [option = '', value] = word.startsWith('--') ? word.split(/=(.*)/s) : [word]
    const given = value ?? words[at + 1] ?? ''
    if (LOADS.test(option)) setup.push(given)
    if (option === '--dir') named.push(plainPath(given))
    if (isValued(option, given) && value === undefined) at += 1
    else if (!word.startsWith('-')) named.push(plainPath(word))
  }
  return { named, setup: setup.filter((word) => word !== '') }
}

/** With one runner `-c` is its settings, with another the colours. */
function isValued(option: string, given: string): boolean {
  return VALUED.test(option) || (option === '-c' && /config|rc\b/.test(given))
}

function plainPath(word: string): string {
  return word.replace(/^\.\//, '').replace(/\/$/, '')
}

/** What mocha reads beside its command line: its options file, or the settings that newer ones have. */
function mochaSettings(root: string, call: readonly string[], named: readonly string[]) {
  const old = boundedText(join(root, 'test/mocha.opts'), SCRIPT_BYTES_MAX)
  const options = old === null ? null : readCall(['mocha', ...splitCommands(old).flat()])
  const settings = mochaFile(root)
  const setup = [...(options?.setup ?? []), ...listOf(settings?.require), ...listOf(settings?.file)]
  if (named.length > 0) return { named: [], setup }
  const spec = [...(options?.named ?? []), ...listOf(settings?.spec).map(plainPath)]
  const all = call.includes('--recursive') ? 'test' : 'test/*.{js,cjs,mjs,ts}'
  return { named: spec.length > 0 ? spec : [all], setup }
}

function mochaFile(root: string): Record<string, unknown> | null {
  const names = ['.mocharc.json', '.mocharc.jsonc']
  for (const name of names) if (existsSync(join(root, name))) return readJson(join(root, name))
  for (const name of ['.mocharc.yml', '.mocharc.yaml'])
    if (existsSync(join(root, name))) return simpleYaml(boundedText(join(root, name), SCRIPT_BYTES_MAX) ?? '')
  const mocha = readJson(join(root, 'package.json'))?.mocha
  return typeof mocha === 'object' && mocha !== null ? (mocha as Record<string, unknown>) : null
}

const YAML_LINES_MAX = 2_000

/** Keys with one value or a list of lines; more than that no settings of mocha need. */
function simpleYaml(text: string): Record<string, unknown> {
  const read = new Map<string, string[]>()
  let key = ''
  for (const line of text.split('\n', YAML_LINES_MAX).map((each) => each.trim())) {
    const [, name, value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? []
    if (name !== undefined) key = name
    const given = line.startsWith('- ') ? line.slice(2) : value
    if (given.trim() === '' || key === '') continue
    const list = read.get(key) ?? []
    read.set(key, list)
    for (const part of given.replace(/[[\]]/g, '').split(','))
      list.push(part.trim().replace(/^['"]|['"]$/g, ''))
  }
  return Object.fromEntries(read)
}

function listOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((entry): entry is string => typeof entry === 'string' && entry !== '')
}
