// Configurations that tests are run with, key by key: a key that is not known to be harmless changes the tests.
import { posix } from 'node:path'
import { flatSettings, type Setting, type Settings } from './flat-settings.ts'

export interface SettingChange {
  readonly line: number | null
  readonly words: string
}

interface Kind {
  readonly files: RegExp
  /** Keys whose change leaves the tests as they are. */
  readonly harmless: RegExp
}

const times =
  'testTimeout|hookTimeout|teardownTimeout|slowTestThreshold|timeout|slow|verbose|displayName|colors?'
const pytest = 'markers|minversion|log_\\w+|console_output_style|junit_family'
const linters =
  'ruff|black|isort|mypy|pyright|flake8|pylint|codespell|towncrier|bumpversion|setuptools_scm|commitizen|interrogate|pydocstyle'

const kinds: readonly Kind[] = [
  {
    files: /^package\.json$/,
    harmless:
      /^(version|description|keywords|author|contributors|maintainers|license|licenses|repository|bugs|homepage|funding|files|private|publishConfig|engines|types|typings|sideEffects|size-limit|prettier|eslintConfig|commitlint|release|icon|\$schema)(\.|$)/,
  },
  {
    files: /^(tsconfig[^/]*|jsconfig)\.json$/,
    harmless:
      /^\$schema$|^compilerOptions\.(strict\w*|no(Implicit|Unused|Fallthrough|Unchecked|Property|Emit$|EmitOnError$|ErrorTruncation$)\w*|exactOptionalPropertyTypes|declaration(Map|Dir)?|sourceMap|inlineSources|removeComments|skipLibCheck|lib|pretty|incremental|tsBuildInfoFile|isolatedDeclarations|allowUnreachableCode|allowUnusedLabels|forceConsistentCasingInFileNames|useUnknownInCatchVariables|outDir|stripInternal)$/,
  },
  { files: /^vite\.config\.\w+$/, harmless: new RegExp(`^(server|preview|build)\\.|(^|\\.)(${times})$`) },
  {
    files:
      /^((vitest|jest|ava|karma|playwright|cypress|wdio|nyc|c8|stryker|tap|babel|mocha|web-test-runner)[.-][^/]*(conf|config|workspace|projects|shared|preset)[^/]*\.[cm]?[jt]s(on)?|\.(mocharc|nycrc|c8rc|taprc|babelrc|swcrc|jestrc)[^/]*|vitest\.(workspace|projects)\.\w+|deno\.jsonc?|node\.config\.json)$/,
    harmless: new RegExp(`(^|\\.)(${times})$|^\\$schema$`),
  },
  {
    files: /^pyproject\.toml$/,
    harmless: new RegExp(
      `^project\\.(version|description|readme|license|license-files|authors|maintainers|keywords|classifiers|requires-python|urls(\\..*)?|dependencies|optional-dependencies(\\..*)?)$|^dependency-groups\\.|^build-system\\.requires$|^tool\\.(${linters})(\\.|$)|^tool\\.poetry\\.(version|description|authors|readme|license|keywords|classifiers|urls\\..*|([\\w-]*dependencies|group\\.[\\w-]+\\.dependencies)\\..*)$|^tool\\.pytest\\.ini_options\\.(${pytest})$`,
    ),
  },
  {
    files: /^(pytest|\.pytest|tox)\.ini$|^setup\.cfg$/,
    harmless: new RegExp(
      `^metadata\\.|^options\\.(install_requires|python_requires|extras_require\\..*)$|^(${linters})(-[^.]*)?\\.|^bdist_wheel\\.|^(tool:)?pytest\\.(${pytest})$`,
    ),
  },
]

export function isConfiguration(path: string): boolean {
  return kindOf(path) !== null
}

function kindOf(path: string): Kind | null {
  const name = posix.basename(path)
  return kinds.find(({ files }) => files.test(name)) ?? null
}

export function compareConfiguration(
  path: string,
  before: string | null,
  after: string | null,
): SettingChange[] {
  const kind = kindOf(path)
  if (kind === null || before === after) return []
  // One that lies among the data of tests and is new has no say yet.
  if (before === null && /(^|\/)(fixtures?|__fixtures__|testdata)\//.test(path)) return []
  const was: Settings | null = before === null ? new Map() : flatSettings(path, before)
  const is: Settings | null = after === null ? new Map() : flatSettings(path, after)
  if (was === null || is === null)
    return [{ line: null, words: 'it cannot be read key by key, so it counts as changing the tests' }]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [from, to] = [was.get(key), is.get(key)]
    if (from?.value === to?.value || isHarmless(path, key, { from, to, kind })) return []
    const how = ((): string => {
      if (from === undefined) return 'was added'
      return to === undefined ? 'was removed' : 'was changed'
    })()
    return [{ line: to?.line ?? null, words: `${key} ${how}, a key that may change what the tests do` }]
  })
}

interface Compared {
  readonly from: Setting | undefined
  readonly to: Setting | undefined
  readonly kind: Kind
}

const version =
  /^"(?:(?:\^|~|[<>]=?|=)?\s*v?\d[\w.+-]*(?:\s*(?:\|\||-|\s)\s*(?:\^|~|[<>]=?|=)?\s*v?\d[\w.+-]*)*|\*)"$/
const packages = /^((dev|peer|optional)?[dD]ependencies|peerDependenciesMeta)\./
/** Scripts that a package manager runs by itself, or before and after others. */
const bySelf =
  /^scripts\.(pre|post)|^scripts\.(install|prepare|prepublish\w*|prepack|test|dependencies)(\W|$)/
/** Scripts for people and for releases; one that the test command runs all the same is looked at by test integrity. */
const beside =
  /^scripts\.((pre|post)?(version|release|publish\w*|docs?|changelog|deploy)|dev|start|serve|watch|format|fmt|prettier|lint|clean|site|storybook|bench|benchmark|size)(:.*)?$/

function isHarmless(path: string, key: string, { from, to, kind }: Compared): boolean {
  const isManifest = posix.basename(path) === 'package.json'
  if (isManifest && packages.test(key))
    return to === undefined || version.test(to.value) || key.startsWith('peerDependenciesMeta')
  // A script that nobody runs yet, or that no test has to do with.
  if (isManifest && key.startsWith('scripts.'))
    return beside.test(key) || (from === undefined && !bySelf.test(key))
  // A package from elsewhere than the index.
  if (
    /(^|[.-])dependencies(\.|$)|requires|dependency-groups/.test(key) &&
    /:\/\/|\b(git|path|url)\s*=/.test(to?.value ?? '')
  )
    return false
  return kind.harmless.test(key)
}
