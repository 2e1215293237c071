// One item from the page: each action really done, what was said and proved read back, and hostile texts harmless.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentNumber } from '@treadle/contracts/ids'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { plan, reflect, startGoal } from '../goal/goals.ts'
import { browserPages, openLive, section } from '../kit/browser.ts'
import type { Daemon } from '../kit/daemon.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import {
  addRepair,
  eventsOf,
  itemNumber,
  letGo,
  moduleOf,
  repair,
  slowRepair,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const inBrowser = browserPages()
const ATTACK = [
  '<img src=x onerror="globalThis.taken = 1">',
  '![seen](http://192.0.2.1/seen.png)',
  '[press](javascript:globalThis.taken=1)',
  '[elsewhere](http://192.0.2.1/)',
].join(' ')
const LINES = 3_000
const QUARTER = { use: { model: 'm', inputTokens: 1, outputTokens: 1, usd: 0.25 } }

let daemon: Daemon
beforeAll(async () => {
  // Of a size that no page can draw, beside a line that reads otherwise than it runs.
  const stillWrong = [
    { write: { file: moduleOf(3), text: 'state: wrong \u202e\n' } },
    { run: { command: 'seq 1 20000 > src/big.ts' } },
  ]
  const goal = [
    plan('Find out what is wanted'),
    { run: { command: 'ls src' } },
    reflect('needs_user', 'Two modules could be meant', { question: 'Which module?' }),
    plan('Mend the one that was meant'),
    repair(4),
    reflect('achieved', 'It is right now'),
  ]
  const workspace = shop({
    scripts: [[[repair(1)]], slowRepair(2), [[{ say: { text: ATTACK } }, QUARTER, ...stillWrong]], [goal]],
    settings: { merge: { approval: 'human', target: 'main' }, limits: { improvements: 1 } },
  })
  daemon = await up(workspace, 3)
  await addRepair(daemon, 1, { testCommand: `seq 1 ${LINES}; sh test.sh ${moduleOf(1)}` })
  await addRepair(daemon, 2)
  await addRepair(daemon, 3)
  await startGoal(daemon, 'Make the module right', `sh test.sh ${moduleOf(4)}`)
}, 120_000)

const refOf = (n: number) => ({ projectNumber: 1, issueNumber: n })
const heading = (page: Page) => page.getByRole('heading', { level: 2 })
const button = (of: Page | Locator, name: string | RegExp) => of.getByRole('button', { name })

async function openItem(page: Page, n: number): Promise<void> {
  await openLive(page, daemon)
  await page.goto(`${daemon.url}/#/item/1/${n}`)
  await heading(page)
    .filter({ hasText: `#${n}` })
    .waitFor()
}

async function isHarmless(page: Page): Promise<void> {
  expect(await page.locator('main img, main iframe, main script, main a[href^="http"]').count()).toBe(0)
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  expect(await page.evaluate(() => 'taken' in globalThis)).toBe(false)
}

/** Without the last line end, which reading a note over the shell takes away. */
function noteOf(commit: string): string {
  return daemon.workspace.git('notes', '--ref=treadle', 'show', commit)
}

