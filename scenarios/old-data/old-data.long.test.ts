// A workspace that an earlier version has left is opened by this one, and its crew goes on where it was.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { clearWorkspace } from '../kit/daemon.ts'
import { path } from '../kit/hand-agent.ts'
import { eventsOf, itemNumber, letGo, mergedOnMain, session, until, up } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'
import { restoreWorkspace } from './restore.ts'

vi.setConfig({ testTimeout: 600_000 })
const restored: Workspace[] = []
afterAll(async () => {
  for (const workspace of restored) await clearWorkspace(workspace)
})

async function restore(name: string): Promise<Workspace> {
  const workspace = await restoreWorkspace(name)
  restored.push(workspace)
  // Engines that begin anew are not to wait for anybody.
  letGo(workspace, 'go-2')
  return workspace
}

/** The reports in the spool that the daemon of that time has not answered. */
function unsentIn({ paths }: Workspace): { eventId: string; type: string }[] {
  const file = join(paths.spool, 'agent-1.jsonl')
  const unsent = readFileSync(file)
    .subarray(Number(readFileSync(`${file}.acked`, 'utf8')))
    .toString()
  const lines = unsent.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const { eventId, event } = JSON.parse(line)
    return { eventId, type: event.type }
  })
}

test('of a killed daemon: what its agent could not report arrives, and the rest of the work is taken up', async () => {
  const workspace = await restore('016-killed')
  const unsent = unsentIn(workspace)
  expect(unsent.at(-1)?.type).toBe('verify.passed')
  const before = session(workspace, 1)
  expect(before).toMatchObject({ currentProjectNumber: 2, tasksCompleted: 1 })

  const daemon = await up(workspace, 1)
  const delivered = await until(daemon, 2, 'in_review')
  expect(delivered.headCommit).toBe(workspace.git('rev-parse', 'agent-1/project-2'))
  const events = await eventsOf(daemon, 2)
  for (const { eventId } of unsent) expect(events.filter(({ id }) => id === eventId)).toHaveLength(1)
  expect(events.filter(({ event }) => event.type === 'claim.taken')).toHaveLength(1)

  // What a reviewer sent back is made again, what origin refused is not, what waited is begun. Main stands still
  // meanwhile: a change that origin refused is only delivered as it was while its base is the newest.
  for (const n of [5, 9, 8]) await until(daemon, n, 'in_review')
  await daemon.client.approveItem({ params: path({ projectNumber: 1, number: 2 }), body: {} })
  await until(daemon, 2, 'done')
  expect(mergedOnMain(workspace)).toEqual(['1/1', '1/6', '1/2'])
  const again = (await eventsOf(daemon, 5)).filter(({ event }) => event.type === 'claim.taken')
  expect(again).toHaveLength(2)
  await eventually('the tasks of before in the session file', () =>
    session(workspace, 1).tasksCompleted > before.tasksCompleted ? true : undefined,
  )
  expect((await itemNumber(daemon, 3)).state).toBe('escalated')
  expect((await itemNumber(daemon, 4)).state).toBe('in_review')
  expect((await daemon.client.conflictQueue()).items.map(({ issueNumber }) => issueNumber)).toEqual([7])
  const { items: agents } = await daemon.client.listAgents()
  expect(agents.find(({ id }) => id === 'agent-1')?.workspace).toEqual({
    id: readFileSync(workspace.paths.place, 'utf8').trim(),
    words: expect.stringContaining(workspace.root),
  })
})

test('of a stopped daemon: the item in the middle is resumed, and a change that only origin refused is not made anew', async () => {
  const workspace = await restore('016-stopped')
  const daemon = await up(workspace, 1)
  await until(daemon, 2, 'in_review')
  const events = await eventsOf(daemon, 2)
  expect(events.filter(({ event }) => event.type === 'claim.taken')).toHaveLength(1)
  expect(events.map(({ event }) => event.type)).toContain('run.resumed')
  const pushed = await until(daemon, 9, 'in_review')
  const redelivered = (await eventsOf(daemon, 9)).filter(({ runId }) => runId === pushed.runId)
  const built = redelivered.find(({ event }) => event.type === 'build.finished')
  expect(built?.event).toMatchObject({ summary: expect.stringContaining('could not be pushed') })
  expect(redelivered.map(({ event }) => event.type)).not.toContain('run.observed')
})
