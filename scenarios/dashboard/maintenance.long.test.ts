// Every order of the command line given from the page: a real crew, real processes, real git. One crew for all tests;
// each goes on where the one before it has left.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idleSession } from '@treadle/contracts/session-file'
import { verifies } from '@treadle/requirements/verifies'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { agentOf, crewProcesses, untilAgent } from '../kit/agents.ts'
import { browserPages, goTo, openLive, openMenu, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { isAlive, waitGone } from '../kit/processes.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { addRepair, itemNumber, repair, slowRepair, untilHolding, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops('file')
const inBrowser = browserPages()

let started: Promise<Daemon> | undefined
/** Three agents in the middle of an engine's turn, and a fourth item held over the API alone. */
function crew(): Promise<Daemon> {
  const start = async () => {
    const scripts = [slowRepair(1), slowRepair(2), slowRepair(3), [[repair(4)]]]
    const daemon = await up(shop({ scripts, settings: { agents: { maxConcurrent: 3 } } }), 3)
    for (const n of [1, 2, 3]) await addRepair(daemon, n)
    for (const n of [1, 2, 3]) await untilHolding(daemon, n)
    await addRepair(daemon, 4)
    await claim(daemon, 4)
    return daemon
  }
  started ??= start()
  return started
}

async function claim({ client }: Daemon, n: number): Promise<void> {
  await client.claimItem({ params: { projectNumber: 1, issueNumber: n }, body: { agentId: 'agent-9' } })
}

async function onMaintenance(use: (page: Page, daemon: Daemon) => Promise<void>): Promise<void> {
  const daemon = await crew()
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await goTo(page, 'Maintenance')
    await section(page, 'Maintenance').getByRole('button', { name: 'Recover…' }).waitFor()
    await use(page, daemon)
  })
}

const dialog = (page: Page) => page.getByRole('dialog')
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' })
const given = (page: Page) => section(page, 'Maintenance').getByRole('status')
const rows = (page: Page, name: string | RegExp) => section(page, name).getByRole('row')

verifies(
  ['AC-5.5.a', 'AC-1.5.d', 'AC-2.5.c', 'ORCH-2.5-10'],
  'the emergency stop first names every agent and item that it will hit, then everyone is gone',
  () =>
    onMaintenance(async (page, daemon) => {
      const pids = (await daemon.client.listAgents()).items.flatMap(({ pid }) => pid ?? [])
      expect(pids).toHaveLength(3)
      const isUntouched = () => pids.every(isAlive)
      const ask = async () => {
        await section(page, 'Maintenance').getByRole('button', { name: 'Emergency stop all' }).click()
        const agents = dialog(page).getByRole('list', { name: 'Agents affected' })
        await agents.getByRole('listitem').nth(2).waitFor()
        return agents
      }
      const agents = await ask()
      for (const n of [1, 2, 3]) {
        const { claimedByAgentId } = await itemNumber(daemon, n)
        const line = agents.getByRole('listitem').filter({ hasText: claimedByAgentId ?? '?' })
        expect(await line.innerText()).toBe(`${claimedByAgentId} working on #${n} Repair module ${n}`)
      }
      const others = dialog(page).getByRole('list', { name: 'Items affected' })
      expect(await others.innerText()).toBe('#4 Repair module 4')
      await dialog(page)
        .getByText(/^This will stop 3 active agents working on projects #/)
        .waitFor()
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      await closed(page)
      expect(isUntouched()).toBe(true)
      expect((await itemNumber(daemon, 4)).claimedByAgentId).toBe('agent-9')

      // Confirmed too late: nothing happens, the dialog stays and says so, and what it shows now can be confirmed.
      await page.route('**/api/orders/preview', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({
          response: answer,
          json: { ...(await answer.json()), confirm: 'long-forgotten' },
        })
      })
      await ask()
      await dialog(page).getByRole('button', { name: 'Stop everyone' }).click()
      await dialog(page).getByRole('alert').filter({ hasText: 'Nothing was done yet' }).waitFor()
      expect(isUntouched()).toBe(true)
      await page.unroute('**/api/orders/preview')
      await dialog(page).getByRole('button', { name: 'Stop everyone' }).click()
      await eventually('the end of all agents', () => (crewProcesses(daemon).length === 0 ? true : undefined))
      await closed(page)
      for (const n of [1, 2, 3, 4])
        expect(await itemNumber(daemon, n)).toMatchObject({ state: 'backlog', claimedByAgentId: null })
      await page.getByText(/agents: 0 active, 0 paused, \d stopped/).waitFor()
    }),
)

