// Has the database's WASM compiled once for all later starts, by a process that gives way to everybody else.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@treadle/flow/fault'
import { compiledPath } from './template.ts'

export interface KeepCompiledOptions {
  /** Where templates and compiled code are. */
  readonly dir: string
  /** A database directory that may be copied. */
  readonly template: string
  /** The file that compiles. */
  readonly program: URL
  readonly log: (message: string) => void
  readonly signal: AbortSignal
}

/** Compiling takes less than this; whoever made none in that time does not make it any more. */
const MAKING_MS_MAX = 900_000

/** Never rejects: a daemon without it only starts more slowly. All that takes long is done by the other process. */
export async function keepCompiled(options: KeepCompiledOptions): Promise<void> {
  const { dir, template, log, signal } = options
  const file = compiledPath(dir)
  if (existsSync(file) || existsSync(`${file}.refused`) || !existsSync(template)) return
  let scratch: string | null = null
  try {
    if (!begin(`${file}.making`)) return
    scratch = mkdtempSync(`${file}.new-`)
    const made = join(scratch, 'compiled')
    const why = (await run(options, ['make', template, made])) ?? (await run(options, ['check', made]))
    if (signal.aborted) return
    if (why === null) renameSync(made, file)
    // This Node cannot do it; the next one may.
    else writeFileSync(`${file}.refused`, `${why}\n`)
  } catch (error) {
    if (!signal.aborted) log(`the database could not be compiled ahead: ${messageOf(error)}`)
  } finally {
    if (scratch !== null) {
      await rm(scratch, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
      rmSync(`${file}.making`, { force: true })
    }
  }
}

/** One at a time, whoever it is. */
function begin(mark: string): boolean {
  try {
    if (Date.now() - statSync(mark).mtimeMs > MAKING_MS_MAX) rmSync(mark, { force: true })
  } catch {
    // No mark is there.
  }
  try {
    writeFileSync(mark, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** Runs the program; null: done, else how it ended. */
async function run(
  { program, signal }: KeepCompiledOptions,
  args: readonly string[],
): Promise<string | null> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], { stdio: 'ignore', env: {} })
  const end = () => child.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
  const [code, by] = (await once(child, 'exit')) as [number | null, string | null]
  signal.removeEventListener('abort', end)
  return code === 0 ? null : (by ?? `exit code ${code}`)
}
