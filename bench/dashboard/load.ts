// A crew at work for a long time, told over the API: ten agents that hold something, items, and thousands of events.
import { branchName } from '@treadle/contracts/ids'
import type { Daemon } from '../../scenarios/kit/daemon.ts'
import { addItem, SOME_COMMIT, say, take, type Work } from '../../scenarios/kit/hand-agent.ts'

export interface Load {
  readonly agents: number
  readonly items: number
  readonly events: number
}

export async function load(daemon: Daemon, { agents, items, events }: Load): Promise<readonly Work[]> {
  const works: Work[] = []
  for (let n = 1; n <= items; n += 1) {
    const ref = await addItem(daemon.client, { title: `Item ${n} with a title of an ordinary length` })
    if (n <= agents) works.push(await take(daemon, ref, `agent-${n}`))
  }
  for (const [index, work] of works.entries()) await beat(daemon, index + 1, work)
  await makeEvents(works, events)
  return works
}

/** Items that wait, and that nobody has in hand. */
export async function fill({ client }: Pick<Daemon, 'client'>, items: number): Promise<void> {
  for (let from = 0; from < items; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, items - from) }, (_, index) =>
        addItem(client, { title: `Item ${from + index} with a title of an ordinary length` }),
      ),
    )
}

const AT_ONCE = 50

async function beat({ client }: Daemon, n: number, { ref }: Work): Promise<void> {
  await client.heartbeat({
    params: { id: `agent-${n}` },
    body: {
      agentId: `agent-${n}`,
      status: 'working',
      currentProjectNumber: ref.number,
      timestamp: new Date().toISOString(),
      memoryUsage: 80 + n,
      cpuUsage: 10 * n,
      // Of nobody: the daemon only shows it.
      pid: 900_000 + n,
      engine: 'scripted',
      phase: 'building',
      tasksCompleted: n,
      errorCount: 0,
      lastError: null,
    },
  })
}

/** Each is a report that goes through the flow and into the feed. */
export async function makeEvents(works: readonly Work[], count: number): Promise<void> {
  for (let made = 0; made < count; made += works.length) {
    await Promise.all(
      works.slice(0, count - made).map((work) =>
        say(work, {
          type: 'build.started',
          branch: branchName(work.agentId, work.ref),
          base: SOME_COMMIT,
        }),
      ),
    )
  }
}
