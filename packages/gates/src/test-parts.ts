// What a test command does besides testing: `test = lint && build && vitest` is a linter, a build and the tests.
import { type CalledScript, scriptCalled, scriptsOf, stepsIn } from './package-scripts.ts'
import { hasAny, isInstalled, readManifest } from './project-files.ts'

export interface TestParts {
  readonly lint: readonly string[]
  /** What has to succeed before the tests can run. */
  readonly build: readonly string[]
  /** The tests alone. */
  readonly tests: string
}

type Kind = 'lint' | 'build' | 'tests' | 'other'

interface Step {
  readonly kind: Kind
  /** To be run in the project's folder, from any shell. */
  readonly command: string
}

const DEPTH_MAX = 6
const STEPS_MAX = 50

/** Null: it is the tests and nothing else, or it cannot be told apart. */
export function testParts(command: string, cwd: string): TestParts | null {
  // There programs are found only by yarn itself.
  if (hasAny(cwd, ['.pnp.cjs', '.pnp.js'])) return null
  const steps = stepsOf(command, { cwd, depth: 0, name: '' })
  if (steps === null || steps.length > STEPS_MAX) return null
  const first = steps.findIndex(({ kind }) => kind === 'tests')
  if (first < 0) return null
  const lint = steps.filter(({ kind }) => kind === 'lint')
  // What stands before a build may be what it needs.
  const lastBuild = steps.slice(0, first).findLastIndex(({ kind }) => kind === 'build')
  const build = steps.slice(0, lastBuild + 1).filter((step) => !lint.includes(step))
  const tests = steps.filter((step) => !lint.includes(step) && !build.includes(step))
  if (lint.length + build.length === 0) return null
  const words = (list: readonly Step[]) => list.map((step) => step.command)
  return { lint: words(lint), build: words(build), tests: words(tests).join(' && ') }
}

interface At {
  readonly cwd: string
  readonly depth: number
  /** The script in which the command stands. */
  readonly name: string
}

function stepsOf(command: string, at: At): Step[] | null {
  const parts = stepsIn(command)
  if (parts === null || at.depth > DEPTH_MAX) return null
  const steps: Step[] = []
  for (const part of parts) {
    const found = stepOf(part, at)
    if (found === null) return null
    steps.push(...found)
  }
  return steps
}

/** What changes the shell for the steps after it: these are not apart from each other. */
const CHANGES_SHELL =
  /^(?:cd|pushd|popd|export|unset|set|source|\.|eval|exec|alias|shopt|trap|umask|ulimit|nvm|\w+=\S*$)(?:\s|$)/

/** One command: a script with the steps that it has, or a program. */
function stepOf(command: string, at: At): Step[] | null {
  if (CHANGES_SHELL.test(command)) return null
  const several = scriptsInOrder(command, at.cwd)
  if (several !== null) return stepsOf(several.join(' && '), { ...at, depth: at.depth + 1 })
  const called = scriptCalled(command, at.cwd)
  if (called === null) return [{ kind: kindOf(command, at.name), command: runnable(command, at.cwd) }]
  return ofScript(command, called, at)
}

/** A script whose steps are all of one kind stays one command; of a mixed one each step is its own. */
function ofScript(command: string, called: CalledScript, { cwd, depth }: At): Step[] | null {
  const { tool, name, body, given } = called
  const scripts = scriptsOf(readManifest(cwd))
  const around = (hook: string): Step[] | null => {
    const text = scripts[`${hook}${name}`]
    if (text === undefined || !runsHooks(tool, cwd)) return []
    return stepOf(`${tool} run ${hook}${name}`, { cwd, depth: depth + 1, name })
  }
  const inner = stepsOf([body, given].filter(Boolean).join(' '), { cwd, depth: depth + 1, name })
  const [before, after] = [around('pre'), around('post')]
  if (inner === null || before === null || after === null) {
    const kind = kindOfName(name)
    return kind === 'lint' || kind === 'build' ? [{ kind, command }] : null
  }
  const all = [...before, ...inner, ...after]
  const [first] = all
  const isOne = first !== undefined && all.every(({ kind }) => kind === first.kind)
  return isOne ? [{ kind: first.kind, command }] : all
}

/** Yarn since its second version runs no scripts around others. */
function runsHooks(tool: string, cwd: string): boolean {
  return !(tool === 'yarn' && hasAny(cwd, ['.yarnrc.yml']))
}

const IN_ORDER = /^(?:npx\s+(?:--no-install\s+)?)?(run-s|npm-run-all2?)\s+(.+)$/

/** The scripts that `run-s` and its relatives run, as calls; null: it is none of them, or one with options of its own,
 * such as those that run them side by side. */
