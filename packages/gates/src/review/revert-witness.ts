// The witness of a revert: the tests from before the merge hold, and what the merge brought is really gone.
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { RevertCheck } from '@treadle/flow/ports/gates'
import type { CheckoutUse, ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { concludeCheck } from '../check-report.ts'
import type { GateOptions } from '../tests.ts'
import { BaseRuns } from './base-runs.ts'
import { type ChangedTest, changedTests, isTestFile, sortChange } from './changed-tests.ts'
import { countingIn } from './decide-witness.ts'
import { readHead } from './head.ts'

const gate = 'witness'

type RevertRequest = ReviewChecksRequest & { readonly revert: RevertCheck }

/**
 * The suite is green on the head, or this check is not reached; an exact inverse has the tests from before the merge in
 * it. Those that came with the merge are put back into the head, and some of them must be red there.
 */
export async function checkRevertWitness(options: GateOptions, request: RevertRequest): Promise<GateResult> {
  const startedAt = performance.now()
  const { config, command, revert, changed } = request
  const skip = (why: string): GateResult => ({ is: 'skipped', gate, why })
  if (config.witness === 'off') return skip('gates.witness is off')
  if (command === null) return skip('no test command is known')
  const put = sortChange(changed).tests
  const tests = await broughtTests(request, put)
  if (tests.length === 0)
    return skip(`no test came with #${revert.number}, so none shows that what it did is gone`)
  const used = await lookWithout(options, { ...request, command }, { put, tests })
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  if (used.is === 'failed') return { is: 'not_run', gate, why: `the tests could not be run: ${used.why}` }
  const { red, lines } = used.value
  return judge(options, { startedAt, revert, red: countingIn(red, tests), lines })
}

/** Tests that are there with the merge, and without it are not, or are others. */
async function broughtTests(
  { cwd, readBase }: RevertRequest,
  paths: readonly string[],
): Promise<ChangedTest[]> {
  const changes = []
  for (const path of paths.filter(isTestFile))
    changes.push({ path, before: await readHead(cwd, path), after: await readBase(path) })
  return changedTests(changes)
}

interface Without {
  readonly red: readonly TestFailure[]
  readonly lines: readonly string[]
}

/** What is red without the merge, by the tests that came with it, and is not red with it. */
async function lookWithout(
  options: GateOptions,
  request: RevertRequest & { readonly command: string },
  { put, tests }: { put: readonly string[]; tests: readonly ChangedTest[] },
): Promise<CheckoutUse<Without>> {
  const { number } = request.revert
  const [withMerge, without] = [`the tree with #${number}`, `the tree without #${number}`]
  const nobody = { is: 'known', tests: [], twice: [] } as const
  const used = await request.withBase((base) =>
    request.withHead(async (head): Promise<CheckoutUse<Without>> => {
      const run = { ...request, cwd: base }
      const there = await new BaseRuns(options, run, base, { here: withMerge, from: withMerge }).look({
        tests,
        head: new Set(),
        put: [],
        waiting: nobody,
      })
      const gone = await new BaseRuns(options, run, head, { here: without, from: withMerge }).look({
        tests,
        head: new Set(there.red.map(({ id }) => id)),
        put,
        waiting: nobody,
      })
      const broken = there.broken ?? gone.broken
      if (broken !== null) return { is: 'failed', why: broken }
      return { is: 'used', value: { red: gone.red, lines: [...there.lines, ...gone.lines] } }
    }),
  )
  if (used.is === 'failed') return used
  return used.value.is === 'failed' ? used.value : used.value.value
}

interface RevertSeen extends Without {
  readonly startedAt: number
  readonly revert: RevertCheck
}

function judge(options: GateOptions, { startedAt, revert, red, lines }: RevertSeen): GateResult {
  const { number, others } = revert
  const conclude = (failures: { names: string[]; message: string }[], more: readonly string[]) =>
    concludeCheck(options, { gate, startedAt, lines: [...lines, ...more], failures, warnings: [] })
  if (red.length === 0) {
    const why = `the tests that came with #${number} pass without it too: nothing shows that what it did is gone`
    // An exact inverse cannot hide anything; who has written it by hand may have.
    return others.length === 0
      ? { is: 'skipped', gate, why }
      : conclude([{ names: ['witness'], message: why }], [])
  }
  const changedTests = others.filter(isTestFile)
  if (changedTests.length > 0) {
    const why = `these tests are not as they were before #${number}, so it is not known whether those of before hold: ${changedTests.join(', ')}`
    return { is: 'skipped', gate, why }
  }
  const shown = red.map(
    ({ id, message }) => `green with #${number}, red without it: ${id}: ${message.split('\n', 1)[0]}`,
  )
  const found = conclude([], [`the suite from before #${number} is green`, ...shown])
  if (!('evidence' in found)) return found
  return { ...found, evidence: { ...found.evidence, tookBack: { number } } }
}
