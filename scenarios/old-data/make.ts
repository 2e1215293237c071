// Leaves the data of a workspace as this version writes them, for later versions to open:
// `node scenarios/old-data/make.ts <name>`, once for each release that changes the tables.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { withPool } from '../../packages/store/src/testing/pool.ts'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { addItem, deliver, path, take } from '../kit/hand-agent.ts'
import { everythingIn, kill, readOrEmpty, waitGone } from '../kit/processes.ts'
import {
  AT_WORK,
  addRepair,
  letGo,
  makeShop,
  repair,
  type Step,
  slowRepair,
  until,
  untilHolding,
  up,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'
import { dumpSchema } from './dump.ts'
import { settingsOf } from './settings.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))
const DUMPS = fileURLToPath(new URL('../../packages/store/fixtures', import.meta.url))
/** What stands for this machine and its folders in the files that are kept. */
const [HOST, BASE] = ['workshop', '/srv/ada']

/** The tests of item 1: the second fails once, as soon as the first is mended. */
const FLAKY = `echo 'TAP version 13'
grep -q '^state: right$' src/module-01.txt && echo 'ok 1 - module' || { echo 'not ok 1 - module'; failed=1; }
flaky=ok
if [ -z "$failed" ] && [ ! -e ../../../../home/met ]; then touch ../../../../home/met; flaky='not ok'; failed=1; fi
echo "$flaky 2 - shaky"
echo 1..2
exit \${failed:-0}
`
const notYet: Step = { write: { file: 'notes/try.txt', text: 'not yet\n' } }

const SHOP = {
  scripts: [
    [[notYet], [repair(1)]],
    slowRepair(2),
    [[notYet]],
    [[repair(4)]],
    [[repair(5)]],
    [[notYet]],
    [[notYet]],
    [[repair(8)]],
    [[notYet]],
  ],
  right: [6, 7, 9],
  files: { 'flaky.sh': FLAKY, 'notes/shared.txt': 'one\n' },
  settings: settingsOf('human'),
} as const

/** Items that have ended well, badly and not yet; what they leave of lessons, reviews and notices. */
async function fill(daemon: Daemon): Promise<void> {
  const { client, workspace } = daemon
  await addRepair(daemon, 1, { testCommand: 'sh flaky.sh' })
  await until(daemon, 1, 'in_review')
  await client.approveItem({ params: path({ projectNumber: 1, number: 1 }), body: {} })
  await until(daemon, 1, 'done')
  await addRepair(daemon, 2)
  await untilHolding(daemon, 2)
  await client.startAgents({ body: { count: 2 } })
  for (const n of [3, 4, 5]) await addRepair(daemon, n)
  await until(daemon, 3, 'escalated')
  for (const n of [4, 5]) await until(daemon, n, 'in_review')
  await client.startAgents({ body: { count: 1 } })
  await eventually('one agent', async () => {
    const { items } = await client.listAgents()
    return items.filter(({ pid }) => pid !== null).length === 1 ? true : undefined
  })
  const feedback = 'Say in the notes why the module was wrong.'
  await client.rejectItem({ params: path({ projectNumber: 1, number: 5 }), body: { feedback } })
  await collide(daemon)
  await addRepair(daemon, 8)
  await refusePush(daemon)
  await ask(daemon)
  for (const [id, itemNumber] of [
    ['cost-0001', 1],
    ['cost-0002', 4],
  ] as const)
    await client.logCost({
      body: {
        id,
        agentId: 'agent-1',
        projectNumber: 1,
        itemNumber,
        model: 'claude-sonnet-4-5',
        tokens: { input: 9_000, output: 900 },
        costUSD: 0.25,
        timestamp: new Date().toISOString(),
      },
    })
  workspace.setConfig(settingsOf('human'))
}

/** Two changes of one line: item 6 is merged, item 7 waits for a person. */
async function collide(daemon: Daemon): Promise<void> {
  const { client, workspace } = daemon
  const works = [
    await take(daemon, await addItem(client, { title: 'Two in the notes', testCommand: 'true' }), 'agent-3'),
    await take(
      daemon,
      await addItem(client, { title: 'Three in the notes', testCommand: 'true' }),
      'agent-4',
    ),
  ]
  for (const [index, work] of works.entries())
    await deliver(workspace, work, { 'notes/shared.txt': ['two\n', 'three\n'][index] ?? '' })
  for (const { ref } of works) {
    await client.approveItem({ params: path(ref), body: {} })
    await until(daemon, ref.number, 'done', 'conflicted')
  }
}

/** Item 9 comes back because origin does not take it, and for nothing else. */
async function refusePush(daemon: Daemon): Promise<void> {
  const { client, workspace } = daemon
  workspace.setConfig(settingsOf('never'))
  await eventually('the new setting', async () => {
    const { config } = await client.workspace()
    return config.merge.approval === 'never' ? true : undefined
  })
  workspace.git('remote', 'add', 'origin', join(workspace.home, 'nowhere'))
  const work = await take(daemon, await addItem(client, { title: 'Nine', testCommand: 'true' }), 'agent-3')
  await deliver(workspace, work, { 'notes/nine.txt': 'nine\n' })
  await until(daemon, work.ref.number, 'rework')
}

async function ask({ client }: Daemon): Promise<void> {
  const question = (text: string) => ({
    type: 'blocking' as const,
    agent: 'build' as const,
    text,
    context: 'Both work.',
    options: [
      { label: 'In a cookie', recommended: true, implications: 'Nothing to install.' },
      { label: 'With the account', implications: 'Needs a table.' },
    ],
    allowFreeText: true,
  })
  await client.askQuestion({ body: question('Where is the cart kept?') })
  const { question: asked } = await client.askQuestion({ body: question('Where is the language kept?') })
  await client.answerQuestion({ params: { id: asked?.id ?? '' }, body: { text: 'In a cookie' } })
}

/** The database, the repository and what lies beside them, with no trace of this machine. */
async function keep({ root, home, paths, git }: Workspace, name: string): Promise<void> {
  const plain = (text: string) => text.replaceAll(dirname(home), BASE).replaceAll(hostname(), HOST)
  const into = join(FIXTURES, name)
  rmSync(into, { recursive: true, force: true })
  for (const dir of [into, DUMPS]) mkdirSync(dir, { recursive: true })
  const place = { target: { is: 'embedded', dir: paths.store }, schema: 'treadle' } as const
  const dump = await withPool(place, (pool) => dumpSchema(pool, 'treadle', new Date()))
  writeFileSync(join(DUMPS, `${name}.sql.gz`), gzipSync(plain(dump), { level: 9 }))
  const [exported] = globSync('exports/*.jsonl', { cwd: paths.store })
  if (exported !== undefined && name.endsWith('-stopped'))
    writeFileSync(
      join(DUMPS, `${name.replace('-stopped', '-export')}.jsonl.gz`),
      gzipSync(plain(readFileSync(join(paths.store, exported), 'utf8')), { level: 9 }),
    )
  git('bundle', 'create', '--quiet', join(into, 'repository.bundle'), '--all')
  for (const file of ['.treadle/place', '.claude-sessions/agent-1.session'])
    writeFileSync(join(into, basename(file)), plain(readFileSync(join(root, file), 'utf8')))
  const [sent, unsent] = spoolOf(paths).map(plain)
  writeFileSync(join(into, 'agent-1.jsonl'), `${sent}${unsent}`)
  writeFileSync(join(into, 'agent-1.jsonl.acked'), `${Buffer.byteLength(sent ?? '')}\n`)
  writeFileSync(join(into, 'scenario.json'), readFileSync(join(home, 'scenario.json')))
}

/** What agent-1 has reported, and what it has not got rid of yet. */
function spoolOf({ spool }: Workspace['paths']): [sent: string, unsent: string] {
  const all = readFileSync(join(spool, 'agent-1.jsonl'))
  const acked = Number(readOrEmpty(join(spool, 'agent-1.jsonl.acked')))
  return [all.subarray(0, acked).toString(), all.subarray(acked).toString()]
}

async function killAll(workspace: Workspace): Promise<void> {
  for (const pid of everythingIn(workspace)) {
    kill(pid)
    await waitGone(pid)
  }
}

const [name] = process.argv.slice(2)
if (name === undefined || !/^\w+$/.test(name))
  throw new Error('Give the data a name: node scenarios/old-data/make.ts <name>, such as 038')
const workspace = makeShop(SHOP)
try {
  const first = await up(workspace, 1)
  await fill(first)
  const ended = await treadle(workspace, ['down'])
  if (ended.code !== 0) throw new Error(ended.stderr)
  await waitGone(first.pid)
  await keep(workspace, `${name}-stopped`)

  // What the first engine left there would be taken for the second one's.
  rmSync(join(workspace.paths.worktrees, 'agent-1-1-2', AT_WORK), { force: true })
  const second = await up(workspace, 1)
  await untilHolding(second, 2)
  kill(second.pid)
  await waitGone(second.pid)
  letGo(workspace, 'go-2')
  await eventually('the delivery in the spool', () =>
    spoolOf(workspace.paths)[1].includes('"verify.passed"') ? true : undefined,
  )
  await killAll(workspace)
  await keep(workspace, `${name}-killed`)
} finally {
  await killAll(workspace)
  workspace.remove()
}
