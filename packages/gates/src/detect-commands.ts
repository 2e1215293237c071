// How a project's tests are run, as far as its files say so.
import { join } from 'node:path'
import { hasAny, isInstalled, listFiles, type Manifest, readManifest, readText } from './project-files.ts'

export function detectTestCommand(cwd: string): string | null {
  const manifest = readManifest(cwd)
  return scriptCommand(cwd, manifest) ?? runnerCommand(cwd, manifest) ?? otherCommand(cwd, listFiles(cwd))
}

// Not `--silent`: npm hands that on to every npm inside the script, and one that fails then says nothing at all.
const testScripts = { npm: 'npm test', pnpm: 'pnpm test', yarn: 'yarn test', bun: 'bun run test' }
type PackageManager = keyof typeof testScripts

function scriptCommand(cwd: string, manifest: Manifest | null): string | null {
  const script = manifest?.scripts?.test?.trim()
  // What `npm init` writes.
  if (!manifest || !script || /no test specified/i.test(script)) return null
  return testScripts[packageManager(cwd, manifest)]
}

function packageManager(cwd: string, manifest: Manifest): PackageManager {
  const named = manifest.packageManager?.split('@')[0]
  if (named === 'npm' || named === 'pnpm' || named === 'yarn' || named === 'bun') return named
  if (hasAny(cwd, ['pnpm-lock.yaml'])) return 'pnpm'
  if (hasAny(cwd, ['yarn.lock'])) return 'yarn'
  if (hasAny(cwd, ['bun.lock', 'bun.lockb'])) return 'bun'
  return 'npm'
}

const lintScripts = {
  npm: 'npm run lint',
  pnpm: 'pnpm run lint',
  yarn: 'yarn run lint',
  bun: 'bun run lint',
}

/** The project's own script, else a linter that is both configured and installed. */
export function detectLinterCommand(cwd: string): string | null {
  const manifest = readManifest(cwd)
  if (manifest?.scripts?.lint?.trim()) return lintScripts[packageManager(cwd, manifest)]
  if (hasAny(cwd, ['biome.json', 'biome.jsonc']) && isInstalled(cwd, 'biome'))
    return 'npx --no-install biome lint .'
  const eslint = hasAny(cwd, eslintConfigs) || manifest?.eslintConfig !== undefined
  return eslint && isInstalled(cwd, 'eslint') ? 'npx --no-install eslint .' : null
}

const extensions = ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts', 'json']
const configs = (name: string): string[] => extensions.map((extension) => `${name}.config.${extension}`)
const eslintConfigs = [
  ...configs('eslint'),
  ...['', '.js', '.cjs', '.mjs', '.json', '.yml', '.yaml'].map((ending) => `.eslintrc${ending}`),
]
/** Where mocha's settings may be. */
export const mochaConfigs = [
  '.mocharc.js',
  '.mocharc.cjs',
  '.mocharc.json',
  '.mocharc.jsonc',
  '.mocharc.yml',
  '.mocharc.yaml',
]

/** Never a runner from the network: `--no-install` fails instead. */
function runnerCommand(cwd: string, manifest: Manifest | null): string | null {
  const needs = { ...manifest?.dependencies, ...manifest?.devDependencies }
  if ('vitest' in needs || hasAny(cwd, configs('vitest'))) return 'npx --no-install vitest run'
  if ('jest' in needs || manifest?.jest !== undefined || hasAny(cwd, configs('jest')))
    return 'npx --no-install jest'
  if ('mocha' in needs || manifest?.mocha !== undefined || hasAny(cwd, mochaConfigs))
    return 'npx --no-install mocha'
  if ('ava' in needs || manifest?.ava !== undefined || hasAny(cwd, configs('ava')))
    return 'npx --no-install ava'
  if ('@playwright/test' in needs && hasAny(cwd, configs('playwright')))
    return 'npx --no-install playwright test'
  if ('tape' in needs) return "npx --no-install tape 'test/**/*.js'"
  return null
}

