// Which differences in what tests load a change explains by itself, and which wait for a reader. Pure.
import { posix } from 'node:path'
import type { Wait } from '@treadle/contracts/gate'
import { isConfiguration } from '../capability/configuration.ts'
import { belongsToTests } from '../capability/head-files.ts'
import { conventionsOf } from '../integrity/test-conventions.ts'
import type { Difference, OtherAsking } from './compare-loads.ts'

export interface LoadChange {
  /** Every file that the change added, changed or removed. */
  readonly changed: ReadonlySet<string>
  /** Of the files that are spoken of, those that belong to the base, and those that belong to the head. */
  readonly before: ReadonlySet<string>
  readonly after: ReadonlySet<string>
}

export type Explained =
  | { readonly is: 'wait'; readonly wait: Wait }
  /** Told in the evidence. */
  | { readonly is: 'told'; readonly words: string }

export function explainDifference(difference: Difference, change: LoadChange): Explained | null {
  const { by } = difference
  // What a changed file asks for is the change itself; what is made by a build belongs to nobody.
  if (by !== null && (change.changed.has(by) || !change.before.has(by))) return null
  const isByRunner = by === null && difference.name === null
  const why = isByRunner ? byRunner(difference, change) : byName(difference, change)
  const file = by ?? difference.fresh.find((each) => each !== null) ?? difference.gone[0] ?? ''
  const words = wordsOf(difference)
  return why === null
    ? { is: 'told', words: `${file}: ${words}` }
    : { is: 'wait', wait: { class: 'loads', file, line: null, words: `${words}: ${why}` } }
}

function wordsOf({ by, name, gone, fresh }: Difference): string {
  const list = (paths: readonly (string | null)[]) => paths.map((path) => path ?? 'nothing').join(', ')
  if (by === null && name === null)
    return gone.length > 0
      ? `the runner does not load ${list(gone)} any more`
      : `the runner loads ${list(fresh)}, and did not before`
  const what = name === null ? 'what it imports' : `its import ${JSON.stringify(name)}`
  const asked = by === null ? `the module ${name}` : what
  if (fresh.length === 0) return `${asked} does not come to ${list(gone)} any more`
  return gone.length === 0
    ? `${asked} comes to ${list(fresh)} as well`
    : `${asked} comes to ${list(fresh)}, and came to ${list(gone)} before`
}

/** Why it waits; null: it does not. */
function byRunner({ gone, fresh }: Difference, change: LoadChange): string | null {
  const lost = gone.find((path) => path !== null && isTestSide(path) && isLeftAlone(path, change))
  if (lost !== undefined) return 'it is there and was not changed'
  const more = fresh.find(
    (path) => path !== null && isTestSide(path) && !isPlainTest(path) && !isFixture(path),
  )
  return more === undefined ? null : 'it is no test, and may act on all of them'
}

function byName({ name, gone, fresh }: Difference, change: LoadChange): string | null {
  const lost = gone.filter((path) => path !== null && !isRemoved(path, change))
  // Files that a build makes under other names each time.
  const isBuilt = [...gone, ...fresh].every((path) => path !== null && isOfBuild(path, change))
  if (isBuilt) return null
  if (lost.length > 0) return 'what it came to is still there'
  for (const path of fresh) {
    const why = freshWhy(path, { name, gone }, change)
    if (why !== null) return why
  }
  return null
}

function freshWhy(
  path: string | null,
  { name, gone }: Pick<Difference, 'name' | 'gone'>,
  { changed }: LoadChange,
): string | null {
  if (path === null) return 'there is nothing by that name any more'
  // What a new one holds is read by the gate of new capabilities.
  if (isConftest(path) && changed.has(path)) return null
  if (isTestSide(path) && !isPlainTest(path)) return 'what it comes to now belongs to the tests'
  if (!isOfTree(path) && gone.some((each) => each !== null)) return 'what it comes to now is not in the tree'
  return gone.length === 0 && name !== null ? 'one name, and two meanings' : null
}

const folders = new Set(['test/', '__tests__/'])

/** A test by its name, or in a folder of tests under a name that says nothing else. */
function isPlainTest(path: string): boolean {
  const conventions = conventionsOf(path)
  if (conventions.some((each) => !folders.has(each))) return true
  return (
    conventions.length > 0 &&
    !/setup|set-up|helper|util|mock|stub|fake|env|global/i.test(posix.basename(path))
  )
}

function isTestSide(path: string): boolean {
  return (
    isOfTree(path) &&
    (belongsToTests(path) || isConfiguration(path) || /(^|\/)(?:site|user)customize\.py$/.test(path))
  )
}

const isFixture = (path: string): boolean => /(^|\/)(fixtures?|__fixtures__|testdata|test-data)\//.test(path)
const isConftest = (path: string): boolean => posix.basename(path) === 'conftest.py'
const isOfTree = (path: string): boolean => path !== 'outside' && !path.startsWith('package ')

function isLeftAlone(path: string, { changed, before, after }: LoadChange): boolean {
  return !changed.has(path) && before.has(path) && after.has(path)
}

function isRemoved(path: string, { changed, after }: LoadChange): boolean {
  return changed.has(path) && !after.has(path)
}

function isOfBuild(path: string, { changed, before }: LoadChange): boolean {
  return isOfTree(path) && !changed.has(path) && !before.has(path)
}

export function explainAsking({ files, before, after }: OtherAsking, change: LoadChange): Wait | null {
  const own = files.filter((path) => isTestSide(path) && !change.changed.has(path))
  const [first] = own
  if (first === undefined) return null
  const more = own.length > 1 ? ` and ${own.length - 1} more` : ''
  const words = `${first}${more} is run by ${after}, and was by ${before}`
  return { class: 'loads', file: first, line: null, words }
}
