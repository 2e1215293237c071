// Which test files a change can concern: those that failed before, then those that ran or read what has changed.
// Where it cannot be told, the answer is everything, and why.
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join, posix, relative, sep } from 'node:path'
import { listFiles, readText } from '../project-files.ts'
import { type ImportGraph, openImportGraph } from './import-graph.ts'
import { type CoverageMap, fileHash, type MappedTest, snapshotFile } from './map.ts'
import { type Compared, codeFile, compareUnits } from './units.ts'
import { isSetupName, isTestFile, mayBeTest, worldFile } from './world.ts'

export interface SelectRequest {
  readonly cwd: string
  /** Added, changed and deleted files, relative to `cwd`. */
  readonly changedFiles?: readonly string[]
  /** A unified diff, in place of or beside the list. */
  readonly diff?: string
  readonly map: CoverageMap | null
  /** Test files that failed before; they come first, whatever has changed. */
  readonly failed?: readonly string[]
}

interface Selected {
  readonly test: string
  readonly why: string
}

export type Selection =
  | { readonly is: 'subset'; readonly first: readonly string[]; readonly tests: readonly Selected[] }
  | { readonly is: 'everything'; readonly first: readonly string[]; readonly because: readonly string[] }

interface Selecting {
  readonly cwd: string
  readonly map: CoverageMap | null
  readonly graph: ImportGraph
  readonly changed: ReadonlySet<string>
}

/** What a change of one file means. */
type Meaning =
  | { readonly is: 'tests'; readonly tests: readonly Selected[] }
  | { readonly is: 'everything'; readonly because: string }

export function selectAffected(request: SelectRequest): Selection {
  const { cwd, map } = request
  const given = [...(request.changedFiles ?? []), ...filesInDiff(request.diff ?? '')]
  const changed = new Set([...given.map((path) => inProject(cwd, path)), ...(map ? drift(cwd, map) : [])])
  const first = [...new Set((request.failed ?? []).map((path) => inProject(cwd, path)))].filter((path) =>
    existsSync(join(cwd, path)),
  )
  const selecting: Selecting = { cwd, map, graph: openImportGraph(cwd), changed }
  const meanings = [...changed].sort().map((path) => meaningOf(selecting, path))
  const because = meanings.flatMap((meaning) => (meaning.is === 'everything' ? [meaning.because] : []))
  if (because.length > 0) return { is: 'everything', first, because }
  const whys = new Map<string, string>()
  for (const test of first) whys.set(test, 'it failed before')
  const found = meanings.flatMap((meaning) => (meaning.is === 'tests' ? meaning.tests : []))
  for (const { test, why } of [...found, ...unclearTests(selecting)]) {
    if (!whys.has(test) && existsSync(join(cwd, test))) whys.set(test, why)
  }
  return { is: 'subset', first, tests: [...whys].map(([test, why]) => ({ test, why })) }
}

function filesInDiff(diff: string): string[] {
  const headers = /^(?:---|\+\+\+) "?[ab]\/(.+?)"?\t?$|^rename (?:from|to) "?(.+?)"?$/gm
  return [...new Set([...diff.matchAll(headers)].map(([, file, renamed]) => file ?? renamed ?? ''))]
}

function inProject(cwd: string, path: string): string {
  const local = isAbsolute(path) ? relative(cwd, path).split(sep).join('/') : path
  return posix.normalize(local)
}

/** Files that are no longer as the map knows them. */
function drift(cwd: string, map: CoverageMap): string[] {
  const known = [
    ...Object.entries(map.world),
    ...Object.entries(map.files).map(([path, { hash }]) => [path, hash]),
  ]
  return known.flatMap(([path, hash]) => (path !== undefined && fileHash(cwd, path) !== hash ? [path] : []))
}

const inert =
  /(^|\/)(README|CHANGELOG|CONTRIBUTING|LICENSE|NOTICE|AUTHORS)(\.\w+)?$|\.md$|(^|\/)\.(gitignore|gitattributes|editorconfig)$/

function meaningOf(selecting: Selecting, path: string): Meaning {
  const { cwd, map } = selecting
  const everything = (because: string): Meaning => ({ is: 'everything', because })
  if (path.startsWith('..')) return everything(`${path} lies outside of the project`)
  if (map && path in map.world)
    return everything(worldFile(path) ?? `${path} is loaded by the runner for all tests`)
  const world = worldFile(path)
  if (world !== null) return everything(world)
  const stat = statSync(join(cwd, path), { throwIfNoEntry: false })
  if (stat === undefined && !(map && path in map.files && !codeFile.test(path)))
    return everything(`${path} was deleted`)
  if (stat?.isDirectory()) return everything(`${path} is a folder`)
  const snapshot = /^(?:(.*)\/)?__snapshots__\/([^/]+)\.snap$/.exec(path)
  if (snapshot) return snapshotOf(selecting, path, posix.join(snapshot[1] ?? '', snapshot[2] ?? ''))
  return codeFile.test(path) && !/\.d\.[cm]?ts$/.test(path)
    ? codeChange(selecting, path)
    : dataChange(selecting, path)
}

function snapshotOf({ cwd }: Selecting, path: string, test: string): Meaning {
  if (!existsSync(join(cwd, test))) return { is: 'everything', because: `${path} belongs to no test file` }
  return { is: 'tests', tests: [{ test, why: `its snapshots ${path} changed` }] }
}

