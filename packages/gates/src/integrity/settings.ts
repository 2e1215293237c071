// Settings that decide which tests run and how much is asked of them: scripts and JSON, key by key.
import { posix } from 'node:path'
import { type Finding, shown } from './finding.ts'
import {
  bare,
  childrenOf,
  field,
  lineOf,
  list,
  nameOf,
  parseSource,
  render,
  type Source,
  type Syntax,
} from './source.ts'

interface Kind {
  readonly files: RegExp
  /** A setting's keys from the outside in. */
  readonly wanted: (keys: readonly string[]) => boolean
}

const selecting =
  /^(include|exclude|testMatch|testRegex|testPathIgnorePatterns|modulePathIgnorePatterns|testNamePattern|spec|ignore|files|roots|rootDir|root|dir|testDir|testIgnore|grep|grepInvert|invert|fgrep|projects|workspace|includeSource|specPattern|excludeSpecPattern)$/
const lenient =
  /^(passWithNoTests|allowOnly|forbidOnly|dangerouslyIgnoreUnhandledErrors|onUnhandledError|retry|retries|bail|update|allowUncaught|failZero|exit|forceExit|errorOnDeprecated|testRunner|runner|setupFiles|setupFilesAfterEnv|globalSetup|require|globals?Setup|snapshotResolver|resolveSnapshotPath|updateSnapshot)$/
const reporting = /^(reporters?|outputFile|reporterOptions?|testResultsProcessor|reporter-options?)$/
const thresholds =
  /^(thresholds?|coverageThreshold|check-coverage|checkCoverage|per-file|perFile|skipFull|lines|branches|functions|statements|100)$/
const elsewhere = /^(optimizeDeps|build|server|plugins|ssr|css|esbuild|worker|compilerOptions)$/

const isTestKey = (key: string): boolean =>
  selecting.test(key) || lenient.test(key) || reporting.test(key) || thresholds.test(key)
const isTestSetting = (keys: readonly string[]): boolean =>
  keys.some(isTestKey) && !keys.some((key) => elsewhere.test(key))

const manifestTools = /^(jest|mocha|ava|nyc|c8|vitest|tap|eslintConfig|xo)$/
const kinds: readonly Kind[] = [
  {
    files: /^package\.json$/,
    wanted: ([first = '', second = '']) =>
      manifestTools.test(first) ||
      (first === 'scripts' && /^(pre|post)?(test|lint|coverage)(:|$)/.test(second)),
  },
  {
    files: /^treadle\.json$/,
    // All but what is known to decide about nobody's powers and no verdict: what confines the crew is among the rest.
    wanted: ([first = '']) => !/^(agents|sprint|lessons|monitoring|\$schema)$/.test(first),
  },
  {
    files: /^vite\.config\.\w+$/,
    wanted: (keys) => keys.includes('test') && isTestSetting(keys),
  },
  {
    files:
      /^(vitest\.(config|workspace)|jest\.config|ava\.config|playwright\.config|cypress\.config|nyc\.config|karma\.conf|wdio\.conf)\.\w+$|^\.mocharc\.([cm]?js|jsonc?)$|^\.(nycrc|c8rc|taprc)(\.json)?$/,
    wanted: isTestSetting,
  },
  {
    files: /^eslint\.config\.\w+$|^\.eslintrc(\.[cm]?js|\.json)?$|^biome\.jsonc?$/,
    wanted: (keys) =>
      keys.some((key) =>
        /^(rules|ignores|ignorePatterns|includes?|ignore|files|overrides|linter)$/.test(key),
      ),
  },
]

export function isSettingsFile(path: string): boolean {
  return kindOf(path) !== null
}

function kindOf(path: string): Kind | null {
  const name = posix.basename(path)
  return kinds.find(({ files }) => files.test(name)) ?? null
}

interface Setting {
  readonly value: string
  readonly line: number
}

export function compareSettings(path: string, before: string | null, after: string | null): Finding[] {
  const kind = kindOf(path)
  if (kind === null || before === after) return []
  const was = read(path, before, kind)
  const is = read(path, after, kind)
  if (was === null || is === null)
    return [
      {
        file: path,
        line: null,
        what: 'it decides about the tests, and could not be read',
        blocks: before !== null,
      },
    ]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const what = judge(key, was.get(key)?.value ?? null, is.get(key)?.value ?? null)
    if (what === null) return []
    const blocks = (before !== null && !mild(path, key)) || hides(path, key)
    return [
      { file: path, line: is.get(key)?.line ?? null, what: `${key.replaceAll('\0', '.')} ${what}`, blocks },
    ]
  })
}

