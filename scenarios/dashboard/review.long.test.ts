// A delivery is read, commented on and approved in the review workspace; nobody approves what they have not read.
import type { Locator, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { picturesFolder } from '../env.ts'
import { browserPages, openLive } from '../kit/browser.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { addItem, deliver, itemOf, path, take } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { eventually } from '../kit/wait.ts'

vi.setConfig({ testTimeout: 240_000 })
const inPage = browserPages()

/** Red until there is a file named by its argument. */
const NEED_SCRIPT = `echo 'TAP version 13'
echo '1..1'
if [ ! -e "$1" ]; then echo "not ok 1 - there is $1"; exit 1; fi
echo "ok 1 - there is $1"
`
const CART = Array.from({ length: 30 }, (_, at) => `export const line${at + 1} = ${at + 1}`).join('\n')
const open = useInProcess('any', {
  settings: { limits: { sweepMs: 200 }, merge: { approval: 'human' } },
  files: { 'need.sh': NEED_SCRIPT, 'cart.ts': `${CART}\n` },
})
const changed = (lines: Record<number, string>) =>
  `${CART.split('\n')
    .map((line, at) => lines[at + 1] ?? line)
    .join('\n')}\n`

async function waits(daemon: InProcessDaemon, number: number, cycle = 1): Promise<void> {
  await eventually(`delivery ${cycle} of #${number} waits`, async () => {
    const query = { projectNumber: 1, issueNumber: number, limit: 1 }
    const [last] = (await daemon.client.listReviews({ query })).items
    return last?.cycle === cycle && last.waitsFor === 'person' ? true : undefined
  })
}

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true })

async function isInSight(of: Locator): Promise<void> {
  const box = await of.boundingBox()
  expect(box?.y, String(of)).toBeGreaterThanOrEqual(0)
  expect((box?.y ?? 0) + (box?.height ?? 0), String(of)).toBeLessThanOrEqual(900)
}