test('what the killed agents had in hand comes back on a branch with the name I give; a refusal says why', () =>
  onMaintenance(async (page, { workspace: { git } }) => {
    const restore = rows(page, /^Kept work/).getByRole('button', { name: /^Restore/ })
    await restore.first().click()
    const [branch, folder] = [
      dialog(page).getByLabel(/^Name of the branch/),
      dialog(page).getByLabel(/new folder/),
    ]
    await branch.fill('two words')
    await dialog(page).getByRole('button', { name: 'Restore it' }).click()
    await dialog(page).getByRole('alert').filter({ hasText: 'no spaces' }).waitFor()
    await branch.fill('main')
    await dialog(page).getByRole('button', { name: 'Restore it' }).click()
    await dialog(page).getByRole('alert').filter({ hasText: 'There is a branch main already.' }).waitFor()
    expect(await branch.inputValue()).toBe('main')
    await branch.fill('looked-at')
    await folder.fill('somewhere')
    await dialog(page).getByRole('button', { name: 'Restore it' }).click()
    await dialog(page).getByRole('alert').filter({ hasText: 'from the root on' }).waitFor()
    await folder.fill('')
    await dialog(page).getByRole('button', { name: 'Restore it' }).click()
    await dialog(page).getByText('looked-at').first().waitFor()
    expect(git('show', 'looked-at:notes/at-work.txt')).toBe('half way')
    await dialog(page).getByRole('button', { name: 'Close' }).click()
  }))

