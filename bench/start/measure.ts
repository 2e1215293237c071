// Numbers of one daemon: how soon it answers, how much memory it takes, what a move of an item costs.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore, type StoreTarget } from '@treadle/store/connect'
import { type Daemon, startDaemon } from '../../scenarios/kit/daemon.ts'
import { addItem, begin, SOME_COMMIT, say } from '../../scenarios/kit/hand-agent.ts'
import { eventually } from '../../scenarios/kit/wait.ts'
import type { Workspace } from '../../scenarios/kit/workspace.ts'

/** From `treadle up` to the first answer of /health. */
export async function timeStart(
  workspace: Workspace,
  databaseUrl: string | undefined,
): Promise<{ ms: number; daemon: Daemon }> {
  const before = performance.now()
  const starting = startDaemon(workspace, databaseUrl)
  const healthy = eventually('an answer of /health', () => askHealth(workspace), 100_000)
  const [daemon, at] = await Promise.all([starting, healthy])
  return { ms: at - before, daemon }
}

async function askHealth({ paths }: Workspace): Promise<number | undefined> {
  try {
    const { url } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as { url: string }
    const answer = await fetch(`${url}/health`)
    await answer.arrayBuffer()
    return answer.ok ? performance.now() : undefined
  } catch {
    return undefined
  }
}

/** Resident memory of the process in MiB; NaN where the system does not tell. */
export function memoryOf({ pid }: Daemon): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
  } catch {
    return Number.NaN
  }
}

export async function memoryIdle(daemon: Daemon): Promise<number> {
  await sleep(3_000)
  return memoryOf(daemon)
}

export async function addItems({ client }: Daemon, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await addItem(client, { title: `Item ${turn}` })
}

/** One move each: a report over the API that goes through advance(). */
export async function timeMoves(daemon: Daemon, count: number): Promise<number[]> {
  const work = await begin(daemon)
  const branch = `agent-1/project-${work.ref.number}`
  return timeEach(count, () => say(work, { type: 'build.started', branch, base: SOME_COMMIT }))
}

/** What the machine and the database take for one statement alone, without API and flow. */
export async function timeUpdates(
  target: StoreTarget,
  templateDir: string,
  count: number,
): Promise<number[]> {
  const store = await openStore(target, { now: () => new Date(), templateDir })
  try {
    await store.agents.ensure('agent-1', new Date())
    return await timeEach(count, () => store.agents.patch('agent-1', { lastError: randomUUID() }))
  } finally {
    await store.close()
  }
}

async function timeEach(count: number, act: () => Promise<unknown>): Promise<number[]> {
  const warmUp = Math.ceil(count / 10)
  const took: number[] = []
  for (let turn = -warmUp; turn < count; turn += 1) {
    const before = performance.now()
    await act()
    if (turn >= 0) took.push(performance.now() - before)
  }
  return took
}
