// The one place of the agent where adapters meet the flow.

import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildView } from '@treadle/contracts/build'
import { type Answer, ApiError } from '@treadle/contracts/client'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { stepWords } from '@treadle/contracts/words/readiness'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { installsFor } from '@treadle/flow/build/builds/install'
import type { EarlierRun } from '@treadle/flow/build/conversation'
import { Fault, messageOf } from '@treadle/flow/fault'
import { isHeld } from '@treadle/flow/flow'
import type { Clock } from '@treadle/flow/ports/clock'
import type { GuidanceChannel } from '@treadle/flow/ports/guidance'
import { openRequestsIn } from '@treadle/flow/review/new-review'
import { NOTHING_ASKED, type Requested } from '@treadle/flow/work/rework'
import { takeAgentLock } from './agent-lock.ts'
import { ClaimWatch, listenForLoss } from './claim-watch.ts'
import { CostBook } from './cost-book.ts'
import { engineNameOf } from './engine-name.ts'
import { RunGuidanceChannel } from './guidance-channel.ts'
import { Heartbeats } from './heartbeats.ts'
import { askPatiently, findHome, type Home, isAway } from './home.ts'
import { PauseGate } from './pause-gate.ts'
import { findEarlierRun } from './run-history.ts'
import { RunMemory } from './run-memory.ts'
import type { Journal } from './run-reporter.ts'
import { AgentSessionFile } from './session-file.ts'
import { openSpool, type Spool, type SpoolEntry } from './spool.ts'
import type { ThinkTools } from './think/think-tools.ts'
import type { AgentTools, Held } from './work.ts'

export interface Agent {
  readonly id: AgentId
  readonly paths: WorkspacePaths
  readonly home: Home
  readonly clock: Clock
  readonly heartbeats: Heartbeats
  readonly gate: PauseGate
  readonly log: (message: string) => void
  /** What it works with, loaded when there is work; an item may name another engine than the settings do. */
  tools(work?: {
    readonly item: Item
    readonly run: Pick<Run, 'id' | 'item'>
    readonly guidanceChannel: GuidanceChannel
  }): Promise<AgentTools>
  /** What it works with to think about something. */
  thinkTools(): Promise<ThinkTools>
  /** Reads the workspace's settings again. */
  refresh(): Promise<void>
  /** Waits until everything written down has been told. */
  drain(signal: AbortSignal): Promise<void>
  /** Aborts when the daemon says that this run's claim is gone. */
  watchClaim(runId: string): AbortSignal
  /** Listens to what people say to the run, and knows what was said and asked before. */
  listenTo(held: Held): Promise<GuidanceChannel>
  /** Shows that it ends because of an error, as far as that can be shown in a moment. */
  crash(error: unknown): Promise<void>
  close(): Promise<void>
}

/** How long a pause waits for reports on their way to the daemon; they are on disk in any case. */
const TELL_FIRST_MS = 5_000
/** How long the last words may take; whoever ends this process does not wait for ever. */
const LAST_WORDS_MS = 2_000

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
  const book = await CostBook.open({ file: `${paths.spool}/${id}.costs.json`, home, log })
  const session = new AgentSessionFile({ workspace: paths.root, agentId: id, clock, log })
  const { heartbeats, gate } = await openHeartbeats({ id, home, session, spool, claim, settings })
  const hands = () => ({ id, paths, env: options.env, home, book, clock, log, settings })
  return {
    id,
    paths,
    home,
    clock,
    heartbeats,
    gate,
    log,
    tools: async (work) => {
      const memory = work === undefined ? null : new RunMemory(home, work.run, log)
      const { toolsOf } = await import('./tools.ts')
      return {
        id,
        paths,
        guidanceChannel: work?.guidanceChannel ?? null,
        engineHome: engineHome(paths, id),
        requested: (item) => openRequests(home, item, options.signal),
        ...aboutBuild((item) => buildOf(home, item, options.signal)),
        earlierRun: (held) => earlierRunOf(home, held, options.signal),
        clock,
        log,
        journal: journalOf(spool, claim),
        ...toolsOf({ ...hands(), item: work?.item ?? null, memory }),
        onPhase: (item, branch) => {
          if (memory !== null) memory.attempt = item.attempts + 1
          heartbeats.change({ currentPhase: item.state, branchName: branch })
        },
        onStep: (progress) => heartbeats.change({ currentPhase: stepWords(progress) }),
      }
    },
    thinkTools: async () => {
      const { thinkToolsOf } = await import('./tools.ts')
      return { id, paths, clock, log, ...thinkToolsOf(hands()) }
    },
    refresh: async () => {
      settings = await fetchSettings(home, options.signal)
    },
    drain: async (signal) => {
      while (!signal.aborted && !(await spool.drained(1_000)));
    },
    watchClaim: (runId) => {
      const lost = claim.begin(runId)
      void listenForLoss({ watch: claim, home, clock, log, pending: () => spool.pending() }, runId)
      return lost
    },
    listenTo: async ({ run, resumed }) => {
      const guidanceChannel = new RunGuidanceChannel(run.id)
      await guidanceChannel.prepare({ home, clock, log, runId: () => claim.runId }, resumed)
      return guidanceChannel
    },
    crash: (error) => crash(heartbeats, session, error),
    close: async () => {
      heartbeats.stop()
      await lastWords([heartbeats.say({ status: 'stopped' }), session.update({ status: 'stopped' })])
      await spool.close()
      await book.close()
      lock.release()
    },
  }
}

