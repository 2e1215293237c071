// The failures that the project's own test command shows, as the tests gate reads them: what a crew would hand to the
// search. Null where nobody can tell, as where the runner is not installed.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestFailure } from '@treadle/contracts/gate'
import { failuresIn, isCommandAlone } from '@treadle/flow/verify/failure/evidence'
import { openGates } from '@treadle/gates/gates'
import { unconfined } from '@treadle/gates/run-command'
import { withoutKeys } from '@treadle/sandbox/environment'

interface Shown {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 5 * 60_000
const TAIL_BYTES = 8_192

export async function shownFailures(
  cwd: string,
  command: string,
  { env, signal }: Shown,
): Promise<readonly TestFailure[] | null> {
  const evidenceDir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-shown-')))
  try {
    const gates = openGates({
      evidenceDir,
      env: withoutKeys(env),
      tailBytes: TAIL_BYTES,
      surroundings: unconfined('the fixes of a history are measured by whoever owns it, on a copy of it'),
    })
    const result = await gates.runTests({ cwd, command, timeoutMs: TIMEOUT_MS, signal })
    signal.throwIfAborted()
    // What fails without a failing test, as a build, says nothing about tests.
    return result.is === 'failed' && !isCommandAlone([result]) ? failuresIn([result]) : null
  } finally {
    rmSync(evidenceDir, { recursive: true, force: true })
  }
}
