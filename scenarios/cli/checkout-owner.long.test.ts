// Root over somebody else's checkout goes on as its owner: what is made there is the owner's, and so is the key.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { notRun } from '@treadle/requirements/not-run'
import { afterAll, expect, test } from 'vitest'
import { keyOfLink } from '../kit/command.ts'
import { announcedDaemon, clearWorkspace, treadle } from '../kit/daemon.ts'
import { needOtherUser } from '../kit/other-user.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

const NAME = `treadle-${process.pid}`
const made: Workspace[] = []
afterAll(async () => {
  for (const workspace of made) await clearWorkspace(workspace)
  if (made.length > 0) execFileSync('sh', ['-c', `userdel ${NAME} 2>/dev/null || true`])
})

/** Everything of a workspace, its home included, belongs to `owner`. */
function workspaceOf(owner: string): Workspace {
  const workspace = makeWorkspace({ sharesTemplates: false })
  made.push(workspace)
  execFileSync('chown', ['-R', owner, dirname(workspace.root)])
  return workspace
}

test('up goes on as the owner of the checkout, whose is all that it makes', async (context) => {
  needOtherUser(context)
  try {
    execFileSync('useradd', ['--no-create-home', NAME], { stdio: 'pipe' })
  } catch (error) {
    notRun(context, `no user can be made: ${error}`, 'apt-get install passwd')
  }
  const workspace = workspaceOf(`${NAME}:`)
  execFileSync('usermod', ['--home', workspace.home, NAME])
  const { uid } = statSync(workspace.root)
  const roots = join(workspace.home, 'of-root')
  mkdirSync(roots)
  const ended = await treadle(workspace, ['up', '--detach', '--json', '--agents', '1'], {
    HOME: roots,
    XDG_CONFIG_HOME: roots,
  })
  expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining(`goes on as ${NAME}, not as root`)])
  // The key is in the owner's home, and root's own has none.
  const daemon = announcedDaemon(workspace, ended.stdout)
  expect(readdirSync(roots)).toEqual([])
  const { items } = await daemon.client.listAgents()
  for (const pid of [daemon.pid, ...items.flatMap((agent) => agent.pid ?? [])])
    expect(statSync(`/proc/${pid}`).uid, `process ${pid}`).toBe(uid)
  const others = execFileSync('find', [workspace.root, '!', '-uid', String(uid)], { encoding: 'utf8' })
  expect(others).toBe('')
  // Later commands of root speak for the same owner.
  const opened = await treadle(workspace, ['open', '--link'], { HOME: roots })
  expect(await keyOfLink(opened.stdout)).toBe('owner')
  expect((await treadle(workspace, ['down'], { HOME: roots })).code).toBe(0)
})

test('where it cannot, it says why', async (context) => {
  needOtherUser(context)
  const workspace = workspaceOf('54321')
  const ended = await treadle(workspace, ['up', '--detach', '--agents', '0'])
  expect(ended.stderr).toContain(
    'belongs to 54321, and Treadle goes on as root, because user 54321 has no account',
  )
})
