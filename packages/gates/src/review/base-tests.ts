// Where a change touches what belonged to the tests before it: the base's tests, helpers, data and settings, on the
// head's sources. What is shown only with those that were touched is shown to a reader first.
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GateResult, TestFailure, Wait } from '@treadle/contracts/gate'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { writeForeign } from '@treadle/sandbox/foreign-files'
import { compareConfiguration } from '../capability/configuration.ts'
import { belongsToTests } from '../capability/head-files.ts'
import { readByTests } from '../capability/read-by-tests.ts'
import { type GateOptions, runTests } from '../tests.ts'
import { changedTests, isOfTests, isTestFile } from './changed-tests.ts'
import { isUnnamed } from './decide-witness.ts'
import { readHead } from './head.ts'
import { isOnlyMore, isOnlyMoreData } from './only-more.ts'

export interface BaseTestsHeld {
  readonly lines: readonly string[]
  readonly waits: readonly Wait[]
  /** The touched files that have only more data in them, if no other tests are red without their change. */
  readonly heldWithout: readonly string[]
}

interface ShownBy {
  readonly command: string
  /** The tests that were red without the change and are green with it. */
  readonly by: readonly string[]
}

/** Does what shows the change still show it, and does everything else hold, without what was touched? */
export async function holdBaseTests(
  options: GateOptions,
  request: ReviewChecksRequest,
  { command, by }: ShownBy,
): Promise<BaseTestsHeld> {
  const touched = request.item.mayChangeTests ? [] : await touchedFiles(request)
  const [first] = touched
  if (first === undefined) return { lines: [], waits: [], heldWithout: [] }
  const names = touched.map(({ path }) => path).join(', ')
  const waits = (why: string, more: readonly string[] = []): BaseTestsHeld => ({
    lines: [`with ${names} of the base on the head: ${why}`, ...more],
    waits: [
      {
        class: 'configuration',
        file: first.path,
        line: null,
        words: `it belonged to the tests before, and with ${names} as before the change ${why}`,
      },
    ],
    heldWithout: [],
  })
  const used = await request.withHead((folder) => runThere(options, request, { folder, command, touched }))
  if (used.is === 'failed') return waits(`nothing could be run: ${used.why}`)
  const result = used.value
  if (result === null || !('evidence' in result)) return waits('nothing could be run')
  const output = `\`${command}\`: ${result.is}; output ${result.evidence.output}`
  const came = request.changed.filter((path) => !touched.some((each) => each.path === path))
  const why = whyNot(request, result, { by, came: new Set(came) })
  if (why !== null) return waits(why, [output])
  return {
    lines: [`with ${names} of the base on the head, the witness holds as well`, output],
    waits: [],
    heldWithout: isAsOnHead(request, result) ? grown(touched) : [],
  }
}

/** Where something is gone, that the old data holds on the new code says only that the code is still right today. */
function grown(touched: readonly TouchedTestFile[]): string[] {
  return touched
    .filter(({ path, before, after }) => isOnlyMoreData(path, before, after))
    .map(({ path }) => path)
}

/** Whether no test is red that is not red with what was touched: one of several witnesses may need that. */
function isAsOnHead({ earlier }: ReviewChecksRequest, result: GateResult): boolean {
  if (result.is !== 'failed') return true
  const reports = earlier.flatMap((each) => ('evidence' in each ? (each.evidence.report ?? []) : []))
  const red = new Set(reports.flatMap(({ failures }) => failures.map(({ id }) => id)))
  return result.failures.every(({ id }) => red.has(id))
}

/** Why it does not hold; null: it does. */
function whyNot(
  { before }: ReviewChecksRequest,
  result: Extract<GateResult, { evidence: unknown }>,
  { by, came }: { by: readonly string[]; came: ReadonlySet<string> },
): string | null {
  const failures: readonly TestFailure[] = result.is === 'failed' ? result.failures : []
  const red = new Set(failures.map(({ id }) => id))
  if (failures.some(({ id }) => isUnnamed(id))) return 'the tests fail as a whole'
  if (by.every((id) => red.has(id))) return `what shows the change is red: ${by.slice(0, 3).join('; ')}`
  const known = new Set(
    (before ?? []).flatMap((run) => (run.is === 'failed' ? run.failures.map(({ id }) => id) : [])),
  )
  // What was red before is another matter, and what came with the change may need what else came.
  const lost = failures.filter(
    ({ id, file }) => !known.has(id) && !by.includes(id) && !(file !== null && came.has(file)),
  )
  return lost.length === 0
    ? null
    : `other tests are red: ${lost
        .slice(0, 3)
        .map(({ id }) => id)
        .join('; ')}`
}

interface TouchedTestFile {
  readonly path: string
  readonly before: string
  /** Null: it is gone. */
  readonly after: string | null
}

/** Files that belonged to the tests before, and are others now or gone; not those that only have more in them. */
async function touchedFiles(request: ReviewChecksRequest): Promise<TouchedTestFile[]> {
  const { cwd, changed, readBase } = request
  const { mayChangeTests } = request.item
  const data = new Set(
    (await readByTests({ cwd, changed, readBase, mayChangeTests })).map(({ file }) => file),
  )
  const touched: TouchedTestFile[] = []
  for (const path of changed) {
    const before = await readBase(path)
    if (before === null) continue
    const after = await readHead(cwd, path)
    if (before !== after && (data.has(path) || isTouched(path, before, after)))
      touched.push({ path, before, after })
  }
  return touched
}

function isTouched(path: string, before: string, after: string | null): boolean {
  if (compareConfiguration(path, before, after).length > 0) return true
  if (!isOfTests(path) && !belongsToTests(path)) return false
  if (after === null || !isOnlyMore(before, after)) return true
  return isTestFile(path) && changedTests([{ path, before, after }]).some(({ added }) => !added)
}

interface MixedTree {
  readonly folder: string
  readonly command: string
  readonly touched: readonly TouchedTestFile[]
}

/** Null: a file cannot be put back as it was. */
async function runThere(
  options: GateOptions,
  { timeoutMs, signal }: ReviewChecksRequest,
  { folder, command, touched }: MixedTree,
): Promise<GateResult | null> {
  // What is no text could not be put back as it was.
  const isLost = ({ path, before }: TouchedTestFile) =>
    before.includes('\ufffd') || !existsSync(dirname(join(folder, path)))
  if (touched.some(isLost)) return null
  for (const { path, before } of touched) {
    const mode = statSync(join(folder, path), { throwIfNoEntry: false })?.mode ?? 0o644
    writeForeign(folder, join(folder, path), before, mode & 0o777)
  }
  const asked = { cwd: folder, command, timeoutMs, ...(signal === undefined ? {} : { signal }) }
  return runTests(options, asked)
}
