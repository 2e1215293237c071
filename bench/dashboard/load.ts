// A crew at work for a long time, told over the API: ten agents that hold something, items, and thousands of events.
import { branchName } from '@treadle/contracts/ids'
import { Client } from 'pg'
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

/** Copies of the last item, put beside it in the database: over the API ten thousand take minutes. */
export async function copyItems(databaseUrl: string, have: number, want: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      "select table_schema from information_schema.tables where table_name = 'items'",
    )
    await client.query(`set search_path to ${client.escapeIdentifier(rows[0]?.table_schema)}`)
    await client.query(COPY, [have, want])
    await client.query('update projects set last_item_number = $1', [want])
  } finally {
    await client.end()
  }
}

const COPY = `
  insert into items
  select (jsonb_populate_record(items, jsonb_build_object('number', n, 'title', 'Item ' || n || ' with an ordinary title'))).*
  from items, generate_series($1::integer + 1, $2::integer) n where number = $1`

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
