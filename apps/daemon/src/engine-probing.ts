// Which engines can be used here: asked of a program of the agents', which sees of the machine what agents see.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { EngineProbes } from '@treadle/contracts/engine-probe'

const PROBE_MAIN = fileURLToPath(new URL('../../agent/src/probe.ts', import.meta.url))
const PROBE_MS = 60_000
/** An answer holds for so long: whoever installs something looks again. */
const KEPT_MS = 15_000
const OUTPUT_BYTES_MAX = 1024 * 1024

interface ProbingOptions {
  readonly root: string
  readonly env: () => Readonly<Record<string, string>>
  readonly now: () => Date
  readonly stopping: AbortSignal
}

/** One look at a time, however many ask. */
export function openEngineProbing({ root, env, now, stopping }: ProbingOptions): () => Promise<EngineProbes> {
  let kept: { readonly probes: Promise<EngineProbes>; readonly until: number } | null = null
  const look = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROBE_MAIN, '--workspace', root], {
      env: { ...env() },
      timeout: PROBE_MS,
      maxBuffer: OUTPUT_BYTES_MAX,
      signal: stopping,
    })
    return EngineProbes.parse(JSON.parse(stdout))
  }
  return async () => {
    const at = now().getTime()
    if (kept === null || kept.until <= at) kept = { probes: look(), until: at + KEPT_MS }
    try {
      return await kept.probes
    } catch (error) {
      kept = null
      throw error
    }
  }
}
