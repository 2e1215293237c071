// An idea on the page: from a sentence through the interview to a brief, a specification and its approval.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { browserPages, openLive, section } from '../kit/browser.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { useInProcess } from '../kit/in-process.ts'
import { canBeReadInLightAndDark } from '../kit/read-aloud.ts'

vi.setConfig({ testTimeout: 300_000 })
const open = useInProcess('any', { settings: { tests: { command: 'true' } } })
const inBrowser = browserPages()

const HOSTILE =
  '<img src=x onerror="window.taken = 1"> ![seen](http://192.0.2.1/x.png) [press](javascript:window.taken=1)'
const ANSWERS = [
  `Tea drinkers ${HOSTILE}`,
  'The tea is bitter because nobody watches the time',
  'A command that rings when the tea is ready',
  'Timer: rings after the time\nPresets: a time by kind of tea',
  'It is made for tea and for nothing else',
  'People have terminals open: a survey says so',
  'They want presets: three forum posts ask for them',
  'Sound works: tried on three systems',
  'Nobody needs it',
  'It rings after three minutes\nPresets can be named',
]

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name })

/** By keys alone: Enter sends, Shift and Enter begin a new line. */
async function answer(page: Page, text: string, count: number): Promise<void> {
  const field = section(page, 'Talk').getByRole('textbox')
  await field.focus()
  for (const [at, line] of text.split('\n').entries()) {
    if (at > 0) await page.keyboard.press('Shift+Enter')
    await page.keyboard.insertText(line)
  }
  await page.keyboard.press('Enter')
  await expect
    .poll(() => section(page, 'Talk').locator('.thread-entry').count(), { timeout: 20_000 })
    .toBe(count)
  await expect.poll(() => field.inputValue()).toBe('')
}

test('an idea is talked through by keyboard, becomes a brief and a specification, and is approved', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await heading(page, 'Ideas').waitFor()
    await page.getByText('There are no ideas yet.').waitFor()
    await canBeReadInLightAndDark(page, 'no ideas')

    await page.evaluate(`location.hash = '#/work'`)
    await page.getByRole('button', { name: 'New idea' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await dialog.getByText('Say in a sentence what the idea is.').waitFor()
    await dialog.getByLabel('What is the idea?').fill('A command line timer for tea')
    await dialog.getByLabel('Who asks the questions').selectOption('none')
    await canBeReadInLightAndDark(page, 'a new idea')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await heading(page, 'A command line timer for tea').waitFor()
    const [idea] = (await client.listIdeas()).items
    const slug = idea?.slug ?? ''
    expect(page.url()).toContain(`#/ideas/${slug}`)

    const phase = section(page, 'Phase')
    await phase.locator('[aria-current="step"]').getByText('Exploring').waitFor()
    await phase.getByText('who it is for').waitFor()
    const known = page.locator('.idea-card[data-known="true"]')
    expect(await known.count()).toBe(0)
    for (const [at, text] of ANSWERS.entries()) {
      await answer(page, text, 4 + 2 * at)
      if (at === 0) await known.getByText('Tea drinkers').waitFor()
      if (at === 3) await phase.locator('[aria-current="step"]').getByText('Narrowing').waitFor()
    }
    await section(page, 'Specification').getByText('The brief is ready.').waitFor()
    expect(await known.count()).toBe(7)
    expect((await client.showIdea({ params: { id: slug } })).phase).toBe('COMPLETE')
    await page.getByText('planning/brief.md', { exact: true }).waitFor()
    await page.getByText('Read the brief').click()
    await page.getByRole('heading', { name: /^Brief:/ }).waitFor()
    expect(await page.evaluate('window.taken')).toBeUndefined()
    await canBeReadInLightAndDark(page, 'an idea')
    await page.setViewportSize({ width: 390, height: 844 })
    await fitsTheWindow(page, 'an idea')

    await section(page, 'Specification').getByRole('button', { name: 'Generate specification' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('article', { name: 'Document' }).getByText('FR-1').first().waitFor()
    await fitsTheWindow(page, 'a specification')
    await canBeReadInLightAndDark(page, 'a specification')
    for (const view of ['Tasks', 'Task graph']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      const task =
        view === 'Tasks' ? page.getByText('T1', { exact: true }) : page.locator('text', { hasText: /^T1 / })
      await task.first().waitFor()
      await fitsTheWindow(page, view)
      await canBeReadInLightAndDark(page, view)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await section(page, 'Report').getByRole('progressbar', { name: 'Features that have a task' }).waitFor()

    // A file that a person changed in between: what was read is not approved, and the difference is shown.
    const { tasksPath } = await client.showSpecification({ params: { id: slug } })
    expect(tasksPath).toContain(slug)
    await page.route(/\/api\/specifications\/[^/]+$/, (route) => route.abort())
    const { tasks } = await client.specificationDocument({ params: { id: slug } })
    writeFileSync(join(workspace.root, tasksPath), tasks.replace(/It rings after/, 'It RINGS after'))
    await section(page, 'Decision').getByRole('button', { name: 'Approve' }).click()
    await section(page, 'Decision').getByText('It RINGS after').waitFor()
    await page.unroute(/\/api\/specifications\/[^/]+$/)
    await page.getByRole('button', { name: /^Show revision 2/ }).click()
    await section(page, 'Decision').getByRole('button', { name: 'Approve' }).click()
    await section(page, 'Decision').getByText('Approved by').waitFor()
    expect((await client.showSpecification({ params: { id: slug } })).status).toBe('approved')

    await page.getByRole('link', { name: '← Specifications' }).click()
    await heading(page, 'Specifications').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Approved' }).getByRole('link').waitFor()
    await canBeReadInLightAndDark(page, 'specifications')
    expect(await page.evaluate('window.taken')).toBeUndefined()
  })
})

test('an idea that there is not says so, and leads back', async (context) => {
  const daemon = await open(context)
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await page.evaluate(`location.hash = '#/ideas/no-such-idea'`)
    await page.getByRole('alert').getByText('There is no idea no-such-idea.').waitFor()
    await page.getByRole('link', { name: '← Ideas' }).click()
    await heading(page, 'Ideas').waitFor()
  })
})

test('the roles stand under Loops: who reacts to what, what each may do, and what it did last', async (context) => {
  const daemon = await open(context)
  await daemon.client.startIdea({ body: { text: `A clock ${HOSTILE}`, by: 'ada', engine: 'none' } })
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await page.evaluate(`location.hash = '#/loops'`)
    const roles = section(page, 'Roles')
    await roles.getByText('Never so far').first().waitFor()
    expect(await roles.getByRole('heading', { level: 3 }).count()).toBe(6)
    const all = await roles.innerText()
    for (const words of [
      'spec.revision_requested',
      'ask you questions',
      'EAGER',
      'every 2 minutes',
      'ada wrote about',
    ])
      expect(all).toContain(words)
    expect(await page.evaluate('window.taken')).toBeUndefined()
    await fitsTheWindow(page, 'roles')
    await page.setViewportSize({ width: 390, height: 844 })
    await fitsTheWindow(page, 'roles on a phone')
    await canBeReadInLightAndDark(page, 'roles')
  })
})
