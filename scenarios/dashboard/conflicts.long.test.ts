// Conflicts resolved from the page: agents played by hand, real branches, a real merge.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Item } from '@treadle/contracts/item'
import { verifies } from '@treadle/requirements/verifies'
import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import { browserPages, goTo, openLive, section } from '../kit/browser.ts'
import { clearWorkspace, type Daemon, startDaemon } from '../kit/daemon.ts'
import { fitsTheWindow } from '../kit/fits.ts'
import { approve, begin, build, commitOnBranch, delivery, itemOf, say, type Work } from '../kit/hand-agent.ts'
import { canBeReadAloud } from '../kit/read-aloud.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 300_000 })
const inBrowser = browserPages()
const HOSTILE = '<img src=x onerror="window.taken = 1">'
let workspace: Workspace | undefined
let started: Promise<{ daemon: Daemon; works: Work[] }> | undefined
afterAll(async () => {
  if (workspace !== undefined) await clearWorkspace(workspace)
})

/** Four items rename the same package: the first is merged, the others conflict; one has a file name like an attack. */
function conflicts(): Promise<{ daemon: Daemon; works: Work[] }> {
  const start = async () => {
    workspace = makeWorkspace({
      files: { 'package.json': '{\n  "name": "start"\n}\n', [`${HOSTILE}.json`]: 'start\n' },
      settings: { merge: { target: 'main' }, limits: { pollMs: 100, sweepMs: 300 } },
    })
    const daemon = await startDaemon(workspace)
    const works: Work[] = []
    const heads: string[] = []
    for (let n = 1; n <= 4; n += 1) {
      const work = await begin(daemon, { title: n === 4 ? `Rename it ${HOSTILE}` : `Rename it ${n}` })
      const text = `{\n  "name": "of-${n}"\n}\n`
      const more = n === 1 || n === 4 ? { [`${HOSTILE}.json`]: `of-${n}\n` } : {}
      works.push(work)
      heads.push(commitOnBranch(daemon.workspace, work, { 'package.json': text, ...more }))
    }
    for (const [at, work] of works.entries()) {
      await build(work, heads[at])
      await say(work, delivery(work, heads[at] ?? ''))
      await approve(work)
      await reaches(work, at === 0 ? 'done' : 'conflicted')
    }
    return { daemon, works }
  }
  started ??= start()
  return started
}

function reaches(work: Work | undefined, state: Item['state']): Promise<Item> {
  if (work === undefined) throw new Error('there is no such work')
  return eventually(`#${work.ref.number} ${state}`, async () => {
    const item = await itemOf(work)
    return item.state === state ? item : undefined
  })
}

const dialog = (page: Page) => page.getByRole('dialog')
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name })

async function openConflict(page: Page, title: string | RegExp): Promise<void> {
  await page.evaluate("location.assign('#/review')")
  await section(page, /^Review/)
    .getByRole('link', { name: title })
    .click()
  await heading(page, title).waitFor()
}

verifies(
  ['AC-5.3.b', 'ORCH-5.3-3', 'ORCH-5.3-4'],
  'all pending conflicts are listed with project, title and files; one is shown with the diff of its files',
  async () => {
    const { daemon } = await conflicts()
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await goTo(page, 'Review')
      await page.getByRole('link', { name: '#2 Rename it 2' }).click()
      await heading(page, 'Conflict of #2 Rename it 2').waitFor()
      await page.getByRole('link', { name: 'Back to the queue' }).click()
      const cards = section(page, /^Review/).getByRole('listitem')
      await cards.first().waitFor()
      const { items: pending } = await daemon.client.conflictQueue()
      expect(pending).toHaveLength(3)
      expect(await cards.count()).toBe(3)
      for (const [at, conflict] of pending.entries()) {
        const words = await cards.nth(at).innerText()
        expect(words).toContain(`project ${conflict.projectNumber}`)
        expect(words).toContain(`#${conflict.issueNumber} ${conflict.issueTitle}`)
        const count = conflict.issueNumber === 4 ? '2 files' : '1 file'
        expect(words).toContain(count)
      }

      await openConflict(page, '#2 Rename it 2')
      const files = section(page, '1 file in conflict')
      await files.getByText('both sides changed the same lines').waitFor()
      const diff = files.getByRole('region', { name: 'package.json' })
      await diff.getByText('<<<<<<< main').waitFor()
      await diff.getByText('>>>>>>> agent-1/project-2').waitFor()
      expect(await diff.innerText()).toContain('"name": "start"')
      await files.getByRole('button', { name: 'What agent-1/project-2 changed' }).click()
      await diff.getByText('"name": "of-2"').waitFor()
      expect(await diff.innerText()).not.toContain('of-1')
      await files.getByRole('button', { name: 'What main changed' }).click()
      await diff.getByText('"name": "of-1"').waitFor()
      await files.getByRole('button', { name: 'Two columns' }).click()
      expect(await diff.innerText()).not.toContain('of-2')
      // What is offered to be copied is what the command line says.
      const { commands } = await daemon.client.showConflict({ params: { id: pending[0]?.id ?? 0 } })
      const byHand = section(page, 'Resolve it by hand')
      expect(await byHand.locator('pre').innerText()).toBe(commands.join('\n'))
      expect(await page.getByRole('button', { name: /Merge Editor/ }).count()).toBe(0)
    })
  },
)

