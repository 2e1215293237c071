// What a person does about conflicts, over the API and the command line; the agents are played by hand.
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item } from '@treadle/contracts/item'
import { verifies } from '@treadle/requirements/verifies'
import { expect, vi } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import {
  addItem,
  approve,
  begin,
  build,
  commitOnBranch,
  delivery,
  itemOf,
  path,
  say,
  type Work,
} from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { told } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 300_000 })
const start = () =>
  useInProcess('any', {
    files: { 'package.json': '{ "name": "start" }\n' },
    settings: { merge: { target: 'main' }, limits: { pollMs: 100, sweepMs: 300 } },
  })
const [settling, holding] = [start(), start()]

/** So many items whose changes all rename the package; the first to be delivered is merged, the others conflict. */
async function deliverAll(daemon: Daemon, count: number): Promise<[Work, ...Work[]]> {
  const works: Work[] = []
  const heads: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const work = await begin(daemon, { title: `Rename it ${n}` })
    works.push(work)
    heads.push(commitOnBranch(daemon.workspace, work, { 'package.json': `{ "name": "of-${n}" }\n` }))
  }
  for (const [at, work] of works.entries()) {
    await build(work, heads[at])
    await say(work, delivery(work, heads[at] ?? ''))
    await approve(work)
    await reaches(work, at === 0 ? 'done' : 'conflicted')
  }
  return works as [Work, ...Work[]]
}

function reaches(work: Work, state: Item['state']): Promise<Item> {
  return eventually(`#${work.ref.number} ${state}`, async () => {
    const item = await itemOf(work)
    return item.state === state ? item : undefined
  })
}

/** The commands that `treadle conflicts show` gives, with a person's edit in between. */
async function resolveByHand(workspace: Workspace, n: number, files: Record<string, string>): Promise<void> {
  const { git, root } = workspace
  const shown = await told<{ conflict: Conflict; commands: string[] }>(
    workspace,
    'conflicts',
    'show',
    String(n),
  )
  const run = (command: string) => git(...command.split(' ').slice(1))
  const [begin = '', merge = '', , add = '', commit = '', end = ''] = shown.commands
  run(begin)
  expect(() => run(merge)).toThrow()
  for (const [file, text] of Object.entries(files))
    writeFileSync(join(dirname(root), `resolve-${n}`, file), text)
  for (const command of [add, commit, end]) run(command)
}

verifies(
  ['ORCH-5.3-7', 'AC-5.3.d', 'ORCH-5.3-6', 'AC-5.3.e', 'ORCH-S1-11'],
  'a conflict in a critical file waits: resolved on the branch it is merged, aborted the item goes back to the backlog',
  async (context) => {
    const daemon = await settling(context)
    const { client, workspace } = daemon
    const { git } = workspace
    const [, second, third] = await deliverAll(daemon, 3)
    if (second === undefined || third === undefined) throw new Error('three were delivered')
    const landed = git('rev-parse', 'main')
    expect((await itemOf(second)).reason).toContain('critical: package.json')
    const { items: queue } = await client.conflictQueue()
    expect(queue.map(({ issueNumber, issueTitle }) => [issueNumber, issueTitle])).toEqual([
      [2, 'Rename it 2'],
      [3, 'Rename it 3'],
    ])
    // A word alone changes nothing.
    const id = queue[0]?.id ?? 0
    await expect(client.resolveConflict({ params: { id }, body: {} })).rejects.toMatchObject({
      status: 409,
      details: { files: ['package.json'] },
    })
    expect((await itemOf(second)).state).toBe('conflicted')
    expect(git('rev-parse', 'main')).toBe(landed)
    await resolveByHand(workspace, 2, { 'package.json': '{ "name": "of-both" }\n' })
    await told(workspace, 'conflicts', 'resolve', '2')
    const resolved = await reaches(second, 'done')
    expect(resolved).toMatchObject({
      labels: [],
      approval: { kind: 'human' },
      headCommit: git('rev-parse', 'agent-1/project-2'),
    })
    expect(git('show', 'main:package.json')).toContain('of-both')
    expect((await client.conflictQueue()).items.map(({ issueNumber }) => issueNumber)).toEqual([3])
    await told(workspace, 'conflicts', 'abort', '3', '--to', 'agent-2')
    expect(await itemOf(third)).toMatchObject({
      state: 'backlog',
      labels: [],
      claimedByAgentId: null,
      assignedAgentId: 'agent-2',
    })
    expect((await client.conflictQueue()).items).toEqual([])
    const { items: all } = await client.listConflicts()
    expect(all.map(({ issueNumber, status, how }) => [issueNumber, status, how])).toEqual([
      [3, 'resolved', expect.stringMatching(/^aborted by /)],
      [2, 'resolved', 'merged'],
    ])
    // Every order is in the log, with who gave it, also the one that was refused.
    const { items: orders } = await client.audit()
    const name = userInfo().username
    const given = orders.filter(({ order }) => order.endsWith('_conflict'))
    expect(given.map(({ order, by, target, outcome }) => [order, by, target, outcome])).toEqual([
      ['abort_conflict', name, '#3 to agent-2', '#3 is backlog'],
      ['resolve_conflict', name, '#2', '#2 is merging'],
      [
        'resolve_conflict',
        'owner',
        '#2',
        expect.stringMatching(/^not done: .* still conflicts in package.json/),
      ],
    ])
    // What is over is over, and what never was is not found.
    await expect(client.abortConflict({ params: { id }, body: {} })).rejects.toMatchObject({ status: 409 })
    await expect(client.showConflict({ params: { id: 4_711 } })).rejects.toMatchObject({ status: 404 })
  },
)

verifies(
  'ORCH-S5-13',
  'with more than five conflicts pending nothing new is claimed until one of them is gone',
  async (context) => {
    const daemon = await holding(context)
    const { client } = daemon
    const works = await deliverAll(daemon, 6)
    const waiting = await addItem(client)
    const claim = () => client.claimItem({ params: path(waiting), body: { agentId: 'agent-2' } })
    expect((await client.conflictQueue()).items).toHaveLength(5)
    // Five are not too many.
    const sixth = await begin(daemon)
    const head = commitOnBranch(daemon.workspace, sixth, { 'package.json': '{ "name": "again" }\n' })
    await build(sixth, head)
    // Somebody else was quicker.
    daemon.workspace.write('package.json', '{ "name": "quick" }\n')
    daemon.workspace.git('commit', '--quiet', '--all', '--message', 'quick')
    await say(sixth, delivery(sixth, head))
    await approve(sixth)
    await reaches(sixth, 'conflicted')
    await expect(claim()).rejects.toThrow('6 conflicts wait for a person')
    expect((await itemOf({ client, ref: waiting })).claimedByAgentId).toBeNull()
    const one = works.at(-1)
    await client.withdrawItem({ params: path(one?.ref ?? sixth.ref), body: {} })
    expect(await claim()).toMatchObject({ item: { claimedByAgentId: 'agent-2' } })
  },
)
