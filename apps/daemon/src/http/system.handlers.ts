import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '@treadle/contracts/client'
import { engineSandbox } from '@treadle/contracts/config/sandbox'
import { STEP_TYPES } from '@treadle/contracts/event'
import { pageKeyOf } from '@treadle/contracts/page-session'
import type { Resources } from '@treadle/contracts/resources'
import type { systemRoutes } from '@treadle/contracts/routes/system'
import { wantsCode } from '@treadle/flow/review/confirm-code'
import { readEvidence } from '@treadle/gates/evidence'
import { unconfinedNote } from '@treadle/sandbox/note'
import { MACHINES } from '../machine-graph.ts'
import { claimHolds } from '../offers/holds.ts'
import { recordOrder } from '../orders/audit.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { pageSessions } from './page-sessions.ts'
import { ProblemError } from './problem.ts'

const EVIDENCE_BYTES_MAX = 4_194_304
const RECORD_MS = 2_000

export const systemHandlers = {
  async health(world) {
    const { store, version, paths, startedAt, startId, now } = world
    const state = await store.health()
    return {
      ok: state.ok,
      version,
      pid: process.pid,
      workspace: paths.root,
      store: state,
      uptimeMs: now().getTime() - startedAt.getTime(),
      startId,
    }
  },

  healthChecks(world) {
    return world.health.report()
  },

  async runHealthChecks(world) {
    await world.health.check()
    return world.health.report()
  },

  async workspace(world, { caller }) {
    const { paths, target, testCommand, config, warnings, errors, asUser } = world
    return {
      root: paths.root,
      target,
      testCommand,
      config: config(),
      warnings: [...warnings()],
      errors: [...errors()],
      key: caller.key,
      decisions: decisionsOf(world),
      asUser,
      unconfined: await unconfinedNote(engineSandbox(config()).mode),
      holds: await claimHolds(world),
      testsSeeChanges: world.readiness.found()?.is === 'sees',
      readiness: world.readiness.readiness(),
      resting: world.cooldowns.list(),
      resources: resourcesOf(world),
    }
  },

  readiness(world) {
    return Promise.resolve(world.readiness.readiness())
  },

  checkReadiness(world) {
    return Promise.resolve(world.readiness.again())
  },

  async pageKey(world, { caller }) {
    return { pageKey: await pageKeyOf(caller.key === 'owner' ? world.ownerKey : world.token) }
  },

  openSession(world, { caller, setCookie }) {
    const { secret, proof } = pageSessions(world).open(caller.key)
    setCookie(secret)
    return { proof }
  },

  endSession(world, { body, setCookie }) {
    pageSessions(world).end(body.proof)
    setCookie(null)
    return {}
  },

  events(world, { query }) {
    return world.store.events.after(query)
  },

  newestEvents(world, { query }) {
    const { limit, steps } = query
    return world.store.events.tail({ limit, without: steps ? [] : STEP_TYPES })
  },

  machines() {
    return Promise.resolve({ items: [...MACHINES] })
  },

  async evidence(world, { params }) {
    const found = await readEvidence(world.paths.evidence, params.sha256, EVIDENCE_BYTES_MAX)
    if (found === null) {
      throw new ProblemError(404, {
        code: 'not_found',
        message: 'Nothing is stored under that hash.',
        hint: 'It may have been made on another machine.',
      })
    }
    return { sha256: params.sha256, bytes: found.bytes, text: found.text, truncated: !found.complete }
  },

  async shutdown(world, { body }) {
    const { by } = body
    const given = { order: 'shutdown', by, target: null, impact: 'stop the agents and the daemon' } as const
    // A daemon whose database does not answer must still be possible to end.
    const entry = { ...given, id: world.uuid(), outcome: 'stopping' }
    const recorded = recordOrder(world, entry).catch((error: unknown) =>
      world.log.error({ err: error }, 'the order to stop could not be written down'),
    )
    await Promise.race([recorded, sleep(RECORD_MS)])
    world.stop(`asked over the API by ${by}`)
    return { stopping: true }
  },
} satisfies HandlersOf<typeof systemRoutes>

function resourcesOf({ pressure, crew, modelCalls, config }: World): Resources {
  const { memoryFreeMb, load, since } = pressure.found()
  const { count, agents, why } = crew.cores.found()
  return {
    cores: { count, agents, why },
    memoryFreeMb,
    load,
    pressure: pressure.words(),
    since: since?.toISOString() ?? null,
    calls: { atOnce: config().limits.callsAtOnce, ...modelCalls.counts() },
  }
}

function decisionsOf({ isolation, config }: World): Answer<'workspace'>['decisions'] {
  const { is, why } = isolation()
  const code = wantsCode(config().approval.confirm, is)
  return { restsOn: code && is === 'nothing' ? 'code' : is, code, why }
}
