// The daemon of the month: its real parts over the embedded database, with the edges played and the jobs in a list.
import { mkdirSync } from 'node:fs'
import type { Category } from '@treadle/contracts/categories'
import type { Config } from '@treadle/contracts/config'
import { compose } from '@treadle/daemon/compose'
import { readEnv } from '@treadle/daemon/env'
import { jobDied, jobHandlers } from '@treadle/daemon/jobs/serve-jobs'
import type { World } from '@treadle/daemon/world'
import { bindAdvance } from '@treadle/flow/advance'
import { CONSEQUENCES } from '@treadle/flow/consequences'
import { messageOf } from '@treadle/flow/fault'
import type { JobData, JobName, Jobs } from '@treadle/flow/ports/jobs'
import pino from 'pino'
import { cleanEnv } from '../../scenarios/env.ts'
import { makeOwnerKey, makeWorkspace } from '../../scenarios/kit/workspace.ts'
import type { Chance } from './chance.ts'
import { PlayedRepository, played } from './edges.ts'
import type { MonthClock } from './month-clock.ts'

/** A fault that was planted, or nothing: the world as the daemon's own stages and sweeps see it. */
export type Plant = (world: World) => World

export interface MonthWorld {
  readonly world: World
  /** The settings as they are, whatever was planted. */
  readonly config: Config
  readonly repository: PlayedRepository
  /** What the daemon has to do, done one after the other until nothing is left. */
  readonly work: () => Promise<void>
  /** Once the looks at the budgets are over that nobody waits for. */
  readonly settled: () => Promise<void>
  /** What the daemon has written to its log about things that failed. */
  readonly complaints: readonly string[]
  readonly close: () => Promise<void>
}

interface Order {
  readonly clock: MonthClock
  readonly chance: Chance
  readonly plant: Plant
  readonly settings: object
}

/** Packages that the played repository asks for; ideas that count on others are refused. */
const PACKAGES = ['zod', 'pino']

export async function openMonth({ clock, chance, plant, settings }: Order): Promise<MonthWorld> {
  const workspace = makeWorkspace({ settings })
  const closing = new AsyncDisposableStack()
  closing.defer(() => workspace.remove())
  const stopping = new AbortController()
  closing.defer(() => stopping.abort())
  mkdirSync(workspace.paths.logs, { recursive: true })
  makeOwnerKey(workspace.home)
  const complaints: string[] = []
  const { world: composed } = await compose({
    root: workspace.root,
    env: readEnv(cleanEnv(workspace.home)),
    clock,
    schema: undefined,
    version: '0.0.0',
    log: pino({ level: 'error', base: null }, { write: (line: string) => void complaints.push(line.trim()) }),
    stop: () => undefined,
    stopping: stopping.signal,
    trial: false,
    ideas: false,
    closing,
    probe: async () => ({ is: 'none', why: 'nothing foreign is run' }),
  })
  const queue = new JobList()
  // The one object that everybody who sends jobs has: pg-boss goes by the time of the database.
  Object.assign(composed.store.jobs, queue.jobs)
  const repository = new PlayedRepository()
  let looking = Promise.resolve()
  const budget = played(composed.budget, {
    look: (by: World) => {
      looking = composed.budget.look(by)
      return looking
    },
  })
  const world = plant({ ...withEdges(composed, { repository, chance }), budget })
  const handlers = jobHandlers(world)
  const work = () => queue.work(handlers, (name, job, why) => jobDied(world, name, job, why))
  const config = composed.config()
  return {
    world,
    config,
    repository,
    work,
    settled: () => looking,
    complaints,
    close: () => closing.disposeAsync(),
  }
}

function withEdges(
  composed: World,
  { repository, chance }: { readonly repository: PlayedRepository; readonly chance: Chance },
): World {
  const { store, now, config } = composed
  const moving = bindAdvance({ store, now, config, consequences: CONSEQUENCES })
  return {
    ...composed,
    ...moving,
    uuid: () => chance.uuid(),
    git: repository.git(),
    source: repository.source(),
    gates: repository.gates(),
    reviewChecks: null,
    // Its agents are no processes, and the machine that this runs on is not the one they would have.
    crew: played(composed.crew, {
      tick: async () => undefined,
      keepToCores: async () => undefined,
      followReviewer: async () => undefined,
    }),
    pressure: played(composed.pressure, { look: async () => undefined, hold: async () => null }),
    // What it is told by the database comes when that has time, and the month must not depend on it.
    thoughtWatch: played(composed.thoughtWatch, { areOpen: () => store.thoughts.areOpen() }),
    categoryPrompts: played(composed.categoryPrompts, {
      install: () => undefined,
      prompt: async (category: Category) => ({ is: 'prompt', text: `An improvement in ${category}.` }),
      packages: async () => PACKAGES,
    }),
  }
}

type Waiting = { readonly [N in JobName]: { readonly name: N; readonly job: JobData[N] } }[JobName]
type Runs = ReturnType<typeof jobHandlers>
type Died = (name: JobName, job: JobData[JobName], why: string) => Promise<void>

/** More than one thing that happens can lead to; beyond it, jobs lead to jobs for ever. */
const JOBS_AT_ONCE_MAX = 1_000

/** Jobs in the order in which they were sent, each once while it waits. */
class JobList {
  readonly #waiting: Waiting[] = []

  readonly jobs: Jobs = {
    send: async (name, job) => this.#add({ name, job } as Waiting),
    sendIfLost: async (name, job) => this.#add({ name, job } as Waiting),
  }

  #add(waiting: Waiting): void {
    const key = JSON.stringify(waiting)
    if (!this.#waiting.some((each) => JSON.stringify(each) === key)) this.#waiting.push(waiting)
  }

  async work(runs: Runs, died: Died): Promise<void> {
    const { signal } = new AbortController()
    for (let done = 0; this.#waiting.length > 0; done += 1) {
      if (done > JOBS_AT_ONCE_MAX) throw new Error('jobs lead to jobs without an end')
      const next = this.#waiting.shift()
      if (next === undefined) return
      try {
        await (runs[next.name] as (job: unknown, signal: AbortSignal) => Promise<void>)(next.job, signal)
      } catch (error) {
        await died(next.name, next.job, messageOf(error))
      }
    }
  }
}
