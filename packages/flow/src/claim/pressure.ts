// Whether the machine has enough memory and processor time for more work at once. Pure.

export interface MachineLoad {
  /** What can be had without anything being swapped out. */
  readonly memoryFreeMb: number
  /** Programs that ran or waited to run, on average over the last minute. */
  readonly load: number
  readonly cores: number
}

export interface PressureLimits {
  readonly memoryFreeMb: number
  readonly loadPerCore: number
}

/** What is short. */
export interface Pressure {
  readonly memory: boolean
  readonly load: boolean
}

export const NO_PRESSURE: Pressure = { memory: false, load: false }

/** A shortage is over only well past the limit, so that it does not come and go with each look. */
const MEMORY_ENOUGH = 1.25
const LOAD_ENOUGH = 0.8

export function judgePressure(now: MachineLoad, limits: PressureLimits, was: Pressure): Pressure {
  const { memoryMb, load } = marksOf(now, limits, was)
  return { memory: now.memoryFreeMb < memoryMb, load: now.load > load }
}

/** Memory below the one, or load above the other, is a shortage. */
function marksOf({ cores }: Pick<MachineLoad, 'cores'>, limits: PressureLimits, was: Pressure) {
  const load = limits.loadPerCore * Math.max(1, cores)
  return {
    memoryMb: was.memory ? limits.memoryFreeMb * MEMORY_ENOUGH : limits.memoryFreeMb,
    load: was.load ? load * LOAD_ENOUGH : load,
  }
}

export function isPressed({ memory, load }: Pressure): boolean {
  return memory || load
}

/** One sentence for each shortage; none: there is enough. */
export function pressureWords(now: MachineLoad, limits: PressureLimits, pressure: Pressure): string[] {
  const until = marksOf(now, limits, pressure)
  return [
    ...(pressure.memory
      ? [
          `memory is short: ${Math.round(now.memoryFreeMb)} MB are free, ${Math.ceil(until.memoryMb)} MB are wanted (limits.memoryFreeMb is ${limits.memoryFreeMb})`,
        ]
      : []),
    ...(pressure.load
      ? [
          `the machine is overloaded: its load is ${rounded(now.load)}, ${rounded(until.load)} is wanted (limits.loadPerCore is ${limits.loadPerCore}, cores ${now.cores})`,
        ]
      : []),
  ]
}

/** So many agents work at once under pressure: the crew goes on, and nothing is added. */
const AT_WORK_MAX = 1

/** Why nobody claims more; null: somebody may. `others` are agents at work beside the one that asks. */
export function pressureHold(words: readonly string[], others: number): string | null {
  if (words.length === 0 || others < AT_WORK_MAX) return null
  return `${words.join(', and ')}; until there is enough, one agent works at a time`
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
