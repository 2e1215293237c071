// How much memory and processor time this machine has to spare, of what this daemon may use.
import { readFileSync } from 'node:fs'
import { availableParallelism, freemem, loadavg } from 'node:os'
import type { MachineLoad } from '@treadle/flow/claim/pressure'

const MIB = 1_048_576
const GROUP = '/sys/fs/cgroup'

export function machineLoad(): MachineLoad {
  const free = Math.min(freemem(), freeInGroup() ?? Number.POSITIVE_INFINITY)
  return { memoryFreeMb: free / MIB, load: loadavg()[0] ?? 0, cores: availableParallelism() }
}

/** In a container: what is left of its memory, files in the cache not counted; null: nothing bounds it. */
function freeInGroup(): number | null {
  const max = numberIn('memory.max')
  const current = numberIn('memory.current')
  if (max === null || current === null) return null
  const cached = /^inactive_file (\d+)$/m.exec(readQuietly('memory.stat'))?.[1]
  return Math.max(0, max - current + Number(cached ?? 0))
}

function numberIn(file: string): number | null {
  const text = readQuietly(file).trim()
  return /^\d+$/.test(text) ? Number(text) : null
}

function readQuietly(file: string): string {
  try {
    return readFileSync(`${GROUP}/${file}`, 'utf8')
  } catch {
    // No such group, or no Linux.
    return ''
  }
}
