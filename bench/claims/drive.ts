// Several claimers at once: how many a second, and how long the slow ones take.
import { percentile } from '../start/numbers.ts'

/** As many as a crew has agents. */
export const CLAIMERS = 10

export interface Driven {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly slowest: number
  /** Processor time of this process for one turn; the busy neighbours of a machine have no part in it. */
  readonly cpuMs: number
}

/** Each claimer takes the next turn as soon as it has finished one. */
export async function drive(turns: number, act: (turn: number) => Promise<unknown>): Promise<Driven> {
  const took: number[] = []
  let next = 0
  const claimer = async (): Promise<void> => {
    while (next < turns) {
      const turn = next
      next += 1
      const before = performance.now()
      await act(turn)
      took.push(performance.now() - before)
    }
  }
  const [before, cpu] = [performance.now(), process.cpuUsage()]
  await Promise.all(Array.from({ length: CLAIMERS }, claimer))
  const seconds = (performance.now() - before) / 1_000
  const used = process.cpuUsage(cpu)
  return {
    perSecond: turns / seconds,
    p50: percentile(took, 50),
    p99: percentile(took, 99),
    slowest: Math.max(...took),
    cpuMs: (used.user + used.system) / 1_000 / turns,
  }
}
