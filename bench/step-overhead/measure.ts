// Everybody in turn, several rounds, so that a busy machine disturbs all alike.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from '../start/numbers.ts'
import {
  appends,
  type Keeper,
  needSync,
  openApiKeeper,
  openBareRows,
  openRows,
  openSpoolKeeper,
  type Rows,
} from './durable.ts'
import { findLangGraph, type LangGraph, type Saver } from './langgraph.ts'
import { runOurs } from './ours.ts'
import { makeTask, type Task, type Timed, timed } from './task.ts'

export interface Plan {
  readonly steps: number
  readonly rounds: number
  /** Null: nothing that needs a server is run. */
  readonly serverUrl: string | null
  /** Where LangGraph.js is installed. */
  readonly tools: string
}

export const NAMES = {
  memory: 'native, in memory',
  peerMemory: 'LangGraph.js, in memory',
  spool: 'native, spool synced',
  api: 'native, store over the API',
  peerDurable: 'LangGraph.js, Postgres checkpointer',
  append: 'limit: one synced append',
  row: 'limit: one committed row',
  http: 'limit: one row over bare HTTP',
} as const
export type Contender = keyof typeof NAMES

export type Round = Partial<Record<Contender, Timed>>

export interface Measured {
  readonly steps: number
  /** One by one, for ratios of figures that were taken at the same time. */
  readonly rounds: readonly Round[]
  readonly times: Partial<Record<Contender, Timed>>
  readonly notRun: readonly string[]
  readonly peerVersion: string | null
}

/** Rounds that nobody counts: the compiler is at work. */
const WARM_UP = 2

export async function measure(plan: Plan): Promise<Measured> {
  setFlagsFromString('--expose-gc')
  globalThis.gc ??= runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  const task = makeTask(plan.steps)
  const notRun: string[] = []
  const parts = await openParts(plan, task, notRun)
  try {
    const rounds: Round[] = []
    for (let round = 0; round < plan.rounds + WARM_UP; round += 1)
      rounds.push(await inTurn(parts, task, round))
    const counted = rounds.slice(WARM_UP)
    const names = Object.keys(NAMES) as Contender[]
    const times = names.flatMap((name) => {
      const all = counted.flatMap((round) => round[name] ?? [])
      if (all.length === 0) return []
      const middle = (of: keyof Timed) => median(all.map((one) => one[of]))
      return [
        [name, { stepMs: middle('stepMs'), cpuMs: middle('cpuMs'), stepBytes: middle('stepBytes') }] as const,
      ]
    })
    const { steps } = plan
    return {
      steps,
      rounds: counted,
      times: Object.fromEntries(times),
      notRun,
      peerVersion: parts.peer?.version ?? null,
    }
  } finally {
    await closeParts(parts)
    task.close()
  }
}

interface Parts {
  readonly spool: Keeper
  readonly api: Keeper | null
  readonly rows: Rows | null
  readonly bare: Rows | null
  readonly peer: LangGraph | null
  readonly saver: Saver | null
}

async function openParts({ serverUrl, tools }: Plan, { cwd }: Task, notRun: string[]): Promise<Parts> {
  const found = await findLangGraph(tools)
  if (found.is === 'not_run') notRun.push(`LangGraph.js: ${found.why}`)
  const peer = found.is === 'found' ? found.peer : null
  const spool = await openSpoolKeeper(cwd)
  if (serverUrl === null) {
    notRun.push('all that needs a PostgreSQL server')
    return { spool, api: null, rows: null, bare: null, peer, saver: null }
  }
  await needSync(serverUrl)
  const api = await openApiKeeper(serverUrl)
  const rows = await openRows(serverUrl)
  const bare = await openBareRows(serverUrl)
  return { spool, api, rows, bare, peer, saver: peer === null ? null : await peer.openSaver(serverUrl) }
}

async function closeParts({ spool, api, rows, bare, saver }: Parts): Promise<void> {
  await saver?.close()
  await bare?.close()
  await rows?.close()
  await api?.close()
  await spool.close()
}

/** Each round begins with another one. */
async function inTurn(parts: Parts, task: Task, round: number): Promise<Round> {
  const turns = turnsOf(parts, task)
  const times: Round = {}
  for (let nth = 0; nth < turns.length; nth += 1) {
    const turn = turns[(nth + round) % turns.length]
    if (turn !== undefined) times[turn[0]] = await timed(task, turn[1])
  }
  return times
}

function turnsOf(parts: Parts, task: Task): (readonly [Contender, () => Promise<unknown>])[] {
  const { spool, api, rows, bare, peer, saver } = parts
  const done = async (work: Promise<void>) => {
    await work
    return null
  }
  return [
    ['memory', () => runOurs(task, null)],
    ...(peer === null ? [] : [['peerMemory', () => peer.run(task, null)] as const]),
    ['spool', () => runOurs(task, spool.keep)],
    ['append', () => done(appends(task.cwd, task.steps))],
    ...(api === null ? [] : [['api', () => runOurs(task, api.keep)] as const]),
    ...(rows === null ? [] : [['row', () => done(rows.insert(task.steps))] as const]),
    ...(bare === null ? [] : [['http', () => done(bare.insert(task.steps))] as const]),
    ...(peer === null || saver === null ? [] : [['peerDurable', () => peer.run(task, saver)] as const]),
  ]
}
