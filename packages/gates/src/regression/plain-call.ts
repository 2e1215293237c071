// Takes a test command apart, if it plainly is one call of a runner that we know, and puts it together again for a
// few files or tests. When in doubt it says so, and the whole suite is run instead.
import { dirname, join } from 'node:path'
import { scriptCalled } from '../package-scripts.ts'
import { readManifest, readText } from '../project-files.ts'
import { gradleProblem, gradleWords, type JvmWords, mavenProblem, mavenWords } from './jvm-call.ts'

type Runner = 'vitest' | 'jest' | 'mocha' | 'node' | 'pytest' | 'go' | 'cargo' | 'maven' | 'gradle'

export interface PlainCall {
  readonly is: 'call'
  readonly runner: Runner
  /** Settings of the environment and npx, with a blank at the end, or nothing. */
  readonly before: string
  readonly options: readonly string[]
  /** Files or patterns that the command names itself; of Maven and Gradle all words, which stay in their order. */
  readonly named: readonly string[]
  /** Folders of programs that a package script would find. */
  readonly binFolders: readonly string[]
}

export interface NotPossible {
  readonly is: 'not_possible'
  readonly why: string
}

export function readCall(command: string, cwd: string): PlainCall | NotPossible {
  const script = scriptCalled(command, cwd)
  if (script === null) return readWords(command, [])
  if (script.given !== '') return notPossible('the command hands words on to a script')
  if (script.hasHooks) return notPossible(`the script ${script.name} has others that run before or after it`)
  return readWords(script.body, binFoldersOf(cwd))
}

