// Runs tests once more and notes what each single one runs. Nothing is judged by it.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TestFailure } from '@treadle/contracts/gate'
import { boundedText } from '@treadle/process/bounded-file'
import { type GateOptions, runGateCommand, whereShown } from '../tests.ts'
import { type RanTest, ReachRecord } from './code-parts.ts'
import { commandFor } from './collect.ts'
import { readCall, shellWord, subsetCommand } from './plain-call.ts'
import { withPath } from './run-selected.ts'

export interface ReachRequest {
  readonly cwd: string
  readonly command: string
  readonly failures: readonly TestFailure[]
  readonly timeoutMs: number
  /** How long the tests took before. */
  readonly tookMs: number
  readonly signal?: AbortSignal | undefined
}

const recorder = fileURLToPath(new URL('./reach-recorder.cjs', import.meta.url))
const provider = fileURLToPath(new URL('./vitest-reach.mjs', import.meta.url))
const recordBytesMax = 64 * 1024 * 1024
const recordsMax = 1_000

/** Null where the runner cannot be watched or nothing was written down. */
export async function recordReach(options: GateOptions, request: ReachRequest): Promise<RanTest[] | null> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'record-')))
  const into = join(scratch, 'out')
  mkdirSync(into)
  try {
    const root = await whereShown(options, realpathSync(request.cwd))
    const watching: Watching = { options, request, root, scratch, into }
    const how = watchedRun(watching)
    if (how === null) return null
    const { cwd, timeoutMs, signal } = request
    const { command, env } = how
    await runGateCommand(options, { command, cwd, env, timeoutMs, signal, writable: [scratch] })
    const tests = readRecords(into)
    return tests.length === 0 ? null : tests
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Watching {
  readonly options: GateOptions
  readonly request: ReachRequest
  /** The folder of the project, as the command knows it. */
  readonly root: string
  readonly scratch: string
  readonly into: string
}
interface WatchedRun {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
}

/** The whole suite if it is short, since passing tests say what is not to blame; else the failing files. */
function watchedRun(watching: Watching): WatchedRun | null {
  const { options, request } = watching
  const isShort = request.tookMs * 3 < request.timeoutMs
  const call = readCall(request.command, request.cwd)
  if (call.is === 'not_possible') {
    return isShort ? { command: request.command, env: preloaded(watching, options.env) } : null
  }
  const { env } = withPath({ ...options, env: { CI: 'true', ...options.env } }, call.binFolders)
  const command = isShort ? commandFor(call, undefined) : failingFiles(request)
  if (command === null) return null
  switch (call.runner) {
    case 'node':
      return { command, env: preloaded(watching, env) }
    case 'vitest': {
      const flags = vitestFlags(watching)
      return flags === null ? null : { command: `${command} ${flags}`, env }
    }
    default:
      return null
  }
}

function failingFiles({ command, cwd, failures }: ReachRequest): string | null {
  const files = [...new Set(failures.flatMap(({ file }) => file ?? []))]
  const subset = subsetCommand(command, cwd, { files })
  return subset.is === 'command' ? subset.command : null
}

function preloaded({ root, scratch, into }: Watching, env: WatchedRun['env']): WatchedRun['env'] {
  const file = join(scratch, 'preload.cjs')
  const call = `recordNodeTests(${JSON.stringify({ root, into })})`
  writeFileSync(file, `require(${JSON.stringify(recorder)}).${call}\n`)
  return { CI: 'true', ...env, NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} --require "${file}"`.trim() }
}

function vitestFlags({ root, scratch, into }: Watching): string | null {
  const file = join(scratch, 'provider.mjs')
  const source = [
    `import { makeReachProvider } from ${JSON.stringify(pathToFileURL(provider).href)}`,
    `export default makeReachProvider(${JSON.stringify({ root, into, scratch })})`,
  ]
  writeFileSync(file, `${source.join('\n')}\n`)
  const at = shellWord(file)
  return at === null
    ? null
    : `--coverage.enabled=true --coverage.provider=custom --coverage.customProviderModule=${at}`
}

function readRecords(into: string): RanTest[] {
  return readdirSync(into)
    .sort()
    .slice(0, recordsMax)
    .flatMap((name) => {
      const text = boundedText(join(into, name), recordBytesMax)
      if (text === null) return []
      try {
        return ReachRecord.parse(JSON.parse(text))
      } catch {
        // A process that was ended in the middle of writing.
        return []
      }
    })
}
