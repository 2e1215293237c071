// The task that everybody does: so many steps, each one answer of a model and one reading of a small file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const FILE = 'note.txt'

export interface Task {
  readonly steps: number
  readonly cwd: string
  close(): void
}

export function makeTask(steps: number): Task {
  const cwd = mkdtempSync(join(tmpdir(), 'treadle-step-'))
  writeFileSync(join(cwd, FILE), 'One line that is read again and again.\n')
  return { steps, cwd, close: () => rmSync(cwd, { recursive: true, force: true }) }
}

/** The tool, for who has none of its own. */
export const readNote = ({ cwd }: Task): string => readFileSync(join(cwd, FILE), 'utf8')

export interface Timed {
  readonly stepMs: number
  /** Processor time of this process alone; it suffers less from neighbours. */
  readonly cpuMs: number
  /** Heap that is still held for each step when the last one is done. */
  readonly stepBytes: number
}

/** `run` returns what it would keep between steps, so that it is not collected before it was measured. */
export async function timed({ steps }: Task, run: () => Promise<unknown>): Promise<Timed> {
  const before = heap()
  const started = performance.now()
  const used = process.cpuUsage()
  const held = await run()
  const stepMs = (performance.now() - started) / steps
  const { user, system } = process.cpuUsage(used)
  const stepBytes = Math.max(0, heap() - before) / steps
  if (held === undefined) throw new Error('nothing was held')
  return { stepMs, cpuMs: (user + system) / 1_000 / steps, stepBytes }
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
