// A real conflict resolved on the page: one side, both, and edited; then tested and merged.
import type { Item } from '@treadle/contracts/item'
import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import { browserPages, openLive } from '../kit/browser.ts'
import { clearWorkspace, type Daemon, startDaemon } from '../kit/daemon.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { approve, begin, build, commitOnBranch, delivery, itemOf, say, type Work } from '../kit/hand-agent.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 300_000 })
const inBrowser = browserPages()
const ODD = 'an <img src=x> "odd" name.txt'
let workspace: Workspace | undefined
afterAll(async () => {
  if (workspace !== undefined) await clearWorkspace(workspace)
})

const lines = (words: Record<number, string>) =>
  `${Array.from({ length: 40 }, (_, at) => words[at] ?? `line ${at}`).join('\n')}\n`
const TARGET = { 5: 'target 5', 15: 'target 15', 25: 'target 25', 38: 'only the target' }
const BRANCH = { 5: 'delivery 5', 15: 'delivery 15', 25: 'delivery <b>25</b>', 1: 'only the delivery' }

async function conflict(): Promise<{ daemon: Daemon; work: Work; id: number }> {
  workspace = makeWorkspace({
    files: { 'src.txt': lines({}), [ODD]: 'start\n' },
    settings: { merge: { target: 'main', autoResolve: false }, limits: { pollMs: 100, sweepMs: 300 } },
  })
  const daemon = await startDaemon(workspace)
  const [first, work] = [await begin(daemon, { title: 'First' }), await begin(daemon, { title: 'Second' })]
  const deliver = async (each: Work, files: Record<string, string>, state: Item['state']) => {
    const head = commitOnBranch(daemon.workspace, each, files)
    return async () => {
      await build(each, head)
      await say(each, delivery(each, head))
      await approve(each)
      await reaches(each, state)
    }
  }
  const one = await deliver(first, { 'src.txt': lines(TARGET), [ODD]: 'bytes \0 target' }, 'done')
  const other = await deliver(work, { 'src.txt': lines(BRANCH), [ODD]: 'bytes \0 delivery' }, 'conflicted')
  await one()
  await other()
  const { items } = await daemon.client.conflictQueue()
  return { daemon, work, id: items[0]?.id ?? 0 }
}

function reaches(work: Work, state: Item['state']): Promise<Item> {
  return eventually(`#${work.ref.number} ${state}`, async () => {
    const item = await itemOf(work)
    return item.state === state ? item : undefined
  })
}

async function open(page: Page, daemon: Daemon, id: number): Promise<void> {
  await openLive(page, daemon)
  await page.evaluate(`location.assign('#/conflicts/${id}')`)
  await page.getByRole('heading', { name: 'Resolve it here' }).waitFor()
}

const result = (page: Page) => page.getByRole('region', { name: 'Result' })
const isDecided = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

test('taken from one side, from both, edited and whole, by keys and by hand; tested and merged', async () => {
  const { daemon, work, id } = await conflict()
  const { git } = daemon.workspace
  for (const [scheme, width] of [
    ['light', 390],
    ['dark', 1_440],
    ['light', 1_440],
    ['dark', 390],
  ] as const)
    await inBrowser(
      daemon,
      async (page) => {
        await open(page, daemon, id)
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await page.getByRole('button', { name: 'Take delivery' }).click()
        await isDecided(page, '1 of 4 decided')
        await canBeReadAloud(page)
        await fitsTheWindow(page, 'resolve')
      },
      { colorScheme: scheme, viewport: { width, height: 900 } },
    )
  await inBrowser(daemon, async (page) => {
    await open(page, daemon, id)
    expect(await page.locator('main img').count()).toBe(0)
    await isDecided(page, '0 of 4 decided')
    await page.getByRole('button', { name: 'Test and merge' }).click({ force: true })
    expect((await itemOf(work)).state).toBe('conflicted')
    // The odd file is first, and is taken as a whole.
    await page.getByText('It is not text that can be merged line by line.').waitFor()
    await page.getByRole('button', { name: 'Take delivery' }).click()
    await isDecided(page, '1 of 4 decided')
    await page.keyboard.press('j')
    await page.getByText('place 1 of 3').waitFor()
    await page.keyboard.press('2')
    await result(page).getByText('delivery 5').waitFor()
    await page.keyboard.press('j')
    await page.getByText('place 2 of 3').waitFor()
    await page.keyboard.press('3')
    await result(page).getByText('target 15').waitFor()
    await result(page).getByText('delivery 15').waitFor()
    await page.keyboard.press('k')
    await page.getByText('place 1 of 3').waitFor()
    await page.getByRole('button', { name: 'Next undecided' }).click()
    await page.getByText('place 3 of 3').waitFor()
    await page.keyboard.press('e')
    const field = page.getByRole('textbox', { name: 'Text of the result' })
    await field.fill('edited by hand 1 2 3 j k')
    await page.keyboard.press('Escape')
    await result(page).getByText('edited by hand').waitFor()
    await isDecided(page, '4 of 4 decided')
    await page.getByRole('button', { name: 'Test and merge' }).click()
    await page.getByText('It is over: merged.').waitFor()
  })
  await reaches(work, 'done')
  expect(`${git('show', 'main:src.txt')}\n`).toBe(
    lines({
      ...TARGET,
      1: 'only the delivery',
      5: 'delivery 5',
      15: 'target 15\ndelivery 15',
      25: 'edited by hand 1 2 3 j k',
    }),
  )
  expect(git('show', `main:${ODD}`)).toBe('bytes \0 delivery')
})