test('copying hands over the commands as they are', async () => {
  const { daemon } = await conflicts()
  await inBrowser(
    daemon,
    async (page) => {
      await openLive(page, daemon)
      await openConflict(page, '#2 Rename it 2')
      await page.getByRole('button', { name: 'Copy the commands' }).click()
      await page.getByText('Copied', { exact: true }).waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toContain('git worktree add ../resolve-2 agent-1/project-2\n')
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  )
})

test('file names and titles of agents are text', async () => {
  const { daemon } = await conflicts()
  await inBrowser(daemon, async (page) => {
    await openLive(page, daemon)
    await openConflict(page, /#4 Rename it <img/)
    await section(page, '2 files in conflict').getByText(`${HOSTILE}.json`).first().waitFor()
    await page.getByText('>>>>>>> agent-1/project-4').first().waitFor()
    expect(await page.locator('main img, main iframe, main script').count()).toBe(0)
    expect(await page.evaluate(() => 'taken' in globalThis)).toBe(false)
  })
})

test.each(['light', 'dark'] as const)(
  'list, detail and dialog can be read aloud, at 360 px too (%s)',
  async (scheme) => {
    const { daemon } = await conflicts()
    await inBrowser(
      daemon,
      async (page) => {
        const look = async (name: string) => {
          await canBeReadAloud(page, name)
          await fitsTheWindow(page, name)
        }
        await openLive(page, daemon)
        await page.evaluate("location.assign('#/review')")
        await section(page, /^Review/)
          .getByRole('listitem')
          .first()
          .waitFor()
        await look('the list')
        await openConflict(page, /#4 Rename it/)
        await page.getByText('>>>>>>> agent-1/project-4').first().waitFor()
        await look('a conflict')
        await page.getByRole('button', { name: 'Abort and reassign…' }).click()
        await dialog(page).waitFor()
        await look('the dialog')
      },
      { colorScheme: scheme, viewport: { width: 360, height: 800 } },
    )
  },
)

verifies(
  ['ORCH-5.3-7', 'AC-5.3.d', 'ORCH-5.3-6', 'AC-5.3.e'],
  'marked as resolved it is believed only if it merges, and then it is merged; aborted, it goes to whom I choose',
  async () => {
    const { daemon, works } = await conflicts()
    const { git, root } = daemon.workspace
    await inBrowser(daemon, async (page) => {
      await openLive(page, daemon)
      await openConflict(page, '#2 Rename it 2')
      await page.getByRole('button', { name: 'Mark resolved' }).click()
      const refusal = page.getByRole('alert').filter({ hasText: '#2 is not resolved.' })
      await refusal.getByText('still conflicts in package.json').waitFor()
      expect((await reaches(works[1], 'conflicted')).state).toBe('conflicted')
      await refusal.getByRole('button', { name: 'Dismiss' }).click()

      // As the commands on the page say, with a person's edit in between.
      const place = join(dirname(root), 'resolve-2')
      git('worktree', 'add', place, 'agent-1/project-2')
      expect(() => git('-C', place, 'merge', 'main')).toThrow()
      writeFileSync(join(place, 'package.json'), '{\n  "name": "of-both"\n}\n')
      git('-C', place, 'add', '--all')
      git('-C', place, 'commit', '--quiet', '--no-edit')
      git('worktree', 'remove', place)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText('It merges now.').waitFor()
      await page.getByRole('button', { name: 'Mark resolved' }).click()
      await page.getByText('It is over: merged.').waitFor()
      await reaches(works[1], 'done')
      expect(git('show', 'main:package.json')).toContain('of-both')

      await openConflict(page, '#3 Rename it 3')
      await page.getByRole('button', { name: 'Abort and reassign…' }).click()
      await dialog(page).getByText('goes back to the backlog').waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      expect((await reaches(works[2], 'conflicted')).assignedAgentId).toBeNull()
      await page.getByRole('button', { name: 'Abort and reassign…' }).click()
      await dialog(page).getByRole('combobox').selectOption('agent-1')
      await dialog(page).getByRole('button', { name: 'Abort and reassign' }).click()
      await page.getByText('It is over: aborted by owner').waitFor()
      expect(await reaches(works[2], 'backlog')).toMatchObject({
        claimedByAgentId: null,
        assignedAgentId: 'agent-1',
      })
      await page.getByRole('link', { name: 'Back to the queue' }).click()
      await section(page, /^Review/)
        .getByRole('link', { name: /#4 Rename it/ })
        .waitFor()
      expect(
        await section(page, /^Review/)
          .getByRole('listitem')
          .count(),
      ).toBe(1)
    })
  },
)