interface HeartbeatParts {
  readonly id: AgentId
  readonly home: Home
  readonly session: AgentSessionFile
  readonly spool: Spool
  readonly claim: ClaimWatch
  readonly settings: Answer<'workspace'>
}

async function openHeartbeats({ id, home, session, spool, claim, settings }: HeartbeatParts) {
  const heartbeats: Heartbeats = new Heartbeats(
    {
      id,
      home,
      clock,
      session,
      log,
      engine: engineNameOf(id, settings.config),
      everyMs: settings.config.limits.heartbeatMs,
      // While something is still to be told, the daemon's view is behind and says nothing.
      heldRun: () => (spool.pending() > 0 ? null : claim.runId),
      onLost: (runId) => claim.lose(runId, 'the claim has ended'),
      onWanted: (wanted) => gate.hear(wanted),
    },
    await session.read(),
  )
  const gate = new PauseGate({
    clock,
    // What is written down is told first: whoever looks at a halted agent sees where its work stands.
    tell: async () => {
      await spool.drained(TELL_FIRST_MS)
      return await heartbeats.say({}, true)
    },
    show: (paused) => heartbeats.pause(paused),
  })
  heartbeats.start()
  heartbeats.change({
    status: 'idle',
    currentProjectNumber: null,
    currentPhase: null,
    branchName: null,
    currentTaskDescription: null,
  })
  return { heartbeats, gate }
}

async function crash(heartbeats: Heartbeats, session: AgentSessionFile, error: unknown): Promise<void> {
  heartbeats.stop()
  const lastError = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const errorCount = heartbeats.errorCount + 1
  await lastWords([
    heartbeats.say({ status: 'crashed', errorCount, lastError }),
    session.update({ status: 'crashed', errorCount, lastError }),
  ])
}

async function lastWords(words: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.allSettled(words), sleep(LAST_WORDS_MS, undefined, { ref: false })])
}

function journalOf(spool: Spool, claim: ClaimWatch): Journal {
  return {
    append: (event, { run, fence, item }) => {
      if (!isHeld(item.state)) claim.end(run.id)
      const at = clock.now().toISOString()
      return spool.append({ eventId: randomUUID(), runId: run.id, fence, event, at })
    },
  }
}

/** A daemon that will not be asked says nothing of it; the words of the last review are in the item. */
async function openRequests(
  home: Home,
  { projectNumber, number }: Item,
  signal: AbortSignal,
): Promise<Requested> {
  const query = { projectNumber, issueNumber: number, limit: 1 }
  try {
    const [latest] = (await askPatiently(() => home.client().listReviews({ query }), { clock, signal })).items
    return latest === undefined ? NOTHING_ASKED : openRequestsIn(latest)
  } catch (error) {
    log(`reviews: ${messageOf(error)}`)
    return NOTHING_ASKED
  }
}

function aboutBuild(find: (item: Item) => Promise<BuildView | null>) {
  return {
    buildBranch: async (item: Item) => (await find(item))?.branch ?? null,
    buildLevel: async (item: Item) => (await find(item))?.validation ?? null,
    packagesToInstall: async (item: Item) => {
      const build = item.specTask === null ? null : await find(item)
      return build === null || item.specTask === null ? [] : installsFor(build.failures, item.specTask.id)
    },
  }
}

async function buildOf(home: Home, { build }: Item, signal: AbortSignal): Promise<BuildView | null> {
  if (build === null) return null
  return askPatiently(() => home.client().showBuild({ params: { id: build } }), { clock, signal })
}

/** What nobody can be asked about now is begun anew: everything is told again. */
async function earlierRunOf(home: Home, held: Held, signal: AbortSignal): Promise<EarlierRun | null> {
  try {
    return await askPatiently(() => findEarlierRun(home, held), { clock, signal })
  } catch (error) {
    log(`the run before: ${messageOf(error)}`)
    return null
  }
}

/** For settings and conversations of engines that keep some. */
function engineHome(paths: WorkspacePaths, id: AgentId): string {
  const folder = `${paths.state}/engines/${id}`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function fetchSettings(home: Home, signal: AbortSignal) {
  return askPatiently(() => home.client().workspace(), { clock, signal })
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
