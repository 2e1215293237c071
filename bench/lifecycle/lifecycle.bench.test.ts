// The times that the requirements name for an agent's life, measured and printed beside their limits.
import { Config } from '@treadle/contracts/config'
import { expect, test } from 'vitest'
import { untilAgent } from '../../scenarios/kit/agents.ts'
import { slowRepair, until, up, useShops } from '../../scenarios/kit/shop.ts'
import { percentile, round, table } from '../start/numbers.ts'
import {
  atWork,
  finish,
  idleShare,
  order,
  timed,
  timeHealth,
  timePause,
  timeSessionFiles,
  timeShutdown,
  timeStart,
  timeStop,
  untilAllBeat,
} from './measure.ts'

const shop = useShops()

test('the orders of one agent and the end of ten', async () => {
  const daemon = await up(shop({ scripts: [slowRepair(1), slowRepair(2)] }), 0)
  const rows: string[][] = [['', 'row', 'ms', 'limit']]
  const add = (what: string, row: string, ms: number, limit: number) =>
    rows.push([what, row, round(ms, 0), String(limit)])
  await daemon.client.startAgents({ body: { count: 1 } })
  await untilAgent(daemon, 'there', ({ lastHeartbeatAt }) => lastHeartbeatAt !== null)
  add('stop an idle agent', 'AC-1.4.d', await timeStop(daemon), 5_000)
  add('start an agent, to its own word that it is idle', 'AC-1.4.a', await timeStart(daemon, 'start'), 3_000)
  add('restart it', 'AC-5.5.c', await timeStart(daemon, 'restart'), 10_000)
  await atWork(daemon, 1)
  add('pause one at work, to paused everywhere', 'AC-2.5.a', await timePause(daemon), 2_000)
  add(
    'pause it at once, whole tree halted',
    'ORCH-1.4-3',
    await timed(() => order(daemon, 'pause', true)),
    2_000,
  )
  add('resume it', 'ORCH-1.4-4', await timed(() => order(daemon, 'resume')), 2_000)
  add('stop one at work, no process left', 'AC-1.4.d', await timeStop(daemon), 5_000)
  finish(daemon, 1)
  await daemon.client.startAgents({ body: { count: 1 } })
  await until(daemon, 1, 'done')
  add('ten agents, ten session files', 'AC-1.2.a', await timeSessionFiles(daemon), 5_000)
  await untilAllBeat(daemon)
  const health = await timeHealth(daemon)
  add('health of ten agents, median', 'AC-1.3.e', percentile(health, 50), 500)
  add('health of ten agents, p99', 'AC-1.3.e', percentile(health, 99), 500)
  await atWork(daemon, 2)
  add('the daemon ends with ten agents, one at work', 'AC-1.4.e', await timeShutdown(daemon), 10_000)
  process.stdout.write(table('the life of an agent', rows))
  expect(rows.length).toBe(12)
})

const IDLE_MS = 60_000
const IDLE_AGENTS = 4
/** What a start leaves to be done is over by then. */
const SETTLE_MS = 15_000

test('a daemon and four agents that wait for work', async () => {
  const { pollMs, sweepMs } = Config.parse({}).limits
  const daemon = await up(shop({ scripts: [], settings: { limits: { pollMs, sweepMs } } }), IDLE_AGENTS)
  await untilAgent(daemon, 'idle', ({ status }) => status === 'idle', IDLE_AGENTS)
  await new Promise((done) => setTimeout(done, SETTLE_MS))
  const share = await idleShare(daemon, IDLE_MS)
  const percent = (part: number) => `${round(part * 100, 2)} %`
  const rows = [
    ['', `of one processor, over ${IDLE_MS / 1_000} s`],
    ['the daemon', percent(share.daemon)],
    [`${IDLE_AGENTS} idle agents together`, percent(share.agents)],
    ['all of it', percent(share.daemon + share.agents)],
  ]
  process.stdout.write(table('what waiting costs, with default settings', rows))
  expect(share.daemon).toBeGreaterThan(0)
})
