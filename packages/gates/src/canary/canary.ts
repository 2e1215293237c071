// The canary: a source file is made to fail as it is loaded, and the tests must notice. Tests that stay green run some
// other code than the tree they are started in, and nothing they say about a change can be believed.
import { randomUUID } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { Canary, CanaryRequest } from '@treadle/flow/ports/gates'
import { readForeign, writeForeign } from '@treadle/sandbox/foreign-files'
import { readEvidence } from '../evidence.ts'
import { type GateOptions, runTests } from '../tests.ts'
import { type LikelyLoaded, mostImported } from './most-imported.ts'
import { plantedText } from './plant.ts'

const triesMax = 5
const evidenceBytesMax = 64 * 1024 * 1024
const fileBytesMax = 4 * 1024 * 1024

/** Plants in up to five files, one at a time, until the tests turn red; each file is as it was afterwards. */
export async function runCanary(options: GateOptions, request: CanaryRequest): Promise<Canary> {
  const { command } = request
  if (command === null || command.trim() === '') return { is: 'nothing', why: 'there is no test command' }
  const files = filesFor(request).slice(0, triesMax)
  const before = new BeforePlanting(options, request)
  const tried: LikelyLoaded[] = []
  for (const file of files) {
    if (request.signal?.aborted) return { is: 'nothing', why: 'it was interrupted' }
    const notice = await noticed(options, request, { file: file.path, before })
    if (notice === 'seen') return { is: 'sees', file: file.path }
    if (notice in endings) return { is: 'nothing', why: endings[notice as keyof typeof endings] }
    if (notice === 'green') tried.push(file)
  }
  if (tried.length === 0) return { is: 'nothing', why: 'there is no source file to plant in' }
  // Tests that load none of these would stay green, too: only where one names a file, its silence means something.
  return tried.some(({ byTest }) => byTest)
    ? { is: 'blind', files: tried.map(({ path }) => path), command }
    : { is: 'nothing', why: 'the tests name no source file that could be planted in' }
}

/** What ends the search without an answer. */
const endings = {
  'no tests': 'the command ran no tests',
  'red anyway': 'the tests are red without a change',
} as const

function filesFor({ files, cwd }: CanaryRequest): readonly LikelyLoaded[] {
  return files === undefined ? mostImported(cwd) : files.map((path) => ({ path, byTest: true }))
}

type Notice = 'seen' | 'green' | 'no tests' | 'red anyway' | 'not planted'

async function noticed(
  options: GateOptions,
  request: CanaryRequest,
  { file, before }: { file: string; before: BeforePlanting },
): Promise<Notice> {
  const { cwd } = request
  const token = `canary-${randomUUID()}`
  const text = readForeign(cwd, join(cwd, file), fileBytesMax)?.toString('utf8')
  const planted = text === undefined ? null : plantedText(file, text, token)
  if (text === undefined || planted === null) return 'not planted'
  // Where it really is: a link in the tree stays one, and what the tests put there instead is not written through.
  const path = realpathSync(join(cwd, file))
  const { mode } = statSync(path)
  writeForeign(cwd, path, planted, mode & 0o777)
  let result: GateResult
  try {
    result = await runTests(options, request)
  } finally {
    writeForeign(cwd, path, text, mode & 0o777)
  }
  if (result.is === 'not_run') return 'no tests'
  if (result.is !== 'failed') return hasTests(result) ? 'green' : 'no tests'
  if (await tells(options, result, token)) return 'seen'
  // Red without the token: a compiler may not quote the line. It counts if the tests are not as red without it.
  const without = await before.failures()
  if (without === 0) return 'seen'
  if (without !== null && result.failures.length !== without) return 'seen'
  return 'red anyway'
}

function hasTests(result: GateResult): boolean {
  if (!('evidence' in result)) return false
  const { report } = result.evidence
  // Without a report nobody knows; a command that is green whatever is planted is told as blind.
  return report === null || report.format === 'none' || report.passed > 0
}

async function tells(options: GateOptions, result: GateResult, token: string): Promise<boolean> {
  if (!('evidence' in result)) return false
  const { tail, output, report } = result.evidence
  if (tail.includes(token) || (report?.failures ?? []).some(({ message }) => message.includes(token)))
    return true
  const kept = await readEvidence(options.evidenceDir, output, evidenceBytesMax)
  return kept?.text.includes(token) ?? false
}

/** How many tests fail where nothing is planted; found out once, and only if it is asked. */
class BeforePlanting {
  readonly #options: GateOptions
  readonly #request: CanaryRequest
  #failures: Promise<number | null> | null = null

  constructor(options: GateOptions, request: CanaryRequest) {
    this.#options = options
    this.#request = request
  }

  /** Null: the tests did not run. */
  failures(): Promise<number | null> {
    this.#failures ??= runTests(this.#options, this.#request).then((result) => {
      if (result.is === 'not_run') return null
      return result.is === 'failed' ? result.failures.length : 0
    })
    return this.#failures
  }
}
