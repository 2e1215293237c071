// Does a test show what the change is for? When that is asked, and what the answer means. Pure.
import type { GatesConfig } from '@treadle/contracts/config/gates'
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { ChangedTest, SortedChange } from './changed-tests.ts'

export interface WitnessFacts {
  readonly setting: GatesConfig['witness']
  readonly item: Pick<Item, 'title' | 'labels'>
  readonly command: string | null
  readonly change: SortedChange
  /** A test failed before the change and does not any more: then any kind of file may be code to it. */
  readonly wasRed: boolean
}

export type WitnessPlan = { readonly is: 'ask' } | { readonly is: 'skip'; readonly why: string }

const refactoring = /^(?:refactor(?:ing)?|rename|clean-?up)$/i
const testing = /^(?:tests?|testing|test-only)$/i
const documenting = /^(?:docs?|documentation)$/i
const asksForTests =
  /\b(?:add|adds|adding|write|more|missing|extend|improve|better|cover)\b.*\btests?\b|\btest coverage\b/i

/** Only what the owner wrote on the item, and which files changed, can say that no witness is to be expected. */
export function planWitness({ setting, item, command, change, wasRed }: WitnessFacts): WitnessPlan {
  const skip = (why: string): WitnessPlan => ({ is: 'skip', why })
  const labelled = (words: RegExp) => item.labels.find((label) => words.test(label.replace(/^\w+[:/] ?/, '')))
  if (setting === 'off') return skip('gates.witness is off')
  if (command === null) return skip('no test command is known')
  if (change.code.length + change.tests.length === 0 && !wasRed)
    return skip('only documentation was changed, which no test can tell')
  const refactor = labelled(refactoring)
  if (refactor !== undefined)
    return skip(
      `the item is labelled ${refactor}: it is to change no behaviour, so no test can fail without it`,
    )
  const documents = labelled(documenting)
  if (documents !== undefined && change.tests.length === 0)
    return skip(`the item is labelled ${documents}: it is to change no behaviour`)
  if (change.code.length > 0 || change.tests.length === 0) return { is: 'ask' }
  const label = labelled(testing)
  if (label !== undefined)
    return skip(
      `the item is labelled ${label} and only tests were changed, which pass on the same code as before`,
    )
  if (asksForTests.test(item.title))
    return skip('the item asks for tests and only tests were changed, which pass on the same code as before')
  return { is: 'ask' }
}

export type Waiting =
  | {
      readonly is: 'known'
      readonly tests: readonly ChangedTest[]
      /** Those among them that failed in two runs or more. */
      readonly twice: readonly TestFailure[]
    }
  /** The whole suite has to be run on the base. */
  | { readonly is: 'unknown' }

/** Tests that failed on the base and do not on the head, by what was found there before. */
export function waitingTests(before: readonly GateResult[] | undefined, head: ReadonlySet<string>): Waiting {
  const runs = (before ?? []).flatMap((run) => (isToldRun(run) ? [run] : []))
  if (runs.length === 0) return { is: 'unknown' }
  const red = runs
    .flatMap((run) => (run.is === 'failed' ? distinct(run.failures) : []))
    .filter(({ id }) => !head.has(id))
  if (red.some(({ file }) => file === null)) return { is: 'unknown' }
  const tests = red.flatMap(({ id, file }) =>
    file === null ? [] : [{ file, name: nameIn(id, file), added: false, asserts: true }],
  )
  const byId = [...Map.groupBy(red, ({ id }) => id).values()]
  return { is: 'known', tests, twice: byId.flatMap(([first, second]) => (second && first ? [first] : [])) }
}

/** Whether some test failed on the base that does not on the head, by what was found there before. */
export function wasRedBefore(before: readonly GateResult[] | undefined, head: ReadonlySet<string>): boolean {
  return (before ?? []).some(
    (run) => isToldRun(run) && run.is === 'failed' && run.failures.some(({ id }) => !head.has(id)),
  )
}

function distinct(failures: readonly TestFailure[]): TestFailure[] {
  return [...new Map(failures.map((failure) => [failure.id, failure])).values()]
}

/** A run of tests that tells which of them failed. */
function isToldRun(run: GateResult): boolean {
  if (!('evidence' in run) || (run.gate !== 'tests_pass' && run.gate !== 'no_regression')) return false
  return (run.evidence.report?.format ?? 'none') !== 'none' && !run.evidence.timedOut
}