async function sendBack(page: Page): Promise<void> {
  // Nothing is decided where the change cannot be read.
  expect(await button(page, /^Approve|^Request changes/).count()).toBe(0)
  await page.getByRole('link', { name: /^Review #1/ }).click()
  await button(page, /^Request changes/).click()
  const field = page.getByLabel('What should change?')
  await button(page, 'Request changes for #1').click()
  await page.getByText('Say what should change').waitFor()
  expect((await itemNumber(daemon, 1)).state).toBe('in_review')
  await field.fill(ATTACK)
  // What was written must survive that it was not taken.
  const sent: unknown[] = []
  await page.route('**/reject', (route) => {
    sent.push(route.request().postDataJSON())
    return route.abort()
  })
  const anew = page.getByLabel('Start over instead of building on this delivery')
  await anew.check()
  await button(page, 'Request changes for #1').click()
  await page.getByRole('alert').filter({ hasText: 'No answer came' }).waitFor()
  expect(await field.inputValue()).toBe(ATTACK)
  expect(sent).toMatchObject([{ feedback: ATTACK, fresh: true }])
  await page.unroute('**/reject')
  await anew.uncheck()
  await button(page, 'Request changes for #1').click()
  await field.waitFor({ state: 'detached' })
}

test('a delivery is sent back with words and then approved; its receipt is read from git, and a forged one is named', async () => {
  const { client } = daemon
  await expect(client.showReceipt({ params: refOf(2) })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('not merged yet'),
  })
  await until(daemon, 1, 'in_review')
  const options = { permissions: ['clipboard-read', 'clipboard-write'] }
  await inBrowser(
    daemon,
    async (page) => {
      await openItem(page, 1)
      await sendBack(page)
      await openItem(page, 1)
      await eventually('the second delivery', async () => {
        const { state, reviewCycles } = await itemNumber(daemon, 1)
        return state === 'in_review' && reviewCycles === 1 ? true : undefined
      })
      const [, first] = (await client.listReviews({ query: refOf(1) })).items
      expect(first).toMatchObject({ status: 'rejected', feedback: expect.stringContaining(ATTACK) })
      await page.getByText('sent back once').waitFor()
      // It was open when the second came, and is not closed under the reader.
      await section(page, 'Reviews').getByText('[image: seen').first().waitFor()
      await isHarmless(page)
      await canBeReadAloud(page)

      await page.getByRole('link', { name: /^Review #1/ }).click()
      await button(page, /^Approve #1/).click()
      await page.getByText('Approved #1.').first().waitFor()
      await openItem(page, 1)
      const { mergeCommit } = await until(daemon, 1, 'done')
      const commit = mergeCommit ?? 'none'
      const receipt = section(page, 'Receipt')
      await receipt.getByText('Matches', { exact: true }).waitFor()
      await receipt.getByText(commit, { exact: true }).waitFor()
      await receipt.getByText(daemon.workspace.git('rev-parse', `${commit}^{tree}`)).waitFor()
      await receipt.getByText('Strength of the tests').waitFor()
      const kept = await client.showReceipt({ params: refOf(1) })
      const digest = createHash('sha256')
        .update(`${noteOf(commit)}\n`)
        .digest('hex')
      expect([kept.stated, kept.found, kept.signature.is]).toEqual([digest, digest, 'unknown_key'])
      await button(receipt, 'Copy the command that verifies this merge').click()
      await button(receipt, 'Copied the command that verifies this merge').waitFor()
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`treadle verify ${commit}`)
      await showsLongOutput(page)
      await canBeReadAloud(page)

      forge(commit)
      await page.reload()
      await section(page, 'Receipt')
        .getByRole('alert')
        .filter({ hasText: 'This is not the receipt that the merge commit names' })
        .waitFor()
      await section(page, 'Receipt').getByText('onerror').first().waitFor()
      await isHarmless(page)
    },
    options,
  )
})

async function showsLongOutput(page: Page): Promise<void> {
  await button(page, 'Output of tests').first().click()
  const output = section(page, 'Output of tests').first()
  await output.getByText(`\n${LINES}\n`).waitFor()
  expect((await output.innerText()).split('\n').length).toBeLessThan(300)
  await button(page, /^Show all of the output of tests/)
    .first()
    .click()
  // As many lines as were printed, the first among them.
  await expect.poll(async () => (await output.textContent())?.startsWith('1\n2\n3\n')).toBe(true)
  await button(page, 'Output of tests').first().click()
  await output.waitFor({ state: 'detached' })
}

/** Another note on the same commit: well formed, and not what the commit names. */
function forge(commit: string): void {
  const { git, home } = daemon.workspace
  const receipt = JSON.parse(noteOf(commit))
  receipt.predicate.review.by = ATTACK
  receipt.predicate.merged[0].command = ATTACK
  const file = join(home, 'forged.json')
  writeFileSync(file, JSON.stringify(receipt))
  git('notes', '--ref=treadle', 'add', '-f', '-F', file, commit)
}

test('a run at work is told something; its item is reassigned, released, withdrawn and reopened', async () => {
  const { client } = daemon
  const first = await untilHolding(daemon, 2)
  await inBrowser(daemon, async (page) => {
    await openItem(page, 2)
    await page.getByLabel(/^Message agent-/).fill(ATTACK)
    await button(page, 'Send').click()
    const said = page.getByRole('list', { name: 'Conversation, oldest first' })
    await said.getByText('onerror').waitFor()
    const { items } = await client.listGuidance({ params: { id: first.runId ?? '' }, query: {} })
    expect(items.map(({ guidance }) => [guidance.by, guidance.text])).toEqual([['owner', ATTACK]])
    expect(await page.getByLabel(/^Message agent-/).inputValue()).toBe('')
    await isHarmless(page)

    const dialog = page.getByRole('dialog')
    const other = await eventually('an agent without an item', async () => {
      const { items: agents } = await client.listAgents()
      return agents.find(({ id, item }) => item === null && agentNumber(id) !== null)?.id
    })
    await button(page, /^Reassign… #2/).click()
    await dialog.getByRole('combobox').selectOption(other)
    await button(dialog, 'Go on').click()
    await button(dialog, 'Reassign it').click()
    const held = await eventually('the other agent has it', async () => {
      const item = await itemNumber(daemon, 2)
      return item.claimedByAgentId === other ? item : undefined
    })
    await untilHolding(daemon, 2)

    await button(page, /^Release… #2/).click()
    await dialog.getByText(`Take #2 from ${other}?`).waitFor()
    await page.keyboard.press('Escape')
    expect((await itemNumber(daemon, 2)).fence).toBe(held.fence)
    await button(page, /^Release… #2/).click()
    await button(dialog, 'Release it').click()
    await eventually('another claim', async () =>
      (await itemNumber(daemon, 2)).fence > held.fence ? true : undefined,
    )
    const why = (await eventsOf(daemon, 2)).flatMap(({ event }) =>
      event.type === 'claim.released' ? [event.why] : [],
    )
    expect(why).toEqual(['released by owner'])

    await button(page, /^Withdraw… #2/).click()
    await button(dialog, 'Withdraw it').click()
    await page.getByText('#2 is withdrawn. Reopen puts it back in the queue.').waitFor()
    expect((await itemNumber(daemon, 2)).state).toBe('withdrawn')
    await button(page, /^Reopen #2/).click()
    await until(daemon, 2, 'backlog', 'claimed', 'building')
  })
  letGo(daemon.workspace, 'go-2')
  await until(daemon, 2, 'in_review')
})

test('an escalated item says what was tried and what is next; each attempt is explained, with its cost', async () => {
  const item = await until(daemon, 3, 'escalated')
  await inBrowser(
    daemon,
    async (page) => {
      await openItem(page, 3)
      const report = section(page, 'What was tried, and what is left to you')
      await report.getByText('What still fails').waitFor()
      expect(await report.getByText('treadle reopen').count()).toBe(0)
      await report.getByText(moduleOf(3), { exact: false }).first().waitFor()
      await page.getByText('$0.50 so far').waitFor()
      const runs = section(page, 'Runs')
      const second = runs.getByRole('listitem').filter({ has: page.getByText('Attempt 2', { exact: true }) })
      await second.getByText('$0.25').first().waitFor()
      await runs.getByText('Attempt 1', { exact: true }).click()
      await button(page, 'Explain of attempt 1').click()
      const explained = section(page, 'Explanation of attempt 1')
      await explained.getByText('What the tests said then').waitFor()
      const { text } = await daemon.client.explainRun({
        params: { id: item.runId ?? '' },
        query: { attempt: 1 },
      })
      expect(text).toContain('## What was tried')
      await runs.getByText('onerror').first().waitFor()
      await isHarmless(page)
      await showsLargeChange(page)

      await eventually('the look back', () =>
        daemon.client.showRetrospective({ params: { id: item.runId ?? '' } }).catch(() => undefined),
      )
      await page.getByText('Retrospective').click()
      await page.getByText('Where it differed from the plan').waitFor()
      await canBeReadAloud(page)
    },
    { colorScheme: 'dark' },
  )
})

async function showsLargeChange(page: Page): Promise<void> {
  await button(page, 'Show the change (2 files)').click()
  await page.getByRole('alert').filter({ hasText: 'cannot be seen or turn the direction of text' }).waitFor()
  await section(page, moduleOf(3)).getByText('state: wrong [U+202E]').waitFor()
  const big = section(page, 'src/big.ts')
  await button(big, 'Show the change of src/big.ts').click()
  await button(big, /^Show the other \d+ lines/).click()
  await big.getByText('+20000').first().waitFor()
  // The page still answers.
  await button(page, 'Two columns').click()
  expect(await button(page, 'Two columns').getAttribute('aria-pressed')).toBe('true')
}

test('a goal shows its rounds as it goes, and its question is answered where it stands', async () => {
  const { client } = daemon
  await inBrowser(daemon, async (page) => {
    await openItem(page, 4)
    const asked = page.getByRole('region', { name: /^Question \d+$/ })
    await asked.getByText('Which module?').waitFor()
    await page.getByText('Round 1', { exact: true }).waitFor()
    await asked.getByLabel('In your own words').fill('The fourth one')
    await button(asked, 'Answer').click()
    await asked.waitFor({ state: 'detached' })
    const { runId } = await until(daemon, 4, 'in_review')
    const { items } = await client.listGuidance({ params: { id: runId ?? '' }, query: {} })
    expect(items.map(({ guidance }) => guidance.text)).toEqual(['The fourth one'])
    await page.getByText('Round 2', { exact: true }).waitFor()
    await page.getByText('As told: The fourth one').waitFor()
    const rounds = page.getByRole('list', { name: 'Rounds of the goal' })
    await rounds.getByText('It is right now', { exact: true }).waitFor()
    await page.getByText('Goal achieved', { exact: true }).waitFor()
    await section(page, 'Conversation').getByText('Read', { exact: true }).waitFor()
    await canBeReadAloud(page)
  })
})
