// What has to be built before tests are run, as far as the project's own scripts say so: `pretest`, and what stands
// before the runner in `test`. A test command that goes by these scripts builds by itself; one that does not, such as
// `npx mocha test/a.js`, would run what was built before the change, or nothing.
import { type Manifest, readManifest } from '../packages/manifest.ts'

/** The script that builds the project, as a command; null: it has none. */
export function buildScript(cwd: string): string | null {
  return readManifest(cwd)?.scripts?.build?.trim() ? 'npm run build' : null
}

export interface BuildFacts {
  readonly command: string
  /** `tests.buildCommand`. */
  readonly configured: string | null
  readonly manifest: Manifest | null
}

/** What has to run before a test command; null: nothing, or the command does it itself. */
export function buildBefore({ command, configured, manifest }: BuildFacts): string | null {
  if (configured !== null) return command.includes(configured) ? null : configured
  const scripts = manifest?.scripts ?? {}
  const parts = [...partsOf(scripts.pretest), ...partsOf(scripts.test).slice(0, -1)]
  const builds = parts.flatMap((part) => buildPart(part, scripts) ?? [])
  if (builds.length === 0 || GOES_BY_TEST.test(command)) return null
  return builds.every((build) => command.includes(build)) ? null : [...new Set(builds)].join(' && ')
}

/** The same, of a tree. */
export function buildFor(configured: string | null): (command: string, cwd: string) => string | null {
  return (command, cwd) => buildBefore({ command, configured, manifest: readManifest(cwd) })
}

const GOES_BY_TEST = /\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|t|tst)(?![\w:.-])/

function partsOf(script: string | undefined): string[] {
  const parts = (script ?? '').split('&&').map((part) => part.trim())
  // Anything else a shell does is left to the script itself.
  return parts.some((part) => /[|;&<>`$()]/.test(part)) ? [] : parts.filter((part) => part !== '')
}

const SCRIPT_CALL =
  /^(?:npm run(?:-script)?|pnpm(?: run)?|yarn(?: run)?|bun run)\s+(?:-s\s+|--silent\s+)?([\w:.-]+)$/
const BUILDS = /^(?:pre)?(?:build|compile|transpile|bundle|tsc|dist|generate|clean)(?![a-z])/
const BUILDERS = /^(?:tsc|babel|rollup|esbuild|webpack|tsup|swc|unbuild|vite build|rimraf)(?![\w-])/

/** A part of a script that builds, as a command that can stand alone; null: it checks, or nobody knows what it does. */
function buildPart(part: string, scripts: Readonly<Record<string, string>>): string | null {
  const [, name] = SCRIPT_CALL.exec(part) ?? []
  if (name !== undefined) return BUILDS.test(name) && scripts[name] !== undefined ? part : null
  return BUILDERS.test(part) && !/--noEmit\b/.test(part) ? `npx --no-install ${part}` : null
}