function nameIn(id: string, file: string): string | null {
  if (id === file) return null
  return id.startsWith(`${file} > `) ? id.slice(file.length + 3) : id
}

export function twiceIn(waiting: Waiting): readonly TestFailure[] {
  return waiting.is === 'known' ? waiting.twice : []
}

/** It is known that nothing waited. */
export function isNobody(waiting: Waiting): boolean {
  return waiting.is === 'known' && waiting.tests.length === 0
}

export interface WitnessSeen {
  readonly setting: GatesConfig['witness']
  readonly codeChanged: boolean
  readonly tests: readonly ChangedTest[]
  /** What fails with the tests of the head on the code of the base, and does not on the head. */
  readonly red: readonly TestFailure[]
  /** Whether the run on the base told of single tests. */
  readonly told: boolean
}

export type WitnessVerdict =
  | { readonly is: 'shown'; readonly by: readonly string[]; readonly warnings: readonly string[] }
  /** Tests were brought along, and none of them needs the change. */
  | {
      readonly is: 'refuted'
      readonly why: string
      readonly idle: readonly string[]
      readonly hint: string
    }
  | { readonly is: 'none'; readonly why: string; readonly blocks: boolean }

export function judgeWitness({ setting, codeChanged, tests, red: all, told }: WitnessSeen): WitnessVerdict {
  const red = countingIn(all, tests)
  const files = new Set(tests.map(({ file }) => file))
  const whole = red.some((failure) => isWhole(failure, files))
  const idle = told && !whole ? tests.filter((test) => test.added && !isRed(test, red)) : []
  const names = [...new Set(idle.flatMap(({ file, name }) => (name === null ? [] : [`${file} > ${name}`])))]
  const by = red.map(({ id }) => id)
  if (red.length > 0 && !codeChanged && tests.length > 0)
    return {
      is: 'none',
      why: 'only tests were changed: that they are green now says nothing of the code',
      blocks: false,
    }
  if (red.length > 0)
    return { is: 'shown', by, warnings: names.map((name) => `${name} passes without the change too`) }
  if (tests.length > 0) {
    const empty = all.length > 0 ? ', or assert nothing and fail only for want of what they call' : ''
    const none = `${tests.length} test(s) were added or changed, and all of them pass without the change${empty}`
    const hint = codeChanged
      ? 'If the item is to change no behaviour, label it refactoring.'
      : 'Only tests were changed: if the item asks for no more, label it tests.'
    return { is: 'refuted', why: none, idle: names, hint }
  }
  const why =
    'no test fails without this change, and none was added or changed: nothing shows that it does what the item asks for'
  return { is: 'none', why, blocks: setting === 'required' }
}

const wanting =
  /is not (?:a function|defined|a constructor|exported|iterable)|does not provide an export|Cannot find (?:module|package)|Cannot read propert|Failed to (?:load|resolve)|ERR_MODULE_NOT_FOUND|No module named|cannot import name|has no attribute/i

/** What counts as a witness of all that is red. */
export function countingIn(red: readonly TestFailure[], tests: readonly ChangedTest[]): TestFailure[] {
  return red.filter((failure) => !isEmpty(failure, tests))
}

/** A test without an assertion shows a crash, but not what is missing on the base just because it is new. */
function isEmpty(failure: TestFailure, tests: readonly ChangedTest[]): boolean {
  const own = tests.filter(({ file }) => file === failure.file || file === failure.id)
  const one = own.filter(({ name }) => name !== null && failure.id.endsWith(name))
  const meant = one.length > 0 ? one : own
  const whole = one.length === 0 && failure.id === failure.file
  return (
    meant.length > 0 && meant.every(({ asserts }) => !asserts) && (whole || wanting.test(failure.message))
  )
}

/** A file that could not be loaded, or a command that failed without a word about tests. */
function isWhole({ id, file }: TestFailure, files: ReadonlySet<string>): boolean {
  return id === file || isUnnamed(id) || files.has(id)
}

/** The run failed, and nobody says which test. */
export function isUnnamed(id: string): boolean {
  return id === 'test command' || id === 'test run'
}

function isRed({ file, name }: ChangedTest, red: readonly TestFailure[]): boolean {
  if (name === null) return true
  const last = name.split(' > ').at(-1) ?? name
  return red.some((failure) => {
    // Go tells the file without its folder.
    if (failure.file !== null && basename(failure.file) !== basename(file)) return false
    return failure.id.endsWith(name) || failure.id.endsWith(last)
  })
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
