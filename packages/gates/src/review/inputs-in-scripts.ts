// Functions of JavaScript and TypeScript, called by the repair engine's own runner.
import type { CompareInputs, ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { planCalls } from '../inputs/plan-calls.ts'
import { type TextChange, writtenByScripts } from '../inputs/written-in.ts'
import { isScript } from '../integrity/test-conventions.ts'
import { sortChange } from './changed-tests.ts'
import { readHead } from './head.ts'
import type { LookedInputs } from './looked-inputs.ts'
import { testedFunctions } from './tested-functions.ts'

/** As many are tried on a slow machine as on a quick one. */
const candidatesMax = 400
/** Far more than they need, unless the tests are slow. */
const searchMs = 40_000
const budgetMs = 120_000

export async function lookAtScripts(
  request: ReviewChecksRequest,
  compare: CompareInputs,
): Promise<LookedInputs> {
  const changes = await changedTexts(request)
  if (!changes.some(({ path }) => isScript(path)))
    return { is: 'skipped', why: 'no JavaScript or TypeScript was changed' }
  const { functions, impure } = await testedFunctions(request)
  if (functions.length === 0) return { is: 'skipped', why: whyNone(impure) }
  const written = writtenByScripts(changes)
  const plan = planCalls(functions, written)
  const order = {
    cwd: request.cwd,
    base: Object.fromEntries(changes.map(({ path, before }) => [path, before])),
    calls: [...plan.calls],
    candidatesMax,
    searchMs,
    budgetMs,
  }
  const compared = await compare(order, request.signal)
  return compared.is === 'not_run' ? compared : { is: 'looked', plan, compared, written }
}

/** Why nothing is called. */
export function whyNone(impure: ReadonlyMap<string, string>): string {
  const [first] = impure
  const none = 'no test calls a function of the change with inputs that are written out'
  return first === undefined ? none : `${first[0]} reaches for more than its arguments: ${first[1]}`
}

/** The changed code and data, not the tests. */
async function changedTexts({ cwd, changed, readBase }: ReviewChecksRequest): Promise<TextChange[]> {
  const paths = sortChange(changed).code.filter((path) => isScript(path) || path.endsWith('.json'))
  return Promise.all(
    paths.map(async (path) => ({ path, before: await readBase(path), after: await readHead(cwd, path) })),
  )
}