function dataChange({ map }: Selecting, path: string): Meaning {
  if (map === null)
    return { is: 'everything', because: `${path} is not code, and it is not known who reads it` }
  const readers = Object.entries(map.tests).filter(([, test]) => path in test.loads || readsFile(test, path))
  if (readers.length > 0 || inert.test(path)) {
    return { is: 'tests', tests: readers.map(([test]) => ({ test, why: `it reads ${path}` })) }
  }
  return { is: 'everything', because: `${path} is not code, and no test was seen to read it` }
}

function readsFile({ reads, lists }: MappedTest, path: string): boolean {
  return reads.includes(path) || lists.some((folder) => folder === '' || path.startsWith(`${folder}/`))
}

function codeChange(selecting: Selecting, path: string): Meaning {
  const { map } = selecting
  const own = map && path in map.tests ? [{ test: path, why: 'it changed itself' }] : []
  if (map && path in map.files) return { is: 'tests', tests: [...own, ...affectedBy(selecting, map, path)] }
  return unknownCode(selecting, path)
}

function affectedBy({ cwd }: Selecting, map: CoverageMap, path: string): Selected[] {
  const compared = compareWithMap(cwd, map, path)
  return Object.entries(map.tests).flatMap(([test, entry]): Selected[] => {
    if (readsFile(entry, path)) return [{ test, why: `it reads ${path}` }]
    const idle = entry.loads[path]
    if (idle === undefined) return []
    if (compared === null || compared.module || idle === null) return [{ test, why: `it loads ${path}` }]
    const runs = [...compared.changed].some((unit) => !idle.includes(unit))
    return runs ? [{ test, why: `it runs a changed function of ${path}` }] : []
  })
}

/** Null if only the file as a whole can be compared. */
function compareWithMap(cwd: string, map: CoverageMap, path: string): Compared | null {
  const before = map.files[path]
  const now = snapshotFile(cwd, path)
  if (!before?.units || !now.parsed) return null
  // Said to have changed, though the map knows it as it is: what it was before is not known.
  return before.hash === now.file.hash ? null : compareUnits(before.units, now.parsed)
}

/** Code that no test is known to load: new, or never run. */
function unknownCode(selecting: Selecting, path: string): Meaning {
  const because = concernsAll(selecting, path)
  if (because !== null) return { is: 'everything', because }
  const { cwd, map, graph } = selecting
  const found: Selected[] = []
  if (isTestFile(path, readText(join(cwd, path)) ?? ''))
    found.push({ test: path, why: 'it is a changed test file' })
  for (const test of testFiles(selecting)) {
    const entry = map?.tests[test]
    if (entry && readsFile(entry, path)) found.push({ test, why: `it reads ${path}` })
    if (graph.reachOf(test).files.has(path)) found.push({ test, why: `it imports ${path}` })
    const computed = Object.keys(entry?.loads ?? {}).find((file) => importsComputed(graph, file))
    if (computed !== undefined)
      found.push({ test, why: `${computed} imports what cannot be told beforehand` })
  }
  return { is: 'tests', tests: found }
}

function concernsAll({ map, graph }: Selecting, path: string): string | null {
  const stem = path.replace(codeFile, '')
  const others = Object.keys(map?.files ?? {}).filter((file) => file !== path)
  const shadowed = others.find(
    (file) => file.replace(/\.\w+$/, '') === stem || file.startsWith(`${stem}/index.`),
  )
  if (shadowed !== undefined) return `${path} may be found in place of ${shadowed}`
  if (map === null && isSetupName(path)) return `${path} looks like a set-up file`
  const world = Object.keys(map?.world ?? {}).filter((file) => codeFile.test(file))
  const setup = world.find((file) => graph.reachOf(file).files.has(path))
  return setup === undefined ? null : `${path} is imported by ${setup}`
}

function importsComputed(graph: ImportGraph, file: string): boolean {
  return codeFile.test(file) && graph.importsOf(file).unclear.some(({ is }) => is === 'import')
}

function testFiles({ cwd, map }: Selecting): string[] {
  // A file beside the tests that they load, and that is none itself, is known to be none.
  const isOpen = (path: string) =>
    mayBeTest(path) && !(map && path in map.files) && isTestFile(path, readText(join(cwd, path)) ?? '')
  return [...new Set([...Object.keys(map?.tests ?? {}), ...listFiles(cwd).filter(isOpen)])]
}

/** Test files that the map does not know. */
export function unmappedTests(cwd: string, map: CoverageMap): string[] {
  const selecting = { cwd, map, graph: openImportGraph(cwd), changed: new Set<string>() }
  return testFiles(selecting).filter((test) => !(test in map.tests))
}

/** Tests that may depend on anything: they ran something that was not seen, or were never seen to run. */
function unclearTests(selecting: Selecting): Selected[] {
  const { map, graph, changed } = selecting
  if (changed.size === 0) return []
  return testFiles(selecting).flatMap((test): Selected[] => {
    const entry = map?.tests[test]
    if (entry) return entry.opaque.length > 0 ? [{ test, why: entry.opaque.join(', ') }] : []
    const { files, unclear } = graph.reachOf(test)
    const imported = [...changed].find((path) => files.has(path))
    if (imported !== undefined) return [{ test, why: `it imports ${imported}` }]
    return unclear[0] === undefined ? [] : [{ test, why: unclear[0] }]
  })
}