/** A picture of each state, where somebody wants to look at them. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = picturesFolder()
  if (folder !== null) await page.screenshot({ path: `${folder}/${name}.png` })
}

test('read, comment on two lines, request changes, read what became of them, approve, merged', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const ref = await addItem(client, { title: 'Count by units', testCommand: 'sh need.sh count.sh' })
  const other = await addItem(client, { title: 'Something else' })
  await deliver(workspace, await take(daemon, ref, 'agent-1'), {
    'cart.ts': changed({ 2: 'export const line2 = 22', 20: 'export const line20 = 2020' }),
    'count.sh': 'echo one\necho two\n',
  })
  await deliver(workspace, await take(daemon, other, 'agent-9'), { 'note.md': 'hello\n' })
  await waits(daemon, ref.number)
  await waits(daemon, other.number)
  await inPage(
    daemon,
    async (page) => {
      await openLive(page, daemon)
      await page.goto(`${daemon.url}/#/review/1/${ref.number}`)
      const cart = region(page, 'cart.ts')
      await cart.getByText('22').first().waitFor()
      await cart.locator('.diff-code-edit').first().waitFor()
      const trust = region(page, 'Why trust it?')
      await trust.getByText('Was red, is green now').waitFor()
      await page.getByText('2 files').waitFor()
      // Without scrolling: why it can be trusted, the first lines of the change, and the decision about it.
      for (const part of [
        trust.getByText('Proven', { exact: true }).first(),
        trust.getByText('Test suite', { exact: true }),
        trust.getByText('Secrets', { exact: true }),
        cart.getByText('22').first(),
        page.getByRole('button', { name: `Approve #${ref.number}` }),
        page
          .getByRole('banner')
          .getByText(/^Today|\$\d/)
          .first(),
      ])
        await isInSight(part)
      await canBeReadAloud(page)
      await picture(page, 'review-first')
      await page.getByRole('button', { name: 'Split' }).click()
      await picture(page, 'review-split')
      await page.getByRole('button', { name: 'Unified' }).click()

      // By keyboard alone: the first file, its lines, a comment.
      await page.keyboard.press('j')
      await page.keyboard.press('e')
      await page.getByText('Copied cart.ts:2', { exact: true }).waitFor()
      await page.keyboard.press('c')
      await page.keyboard.press('e')
      await page.getByText('Copied cart.ts:1', { exact: true }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('cart.ts:1')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Comment on line' }).fill('Say why')
      await page.keyboard.press('Control+Enter')
      await cart.getByText('Your comment, not sent yet').waitFor()
      await cart.getByRole('button', { name: 'Comment on line 20', exact: true }).click()
      await page.getByRole('textbox', { name: 'Comment on line' }).fill('Is 2020 right?')
      await page.getByRole('button', { name: 'Add comment' }).click()
      await page.reload()
      await cart.getByText('Is 2020 right?').waitFor()
      await page.locator('body').click({ position: { x: 5, y: 400 } })
      await page.keyboard.press('r')
      await page.getByLabel('What should change?').fill('Nearly there')
      await picture(page, 'review-request')
      await canBeReadAloud(page)
      await page.getByRole('button', { name: `Request changes for #${ref.number}` }).click()
      await page.getByText(`Next: #${other.number} Something else`).waitFor()
      await page.waitForURL(new RegExp(`#/review/1/${other.number}$`))
      const back = await itemOf({ client, ref })
      expect(back).toMatchObject({ state: 'rework' })
      expect(back.reason).toMatch(/Nearly there\n\n- cart\.ts:1?\d: Say why\n- cart\.ts:20: Is 2020 right\?/)
    },
    { viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] },
  )

  await deliver(workspace, await take(daemon, ref, 'agent-2'), {
    'cart.ts': changed({ 2: 'export const line2 = 22', 20: 'export const line20 = 21' }),
    'count.sh': 'echo one\necho two\n',
  })
  await waits(daemon, ref.number, 2)
  await inPage(
    daemon,
    async (page) => {
      const began = performance.now()
      await openLive(page, daemon)
      let clicks = 0
      const click = async (target: ReturnType<Page['getByRole']>) => {
        await target.click()
        clicks += 1
      }
      expect(new URL(page.url()).hash).toBe('')
      await click(region(page, /^Needs you/).getByRole('link', { name: /Count by units/ }))
      const asked = page.getByRole('list', { name: 'Changes you asked for' }).getByRole('listitem')
      await asked.filter({ hasText: 'Is 2020 right?' }).getByText('Line changed', { exact: true }).waitFor()
      await asked.filter({ hasText: 'Say why' }).getByText('Not changed', { exact: true }).waitFor()
      const box = asked.filter({ hasText: 'Is 2020 right?' }).getByRole('checkbox')
      expect(await box.isChecked()).toBe(false)
      await box.check()
      clicks += 1
      await picture(page, 'review-second')
      await canBeReadAloud(page)
      await page.getByRole('combobox').selectOption({ label: 'changes since delivery 1' })
      clicks += 1
      await page.getByText('1 file', { exact: true }).waitFor()
      await region(page, 'cart.ts').getByText('2020').first().waitFor()
      await picture(page, 'review-interdiff')
      await page.getByRole('heading', { level: 2 }).first().focus()
      await page.keyboard.press('a')
      clicks += 1
      await page.getByText(`Approved #${ref.number}.`, { exact: false }).first().waitFor()
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      process.stdout.write(
        `from the first page to an approved, read change: ${clicks} clicks or keys, ${seconds} s\n`,
      )
    },
    { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  )
  await eventually('merged', async () =>
    (await itemOf({ client, ref })).state === 'done' ? true : undefined,
  )
  const events = (await client.showItem({ params: path(ref) })).events.map(({ event }) => event)
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'review.approved', head: expect.any(String) }),
  )
})

test('a delivery that comes while another is read is not approved by mistake; odd names and cut files are said', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const ref = await addItem(client, { title: 'A long one' })
  await deliver(workspace, await take(daemon, ref, 'agent-1'), {
    'long.txt': 'a line that says nothing much\n'.repeat(12_000),
    'odd "name" \u202e.txt': `if (admin\u202e) {}\n<img src=x onerror=alert(1)>\n`,
    'image.png': 'a\0b',
  })
  await waits(daemon, ref.number)
  await inPage(
    daemon,
    async (page) => {
      await openLive(page, daemon)
      await page.goto(`${daemon.url}/#/review/1/${ref.number}`)
      await region(page, 'odd "name" [U+202E].txt').getByText('[U+202E]').first().waitFor()
      await region(page, 'image.png').getByText('binary, not shown').waitFor()
      await page.getByText('too long to be shown whole').waitFor()
      const approve = page.getByRole('button', { name: `Approve #${ref.number}` })
      expect(await approve.getAttribute('aria-disabled')).toBe('true')
      await approve.click({ force: true })
      expect(await itemOf({ client, ref })).toMatchObject({ state: 'in_review' })
      await picture(page, 'review-phone')
      await canBeReadAloud(page)
      await fitsTheWindow(page, 'review')
      await page.getByRole('button', { name: 'Why trust it?' }).click()
      await picture(page, 'review-phone-trust')
      await canBeReadAloud(page)
      await page.getByRole('button', { name: /^Change / }).click()
      await page.getByLabel('I have read what is not shown here').check()
      expect(await approve.getAttribute('aria-disabled')).toBe('false')

      // Somebody else sends it back, and the agent delivers again, while this page still shows the first.
      await page.route('**/api/board*', (route) => route.abort())
      await client.rejectItem({ params: path(ref), body: { feedback: 'Shorter' } })
      await deliver(workspace, await take(daemon, ref, 'agent-2'), { 'long.txt': 'short\n' })
      await waits(daemon, ref.number, 2)
      await approve.click()
      await page.getByText('has changed since you read it').first().waitFor()
      expect(await itemOf({ client, ref })).toMatchObject({ state: 'in_review', approval: null })
      await page.unroute('**/api/board*')
      await page.getByRole('button', { name: 'Show the newer one' }).click()
      await region(page, 'long.txt').getByText('short').waitFor()
      await page.getByRole('button', { name: `Approve #${ref.number}` }).click()
      await page.getByText(`Approved #${ref.number}.`).first().waitFor()
    },
    { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  )
})
