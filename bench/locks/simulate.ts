// A build on a virtual clock: scripted agents take tasks by the rules of a crew, work for as long as each task takes, and
// land. Which task is offered is decided by packages/flow/src/claim, as in a crew.
import { blankItem, byQueueOrder, type Item } from '@treadle/contracts/item'
import type { FileLock } from '@treadle/contracts/lock'
import { lockInTheWay, locksOf, overlapsWork } from '@treadle/flow/claim/file-locks'
import { inTurn } from '@treadle/flow/claim/pass-over'
import { randomFrom } from '@treadle/memory/trial/draw'

/** none: the queue alone; later: what overlaps is offered last; locks: as within one build. */
export const RULES = ['none', 'later', 'locks'] as const
export type Rule = (typeof RULES)[number]

export interface Workload {
  readonly name: string
  /** The files of each task, as numbers. */
  readonly tasks: readonly (readonly number[])[]
}

export interface Simulated {
  readonly totalMinutes: number
  /** Minutes in which agents wait while there are tasks left to begin. */
  readonly idleMinutes: number
  /** Landings on a file that another task has changed since this one began. */
  readonly sameFile: number
  readonly conflicts: number
  readonly landed: number
}

export const AGENTS = 6
/** Of merges in which both sides had changed a file of one name, so many were conflicts: bench/conflicts. */
const CONFLICT_CHANCE = 0.37
/** To do a task again where it conflicts takes this share of its time. */
const AGAIN = 0.5
const BUILD = '00000000-0000-4000-8000-000000000000'
const BEGIN = Date.parse('2026-01-01T00:00:00Z')
const limits = { claimMs: 8 * 3_600_000 }

interface Working {
  readonly agent: number
  readonly item: Item
  readonly since: number
  readonly until: number
}

export function simulate({ tasks }: Workload, rule: Rule, seed: number): Simulated {
  return new Crew(tasks, rule, seed).run()
}

class Crew {
  readonly #rule: Rule
  readonly #minutes: readonly number[]
  /** For each task, whether it conflicts when it meets another one in a file; the same under every rule. */
  readonly #draws: readonly number[]
  readonly #left: Item[]
  #working: Working[] = []
  #idle = Array.from({ length: AGENTS }, (_, agent) => agent)
  /** When a file was last changed by a landing. */
  readonly #changed = new Map<string, number>()
  #now = 0
  #sum = { idleMinutes: 0, sameFile: 0, conflicts: 0, landed: 0 }

  constructor(tasks: Workload['tasks'], rule: Rule, seed: number) {
    const random = randomFrom(seed)
    this.#rule = rule
    // From a few minutes to most of an hour, as tasks of one file take.
    this.#minutes = tasks.map(() => 4 + Math.round(-12 * Math.log(1 - random())))
    this.#draws = tasks.map(() => random())
    this.#left = tasks.map((files, index) =>
      blankItem({
        number: index + 1,
        title: `task ${index + 1}`,
        createdAt: new Date(BEGIN).toISOString(),
        build: rule === 'locks' ? BUILD : null,
        files: files.map((file) => `src/${file}.ts`),
      }),
    )
  }

  run(): Simulated {
    for (;;) {
      this.#offerAll()
      const next = this.#working.toSorted((a, b) => a.until - b.until || a.agent - b.agent)[0]
      if (next === undefined) return { totalMinutes: this.#now, ...this.#sum }
      if (this.#left.length > 0) this.#sum.idleMinutes += this.#idle.length * (next.until - this.#now)
      this.#now = next.until
      this.#working = this.#working.filter((each) => each !== next)
      this.#idle.push(next.agent)
      this.#land(next)
    }
  }

  #offerAll(): void {
    for (;;) {
      const [agent] = this.#idle
      const item = agent === undefined ? undefined : this.#pick()
      if (agent === undefined || item === undefined) return
      this.#idle.shift()
      this.#left.splice(this.#left.indexOf(item), 1)
      const takes = (this.#minutes[item.number - 1] ?? 0) * (item.needsRework ? AGAIN : 1)
      this.#working.push({ agent, item, since: this.#now, until: this.#now + takes })
    }
  }

  #pick(): Item | undefined {
    const queue = this.#left.toSorted(
      (a, b) => Number(b.needsRework) - Number(a.needsRework) || byQueueOrder(a, b),
    )
    if (this.#rule === 'none') return queue[0]
    const atWork = this.#working.map(({ item }) => item)
    if (this.#rule === 'locks') {
      const locks = atWork.flatMap((item) => this.#locksOf(item))
      return queue.find((item) => lockInTheWay(item, locks) === null)
    }
    const { first, last } = inTurn(queue.map((item) => ({ item, isLater: overlapsWork(item, atWork) })))
    return first[0] ?? last[0]
  }

  #locksOf(item: Item): FileLock[] {
    return locksOf(item, { agentId: 'agent-1', now: new Date(BEGIN + this.#now * 60_000), limits })
  }

  /** Lands a task, or sends it back because it conflicts with what has landed since it began. */
  #land({ item, since }: Working): void {
    const meets = item.files.some((file) => (this.#changed.get(file) ?? -1) > since)
    if (meets) this.#sum.sameFile += 1
    if (meets && (this.#draws[item.number - 1] ?? 1) < CONFLICT_CHANCE) {
      this.#sum.conflicts += 1
      this.#left.push({ ...item, needsRework: true })
      return
    }
    this.#sum.landed += 1
    for (const file of item.files) this.#changed.set(file, this.#now)
  }
}
