// What each test file of a project loads, runs and reads, as a run of its tests has shown. It is kept on disk with
// the hash of every file that it speaks of; a file with another hash counts as changed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBounded } from '@treadle/process/bounded-file'
import { z } from 'zod'
import { readText } from '../project-files.ts'
import {
  codeFile,
  type FunctionRange,
  hashOf,
  type Parsed,
  parseUnits,
  type Units,
  withInner,
} from './units.ts'

const UnitsSchema = z.object({
  module: z.string(),
  top: z.array(z.int()),
  units: z.array(z.object({ hash: z.string(), inner: z.array(z.int()) })),
})

const MappedFile = z.object({
  hash: z.string(),
  /** Null if the file has no functions that we know of. */
  units: UnitsSchema.nullable(),
})
type MappedFile = z.infer<typeof MappedFile>

const MappedTest = z.object({
  /** The files that it loaded, each with the functions that certainly did not run; null if that cannot be told. */
  loads: z.record(z.string(), z.array(z.int()).nullable()),
  reads: z.array(z.string()),
  lists: z.array(z.string()),
  /** Why it may depend on more than is noted here. */
  opaque: z.array(z.string()),
})
export type MappedTest = z.infer<typeof MappedTest>

const runners = ['vitest', 'jest', 'mocha', 'node'] as const
export type MappedRunner = (typeof runners)[number]

const CoverageMap = z.object({
  format: z.literal(1),
  runner: z.enum(runners),
  command: z.string(),
  /** Files that concern all tests: settings, set-up, lockfile. */
  world: z.record(z.string(), z.string()),
  files: z.record(z.string(), MappedFile),
  tests: z.record(z.string(), MappedTest),
})
export type CoverageMap = z.infer<typeof CoverageMap>

const Call = z.tuple([z.string(), z.int(), z.int(), z.int(), z.int(), z.boolean(), z.boolean()])
const Load = z.object({ path: z.string(), functions: z.array(Call).nullable() })
export const TestRecord = z.object({
  test: z.string(),
  loads: z.array(Load),
  reads: z.array(z.string()),
  lists: z.array(z.string()),
  opaque: z.array(z.string()),
})
export type TestRecord = z.infer<typeof TestRecord>
export const RunnerRecord = z.object({ isolated: z.boolean(), setup: z.array(z.string()) })
export type RunnerRecord = z.infer<typeof RunnerRecord>

const absent = 'absent'

const fileBytesMax = 64 * 1024 * 1024

/** The hash of a file's content; of one that is too large to be read, of its size and time. */
export function fileHash(cwd: string, path: string): string {
  const file = readBounded(join(cwd, path), fileBytesMax)
  if (file.is === 'read') return hashOf(file.data)
  if (file.is !== 'too_large') return absent
  return hashOf(`${file.bytes} ${statSync(join(cwd, path), { throwIfNoEntry: false })?.mtimeMs}`)
}

export interface Snapshot {
  readonly file: MappedFile
  readonly parsed: Parsed | null
  readonly lineStarts: readonly number[]
}

export function snapshotFile(cwd: string, path: string): Snapshot {
  const text = readText(join(cwd, path))
  if (text === null) return { file: { hash: fileHash(cwd, path), units: null }, parsed: null, lineStarts: [] }
  const parsed = codeFile.test(path) ? parseUnits(path, text) : null
  const units = parsed && { module: parsed.module, top: [...parsed.top], units: parsed.units.map(copyUnit) }
  return { file: { hash: fileHash(cwd, path), units }, parsed, lineStarts: startsOf(text) }
}

function copyUnit({ hash, inner }: Units['units'][number]): { hash: string; inner: number[] } {
  return { hash, inner: [...inner] }
}

function startsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

type Call = z.infer<typeof Call>

/** Functions that certainly did not run. Any doubt counts as having run. */
export function idleUnits(snapshot: Snapshot, calls: readonly Call[] | null): number[] | null {
  const { parsed } = snapshot
  if (parsed === null || calls === null) return null
  const idle = new Set<number>()
  const ran = new Set<number>()
  for (const call of calls) {
    const unit = unitOf(snapshot, parsed, call)
    if (unit !== null) (call[5] ? ran : idle).add(unit)
  }
  const sure = [...idle].filter((unit) => !ran.has(unit))
  return [...new Set(sure.flatMap((unit) => withInner(parsed, unit)))].sort((a, b) => a - b)
}

function unitOf({ lineStarts }: Snapshot, { places }: Parsed, call: Call): number | null {
  const [name, line, column, endLine, endColumn, , exact] = call
  const start = (lineStarts[line] ?? Number.POSITIVE_INFINITY) + column
  const end = (lineStarts[endLine] ?? Number.POSITIVE_INFINITY) + endColumn
  const fits = (place: FunctionRange): boolean =>
    within(start, place.from, place.bodyStart) &&
    within(end, place.bodyStart, place.end) &&
    (exact || (name !== '' && name === place.name))
  // Heads lie inside each other only where one function is a default value in the head of another.
  const found = places.reduce<number | null>(
    (best, place, index) =>
      fits(place) && (best === null || place.from >= (places[best]?.from ?? 0)) ? index : best,
    null,
  )
  return found
}

function within(at: number, from: number, to: number): boolean {
  return at >= from && at < to
}

// ── On disk ─────────────────────────────────────────────────────────────────────────────────────

const mapBytesMax = 64 * 1024 * 1024
const mapsMax = 8

function mapFile(folder: string, command: string): string {
  return join(folder, `map-${hashOf(command)}.json`)
}

export function loadMap(folder: string, command: string): CoverageMap | null {
  const file = mapFile(folder, command)
  try {
    if (statSync(file).size > mapBytesMax) return null
    const map = CoverageMap.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return map.success && map.data.command === command ? map.data : null
  } catch {
    return null
  }
}

/** False if it is too big to be kept. */
export function saveMap(folder: string, map: CoverageMap): boolean {
  const text = JSON.stringify(map)
  if (Buffer.byteLength(text) > mapBytesMax) return false
  mkdirSync(folder, { recursive: true })
  const file = mapFile(folder, map.command)
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, text)
  renameSync(fresh, file)
  removeOldMaps(folder)
  return true
}

function removeOldMaps(folder: string): void {
  const maps = readdirSync(folder)
    .filter((name) => /^map-[0-9a-f]+\.json/.test(name))
    .map((name) => ({
      path: join(folder, name),
      at: statSync(join(folder, name), { throwIfNoEntry: false }),
    }))
    .sort((a, b) => (b.at?.mtimeMs ?? 0) - (a.at?.mtimeMs ?? 0))
  for (const { path } of maps.slice(mapsMax)) rmSync(path, { force: true })
}
