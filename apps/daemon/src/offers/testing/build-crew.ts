// A crew at the files of a build: a store, a clock that the test leads, and agents that ask and claim by hand.
import { randomUUID } from 'node:crypto'
import type { ItemMove } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { bindAdvance } from '@treadle/flow/advance'
import { type Claimed, runClaim } from '@treadle/flow/claim/claim.run'
import { type FilesTaken, runFurtherFiles } from '@treadle/flow/claim/further-files.run'
import { CONSEQUENCES } from '@treadle/flow/consequences'
import type { AddedItem } from '@treadle/flow/ports/items'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import type { OpenStore } from '@treadle/store/connect'
import { newItem } from '@treadle/store/testing/both-drivers'
import { FileConflicts, filesTaken, withClearance } from '../files.ts'
import { WaitList, type WaitListDeps } from '../wait-list.ts'

const BEGIN = Date.parse('2026-11-15T12:00:00Z')
const HOUR_MS = 3_600_000
const COMMIT = 'a'.repeat(40)

/** A build of its own, a clock that the test leads, and agents that ask and claim. */
export async function crewOn(store: OpenStore, given: Partial<WaitListDeps> = {}) {
  const clock = { ms: BEGIN }
  const now = () => new Date(clock.ms)
  const config = () => sampleConfig()
  const moving = bindAdvance({ store, now, config, consequences: CONSEQUENCES })
  const world = { store, now, config, uuid: randomUUID, ...moving }
  const conflicts = new FileConflicts(world)
  const waitList = new WaitList({
    store,
    pollMs: () => HOUR_MS,
    filesTaken: (looked, at) => filesTaken(store, looked, new Date(at)),
    onLocked: (item, lock) => conflicts.tell(item, lock),
    ...given,
    stopping: new AbortController().signal,
  })
  // What earlier tests left is in nobody's way.
  for (const item of await store.items.list({ limit: 1_000 }))
    await world.advance(moveOf(item, { type: 'item.withdrawn', by: 'test' }))
  const build = await runningBuild(store, now())
  const add = (title: string, given: Partial<AddedItem> = {}) =>
    store.items.add({ ...newItem({ title }), build, files: ['src/a.ts'], ...given }, now())
  const claim = (item: Item, agentId: AgentId): Promise<Claimed> =>
    runClaim(world, { item: refOf(item), agentId, requestId: null })
  const offered = async (id: AgentId): Promise<string | null> => {
    const picked = await waitList.pick(id, clock.ms)
    // An offer that nobody takes ends by itself.
    clock.ms += 2_000
    return picked === null ? null : ((await store.items.find(picked))?.title ?? null)
  }
  const move = (item: Item, what: ItemMove) => world.advance(moveOf(item, what))
  const told = async (item: Item) =>
    (await store.events.ofItem(refOf(item), 50, ['conflict.detected'])).map(({ event }) => event)
  const look = async (item: Item) => {
    const found = await store.items.find(refOf(item))
    return found === null ? null : ((await withClearance(world, [found]))[0] ?? null)
  }
  const further = async (item: Item, agentId: AgentId, files: string[]): Promise<FilesTaken> => {
    const { runId, fence } = (await store.items.find(refOf(item))) ?? item
    return runFurtherFiles(world, { runId: runId ?? '', agentId, fence, files })
  }
  /** Built and delivered; it waits for its review. */
  const deliver = async (item: Item): Promise<void> => {
    const branch = 'agent-1/project-1'
    await move(item, { type: 'build.started', branch, base: COMMIT })
    await move(item, { type: 'build.finished', summary: 'done', checkpoint: COMMIT })
    const passed = { branch, head: COMMIT, gates: [GREEN], pushed: false, pushNote: null }
    await move(item, { type: 'verify.passed', ...passed })
  }
  return { ...world, clock, build, add, claim, offered, move, told, look, further, deliver }
}

const GREEN = {
  is: 'passed',
  gate: 'tests_pass',
  evidence: {
    command: 'npm test',
    exitCode: 0,
    signal: null,
    timedOut: false,
    durationMs: 1,
    output: 'a'.repeat(64),
    outputBytes: 1,
    tail: '',
    report: null,
  },
} as const

export function refOf({ projectNumber, number }: Item) {
  return { projectNumber, number }
}

function moveOf(item: Item, move: ItemMove) {
  return { item: refOf(item), eventId: randomUUID(), fence: null, agentId: null, move }
}

export async function runningBuild(store: OpenStore, at: Date): Promise<string> {
  const id = randomUUID()
  await store.builds.add({
    id,
    spec: 'list',
    revision: 1,
    userSlug: 'owner',
    title: 'List',
    status: 'running',
    branch: 'build/list',
    target: 'main',
    base: null,
    projectNumber: 1,
    tasksTotal: 2,
    validation: null,
    delivery: null,
    prime: '',
    forecast: null,
    commits: [],
    finalValidation: null,
    failures: [],
    skipped: [],
    spentUSD: null,
    why: null,
    workedMs: 0,
    earlierMs: 0,
    workingSince: null,
    startedAt: at.toISOString(),
    completedAt: null,
  })
  return id
}
