// Which functions a failing test reaches by its sources, and, where the runner allows it, what each test really ran.
import type { CodePart, FailureHints } from '@treadle/contracts/failure'
import type { HintsRequest } from '@treadle/flow/ports/gates'
import { readFailureHints } from './failure-hints.ts'
import { codeParts, type RanTest } from './regression/code-parts.ts'
import { fileHash } from './regression/map.ts'
import { recordReach } from './regression/reach.ts'
import type { GateOptions } from './tests.ts'

const watchMsMax = 60_000
const failuresMax = 300

/** The same failures on the same files are watched once: they are asked about after the tests and before a fix. */
interface Watched {
  readonly key: string
  readonly files: ReadonlyMap<string, string>
  readonly parts: readonly CodePart[]
}

export function openHints(options: GateOptions): (request: HintsRequest) => Promise<FailureHints> {
  let last: Watched | null = null
  return async (request) => {
    const { cwd, failures } = request
    const read = readFailureHints(cwd, failures)
    const ids = new Set(failures.map(({ id }) => id))
    // One failing test is one group, whatever it ran.
    if (options.trace !== true || request.run === undefined || ids.size < 2 || ids.size > failuresMax)
      return read
    const key = JSON.stringify([cwd, request.run.command, failures.map(({ id, message }) => [id, message])])
    if (last?.key !== key || !isAsItWas(cwd, last.files)) {
      last = await watch(options, { ...request, run: request.run }, { key, ids })
    }
    return last.parts.length === 0 ? read : { ...read, parts: last.parts }
  }
}

type RunRequest = HintsRequest & { readonly run: NonNullable<HintsRequest['run']> }

async function watch(
  options: GateOptions,
  { cwd, failures, run }: RunRequest,
  { key, ids }: { key: string; ids: ReadonlySet<string> },
): Promise<Watched> {
  const { command, tookMs, signal } = run
  const timeoutMs = Math.min(run.timeoutMs, watchMsMax)
  const request = { cwd, command, failures, timeoutMs, tookMs, signal }
  let tests: RanTest[] | null = null
  try {
    tests = await recordReach(options, request)
  } catch {
    // Without it the sources alone say what they can.
  }
  const paths = new Set((tests ?? []).flatMap(({ ran }) => ran.map(([path]) => path)))
  const files = new Map([...paths].map((path) => [path, fileHash(cwd, path)]))
  return { key, files, parts: codeParts(tests ?? [], ids) }
}

function isAsItWas(cwd: string, files: ReadonlyMap<string, string>): boolean {
  return [...files].every(([path, hash]) => fileHash(cwd, path) === hash)
}
