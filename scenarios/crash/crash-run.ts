// Kill -9 at random moments, restart, and hold the end against an undisturbed run.
import { setTimeout as sleep } from 'node:timers/promises'
import { CURSOR_START, type StoredEvent } from '@treadle/contracts/event'
import { randomFrom } from '@treadle/requirements/seeds'
import { expect } from 'vitest'
import { moduleOf, titleOf } from '../kit/shop.ts'
import { CrewUnderTest, kill9, type Up } from './crew.ts'
import { expectedTree, git, makeShop, type Shop } from './shop.ts'

export interface CrashPlan {
  readonly root: string
  readonly env: Record<string, string>
  readonly items: number
  readonly agents: number
  readonly kills: number
  readonly seed: number
  readonly batch?: number
}

export interface CrashReport {
  readonly daemonKills: number
  readonly agentKills: number
}

export async function crashRun(plan: CrashPlan): Promise<CrashReport> {
  const shop = makeShop(plan.root, plan.items, { batch: plan.batch ?? 1 })
  const crew = new CrewUnderTest(plan.root, plan.agents, plan.env)
  const up = await crew.up()
  try {
    for (let n = 1; n <= plan.items; n += 1) {
      await up.client.addItem({ body: { title: titleOf(n), testCommand: `sh test.sh ${moduleOf(n)}` } })
    }
    const survived = await killAtRandom(plan, crew, up)
    const items = await crew.settled(survived.up, 240_000)
    await checkEnd(shop, crew, survived.up, items)
    return survived.report
  } finally {
    await crew.down()
    // A test must not leave processes, whatever it found.
    for (const { pid } of crew.processes()) kill9(pid)
  }
}

async function killAtRandom(
  plan: CrashPlan,
  crew: CrewUnderTest,
  first: Up,
): Promise<{ up: Up; report: CrashReport }> {
  const random = randomFrom(plan.seed)
  const report = { daemonKills: 0, agentKills: 0 }
  const killAgent = () => {
    const pid = pick(crew.agentPids(), random)
    if (pid !== null && kill9(pid)) report.agentKills += 1
  }
  let up = first
  while (report.daemonKills + report.agentKills < plan.kills) {
    await sleep(100 + random() * 900)
    // Whichever kind has not happened yet comes first; then chance decides.
    if (report.daemonKills > 0 && (report.agentKills === 0 || random() < 0.5)) {
      killAgent()
      continue
    }
    if (!kill9(up.pid)) throw new Error('the daemon was gone before it was killed')
    report.daemonKills += 1
    if (random() < 0.3) killAgent()
    await sleep(random() * 400)
    up = await crew.up()
  }
  return { up, report }
}

export async function checkEnd(
  shop: Shop,
  crew: CrewUnderTest,
  up: Up,
  items: Awaited<ReturnType<CrewUnderTest['settled']>>,
): Promise<void> {
  expect(items.map((item) => [item.number, item.state, item.reason])).toEqual(
    items.map((item) => [item.number, 'done', null]),
  )
  const merges = git(
    shop.root,
    'log',
    '--first-parent',
    '--format=%H %(trailers:key=Item,valueonly,separator=%x2C)',
    'main',
  ).split('\n')
  const merged = merges.flatMap((line) => {
    const [commit, item] = line.split(' ')
    return item === undefined || item === '' ? [] : [{ commit, item }]
  })
  expect(merged.map(({ item }) => item).sort(byNumber)).toEqual(items.map((item) => `1/${item.number}`))
  for (const item of items) {
    expect(merged.find(({ item: name }) => name === `1/${item.number}`)?.commit).toBe(item.mergeCommit)
    expect(item.approval?.by).toBe('merge.approval=checks')
    // The delivered commit is part of main.
    git(shop.root, 'merge-base', '--is-ancestor', item.headCommit ?? '', 'main')
  }
  for (const [file, text] of Object.entries(expectedTree(shop)))
    expect(`${git(shop.root, 'show', `main:${file}`)}\n`).toBe(text)
  expect(git(shop.root, 'status', '--porcelain')).toBe('')
  expect(git(shop.root, 'fsck', '--no-dangling', '--no-progress')).toBe('')
  await checkEvents(up, items.length)
  await crew.down()
  expect(crew.processes()).toEqual([])
  expect(
    git(shop.root, 'worktree', 'list', '--porcelain')
      .split('\n')
      .filter((line) => line.startsWith('worktree ')),
  ).toHaveLength(1)
  expect(crew.worktreesLeft()).toEqual([])
}

/** Each item landed once, and no two agents ever held it at the same time. */
async function checkEvents(up: Up, count: number): Promise<void> {
  const events = await allEvents(up)
  const landed = events.filter(({ event }) => event.type === 'merge.landed').map(({ item }) => item?.number)
  expect(landed.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
    Array.from({ length: count }, (_, i) => i + 1),
  )
  const held = new Set<number>()
  for (const { event, item } of events) {
    if (item === null) continue
    if (event.type === 'claim.taken') {
      expect(held.has(item.number)).toBe(false)
      held.add(item.number)
    }
    if (LETS_GO.has(event.type)) held.delete(item.number)
  }
}

const LETS_GO: ReadonlySet<string> = new Set([
  'claim.released',
  'claim.expired',
  'verify.passed',
  'item.escalated',
  'build.failed',
])

async function allEvents(up: Up): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let after = CURSOR_START; ; ) {
    const page = await up.client.events({ query: { after, limit: 1_000 } })
    if (page.items.length === 0) return events
    events.push(...page.items)
    after = page.cursor
  }
}

function byNumber(a: string, b: string): number {
  return Number(a.split('/')[1]) - Number(b.split('/')[1])
}

export function pick<T>(from: readonly T[], random: () => number): T | null {
  return from[Math.floor(random() * from.length)] ?? null
}
