// The one place of the agent where adapters meet the flow.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTokenCounter } from '@treadle/context/tokens'
import { type Answer, ApiError } from '@treadle/contracts/client'
import type { AgentId } from '@treadle/contracts/ids'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports'
import { openGates } from '@treadle/gates/gates'
import { openWorktreeGit } from '@treadle/git/worktree'
import { takeAgentLock } from './agent-lock.ts'
import { ClaimWatch } from './claim-watch.ts'
import { engineOf, firstEngineOf, memoryOf } from './engines.ts'
import { findHome, type Home, isAway } from './home.ts'
import { AgentSessionFile } from './session-file.ts'
import { openSpool, type Spool, type SpoolEntry } from './spool.ts'
import { Vitals } from './vitals.ts'
import type { Bench, Journal } from './work.ts'

export interface Agent {
  readonly id: AgentId
  readonly home: Home
  readonly clock: Clock
  readonly vitals: Vitals
  readonly log: (message: string) => void
  bench(): Bench
  /** Reads the workspace's settings again. */
  refresh(): Promise<void>
  /** Waits until everything written down has been told. */
  drain(signal: AbortSignal): Promise<void>
  /** Aborts when the daemon says that this run's claim is gone. */
  watchClaim(runId: string): AbortSignal
  close(): Promise<void>
}

export const clock: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
}

const log = (message: string) => process.stderr.write(`${new Date().toISOString()} ${message}\n`)

export async function openAgent(
  paths: WorkspacePaths,
  id: AgentId,
  options: { env: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<Agent> {
  const lock = takeAgentLock(paths.locks, id)
  if (lock.is === 'held') throw new Fault('agent', `${id} is already running in ${paths.root}`)
  const home = findHome(paths)
  let settings = await fetchSettings(home, options.signal)
  const claim = new ClaimWatch()
  const spool = await openSpool({
    file: `${paths.spool}/${id}.jsonl`,
    clock,
    log,
    send: (entry) => send(home, entry),
    onRejected: (entry, why) => {
      log(`${entry.event.type} was not accepted: ${why}`)
      claim.lose(entry.runId, why)
    },
  })
  spool.start()
  const session = new AgentSessionFile({ workspace: paths.root, agentId: id, clock, log })
  const vitals = new Vitals(
    {
      id,
      home,
      session,
      log,
      engine: settings.config.engines.default,
      everyMs: settings.config.limits.heartbeatMs,
      // While something is still to be told, the daemon's view is behind and says nothing.
      heldRun: () => (spool.pending() > 0 ? null : claim.runId),
      onLost: (runId) => claim.lose(runId, 'the claim has ended'),
    },
    await session.read(),
  )
  vitals.start()
  vitals.change({
    status: 'idle',
    currentProjectNumber: null,
    currentPhase: null,
    branchName: null,
    currentTaskDescription: null,
  })
  return {
    id,
    home,
    clock,
    vitals,
    log,
    bench: () => ({
      id,
      paths,
      clock,
      log,
      counter: openTokenCounter,
      journal: journalOf(spool),
      ...tools(paths, settings, { env: options.env, home }),
      onPhase: (item, branch) => vitals.change({ currentPhase: item.state, branchName: branch }),
    }),
    refresh: async () => {
      settings = await fetchSettings(home, options.signal)
    },
    drain: async (signal) => {
      while (!signal.aborted && !(await spool.drained(1_000)));
    },
    watchClaim: (runId) => claim.begin(runId),
    close: async () => {
      vitals.stop()
      await session.update({ status: 'stopped' })
      await spool.close()
      lock.release()
    },
  }
}

function journalOf(spool: Spool): Journal {
  return {
    append: (event, { run, fence }) =>
      spool.append({ eventId: randomUUID(), runId: run.id, fence, event, at: clock.now().toISOString() }),
  }
}

/** What the settings of the moment mean in adapters. */
function tools(
  paths: WorkspacePaths,
  { config, target, testCommand }: Answer<'workspace'>,
  { env, home }: { env: Readonly<Record<string, string>>; home: Home },
) {
  const memory = memoryOf(home, log)
  const choice = { config, paths, memory }
  return {
    config,
    target,
    testCommand,
    env,
    lessons: memory,
    git: openWorktreeGit({ repository: paths.root, env }),
    gates: openGates({ evidenceDir: paths.evidence, env, tailBytes: config.limits.outputTailBytes }),
    engine: engineOf(choice),
    first: firstEngineOf(choice),
  }
}

async function fetchSettings(home: Home, signal: AbortSignal) {
  for (;;) {
    try {
      return await home.client().workspace()
    } catch (error) {
      if (!isAway(error)) throw error
      await clock.sleep(500, signal)
    }
  }
}

async function send(home: Home, entry: SpoolEntry) {
  try {
    await home.client().reportRun({
      params: { id: entry.runId },
      body: { eventId: entry.eventId, fence: entry.fence, event: entry.event },
    })
    return { is: 'accepted' } as const
  } catch (error) {
    const rejected = error instanceof ApiError && !isAway(error) && error.code !== 'unauthorized'
    return { is: rejected ? 'rejected' : 'unreachable', why: messageOf(error) } as const
  }
}
