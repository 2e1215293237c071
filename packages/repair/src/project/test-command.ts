// What a test command runs: its words with package scripts put in, the files that it names, what it loads before them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'

export interface TestCommand {
  /** Paths, folders and patterns that stand where a runner expects its test files; relative, with slashes. */
  readonly named: readonly string[]
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
  const all = command === null ? [] : expand(root, command, 0)
  // A linter or a build in the same script names files too.
  const calls = all.some(isRunner) ? all.filter(isRunner) : all
  const named = new Set<string>()
  const setup = new Set<string>()
  for (const call of calls) {
    const read = readCall(call)
    const added = isMocha(call) ? mochaSettings(root, call, read) : { named: [], setup: [] }
    for (const word of [...read.named, ...added.named]) named.add(word)
    for (const word of [...added.setup, ...read.setup]) if (!TRANSLATES.test(word)) setup.add(word)
  }
  return { named: [...named], setup: [...setup] }
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
  while (/^(cross-env|env|npx|time|exec)$|^\w+=/.test(rest[0] ?? '')) rest.shift()
  // The program's own options of npx stand before the program.
  while (rest.length > 1 && /^(--no-install|--yes|-y|--)$/.test(rest[0] ?? '')) rest.shift()
  return rest
}

const RUNNER =
  /^(_?mocha|jest|vitest|node|tap|ava|tape|uvu|jasmine|qunit|lab|borp|bun|tsx|ts-node|react-scripts|c8|nyc|istanbul)(\.[cm]?js)?$/

const isRunner = ([program = '']: readonly string[]) =>
  RUNNER.test(program.slice(program.lastIndexOf('/') + 1))
const isMocha = (words: readonly string[]) =>
  words.slice(0, 3).some((word) => /(^|\/)_?mocha(\.[cm]?js)?$/.test(word))

function readCall([, ...words]: readonly string[]): TestCommand {
  const named: string[] = []
  const setup: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [option = '', value] = word.startsWith('--') ? word.split(/=(.*)/s) : [word]
    if (LOADS.test(option)) setup.push(value ?? words[at + 1] ?? '')
    // With one runner `-c` is its settings, with another the colours.
    const isValued = VALUED.test(option) || (option === '-c' && /config|rc\b/.test(words[at + 1] ?? ''))
    if (isValued && value === undefined) at += 1
    else if (!word.startsWith('-')) named.push(plainPath(word))
  }
  return { named, setup: setup.filter((word) => word !== '') }
}

function plainPath(word: string): string {
  return word.replace(/^\.\//, '').replace(/\/$/, '')
}

/** What mocha reads beside its command line: its options file, or the settings that newer ones have. */
function mochaSettings(root: string, call: readonly string[], { named }: TestCommand): TestCommand {
  const old = join(root, 'test/mocha.opts')
  const options = existsSync(old)
    ? readCall(['mocha', ...splitCommands(readFileSync(old, 'utf8')).flat()])
    : null
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

/** Keys with one value or a list of lines; more than that no settings of mocha need. */
function simpleYaml(text: string): Record<string, unknown> {
  const read: Record<string, string[]> = {}
  let key = ''
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^([\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
    const item = /^\s*-\s+(.*?)\s*$/.exec(line)?.[1]
    if (name !== undefined) key = name
    const given = item ?? (value === '' ? undefined : value)
    if (given === undefined || key === '') continue
    const parts = given.replace(/^\[|\]$/g, '').split(',')
    read[key] = [...(read[key] ?? []), ...parts.map((part) => part.trim().replace(/^['"]|['"]$/g, ''))]
  }
  return read
}

function listOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((entry): entry is string => typeof entry === 'string' && entry !== '')
}
