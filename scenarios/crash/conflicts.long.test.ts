// The daemon is killed again and again while it adapts a change to the target; the change is delivered once and whole.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eachSeed, isFullChaos } from '@treadle/requirements/seeds'
import { expect, onTestFinished, vi } from 'vitest'
import { clearWorkspace, startDaemon } from '../kit/daemon.ts'
import { begin, build, commitOnBranch, delivery, itemOf, path, say } from '../kit/hand-agent.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 500_000 })
// The whole number by `npm run chaos`.
const KILLS = isFullChaos ? 4 : 2

function openWorkspace(): Workspace {
  const workspace = makeWorkspace({
    files: { 'shared.txt': 'one\ntwo\nthree\n' },
    settings: {
      merge: { approval: 'never', target: 'main' },
      // Long enough that kills find the daemon between the rebase and the push.
      tests: { command: 'test -e new.txt', setupCommand: 'sleep 0.4' },
    },
  })
  onTestFinished(() => clearWorkspace(workspace))
  return workspace
}

eachSeed(
  'a daemon that is killed in the middle of an automatic rebase leaves no half of it',
  async ({ random }) => {
    const workspace = openWorkspace()
    const { git, home, paths } = workspace
    const origin = join(home, 'origin')
    git('clone', '--quiet', '--bare', workspace.root, origin)
    git('--git-dir', origin, 'config', 'receive.denyNonFastForwards', 'true')
    git('remote', 'add', 'origin', origin)
    let daemon = await startDaemon(workspace)
    const work = await begin(daemon)
    const head = commitOnBranch(workspace, work, { 'shared.txt': 'mine\ntwo\nTHREE\n', 'new.txt': 'n\n' })
    await build(work, head)
    workspace.write('shared.txt', 'theirs\ntwo\nthree\n')
    git('commit', '--quiet', '--all', '--message', 'from the user')
    const before = [git('rev-parse', 'main'), git('status', '--porcelain'), git('stash', 'list')]
    expect((await say(work, delivery(work, head))).state).toBe('merging')
    for (let round = 0; round < KILLS; round += 1) {
      await sleep(random() * 700)
      kill(daemon.pid)
      await waitGone(daemon.pid)
      daemon = await startDaemon(workspace)
    }
    const { client } = daemon
    const item = await eventually('the end', async () => {
      const now = await itemOf({ client, ref: work.ref })
      return now.state === 'merging' ? undefined : now
    })
    expect(item).toMatchObject({ state: 'done', reason: null })
    const branch = 'agent-1/project-1'
    expect(git('--git-dir', origin, 'rev-parse', branch)).toBe(item.headCommit)
    expect(git('rev-parse', branch, `${branch}^`).split('\n')).toEqual([item.headCommit, before[0]])
    expect(git('show', `${branch}:shared.txt`)).toBe('theirs\ntwo\nTHREE')
    const { events } = await client.showItem({ params: path(work.ref) })
    const merging = events.map(({ event }) => event.type).filter((type) => type.startsWith('merge.'))
    expect(merging).toEqual(['merge.auto_resolved', 'merge.delivered'])
    // The user's own checkout is as it was, and what the agent had delivered can still be found.
    expect([git('rev-parse', 'main'), git('status', '--porcelain'), git('stash', 'list')]).toEqual(before)
    // Not --all: that reads the heads of worktrees, too, and one that is being made has none yet.
    expect(git('rev-list', '--glob=refs/*').split('\n')).toContain(head)
    expect(readdirSync(paths.worktrees)).toEqual([])
    expect(git('fsck', '--no-dangling', '--no-progress')).toBe('')
  },
)
