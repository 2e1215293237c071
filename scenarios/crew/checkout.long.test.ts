// The owner's checkout: it follows a merge when it is clean, and is otherwise never touched.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { readOrEmpty } from '../kit/processes.ts'
import { addRepair, moduleOf, moduleText, repair, until, up, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
const PLAN = 'notes/plan.txt'

test('a clean checkout follows, a changed one keeps its files, another branch is left alone', async () => {
  const workspace = shop({
    scripts: [
      [[repair(1)]],
      [[repair(2)]],
      [[repair(3), { write: { file: PLAN, text: 'the plan of the engine\n' } }]],
      [[repair(4)]],
    ],
  })
  const { git, write } = workspace
  const daemon = await up(workspace, 1)

  const clean = await merge(daemon, 1)
  expect(clean.reason).toBeNull()
  expect(fileOf(workspace, moduleOf(1))).toBe(moduleText(1, 'right'))
  expect(git('rev-parse', 'HEAD')).toBe(clean.mergeCommit)
  expect(git('status', '--porcelain')).toBe('')

  const mine = `${moduleText(2, 'wrong')}my own line\n`
  write(moduleOf(2), mine)
  write('README.md', '# Mine\n')
  const changed = await merge(daemon, 2)
  expect(git('rev-parse', 'main')).toBe(changed.mergeCommit)
  expect(git('show', `main:${moduleOf(2)}`)).toBe(moduleText(2, 'right').trim())
  expect(fileOf(workspace, moduleOf(2))).toBe(mine)
  expect(fileOf(workspace, 'README.md')).toBe('# Mine\n')
  expect(changed.reason).toContain(workspace.root)
  expect(changed.reason).toContain('keeps its files')

  git('reset', '--quiet', '--hard', 'main')
  write(PLAN, 'my plan\n')
  const inTheWay = await merge(daemon, 3)
  expect(fileOf(workspace, PLAN)).toBe('my plan\n')
  expect(git('show', `main:${PLAN}`)).toBe('the plan of the engine')
  expect(inTheWay.reason).toContain('keeps its files')

  git('switch', '--quiet', '--force-create', 'mine', clean.mergeCommit ?? '', '--discard-changes')
  write('README.md', '# Mine\n')
  const elsewhere = await merge(daemon, 4)
  expect(elsewhere.reason).toBeNull()
  expect(git('symbolic-ref', '--short', 'HEAD')).toBe('mine')
  expect(git('rev-parse', 'HEAD')).toBe(clean.mergeCommit)
  expect(fileOf(workspace, moduleOf(4))).toBe(moduleText(4, 'wrong'))
  expect(git('diff', '--name-only', 'HEAD')).toBe('README.md')
})

async function merge(daemon: Daemon, n: number) {
  await addRepair(daemon, n)
  const item = await until(daemon, n, 'done', 'escalated', 'conflicted')
  expect(item.state).toBe('done')
  return item
}

function fileOf({ root }: Workspace, file: string): string {
  return readOrEmpty(join(root, file))
}