function readWords(command: string, binFolders: readonly string[]): PlainCall | NotPossible {
  const bare = command.replace(/'[^']*'|"[^"$`\\]*"/g, '').replace(/[*?[\]{}!~]/g, '')
  if (/[&|;<>()$`\\"'\n#]/.test(bare)) return notPossible('the command is more than one plain call')
  const words = command.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []
  const start = words.findIndex((word) => !/^\w+=/.test(word))
  const npx =
    words[start] === 'npx' ? 1 + Number(/^(--no-install|--no|-y|--yes)$/.test(words[start + 1] ?? '')) : 0
  const python = /^python3?$/.test(words[start] ?? '') && words[start + 1] === '-m' ? 2 : 0
  const at = start + npx + python
  const runner = runnerOf(words[at], words[at + 1])
  if (start < 0 || runner === null) return notPossible('the command is not a call of a known test runner')
  const before = words.slice(0, at).map((word) => `${word} `)
  const parts = partsOf(runner, words.slice(at))
  return 'why' in parts ? parts : { is: 'call', runner, before: before.join(''), ...parts, binFolders }
}

function partsOf(runner: Runner, words: readonly string[]): Parts | NotPossible {
  if (runner !== 'maven' && runner !== 'gradle')
    return splitWords(runner, words.slice(runner === 'go' || runner === 'cargo' ? 2 : 1))
  const problem = runner === 'maven' ? mavenProblem(words) : gradleProblem(words)
  return problem === null ? { options: [], named: words } : notPossible(problem)
}

function runnerOf(word: string | undefined, next: string | undefined): Runner | null {
  switch (word) {
    case 'vitest':
    case 'jest':
    case 'mocha':
    case 'node':
    case 'pytest':
      return word
    case 'go':
    case 'cargo':
      return next === 'test' ? word : null
    case 'mvn':
    case './mvnw':
      return 'maven'
    case 'gradle':
    case './gradlew':
      return 'gradle'
    default:
      return null
  }
}

type SplitRunner = Exclude<Runner, 'maven' | 'gradle'>

// Options whose value is the next word, and those that have none. Others before a plain word are a riddle.
const withValue: Record<SplitRunner, RegExp> = {
  vitest:
    /^(-c|--config|-r|--root|--dir|--project|--pool|--environment|--maxWorkers|-t|--testNamePattern|--mode|--exclude)$/,
  jest: /^(-c|--config|--rootDir|-t|--testNamePattern|--testEnvironment|-w|--maxWorkers|--env)$/,
  mocha:
    /^(-r|--require|--config|-t|--timeout|-u|--ui|-g|--grep|--extension|-n|--node-option|--import|--loader)$/,
  node: /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--test-name-pattern)$/,
  pytest: /^(-c|-k|-m|-p|-n|--rootdir|-o|--tb)$/,
  go: /^(-tags|-timeout|-count|-p|-parallel)$/,
  cargo: /^(-p|--package|--features|--manifest-path|--test|--profile)$/,
}
const alone =
  /^(--no-[\w-]+|--run|--silent|--passWithNoTests|--globals|--test|--experimental-[\w-]+|--enable-source-maps|--expose-gc|--test-[\w-]+|--ci|-i|--runInBand|--verbose|--forceExit|--detectOpenHandles|--coverage|--recursive|--exit|-b|--bail|--check-leaks|-v|-q|-x|-race|--workspace|--all|--release|--all-features|--locked|--offline)$/

// Watching, sharding, or a choice of tests of their own.
const refused =
  /^--(watch\w*|ui|standalone|shard|changed|related|findRelatedTests|onlyChanged|lastCommit|only-changed|list\w*|parallel|file|spec|test-isolation=none|experimental-test-isolation=none|projects|selectProjects|merge-reports|mergeReports)(=|$)|^-[wo]$|^--$/

type Parts = Pick<PlainCall, 'options' | 'named'>

function splitWords(runner: SplitRunner, words: readonly string[]): Parts | NotPossible {
  const rest = runner === 'vitest' && words[0] === 'run' ? words.slice(1) : words
  const problem = problemIn(runner, words, rest)
  if (problem !== null) return notPossible(problem)
  const options: string[] = []
  const named: string[] = []
  for (let at = 0; at < rest.length; at += 1) {
    const [word = '', next = ''] = [rest[at], rest[at + 1]]
    const taken = takenBy(runner, word, next)
    if (taken === 'unclear') return notPossible(`it cannot be told whether ${next} belongs to ${word}`)
    const into = word.startsWith('-') ? options : named
    into.push(word, ...(taken === 'next' ? [next] : []))
    at += Number(taken === 'next')
  }
  return { options, named }
}

function problemIn(runner: SplitRunner, words: readonly string[], rest: readonly string[]): string | null {
  const mode = rest === words ? (words[0] ?? '-') : '-'
  if (runner === 'vitest' && !mode.startsWith('-')) return `vitest ${mode} is not a plain run`
  if (runner === 'node' && !rest.includes('--test')) return 'node is not called with --test'
  const bad = rest.find((word) => refused.test(word))
  return bad === undefined ? null : `${bad} chooses tests or ways to run them by itself`
}

function takenBy(runner: SplitRunner, option: string, next: string): 'next' | 'none' | 'unclear' {
  if (!option.startsWith('-')) return 'none'
  if (next === '' || next.startsWith('-') || option.includes('=') || alone.test(option)) return 'none'
  return withValue[runner].test(option) ? 'next' : 'unclear'
}

export interface Wanted {
  readonly files: readonly string[]
  /** Names of single tests, for runners that take those. */
  readonly names?: readonly string[]
}

export interface SubsetCommand {
  readonly is: 'command'
  readonly command: string
  readonly binFolders: readonly string[]
}

const commandCharsMax = 100_000

export function subsetCommand(command: string, cwd: string, wanted: Wanted): SubsetCommand | NotPossible {
  const call = readCall(command, cwd)
  if (call.is === 'not_possible') return call
  const words = subsetWords(call, cwd, wanted)
  if (!Array.isArray(words)) return words
  const whole = call.before + words.join(' ')
  if (whole.length > commandCharsMax) return notPossible('there are too many files for one command')
  return { is: 'command', command: whole, binFolders: call.binFolders }
}

function subsetWords(call: PlainCall, cwd: string, { files, names = [] }: Wanted): string[] | NotPossible {
  const { runner, options, named } = call
  if (runner === 'go' || runner === 'cargo') return namedWords(call, names)
  if (runner === 'maven') return wordsOf(mavenWords(named, cwd, { files, names }))
  if (runner === 'gradle') return wordsOf(gradleWords(named, cwd, { files, names }))
  const given = files.map(shellWord).filter((word) => word !== null)
  if (given.length < files.length) return notPossible('a file has a name that cannot be handed on')
  if (given.length === 0) return notPossible('no files were named')
  switch (runner) {
    case 'vitest':
      return ['vitest', 'run', ...options, ...given]
    case 'jest':
      return ['jest', ...options, '--runTestsByPath', ...given]
    case 'mocha':
      if (hasMochaSpec(cwd)) return notPossible('mocha would add the files of its settings')
      return isPattern(files)
        ? notPossible('a file is named like a pattern')
        : ['mocha', ...options, ...given]
    case 'node':
      return isPattern(files) ? notPossible('a file is named like a pattern') : ['node', ...options, ...given]
    case 'pytest':
      return ['pytest', ...options, ...given]
    default:
      throw new TypeError(`no such runner: ${runner satisfies never} ${named}`)
  }
}

function wordsOf(chosen: JvmWords): string[] | NotPossible {
  return chosen.is === 'words' ? [...chosen.words] : notPossible(chosen.why)
}

function namedWords({ runner, options, named }: PlainCall, names: readonly string[]): string[] | NotPossible {
  if (runner === 'cargo') {
    const plain = names.length > 0 && names.every((name) => /^[\w:]+$/.test(name))
    return plain
      ? ['cargo', 'test', ...options, '--', '--exact', ...names]
      : notPossible('no tests were named')
  }
  const tests = [...new Set(names.map(goTest))]
  const plain = tests.length > 0 && tests.every((name) => /^\w+$/.test(name))
  if (!plain) return notPossible('no tests were named')
  return ['go', 'test', ...options, ...named, '-run', `'^(${tests.join('|')})$'`]
}

/** A report names the package before the test and its subtests after it. */
function goTest(name: string): string {
  const word = name.split(' > ').find((each) => /^(?:Test|Example|Fuzz)/.test(each)) ?? name
  return word.split('/')[0] ?? ''
}

function isPattern(files: readonly string[]): boolean {
  return files.some((file) => /[*?[\]{}!()]/.test(file))
}

function hasMochaSpec(cwd: string): boolean {
  const manifest = readManifest(cwd)?.mocha
  const inManifest = typeof manifest === 'object' && manifest !== null && 'spec' in manifest
  const files = ['js', 'cjs', 'json', 'jsonc', 'yml', 'yaml'].map((end) => join(cwd, `.mocharc.${end}`))
  return inManifest || files.some((file) => /\bspec\b/.test(readText(file) ?? ''))
}

export function shellWord(text: string): string | null {
  if (text.startsWith('-')) return shellWord(`./${text}`)
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return /['"$`\\\n]/.test(text) ? null : `'${text}'`
}

function binFoldersOf(cwd: string): string[] {
  const folders: string[] = []
  for (let at = cwd; ; at = dirname(at)) {
    folders.push(join(at, 'node_modules', '.bin'))
    if (dirname(at) === at) return folders
  }
}

function notPossible(why: string): NotPossible {
  return { is: 'not_possible', why }
}
