// What a test command leaves behind for `npm run trace`: results per requirement, one file per tier.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Tier = 'quick' | 'long' | 'bench' | 'engines'
export const tiers: readonly Tier[] = ['quick', 'long', 'bench', 'engines']

type TestState = 'passed' | 'failed' | 'not-run'
/** `ms` is how long the test took, without the hooks around it. */
export type TestResult = { title: string; ids: string[]; state: TestState; ms: number; why?: string }
/** `ms` is how long the file took: to load, and to run its hooks and tests. */
export type FileResult = { at: string; loaded: boolean; ms: number; tests: TestResult[] }
export type TierResults = {
  tier: Tier
  tree: string
  at: string
  whole: boolean
  files: Record<string, FileResult>
}

const folder = fileURLToPath(new URL('../.trace', import.meta.url))

/** A narrowed run of the same tree replaces only what it ran; results of another tree are dropped. */
export function mergeResults(before: TierResults | undefined, run: TierResults): TierResults {
  if (!before || before.tree !== run.tree || run.tree === 'unknown') return run
  const files = { ...before.files }
  for (const [file, result] of Object.entries(run.files)) {
    const ran = new Set(result.tests.map((test) => test.title))
    const kept = result.loaded ? (files[file]?.tests.filter((test) => !ran.has(test.title)) ?? []) : []
    files[file] = { ...result, tests: [...kept, ...result.tests] }
  }
  return { ...run, whole: before.whole || run.whole, files }
}

export function readResults(tier: Tier, from = folder): TierResults | undefined {
  let text: string
  try {
    text = readFileSync(join(from, `${tier}.json`), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    return JSON.parse(text)
  } catch {
    // A file somebody damaged counts as no results; the next run writes it anew.
    return undefined
  }
}

export function writeResults(results: TierResults, into = folder): void {
  const path = join(into, `${results.tier}.json`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(results, null, 1)}\n`)
  renameSync(`${path}.${process.pid}`, path)
}
