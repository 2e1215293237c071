// Which formatter a project uses, by what its own files say; none is ever brought from elsewhere.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasAny, isInstalled, type Manifest, readManifest, readText } from './project-files.ts'

export interface Formatter {
  readonly name: string
  /** To be followed by the files. */
  readonly command: string
  readonly files: RegExp
  /** Exit codes with which it has done its work. */
  readonly ok: readonly number[]
}

const SCRIPTS = /\.([cm]?[jt]s|[jt]sx)$/
const WEB = /\.([cm]?[jt]s|[jt]sx|jsonc?|json5|css|scss|less|html|vue|svelte|md|mdx|ya?ml|graphql|gql|hbs)$/

/** At most one for each language, the one that the project's scripts name first. */
export function formattersOf(cwd: string): Formatter[] {
  const manifest = readManifest(cwd)
  const web = webFormatters(cwd, manifest)
  const named = Object.values(manifest?.scripts ?? {}).join('\n')
  const chosen = web.find(({ name }) => named.includes(name)) ?? web[0]
  const python = pythonFormatter(cwd)
  const go = hasAny(cwd, ['go.mod']) ? [{ name: 'gofmt', command: 'gofmt -w', files: /\.go$/, ok: [0] }] : []
  return [...(chosen === undefined ? [] : [chosen]), ...(python === null ? [] : [python]), ...go]
}

const prettierFiles = [
  ...['', '.json', '.json5', '.yaml', '.yml', '.js', '.cjs', '.mjs', '.ts', '.mts', '.cts', '.toml'].map(
    (ending) => `.prettierrc${ending}`,
  ),
  ...['js', 'cjs', 'mjs', 'ts', 'mts', 'cts'].map((ending) => `prettier.config.${ending}`),
]

/** Those that are both configured and asked for, the likeliest first. */
function webFormatters(cwd: string, manifest: Manifest | null): Formatter[] {
  const needs = { ...manifest?.dependencies, ...manifest?.devDependencies }
  const scripts = Object.values(manifest?.scripts ?? {}).join('\n')
  const npx = (name: string, words: string, files: RegExp, ok: readonly number[] = [0]): Formatter => ({
    name,
    command: `npx --no-install ${name} ${words}`.trim(),
    files,
    ok,
  })
  const usesPrettier =
    hasAny(cwd, prettierFiles) || manifest?.prettier !== undefined || /\bprettier\b/.test(scripts)
  const linting = ['standard', 'semistandard', 'ts-standard', 'xo'].filter(
    (name) => name in needs && isInstalled(cwd, name),
  )
  return [
    ...(hasAny(cwd, ['biome.json', 'biome.jsonc']) ? [npx('biome', 'format --write', WEB)] : []),
    ...(hasAny(cwd, ['dprint.json', 'dprint.jsonc', '.dprint.json']) ? [npx('dprint', 'fmt', WEB)] : []),
    ...(usesPrettier ? [npx('prettier', '--write', WEB)] : []),
    // What is left to complain of afterwards is the linter's, and no failure of the formatting.
    ...linting.map((name) => npx(name, '--fix', SCRIPTS, [0, 1])),
    ...(formatsByEslint(needs, scripts) ? [npx('eslint', '--fix', SCRIPTS, [0, 1])] : []),
  ]
}

const STYLES =
  /^(@antfu\/eslint-config|@stylistic\/.+|neostandard|eslint-config-(standard.*|airbnb.*|xo.*|semistandard|unjs)|eslint-plugin-prettier|@sxzz\/eslint-config)$/

/** Where its rules are those of a style, or the script that formats is its own. */
function formatsByEslint(needs: Readonly<Record<string, string>>, scripts: string): boolean {
  if (!('eslint' in needs)) return false
  return Object.keys(needs).some((name) => STYLES.test(name)) || /\beslint\b[^&|;\n]*\s--fix\b/.test(scripts)
}

function pythonFormatter(cwd: string): Formatter | null {
  const settings = readText(join(cwd, 'pyproject.toml')) ?? ''
  const hooks = readText(join(cwd, '.pre-commit-config.yaml')) ?? ''
  const isBlack = /^\[tool\.black\]/m.test(settings) || /\bid:\s*black\b/.test(hooks)
  const isRuff = /^\[tool\.ruff\.format\]/m.test(settings) || /\bid:\s*ruff-format\b/.test(hooks)
  if (!isBlack && !isRuff) return null
  const [name, words] = isRuff ? ['ruff', ' format'] : ['black', ' -q']
  const own = ['.venv', 'venv'].map((folder) => join(folder, 'bin', name))
  const program = own.find((path) => existsSync(join(cwd, path))) ?? name
  return { name, command: `${program}${words}`, files: /\.pyi?$/, ok: [0] }
}
