// Every screen with a real daemon: what is asked is answered in place, hostile texts do nothing, all can be read aloud.
import type { RunReport } from '@treadle/contracts/event'
import { branchName } from '@treadle/contracts/ids'
import { phaseRecord } from '@treadle/contracts/run'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { browserPages, goTo, openLive } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { useInProcess } from '../kit/in-process.ts'
import { canBeReadInLightAndDark } from '../kit/read-aloud.ts'

const open = useInProcess('any')
const inBrowser = browserPages()

/** Claims a new item as an agent would, and says what an agent would say. */
async function workOn({ client }: Daemon, title: string) {
  const { projectNumber, number } = await client.addItem({ body: { title } })
  const claim = await client.claimItem({
    params: { projectNumber, issueNumber: number },
    body: { agentId: 'agent-1' },
  })
  let said = 0
  const say = async (event: RunReport) => {
    said += 1
    const eventId = `${claim.run.id}:${said}`
    await client.reportRun({ params: { id: claim.run.id }, body: { eventId, fence: claim.fence, event } })
  }
  return { ...claim, say }
}

verifies(
  'AGENT-QUESTION-51',
  'a question that holds somebody up is shown on top, and answered where it stands',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      const { question } = await client.askQuestion({
        body: {
          type: 'blocking',
          agent: 'build',
          text: 'Which database is meant?',
          context: 'Both are set up.',
          options: [
            { label: 'SQLite', recommended: true },
            { label: 'PostgreSQL', implications: 'Needs a server.' },
          ],
          allowFreeText: true,
        },
      })
      const id = question?.id ?? ''
      await page.getByRole('alert').filter({ hasText: 'build is waiting for your answer' }).waitFor()
      await goTo(page, 'Review')
      const asked = page.getByRole('listitem').filter({ hasText: 'Which database is meant?' })
      await asked.getByText('Paused until you answer.').waitFor()
      await asked.focus()
      await page.keyboard.press('2')
      await asked.waitFor({ state: 'detached' })
      expect((await client.showQuestion({ params: { id } })).answer).toMatchObject({
        option: 'PostgreSQL',
        how: 'person',
      })
      await page
        .getByRole('alert')
        .filter({ hasText: 'is waiting for your answer' })
        .waitFor({ state: 'detached' })
    })
  },
)

const ATTACKS = [
  '<script>window.taken = 1</script>',
  '<img src="http://192.0.2.1/seen.png" onerror="window.taken = 1">',
  '![seen](http://192.0.2.1/seen.png)',
  '[press](javascript:window.taken=1)',
  '<a href="javascript:window.taken=1">press</a>',
  '<iframe src="http://192.0.2.1/"></iframe>',
].join('\n\n')

test('what items, agents, questions and files say is shown as text and does nothing', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const head = workspace.git('rev-parse', 'main')
  await inBrowser(daemon, async (page) => {
    const { say, item } = await workOn(daemon, '<img src=x onerror="window.taken = 1"> in a title')
    const body = { title: '<b>bold</b>', body: ATTACKS, acceptance: ['<script>window.taken = 1</script>'] }
    const planted = await client.addItem({ body })
    await say({
      type: 'build.started',
      branch: branchName('agent-1', item),
      base: head,
    })
    const name = 'src/<img src=x onerror=alert(1)>.ts'
    const record = {
      ...phaseRecord({
        phase: 'build',
        iteration: 0,
        startedAt: new Date().toISOString(),
        durationMs: 1,
        outcome: 'done',
      }),
      summary: ATTACKS,
      changes: [name],
      diff: `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,1 +1,1 @@\n-<script>window.taken = 1</script>\n+<b>\n`,
    }
    await say({
      type: 'build.finished',
      summary: ATTACKS,
      checkpoint: head,
      records: [record],
    })
    await client.askQuestion({ body: { type: 'blocking', agent: '<b>', text: ATTACKS, allowFreeText: true } })
    await openLive(page, daemon)
    for (const screen of ['Work', 'Review', 'Activity', 'Now']) {
      await goTo(page, screen)
      await page
        .getByText(screen === 'Review' ? 'press' : 'onerror')
        .first()
        .waitFor()
      expect(await page.locator('main img, main iframe, main script').count()).toBe(0)
    }
    for (const { projectNumber, number } of [planted, item]) {
      await page.goto(`${daemon.url}/#/item/${projectNumber}/${number}`)
      await page.getByRole('heading', { name: 'Description' }).waitFor()
      const change = page.getByRole('button', { name: /Show the change/ })
      if (number === item.number) {
        await change.click()
        await page.getByRole('button', { name: 'Two columns' }).first().click()
      }
      expect(await page.locator('main img, main iframe, main script').count()).toBe(0)
      expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
    }
    expect(await page.evaluate(() => 'taken' in globalThis)).toBe(false)
  })
})

test('every screen can be read aloud, and told apart in the dark too', async () => {
  const daemon = await open({} as never)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    for (const name of [
      'Now',
      'Work',
      'Review',
      'Loops',
      'Activity',
      'Lessons',
      'Health',
      'Settings',
      'Audit log',
    ]) {
      await goTo(page, name)
      await page
        .getByRole('heading', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor()
      await canBeReadInLightAndDark(page, name)
    }
    await goTo(page, 'Work')
    await page.getByRole('button', { name: 'Add item' }).click()
    await canBeReadInLightAndDark(page, 'the form of a new item')
  })
})
