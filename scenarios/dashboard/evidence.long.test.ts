// How well a change is proven, as people meet it: on the page, in the terminal, in the merge and in its receipt.
import type { EvidenceLevel } from '@treadle/contracts/evidence-level'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { browserPages, openLive, section } from '../kit/browser.ts'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { itemNumber, type Step, told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops('file')
const inBrowser = browserPages()
vi.setConfig({ testTimeout: 480_000 })

const HEAD = `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n`
const TEST = `${HEAD}import { total } from './cart.mjs'\n
test('one', () => assert.equal(total([{ price: 2, count: 1 }]), 2))
test('two', () => assert.equal(total([{ price: 2, count: 1 }, { price: 3, count: 1 }]), 5))\n`
const edit = (file: string, find: string, replace: string): Step => ({ edit: { file, find, replace } })
const write = (file: string, text: string): Step => ({ write: { file, text } })

interface Shown {
  readonly number: number
  readonly level: EvidenceLevel
  readonly badge: string
  readonly why: string
}
const LEVELS: readonly Shown[] = [
  { number: 1, level: 'proven', badge: 'Proven', why: 'a test that was red without the change is green' },
  { number: 2, level: 'supported', badge: 'Supported', why: 'its tests run the changed lines' },
  {
    number: 3,
    level: 'unproven',
    badge: 'Unproven',
    why: 'nothing shows that a test runs the changed lines',
  },
]

let daemon: Daemon
beforeAll(async () => {
  const workspace = shop({
    files: {
      'cart.mjs':
        'export const total = (lines) => lines.reduce((sum, line) => sum + line.price, 0)\n\nexport const first = (lines) => lines[0]\n',
      'cart.test.mjs': TEST,
    },
    settings: {
      merge: { approval: 'human', target: 'main' },
      tests: { command: 'node --test' },
      gates: { mutation: { mutants: 60, seconds: 120, share: 60 } },
    },
    scripts: [
      [
        [
          edit('cart.mjs', 'sum + line.price', 'sum + line.price * line.count'),
          write(
            'count.test.mjs',
            `${HEAD}import { total } from './cart.mjs'\n\ntest('counts', () => assert.equal(total([{ price: 2, count: 3 }]), 6))\n`,
          ),
        ],
      ],
      [
        [
          edit(
            'cart.mjs',
            'lines.reduce((sum, line) => sum + line.price',
            'lines.reduce((all, line) => all + line.price',
          ),
        ],
      ],
      [[edit('cart.mjs', 'lines[0]', 'lines.at(0)')]],
    ],
  })
  daemon = await up(workspace, 1)
  for (const title of ['Count every unit', 'Name the sum', 'Read the first line'])
    await daemon.client.addItem({ body: { title } })
  for (const { number } of LEVELS) await judged(number)
}, 480_000)

async function judged(number: number): Promise<void> {
  await until(daemon, number, 'in_review')
  await eventually('its evidence', async () => (await itemNumber(daemon, number)).evidence ?? undefined)
}

async function openItem(page: Page, n: number): Promise<void> {
  await openLive(page, daemon)
  await page.goto(`${daemon.url}/#/item/1/${n}`)
  await page
    .getByRole('heading', { level: 2 })
    .filter({ hasText: `#${n}` })
    .waitFor()
}

test.each(LEVELS)(
  '#$number is $level: the word and the reason stand before whoever decides',
  async (shown) => {
    const { number, level, badge, why } = shown
    const { workspace } = daemon
    const evidence = { level, why: expect.stringContaining(why) }
    expect((await told<{ item: unknown }>(workspace, 'show', String(number))).item).toMatchObject({
      evidence,
    })
    const list = await told<unknown[]>(workspace, 'list')
    expect(list).toContainEqual(expect.objectContaining({ number, evidence }))
    const terminal = (await treadle(workspace, ['show', String(number)])).stdout
    expect(terminal).toMatch(new RegExp(`evidence +${badge}: .*${why}`))
    await inBrowser(daemon, async (page) => {
      await openItem(page, number)
      const head = page.locator('.item-head')
      await head.locator('.badge').getByText(badge, { exact: true }).waitFor()
      await head.getByText(why).waitFor()
      await page.goto(`${daemon.url}/#/`)
      const card = section(page, /^Needs you/)
        .getByRole('listitem')
        .filter({ hasText: `#${number}` })
      await card.locator('.badge').getByText(badge, { exact: true }).waitFor()
    })
  },
)

test('a person approves what is unproven after reading why; level and reason go into the merge and the receipt', async () => {
  const { workspace } = daemon
  const approved = await treadle(workspace, ['review', 'approve', '3'])
  expect([approved.code, approved.stderr]).toEqual([
    0,
    expect.stringContaining('#3 is unproven: nothing shows that a test runs the changed lines'),
  ])
  const { mergeCommit } = await until(daemon, 3, 'done')
  const commit = mergeCommit ?? 'none'
  expect(workspace.git('log', '-1', '--format=%B', commit)).toMatch(/^Evidence: unproven/m)
  const receipt = JSON.parse(workspace.git('notes', '--ref=treadle', 'show', commit))
  expect(receipt.predicate.evidence).toMatchObject({ level: 'unproven' })
  await inBrowser(daemon, async (page) => {
    await openItem(page, 3)
    await section(page, 'Receipt')
      .getByText(/^unproven: nothing shows/i)
      .waitFor()
  })
})

test('a merge is taken back from the page, by an item of its own that both of them name', async () => {
  const { client } = daemon
  await client.approveItem({ params: { projectNumber: 1, issueNumber: 1 }, body: { by: 'ada' } })
  await until(daemon, 1, 'done')
  await inBrowser(daemon, async (page) => {
    await openItem(page, 1)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: /^Revert… #1/ }).click()
    await dialog.getByText('Revert #1?').waitFor()
    await page.keyboard.press('Escape')
    expect((await client.listItems()).items.map(({ number }) => number)).not.toContain(4)
    await page.getByRole('button', { name: /^Revert… #1/ }).click()
    await dialog.getByRole('button', { name: 'Revert it' }).click()
    await page.getByRole('link', { name: /^#4/ }).first().click()
    await page.getByRole('heading', { level: 2 }).filter({ hasText: 'Revert #1: Count every unit' }).waitFor()
    await page.getByRole('link', { name: /^#1/ }).first().waitFor()
    await canBeReadAloud(page)
  })
  expect(await itemNumber(daemon, 4)).toMatchObject({ reverts: { number: 1 } })
})