/** Which files a linter looks at is a matter of how the project is laid out. */
function mild(path: string, key: string): boolean {
  return /eslint|biome/.test(posix.basename(path)) && /(^|\0)(files|includes?)(\0#\d+)?$/.test(key)
}

/** What a file that was not there before may not bring along. */
function hides(path: string, key: string): boolean {
  if (posix.basename(path) === 'treadle.json') return true
  const keys = key.split('\0')
  return (
    !keys.includes('coverage') &&
    keys.some((each) =>
      /^(exclude|testPathIgnorePatterns|testIgnore|passWithNoTests|grepInvert|testNamePattern|dangerouslyIgnoreUnhandledErrors|testResultsProcessor|reporters?)$/.test(
        each,
      ),
    )
  )
}

/** What is wrong with the change of one setting; null if nothing. */
function judge(key: string, was: string | null, is: string | null): string | null {
  if (was === is) return null
  const keys = key.split('\0')
  if (keys.includes('rules') || keys.includes('linter')) return judgeRule(was, is)
  if (keys.some((each) => thresholds.test(each)) && (was === null || number.test(was)))
    return judgeThreshold(was, is)
  // One more script beside the others changes none of them.
  if (was === null) return /^scripts\0test:/.test(key) ? null : `was added: ${shown(is ?? '')}`
  return is === null ? `was removed: ${shown(was)}` : `was changed from ${shown(was)} to ${shown(is)}`
}

const number = /^-?[\d._]+$/

function judgeThreshold(was: string | null, is: string | null): string | null {
  if (is === null) return `(a threshold of ${was}) was removed`
  if (was === null) return number.test(is) || is === 'true' ? null : `was set to ${shown(is)}`
  const [from, to] = [was, is].map((each) => Number(each.replaceAll('_', '')))
  // Istanbul reads a negative one as the number of lines that may be missed.
  return Number(to) >= Number(from) ? null : `was lowered from ${was} to ${shown(is)}`
}

function judgeRule(was: string | null, is: string | null): string | null {
  const from = was === null ? null : severity(was)
  const to = is === null ? null : severity(is)
  if (to !== null && (from === null ? to === 0 : to < from)) return `was lowered to ${shown(is ?? '')}`
  return to === null && from === 2 ? 'was removed' : null
}

function severity(value: string): number {
  const level = value.replace(/^\[/, '').split(/[,\]]/)[0]?.replaceAll('"', '') ?? ''
  if (/^(off|0|false|none)$/.test(level)) return 0
  return /^(warn|1|info)$/.test(level) ? 1 : 2
}

/** JSON, with comments or without, is an expression of the language. */
function read(path: string, text: string | null, kind: Kind): Map<string, Setting> | null {
  if (text === null) return new Map()
  const json = /\.jsonc?$/.test(path) || /^\s*[{[]/.test(text)
  const source = json ? parseSource(`${path}.ts`, `export default ${text}`) : parseSource(path, text)
  if (source === null) return null
  const found = new Map<string, Setting>()
  collect(source, source.program, [], (keys, setting) => {
    if (!kind.wanted(keys)) return
    const key = keys.join('\0')
    // The same key in another part of the file counts apart.
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? key : `${key}\0#${count}`
      if (found.has(name)) continue
      found.set(name, setting)
      return
    }
  })
  return found
}

type Take = (keys: readonly string[], setting: Setting) => void

function collect(source: Source, node: Syntax, keys: readonly string[], take: Take): void {
  for (const child of childrenOf(node)) {
    const { key, value } = child.type === 'Property' ? partsOf(child) : { key: null, value: child }
    const path = key === null ? keys : [...keys, key]
    if (key === null || holdsSettings(value)) collect(source, value, path, take)
    else take(path, { value: render(source, value, new Map()), line: lineOf(source, child) })
  }
}

function partsOf(property: Syntax): { key: string; value: Syntax } {
  const key = field(property, 'key')
  const value = field(property, 'value')
  return {
    key: key?.type === 'Identifier' ? nameOf(key) : String(key?.value),
    value: value === null ? property : bare(value),
  }
}

/** An object, or a list of them, such as projects or overrides. */
function holdsSettings(node: Syntax): boolean {
  if (node.type === 'ArrayExpression') return list(node, 'elements').some(isObject)
  return isObject(node) && list(node, 'properties').length > 0
}

function isObject({ type }: Syntax): boolean {
  return type === 'ObjectExpression'
}
