// `node tools/reach.ts`: refuses code that no product reaches, and requirements that are verified by such code.
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFiles, type Imports, reachedFrom, readImports } from './imports.ts'

export interface ReachFacts {
  readonly imports: Imports
  /** What a user can start or import, as files, by the product's name. */
  readonly products: Readonly<Record<string, readonly string[]>>
  /** Files that are written ahead of a part, by path, with the part. They may stay, and verify nothing. */
  readonly waiting: Readonly<Record<string, string>>
}

const products: ReachFacts['products'] = {
  'command line': ['apps/cli/src/main.ts'],
  daemon: ['apps/daemon/src/main.ts'],
  agent: ['apps/agent/src/main.ts'],
  dashboard: ['apps/dashboard/src/main.tsx'],
  'JSON schemas': ['packages/contracts/src/json-schemas.ts'],
}

const waiting: ReachFacts['waiting'] = {
  'apps/dashboard/src/webview/host.ts': 'the VS Code extension',
}

const verifiesFile = 'requirements/verifies.ts'
const sources = /^(?:packages|apps)\/[^/]+\/src\//
const tests = /\.test\.tsx?$/
/** What stands among the sources and serves tests only: kits, samples, expected rows. */
const kits =
  /\/(?:testing|conformance|expected)\/|(?:^|[/-])samples?\.ts$|\/(?:scratch-[\w-]+|crash-rounds|collector)\.ts$|\.d\.ts$/

export function isProduct(file: string): boolean {
  return sources.test(file) && !tests.test(file) && !kits.test(file)
}

export function judgeReach(facts: ReachFacts): string[] {
  const { imports, waiting } = facts
  const starts = Object.values(facts.products).flat()
  const reached = reachedFrom(imports, starts)
  const unreached = new Set([...imports.keys()].filter((file) => isProduct(file) && !reached.has(file)))
  return [
    ...starts
      .filter((file) => !imports.has(file))
      .map((file) => `${file}: a product starts here, but it is gone`),
    ...[...unreached]
      .filter((file) => waiting[file] === undefined)
      .map((file) => unreachedWords(imports, file)),
    ...Object.keys(waiting).flatMap((file) => waitingWords(file, { imports, reached })),
    ...[...imports.keys()]
      .filter((file) => tests.test(file))
      .flatMap((test) => citing(imports, test, unreached)),
  ]
}

function unreachedWords(imports: Imports, file: string): string {
  const importers = [...imports].filter(([, imported]) => imported.has(file)).map(([importer]) => importer)
  const by = importers.length === 0 ? 'nothing imports it' : `imported by ${importers.join(', ')} only`
  return `${file}: no product reaches it; ${by}. Wire it, or remove it with its tests`
}

function waitingWords(
  file: string,
  { imports, reached }: { imports: Imports; reached: ReadonlySet<string> },
) {
  if (!imports.has(file)) return [`${file}: it waits for a part in tools/reach.ts, but it is gone`]
  return reached.has(file)
    ? [`${file}: a product reaches it now; take it off the list in tools/reach.ts`]
    : []
}

/** A test stands on its own file and, through kits and scenarios, on everything that is no product. */
function citing(imports: Imports, test: string, unreached: ReadonlySet<string>): string[] {
  const own = new Set([test])
  for (const file of own) for (const next of imports.get(file) ?? []) if (!isProduct(next)) own.add(next)
  const found = [...own].flatMap((file) =>
    [...(imports.get(file) ?? [])]
      .filter((next) => unreached.has(next))
      .map((next) => (file === test ? next : `${next} (through ${file})`)),
  )
  const cites = [...own].some((file) => !/^requirements\//.test(file) && imports.get(file)?.has(verifiesFile))
  if (found.length === 0 || !cites) return []
  return [`${test}: it verifies requirements with ${found.join(', ')}, which no product reaches`]
}

if (import.meta.main) {
  const root = posix.normalize(fileURLToPath(new URL('..', import.meta.url)))
  const findings = judgeReach({ imports: readImports(root, codeFiles(root)), products, waiting })
  process.stdout.write(findings.map((finding) => `${finding}\n`).join(''))
  process.exitCode = findings.length > 0 ? 1 : 0
}