function scriptsInOrder(command: string, cwd: string): string[] | null {
  const [, , rest] = IN_ORDER.exec(command) ?? []
  if (rest === undefined) return null
  const words = rest
    .split(/\s+/)
    .filter((word) => !/^(-s|-l|-n|--silent|--serial|--sequential|--print-label|--print-name)$/.test(word))
  if (words.some((word) => /^-|["'{}]/.test(word))) return null
  const names = Object.keys(scriptsOf(readManifest(cwd)))
  return words.flatMap((word) => names.filter((name) => fits(word, name)).map((name) => `npm run ${name}`))
}

/** `lint:*` is one level below, `lint:**` any. */
function fits(pattern: string, name: string): boolean {
  const source = pattern.split(/(\*+)/).map((part) => {
    if (part === '*') return '[^:]*'
    return part.startsWith('*') ? '.*' : part.replace(/[^\w:-]/g, '\\$&')
  })
  return new RegExp(`^${source.join('')}$`).test(name)
}

const LINTERS =
  /^(eslint|eslint_d|standard|semistandard|ts-standard|xo|oxlint|tslint|jshint|jscs|stylelint|markdownlint(-cli2?)?|remark|cspell|ls-lint|knip|publint|attw|depcheck|lockfile-lint|editorconfig-checker|ec|sort-package-json|flake8|pylint|biome|dprint|prettier|gts|ruff|black|rome)$/
const BUILDERS =
  /^(tsc|vue-tsc|tsup|unbuild|rollup|webpack|esbuild|swc|microbundle|pkgroll|tsdown|bunchee|ncc|parcel|obuild|siroc|bili|father|zshy|tshy|rimraf|del|del-cli|shx|cpy|cpx|copyfiles|mkdirp|rm|mkdir|cp|babel)$/
const RUNNERS =
  /^(_?mocha|jest|vitest|tap|ava|tape|uvu|jasmine|qunit|lab|borp|karma|playwright|cypress|wtr|web-test-runner|react-scripts|ng|nyc|c8|istanbul|tsx|ts-node|pytest|node|deno|bun|tst|tsd|tstyche|airtap|zora|pta|baretest|testem|zuul|double-check|hereby|brittle|xvfb-run)$/

function kindOf(command: string, script: string): Kind {
  const words = unwrapped(command.match(WORDS) ?? [])
  const program = programName(words[0] ?? '')
  const rest = words.slice(1).join(' ')
  if (LINTERS.test(program)) return 'lint'
  if (program === 'vite' && /^build\b/.test(rest)) return 'build'
  if (BUILDERS.test(program)) return 'build'
  if (RUNNERS.test(program)) return program === 'node' ? ofNode(rest, script) : 'tests'
  return kindOfName(script)
}

/** A script of the project's own is what the package script is called, unless it is given to a runner. */
function ofNode(rest: string, script: string): Kind {
  if (/(^|\s)--test(\s|$)|node_modules\/|(^|[/\s])test/.test(rest)) return 'tests'
  const named = kindOfName(script)
  return named === 'other' ? 'tests' : named
}

function kindOfName(script: string): Kind {
  const name = script.replace(/^(pre|post)(?=(lint|build|compile))/, '')
  if (/^(lint|eslint|format|fmt|prettier|style|standard|codestyle|spell)/.test(name)) return 'lint'
  if (/^(check|test):(lint|format|style|prettier|eslint|spell)/.test(name)) return 'lint'
  if (
    /^(build|compile|bundle|generate|codegen|clean|tsc|types?(-?check)?(:|$)|type-?check|check-types)/.test(
      name,
    )
  )
    return 'build'
  return /^(pre|post)?(test|unit|spec|e2e|integration)(\b|$)/.test(name) ? 'tests' : 'other'
}

const WRAPS =
  /^(cross-env(-shell)?|env|npx|bunx|time|exec|dotenv|timeout|nice|npm|pnpm|yarn|--no-install|--no|-y|--yes|--|\d+)$/

function unwrapped(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !/^\w+=/.test(word) && !WRAPS.test(word))
  return at < 0 ? words : words.slice(at)
}

/** Words of a shell: what is in quotes belongs to its word. */
const WORDS = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g

const programName = (word: string) => word.slice(word.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '')

/** Package scripts find installed programs by their names; a shell of ours finds them by npx. */
function runnable(command: string, cwd: string): string {
  const [, before = '', program = ''] = /^((?:\w+=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+)*)(\S+)/.exec(command) ?? []
  if (!/^[\w.@-]+$/.test(program) || !isInstalled(cwd, program)) return command
  return `${before}npx --no-install ${command.slice(before.length)}`
}
