// A conflict resolved from the dashboard inside an editor: agents played by hand, an editor played by the test.
import type { Item } from '@treadle/contracts/item'
import { expect, test, vi } from 'vitest'
import { browserPages } from '../kit/browser.ts'
import { useDaemon } from '../kit/daemon.ts'
import { EDITOR, openEditor } from '../kit/editor.ts'
import { approve, begin, build, commitOnBranch, delivery, itemOf, say, type Work } from '../kit/hand-agent.ts'
import { eventually } from '../kit/wait.ts'

vi.setConfig({ testTimeout: 300_000 })
const inBrowser = browserPages()
const open = useDaemon('embedded', {
  files: { 'package.json': '{\n  "name": "start"\n}\n' },
  settings: { merge: { target: 'main' }, limits: { pollMs: 100, sweepMs: 300 } },
})

function reaches(work: Work, state: Item['state']): Promise<Item> {
  return eventually(`#${work.ref.number} ${state}`, async () => {
    const item = await itemOf(work)
    return item.state === state ? item : undefined
  })
}

test('the merge editor is asked for with base, target and branch; if it fails, git commands are offered', async (context) => {
  const daemon = await open(context)
  const { git } = daemon.workspace
  const works = [await begin(daemon, { title: 'Rename it 1' }), await begin(daemon, { title: 'Rename it 2' })]
  const heads = works.map((work, at) =>
    commitOnBranch(daemon.workspace, work, { 'package.json': `{\n  "name": "of-${at}"\n}\n` }),
  )
  for (const [at, work] of works.entries()) {
    await build(work, heads[at])
    await say(work, delivery(work, heads[at] ?? ''))
    await approve(work)
    await reaches(work, at === 0 ? 'done' : 'conflicted')
  }
  await inBrowser(EDITOR, async (page) => {
    let opens = true
    const editor = await openEditor(page, daemon, {
      onCommand: () => {
        if (!opens) throw new Error('There is no command vscode.openMergeEditor.')
      },
    })
    const { view, commands } = editor
    try {
      await view.getByRole('link', { name: 'Review' }).click()
      await view.getByRole('link', { name: '#2 Rename it 2' }).click()
      const open = view
        .getByRole('region', { name: '1 file in conflict' })
        .getByRole('button', { name: /^Open in VS Code Merge Editor/ })
      await open.click()
      await eventually('a command', () => commands[0])
      const { items } = await daemon.client.conflictQueue()
      const head = git('rev-parse', 'agent-1/project-2')
      expect(commands).toEqual([
        {
          is: 'open_merge_editor',
          conflictId: items.find(({ issueNumber }) => issueNumber === works[1]?.ref.number)?.id,
          file: 'package.json',
          base: git('merge-base', 'main', head),
          target: 'main',
          branch: 'agent-1/project-2',
        },
      ])
      expect(await view.getByRole('alert').count()).toBe(0)
      opens = false
      await open.click()
      const alert = view.getByRole('alert').filter({ hasText: 'There is no command vscode.openMergeEditor.' })
      await alert.getByText('Use the git commands').waitFor()
      const byHand = view.getByRole('region', { name: 'Resolve it by hand' })
      expect(await byHand.locator('pre').innerText()).toContain(
        'git worktree add ../resolve-2 agent-1/project-2',
      )
    } finally {
      editor.close()
    }
  })
})
