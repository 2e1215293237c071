// Two patches are green and do different things: a person says what is right for one input, and the patch lands with a
// test that says so.
import type { Item } from '@treadle/contracts/item'
import { afterAll, expect, test } from 'vitest'
import { browserPages, goTo, openLive } from '../kit/browser.ts'
import { announcedDaemon, clearWorkspace, type Daemon, daemonLog, treadle } from '../kit/daemon.ts'
import { told, until } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

const inBrowser = browserPages()
const made: Workspace[] = []
afterAll(async () => {
  for (const workspace of made) await clearWorkspace(workspace)
})

const files = {
  'package.json': '{ "type": "module" }\n',
  'src/share.js': `/** The share of each, in whole coins. */
export function share(total, people) {
  return Math.floor(total / people)
}
`,
  'test/share.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { share } from '../src/share.js'

test('a half coin is a whole one', () => {
  assert.equal(share(10, 4), 3)
})

test('it fits', () => {
  assert.equal(share(12, 4), 3)
})
`,
}

async function crew(settings: object = {}): Promise<Daemon> {
  const workspace = makeWorkspace({
    files,
    settings: {
      merge: { target: 'main', approval: 'checks' },
      tests: { command: 'node --test' },
      engines: { default: 'repair', repair: { budgetSeconds: 120, slowSeconds: 120, maxCandidates: 1_500 } },
      limits: { pollMs: 100, sweepMs: 300, improvements: 1 },
      ...settings,
    },
  })
  made.push(workspace)
  const { code, stdout, stderr } = await treadle(workspace, [
    'up',
    '--detach',
    '--json',
    '--agents',
    '1',
    '--no-trial',
  ])
  if (code !== 0) throw new Error(stderr)
  return announcedDaemon(workspace, stdout)
}

const add = ({ client }: Daemon): Promise<Item> => client.addItem({ body: { title: 'Half coins are lost' } })

async function untilAsked({ client, workspace }: Daemon) {
  return eventually('the question is asked', async () => {
    const { items } = await client.listQuestions({ query: {} })
    return items[0]
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${daemonLog(workspace)}`)
  })
}

const onMain = ({ workspace }: Daemon, file: string) => workspace.git('show', `main:${file}`)

test('answered in the terminal', async () => {
  const daemon = await crew()
  await add(daemon)
  const question = await untilAsked(daemon)
  expect(question).toMatchObject({
    text: '`share(9, 4)`: should this be 3 or 2?',
    status: 'open',
    blocking: true,
  })
  const shown = await treadle(daemon.workspace, ['questions'])
  expect(shown.stdout).toContain('`share(9, 4)`: should this be 3 or 2?')
  expect(await told(daemon.workspace, 'answer', '1', '2')).toMatchObject({
    status: 'answered',
    answer: { text: '2', how: 'person' },
  })
  await until(daemon, 1, 'done')
  expect(onMain(daemon, 'src/share.js')).toContain('Math.round(total / people)')
  expect(onMain(daemon, 'test/share.test.js')).toContain('assert.equal(share(9, 4), 2)')
})

test('answered on the page', async () => {
  const daemon = await crew()
  await add(daemon)
  await untilAsked(daemon)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await goTo(page, 'Review')
    const asked = page.getByRole('listitem').filter({ hasText: 'should this be 3 or 2?' })
    await asked.getByRole('button', { name: '3', exact: false }).first().click()
    await asked.waitFor({ state: 'detached' })
  })
  await until(daemon, 1, 'done')
  expect(onMain(daemon, 'src/share.js')).toContain('Math.ceil(total / people)')
  expect(onMain(daemon, 'test/share.test.js')).toContain('assert.equal(share(9, 4), 3)')
})

test('where nobody is to be asked the likeliest is kept, and that is said', async () => {
  const daemon = await crew({
    questions: { autonomy: 'judgement' },
    merge: { target: 'main', approval: 'human' },
  })
  await add(daemon)
  const item = await until(daemon, 1, 'in_review')
  const { runs } = await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: item.number } })
  const words = runs[0]?.history.map(({ summary }) => summary).join('\n') ?? ''
  expect(words).toContain('Nobody was asked, so the likeliest patch was kept: `share(9, 4)`')
  const changed = daemon.workspace.git('diff', '--name-only', 'main', item.headCommit ?? '')
  expect(changed.split('\n')).toEqual(['src/share.js'])
})
