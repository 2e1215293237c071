// Keeps the map true to the tree: only the test files that a change concerns are run again with the recorder.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { GateOptions } from '../tests.ts'
import { type Collected, type CollectRequest, collectMap } from './collect.ts'
import { type CoverageMap, fileHash, loadMap, type MappedTest, saveMap, snapshotFile } from './map.ts'
import { selectAffected, unmappedTests } from './select.ts'
import { compareUnits, type Units, withInner } from './units.ts'

export interface RefreshRequest extends Omit<CollectRequest, 'tests'> {
  /** Where maps are kept. */
  readonly folder: string
}

/** The map for the tree as it is, from the cache as far as that is true. */
export async function refreshMap(options: GateOptions, request: RefreshRequest): Promise<Collected> {
  const { cwd, folder, command } = request
  const old = loadMap(folder, command)
  const tests = old === null ? null : staleTests(cwd, old)
  if (old !== null && tests?.length === 0) return { is: 'collected', map: old, result: null }
  const collected = await collectMap(options, tests === null ? request : { ...request, tests })
  if (collected.is === 'not_possible') return collected
  const map =
    old === null || tests === null ? collected.map : merge(cwd, old, { fresh: collected.map, tests })
  saveMap(folder, map)
  return { ...collected, map }
}

/** Null for all. */
function staleTests(cwd: string, map: CoverageMap): string[] | null {
  const selection = selectAffected({ cwd, changedFiles: [], map })
  if (selection.is === 'everything') return null
  return [...new Set([...selection.tests.map(({ test }) => test), ...unmappedTests(cwd, map)])]
}

interface Update {
  readonly fresh: CoverageMap
  readonly tests: readonly string[]
}

function merge(cwd: string, old: CoverageMap, { fresh, tests }: Update): CoverageMap {
  const files = { ...old.files, ...fresh.files }
  const stale = Object.keys(old.files).filter((path) => fileHash(cwd, path) !== old.files[path]?.hash)
  for (const path of stale) files[path] = fresh.files[path] ?? snapshotFile(cwd, path).file
  const kept: Record<string, MappedTest> = {}
  for (const [test, entry] of Object.entries(old.tests)) {
    // One that was run again and left no record is not known any more.
    if (tests.includes(test) || !existsSync(join(cwd, test))) continue
    const loads = { ...entry.loads }
    for (const path of stale) {
      if (path in loads) loads[path] = carry(loads[path] ?? null, old.files[path]?.units, files[path]?.units)
    }
    kept[test] = { ...entry, loads }
  }
  return { ...fresh, files, tests: { ...kept, ...fresh.tests } }
}

/** What did not run in the old text, said of the new one. */
function carry(
  idle: readonly number[] | null,
  before: Units | null | undefined,
  after: Units | null | undefined,
): number[] | null {
  if (idle === null || !before || !after) return null
  const { now, changed } = compareUnits(before, after)
  const carried = idle.flatMap((unit) => {
    const other = now.get(unit)
    if (other === undefined) return []
    return changed.has(unit) ? withInner(after, other) : [other]
  })
  return [...new Set(carried)]
}
