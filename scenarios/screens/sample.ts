// What the pictures show: the sample repository after real repairs, and a crew that is in the middle of more.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@treadle/contracts/client'
import type { Item } from '@treadle/contracts/item'
import { makeSample as makeShop, SAMPLE_ITEMS, sampleItem } from '../../apps/cli/src/demo/sample.ts'
import { cleanEnv } from '../env.ts'
import { addItem, build, commitOnBranch, delivery, path, say, take, type Work } from '../kit/hand-agent.ts'
import { eventually } from '../kit/wait.ts'
import { ownerKeyOf, type Workspace } from '../kit/workspace.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/treadle.js', import.meta.url))
const DAY_MS = 86_400_000
const SETTLE_MS_MAX = 600_000
const NODE = 'node'

export interface Sample {
  readonly link: string
  /** The number of an item with a receipt, and the conflict that waits. */
  readonly merged: number
  readonly conflict: number
  /** The numbers of an item that waits for review, one that was given up, and one that an agent works on. */
  readonly delivered: number
  readonly escalated: number
  readonly atWork: number
  end(): void
}

type Tell = (words: string) => void

export async function makeSample(tell: Tell): Promise<Sample> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-screens-')))
  const root = join(place, 'shop')
  const env = cleanEnv(place)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { env, encoding: 'utf8' }).trim()
  const treadle = (...args: string[]) =>
    execFileSync(process.execPath, [LAUNCHER, ...args], { cwd: root, env, encoding: 'utf8' })
  makeShop(root, NODE)
  setUp(root, git)
  const { url } = JSON.parse(
    treadle('up', '--detach', '--json', '--agents', '2', '--die-with', String(process.pid)),
  ) as {
    url: string
  }
  const ownerKey = ownerKeyOf(place)
  const end = () => {
    treadle('stop-all', '--yes')
    treadle('down')
    rmSync(place, { recursive: true, force: true })
  }
  try {
    const made = await fill(createClient({ url, token: ownerKey }), { git, home: place }, tell)
    return { ...made, link: `${url}/#token=${ownerKey}`, end }
  } catch (error) {
    end()
    throw error
  }
}

type Repository = Pick<Workspace, 'git' | 'home'>

async function fill(
  client: Client,
  repository: Repository,
  tell: Tell,
): Promise<Omit<Sample, 'link' | 'end'>> {
  tell('the crew repairs a sample repository…')
  for (const item of SAMPLE_ITEMS) await client.addItem({ body: sampleItem(item, NODE) })
  for (const { number, state } of await settled(client))
    if (state === 'in_review')
      await client.approveItem({ params: path({ projectNumber: 1, number }), body: {} })
  const items = await settled(client)
  tell('more work is begun…')
  await client.startAgents({ body: { count: 0 } })
  await spend(client)
  const conflict = await collide(client, repository)
  const atWork = await workOn(client)
  const delivered = await handIn(client, repository)
  await ask(client)
  return {
    merged: items.find(({ status }) => status === 'done')?.number ?? 1,
    escalated: items.find(({ state }) => state === 'escalated')?.number ?? 1,
    conflict,
    delivered,
    atWork,
  }
}

const AT_WORK = [
  { title: 'Remember the cart between visits', script: [{ run: { command: 'sleep 900' } }] },
  { title: 'Search ignores accents', script: [{ write: { file: 'src/search.ts', text: '// folded\n' } }] },
  { title: 'Send a receipt by mail', script: [{ run: { command: 'sleep 900' } }] },
] as const
const WAITING = ['Sort reviews by date', 'Warn before the session ends', 'Print the order number'] as const