test('a purge says what it takes, and is undone; a claim whose holder is gone is recovered', () =>
  onMaintenance(async (page, daemon) => {
    const states = () => Promise.all([1, 2, 3, 4].map(async (n) => (await itemNumber(daemon, n)).state))
    const order = (name: string) =>
      section(page, 'Maintenance').getByRole('button', { name, exact: true }).click()
    await order('Purge…')
    await dialog(page).getByText('This will withdraw 4 items from the queue: #1, #2, #3, #4.').waitFor()
    await dialog(page).getByRole('list', { name: 'Items affected' }).getByText('Repair module 3').waitFor()
    await dialog(page).getByRole('button', { name: 'Purge the queue' }).click()
    await given(page).getByText('withdrew #1, #2, #3, #4').waitFor()
    expect(new Set(await states())).toEqual(new Set(['withdrawn']))
    await order('Undo a purge…')
    await dialog(page).getByRole('button', { name: 'Put it back' }).click()
    await given(page).getByText('put back #1, #2, #3, #4').waitFor()
    expect(new Set(await states())).toEqual(new Set(['backlog']))

    // Nothing to do is said, and there is nothing to confirm.
    await order('Recover…')
    await dialog(page).getByText('No claim is stuck').waitFor()
    expect(await dialog(page).getByRole('button', { name: 'Release it' }).count()).toBe(0)
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await claim(daemon, 4)
    await order('Recover…')
    await dialog(page)
      .getByText(/#4 \(agent-9 is gone\)/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Release it' }).click()
    await given(page).getByText('released #4').waitFor()
    expect((await itemNumber(daemon, 4)).claimedByAgentId).toBeNull()

    await order('Reset…')
    await dialog(page)
      .getByText(/reset the session file of agent-1/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Reset it' }).click()
    await given(page).getByText('agent-1 was reset').waitFor()
  }))

test('what is left of agents is recovered or deleted; everyone is stopped in good order', () =>
  onMaintenance(async (page, daemon) => {
    const file = (n: number) => join(daemon.workspace.paths.sessions, `agent-${n}.session`)
    const left = { ...idleSession('agent-5', new Date().toISOString()), tasksCompleted: 7 }
    writeFileSync(file(5), JSON.stringify(left))
    writeFileSync(file(6), 'no session')
    const orphans = section(page, /^Orphans/).getByRole('listitem')
    const [five, six] = [orphans.filter({ hasText: 'agent-5' }), orphans.filter({ hasText: 'agent-6' })]
    await six.getByText('its session file cannot be read').waitFor()
    expect(await six.getByRole('button', { name: 'Recover agent-6' }).count()).toBe(0)
    await six.getByRole('button', { name: 'Delete agent-6…' }).click()
    expect(existsSync(file(6))).toBe(true)
    await dialog(page).getByRole('button', { name: 'Delete it' }).click()
    await six.waitFor({ state: 'detached' })
    expect(existsSync(file(6))).toBe(false)
    await five.getByRole('button', { name: 'Recover agent-5' }).click()
    await five.waitFor({ state: 'detached' })
    await untilAgent(daemon, 'back', ({ tasksCompleted, pid }) => tasksCompleted === 7 && pid !== null, 5)

    await section(page, 'Maintenance').getByRole('button', { name: 'Pause all at once…' }).click()
    await dialog(page).getByRole('button', { name: 'Pause them' }).click()
    await closed(page)
    await untilAgent(
      daemon,
      'halted',
      ({ wanted, substate }) => wanted === 'paused' && substate === 'frozen',
      5,
    )
    await openMenu(page, 'crew')
    await page.getByRole('button', { name: 'Resume all' }).click()
    await untilAgent(daemon, 'going on', ({ status }) => status === 'idle', 5)

    await section(page, 'Maintenance').getByRole('button', { name: 'Stop all…' }).click()
    await dialog(page)
      .getByText(/^This will stop 1 active agent.*They end as soon as their work is safe/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Stop them' }).click()
    await given(page).getByText('stopped agent-5').waitFor()
    expect(await agentOf(daemon, 5)).toMatchObject({ wanted: 'stopped' })
    expect(crewProcesses(daemon)).toEqual([])
  }))

test('a phase is rolled back in treadle.json, and what is in force is shown', () =>
  onMaintenance(async (page, daemon) => {
    await section(page, 'Maintenance').getByRole('button', { name: 'Roll back phase 5…' }).click()
    await dialog(page).getByText('This will set flags.enable_advanced_monitoring to false').waitFor()
    await dialog(page).getByRole('button', { name: 'Roll it back' }).click()
    await closed(page)
    const row = section(page, 'Maintenance').getByRole('listitem').filter({ hasText: 'Phase 5' })
    await row.getByText('Off', { exact: true }).waitFor()
    const settings = JSON.parse(readFileSync(join(daemon.workspace.root, 'treadle.json'), 'utf8'))
    expect(settings.flags).toEqual({ enable_advanced_monitoring: false })

    await goTo(page, 'Settings')
    const inForce = section(page, 'Settings')
    await inForce.getByLabel('Find a setting').fill('enable_advanced')
    const found = inForce.locator('dl > div')
    expect(await found.allInnerTexts()).toEqual([
      expect.stringMatching(/flags\.enable_advanced_monitoring\s+false/),
    ])
    await inForce.getByLabel('Find a setting').fill('limits.improvements')
    await inForce.getByText('No settings match.').waitFor()
    await inForce.getByRole('checkbox').uncheck()
    await inForce.getByText('limits.improvements').waitFor()
    // What is wrong with the file is said where the settings are.
    daemon.workspace.write(
      'treadle.json',
      `${JSON.stringify({ ...settings, agents: { maxConcurrent: 99 } })}\n`,
    )
    await inForce
      .getByText(/maxConcurrent/)
      .filter({ hasText: '99' })
      .first()
      .waitFor()
    daemon.workspace.write('treadle.json', `${JSON.stringify(settings)}\n`)
  }))

test('the audit log has every order, newest first, page by page, with who and what came of it', async () => {
  const { client } = await crew()
  // More than one page: each of these is an order too.
  for (let n = 0; n < 26; n += 1)
    await client.giveOrder({ body: { order: { is: 'resume_all' }, by: `person-${n}` } })
  await onMaintenance(async (page) => {
    await goTo(page, 'Audit log')
    const body = section(page, 'Audit log').locator('tbody tr')
    await body.filter({ hasText: 'person-25' }).waitFor()
    const first = await body.first().innerText()
    expect(first).toMatch(/person-25\s+resume all\s+nobody was resumed/)
    expect(await body.filter({ hasText: 'emergency stop' }).count()).toBe(0)
    await section(page, 'Audit log').getByRole('button', { name: 'Show more' }).click()
    await body.filter({ hasText: 'emergency stop' }).first().waitFor()
    const { items } = await client.audit({ query: { limit: 1_000 } })
    expect(await body.count()).toBe(items.length)
    const shown = await body.locator('td:nth-child(3)').allInnerTexts()
    expect(shown).toEqual(items.map(({ order }) => order.replaceAll('_', ' ')))
    await body.filter({ hasText: 'undelete' }).filter({ hasText: 'not done' }).first().waitFor()
  })
})

test.each(['light', 'dark'] as const)(
  'maintenance can be read aloud and fits 360 px (%s)',
  async (colorScheme) => {
    const daemon = await crew()
    await inBrowser(
      daemon,
      async (page) => {
        await openLive(page, daemon)
        await page.evaluate("location.assign('#/maintenance')")
        await section(page, /^Kept work/)
          .getByRole('row')
          .nth(1)
          .waitFor()
        const look = async (name: string) => {
          await canBeReadAloud(page, name)
          await fitsTheWindow(page, name)
        }
        await look('maintenance')
        await goTo(page, 'Audit log')
        await section(page, 'Audit log').getByRole('row').nth(3).waitFor()
        await look('the audit log')
        await goTo(page, 'Settings')
        await look('the settings')
      },
      { colorScheme, viewport: { width: 360, height: 800 } },
    )
  },
)

test('a goal is started from the board, and somebody is there to work on it', async () => {
  const daemon = await crew()
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await goTo(page, 'Work')
    await page.getByRole('button', { name: 'New goal' }).click()
    await dialog(page).getByRole('button', { name: 'Start', exact: true }).click()
    await dialog(page).getByRole('alert').filter({ hasText: 'what the goal is' }).waitFor()
    await dialog(page).getByLabel('Goal').fill('Nobody says wrong any more\nin any module')
    await dialog(page)
      .getByLabel(/^Command that proves it/)
      .fill('! grep -r wrong src')
    await dialog(page).getByLabel('Who writes the code').selectOption('scripted')
    await dialog(page).getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: /Nobody says wrong any more/ }).waitFor()
    expect(await itemNumber(daemon, 5)).toMatchObject({
      title: 'Nobody says wrong any more',
      labels: ['goal'],
      testCommand: '! grep -r wrong src',
      engine: 'scripted',
    })
    expect((await daemon.client.listAgents()).items.some(({ wanted }) => wanted === 'running')).toBe(true)
  })
})

test('shutting down is asked about; then the daemon is gone, and the page says how to start it again', () =>
  onMaintenance(async (page, daemon) => {
    await section(page, 'Maintenance').getByRole('button', { name: 'Shut down…' }).click()
    await dialog(page).getByRole('list', { name: 'Agents affected' }).getByText('agent-1').waitFor()
    await dialog(page).getByRole('button', { name: 'Shut down' }).click()
    await dialog(page).getByRole('heading', { name: 'Treadle is shut down' }).waitFor()
    await dialog(page).getByText('treadle up').waitFor()
    await waitGone(daemon.pid)
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('alert').filter({ hasText: 'The daemon does not answer.' }).waitFor()
    expect(crewProcesses(daemon)).toEqual([])
  }))
