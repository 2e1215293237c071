// The fuel of one test: steps that the program may take, and time that these may need.

/** The program ran for longer than any sensible run of the test. */
export class OutOfFuel extends Error {
  constructor() {
    super('the test took too many steps')
    this.name = 'OutOfFuel'
  }
}

/** Steps between two looks at the clock. */
const PORTION = 1_000
// A candidate may replace what it finds.
const cpu = process.threadCpuUsage.bind(process)
/** The time of the processor that this thread has taken. */
export function cpuMs(): number {
  const { user, system } = cpu()
  return (user + system) / 1_000
}

export class Tank {
  /** Taken down by the program itself; below zero, the program asks for more. */
  left = 0
  #rest = 0
  #full = 0
  #until = 0

  /** Time of the processor: a machine that is busy elsewhere must not change a verdict. */
  fill(fuel: number, ms: number): void {
    this.#full = fuel
    this.left = Math.min(fuel, PORTION)
    this.#rest = fuel - this.left
    this.#until = cpuMs() + ms
  }

  /** The program's own call when nothing is left. */
  out(): void {
    if (this.#rest <= 0 || cpuMs() > this.#until) {
      this.#rest = 0
      throw new OutOfFuel()
    }
    this.left = Math.min(this.#rest, PORTION)
    this.#rest -= this.left
  }

  get spent(): number {
    return this.#full - this.#rest - this.left
  }

  get isDry(): boolean {
    return this.left < 0
  }
}