/** Some items are in the hands of the scripted engine, which takes its time. */
function setUp(root: string, git: (...args: string[]) => string): void {
  const first = SAMPLE_ITEMS.length + 3
  const items = AT_WORK.map(({ script }, index) => ({ match: { number: first + index }, attempts: [script] }))
  writeFileSync(join(root, '../scenario.json'), JSON.stringify({ version: 1, items }))
  const file = join(root, 'treadle.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  settings.engines.scripted = { scenario: '../scenario.json' }
  settings.tests.timeoutMs = 900_000
  settings.limits.itemCostUSD = 100
  settings.merge = { ...settings.merge, approval: 'human' }
  settings.agents = { maxConcurrent: 4 }
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`)
  git('commit', '--quiet', '--all', '--message', 'Settings')
}

function settled(client: Client, number?: number): Promise<readonly Item[]> {
  return eventually(
    'the end of every item',
    async () => {
      const listed = await client.listItems()
      const items = listed.items.filter((item) => number === undefined || item.number === number)
      return items.every(({ status, needsHuman }) => status === 'done' || needsHuman) ? items : undefined
    },
    SETTLE_MS_MAX,
  )
}

/** A month of calls, more on working days; the same at every run. */
async function spend(client: Client): Promise<void> {
  for (let day = 29; day >= 0; day -= 1) {
    const at = new Date(Date.now() - day * DAY_MS)
    const busy = at.getUTCDay() % 6 === 0 ? 0.3 : 1
    for (const n of [1, 2, 3]) {
      const usd = Math.round(100 * busy * (1.4 + 0.9 * Math.sin(day * 0.7 + n) + 0.3 * n)) / 100
      await client.logCost({
        body: {
          agentId: `agent-${n}`,
          projectNumber: 1,
          itemNumber: 1 + ((day + n) % SAMPLE_ITEMS.length),
          model: 'claude-sonnet-4-5',
          tokens: { input: Math.round(90_000 * usd), output: Math.round(9_000 * usd) },
          costUSD: usd,
          timestamp: at.toISOString(),
        },
      })
    }
  }
}

/** Two changes of the same line: the second cannot be merged. */
async function collide(client: Client, repository: Repository): Promise<number> {
  const works: [Work, string][] = []
  for (const [agentId, title, line] of [
    ['agent-1', 'Orders above 250 ship for free', 'export const freeShippingFrom = 250'],
    ['agent-2', 'Members get free shipping', 'export const freeShippingFrom = 0'],
  ] as const) {
    const work = await take({ client }, await addItem(client, { title, testCommand: 'true' }), agentId)
    works.push([work, commitOnBranch(repository, work, { 'src/shipping.ts': `// Who pays.\n${line}\n` })])
  }
  const base = repository.git('rev-parse', 'main')
  for (const [work, head] of works) {
    await build(work, base)
    await say(work, delivery(work, head))
    await client.approveItem({ params: path(work.ref), body: {} })
    await settled(client, work.ref.number)
  }
  const { items } = await client.conflictQueue()
  return items[0]?.id ?? 1
}

async function workOn(client: Client): Promise<number> {
  const numbers: number[] = []
  for (const { title } of AT_WORK) {
    const body = { title, engine: 'scripted' as const, testCommand: 'sleep 900' }
    numbers.push((await client.addItem({ body })).number)
  }
  await client.startAgents({ body: { count: AT_WORK.length } })
  await eventually(
    'a crew at work',
    async () => {
      const { items } = await client.listAgents()
      return items.every(({ status }) => status === 'working') ? true : undefined
    },
    SETTLE_MS_MAX,
  )
  for (const title of WAITING) await client.addItem({ body: { title } })
  return numbers[0] ?? 1
}

const COUPON = `// What a coupon takes off the price.
export interface Coupon {
  readonly code: string
  readonly percent: number
}

/** The price in cents; half a cent counts for the customer. */
export function priceWith(cents: number, { percent }: Coupon): number {
  if (percent < 0 || percent > 100) throw new RangeError('percent must be between 0 and 100')
  return Math.floor((cents * (100 - percent)) / 100)
}
`
const COUPON_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceWith } from '../src/coupon.ts'

test('a quarter off', () => assert.equal(priceWith(1_000, { code: 'SPRING', percent: 25 }), 750))
test('half a cent is rounded down', () => assert.equal(priceWith(333, { code: 'HALF', percent: 50 }), 166))
`

/** A change in two files that waits to be read. */
async function handIn(client: Client, repository: Repository): Promise<number> {
  const asked = {
    title: 'Coupons take a percentage off the price',
    body: 'Half a cent counts for the customer.',
    acceptance: ['test/coupon.test.ts passes', 'A percentage outside 0 to 100 is refused'],
    testCommand: `${NODE} --test test/coupon.test.ts`,
  }
  const work = await take({ client }, await addItem(client, asked), 'agent-9')
  const files = { 'src/coupon.ts': COUPON, 'test/coupon.test.ts': COUPON_TEST }
  const head = commitOnBranch(repository, work, files)
  await build(work, repository.git('rev-parse', 'main'))
  await say(work, delivery(work, head))
  await settled(client, work.ref.number)
  return work.ref.number
}

async function ask(client: Client): Promise<void> {
  await client.askQuestion({
    body: {
      type: 'blocking',
      agent: 'build',
      text: 'Where should the cart be kept between visits?',
      context: 'Both work. A cookie is lost with the browser, the account needs a sign-in.',
      options: [
        { label: 'In a cookie', recommended: true, implications: 'Nothing to install, 4 kB at most.' },
        { label: 'With the account', implications: 'Needs a table and a migration.' },
      ],
      allowFreeText: true,
    },
  })
}
