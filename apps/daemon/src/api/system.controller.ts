import { setTimeout as sleep } from 'node:timers/promises'
import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import { STEP_TYPES } from '@treadle/contracts/event'
import { readEvidence } from '@treadle/gates/evidence'
import { claimHolds } from '../holds.ts'
import { MACHINES } from '../machine-graph.ts'
import { recordOrder } from '../orders/audit.ts'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

const EVIDENCE_BYTES_MAX = 4_194_304
const RECORD_MS = 2_000

@Controller()
export class SystemController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('health')
  async health(@Given() _: GivenOf<'health'>): Promise<Answer<'health'>> {
    const { store, version, paths, startedAt, now } = this.world
    const state = await store.health()
    return {
      ok: state.ok,
      version,
      pid: process.pid,
      workspace: paths.root,
      store: state,
      uptimeMs: now().getTime() - startedAt.getTime(),
    }
  }

  @Serve('healthChecks')
  healthChecks(@Given() _: GivenOf<'healthChecks'>): Promise<Answer<'healthChecks'>> {
    return this.world.health.report()
  }

  @Serve('runHealthChecks')
  async runHealthChecks(@Given() _: GivenOf<'runHealthChecks'>): Promise<Answer<'runHealthChecks'>> {
    await this.world.health.check()
    return this.world.health.report()
  }

  @Serve('workspace')
  async workspace(@Given() _: GivenOf<'workspace'>): Promise<Answer<'workspace'>> {
    const { paths, target, testCommand, config, warnings, errors } = this.world
    return {
      root: paths.root,
      target,
      testCommand,
      config: config(),
      warnings: [...warnings()],
      errors: [...errors()],
      holds: await claimHolds(this.world),
      resting: this.world.resting.list(),
    }
  }

  @Serve('events')
  events(@Given() { query }: GivenOf<'events'>): Promise<Answer<'events'>> {
    return this.world.store.events.after(query)
  }

  @Serve('newestEvents')
  newestEvents(@Given() { query }: GivenOf<'newestEvents'>): Promise<Answer<'newestEvents'>> {
    const { limit, steps } = query
    return this.world.store.events.tail({ limit, without: steps ? [] : STEP_TYPES })
  }

  @Serve('machines')
  machines(@Given() _: GivenOf<'machines'>): Promise<Answer<'machines'>> {
    return Promise.resolve({ items: [...MACHINES] })
  }

  @Serve('evidence')
  async evidence(@Given() { params }: GivenOf<'evidence'>): Promise<Answer<'evidence'>> {
    const found = await readEvidence(this.world.paths.evidence, params.sha256, EVIDENCE_BYTES_MAX)
    if (found === null) {
      throw new ProblemError(404, {
        code: 'not_found',
        message: 'Nothing is stored under that hash.',
        hint: 'It may have been made on another machine.',
      })
    }
    return { sha256: params.sha256, bytes: found.bytes, text: found.text, truncated: !found.complete }
  }

  @Serve('shutdown')
  async shutdown(@Given() { body }: GivenOf<'shutdown'>): Promise<Answer<'shutdown'>> {
    const { by } = body
    const given = { order: 'shutdown', by, target: null, impact: 'stop the agents and the daemon' } as const
    // A daemon whose database does not answer must still be possible to end.
    const entry = { ...given, id: this.world.uuid(), outcome: 'stopping' }
    const recorded = recordOrder(this.world, entry).catch((error: unknown) =>
      this.world.log.error({ err: error }, 'the order to stop could not be written down'),
    )
    await Promise.race([recorded, sleep(RECORD_MS)])
    this.world.stop(`asked over the API by ${by}`)
    return { stopping: true }
  }
}
