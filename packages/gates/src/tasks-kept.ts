// The gate of files of other tasks: what one task of a build has made, no other one takes away.
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { DeliveryGateRequest, OtherTask } from '@treadle/flow/ports/gates'
import { concludeCheck } from './check-report.ts'
import type { GateOptions } from './tests.ts'

/** Null: the change is of no task, or touches no file of another one. */
export async function checkTasksKept(
  options: GateOptions,
  request: DeliveryGateRequest,
): Promise<GateResult | null> {
  const startedAt = performance.now()
  const changed = new Set(request.changed)
  const touched = (request.others ?? []).filter(({ file }) => changed.has(file))
  if (touched.length === 0) return null
  const gone: OtherTask[] = []
  for (const other of touched) {
    const before = await request.readBase(other.file)
    if (before !== null && before.trim() !== '' && isGone(join(request.cwd, other.file))) gone.push(other)
  }
  return concludeCheck(options, {
    gate: 'tasks_kept',
    startedAt,
    lines: touched.map(({ task, file }) => `looked at ${file}, the file of task ${task}`),
    failures: gone.map(({ task, file }) => ({
      names: ['files of other tasks'],
      file,
      message: `this is the file of task ${task} of the same build: put it back, and change your own file only`,
    })),
    warnings: [],
  })
}

/** More of nothing but blanks is what somebody has written. */
const BLANKS_MAX = 65_536

/** Emptied, or replaced by what is no file, such as a link to another one, is gone as well. */
function isGone(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile()) return true
  return found.size <= BLANKS_MAX && readFileSync(path, 'utf8').trim() === ''
}