const gradleFiles = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']

function otherCommand(cwd: string, files: readonly string[]): string | null {
  if (hasNodeTests(cwd, files)) return 'node --test'
  if (hasPytest(cwd, files)) return pytestCommand(cwd, files)
  if (hasAny(cwd, ['go.mod']) && files.some((file) => file.endsWith('_test.go'))) return 'go test ./...'
  if (hasAny(cwd, ['Cargo.toml'])) return 'cargo test'
  if (hasAny(cwd, ['pom.xml'])) return hasAny(cwd, ['mvnw']) ? './mvnw -B test' : 'mvn -B test'
  if (hasAny(cwd, gradleFiles)) return hasAny(cwd, ['gradlew']) ? './gradlew test' : 'gradle test'
  if (hasAny(cwd, ['phpunit.xml', 'phpunit.xml.dist'])) return 'vendor/bin/phpunit'
  const makefile = ['GNUmakefile', 'makefile', 'Makefile']
    .map((name) => readText(join(cwd, name)))
    .find(Boolean)
  return makefile && /^test\s*:(?!=)/m.test(makefile) ? 'make test' : null
}

// The names that `node --test` looks for by itself.
const nodeTestName = /(^|\/)(test|test-[^/]+|[^/]+[._-]test)\.[cm]?[jt]s$|(^|\/)test\/.+\.[cm]?[jt]s$/
const testFilesReadMax = 200

function hasNodeTests(cwd: string, files: readonly string[]): boolean {
  return files
    .filter((file) => nodeTestName.test(file))
    .slice(0, testFilesReadMax)
    .some((file) => /['"]node:test['"]/.test(readText(join(cwd, file)) ?? ''))
}

function hasPytest(cwd: string, files: readonly string[]): boolean {
  const says = (file: string, pattern: RegExp): boolean => pattern.test(readText(join(cwd, file)) ?? '')
  return (
    hasAny(cwd, ['pytest.ini']) ||
    says('pyproject.toml', /^\[tool\.pytest/m) ||
    says('setup.cfg', /^\[tool:pytest\]/m) ||
    says('tox.ini', /^\[pytest\]/m) ||
    files.some((file) => /(^|\/)(conftest|test_[^/]+|[^/]+_test)\.py$/.test(file))
  )
}

function pytestCommand(cwd: string, files: readonly string[]): string {
  if (hasAny(cwd, ['uv.lock'])) return 'uv run pytest'
  if (hasAny(cwd, ['poetry.lock'])) return 'poetry run pytest'
  return unittestCommand(cwd, files) ?? 'python3 -m pytest'
}

/** Python's own runner, where every test file is written for it and nothing speaks of pytest. */
function unittestCommand(cwd: string, files: readonly string[]): string | null {
  const settings = [
    'pytest.ini',
    'pyproject.toml',
    'setup.cfg',
    'tox.ini',
    'requirements.txt',
    'requirements-dev.txt',
  ]
  const named = settings.some((file) => /pytest/.test(readText(join(cwd, file)) ?? ''))
  if (named || hasAny(cwd, ['pytest.ini']) || files.some((file) => /(^|\/)conftest\.py$/.test(file)))
    return null
  const tests = files.filter((file) => /(^|\/)test_[^/]+\.py$/.test(file)).slice(0, testFilesReadMax)
  const texts = tests.map((file) => readText(join(cwd, file)) ?? '')
  const own = texts.length > 0 && texts.every((text) => /^\s*(?:import|from) unittest\b/m.test(text))
  if (!own || texts.some((text) => /\bpytest\b/.test(text))) return null
  const folders = new Set(tests.map((file) => file.split('/').slice(0, -1).join('/')))
  // Discovery goes down only into packages, so one folder that is none is named.
  const [only] = folders
  const isPlain =
    folders.size === 1 && only !== undefined && only !== '' && !files.includes(`${only}/__init__.py`)
  return isPlain ? `python3 -m unittest discover -s ${only}` : 'python3 -m unittest'
}
