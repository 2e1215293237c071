// Tasks of one build that want one file, and files that are somebody else's: over the API, on both databases.
import type { Client } from '@treadle/contracts/client'
import type { AgentId } from '@treadle/contracts/ids'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import { DRIVERS } from '../kit/daemon.ts'
import { path, SOME_COMMIT, say, take } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually } from '../kit/wait.ts'
import { begun, landed, play, start, stateOf, taskOf } from './hand-build.ts'

const TWO_FILES = ['other.txt', 'shared.txt']

describe.each(DRIVERS)('files of a build over HTTP on the %s database', (driver) => {
  const open = useInProcess(driver, { settings: { limits: { sweepMs: 300 } } })

  verifies(
    [
      'AGENT-BUILD-16',
      'AGENT-BUILD-32',
      'AGENT-BUILD-38',
      'AGENT-BUILD-39',
      'AGENT-MONITOR-7',
      'AGENT-PM-5',
      'AGENT-PM-6',
      'AGENT-PM-7',
      'AGENT-ROUTING-34',
    ],
    'two agents want one file: one has it, the other is told who; the more urgent task takes it; whoever waited gets it when it is free',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      const { one, two } = await twoTasks(daemon)
      const wants = (number: number, agentId: AgentId) => take(daemon, { projectNumber: 1, number }, agentId)
      await wants(one, 'agent-2')

      const { items: locks } = await client.listLocks()
      expect(locks).toEqual([
        expect.objectContaining({
          file: 'shared.txt',
          lockedBy: 'agent-2',
          item: { projectNumber: 1, number: one },
        }),
      ])
      expect(Date.parse(locks[0]?.expiresAt ?? '')).toBeGreaterThan(Date.now())
      const words = `Locked by agent-2 for #${one}`
      await expect(wants(two, 'agent-1')).rejects.toThrow(words)
      expect((await stateOf(client, two)).clearance).toMatchObject({ is: 'locked', by: 'agent-2' })
      const listed = (await client.listItems({ query: { numbers: String(two) } })).items[0]
      expect(listed?.clearance).toMatchObject({ is: 'locked', file: 'shared.txt' })
      const view = await begun(client, 'one-file')
      expect([taskOf(view, 'T2').ready, taskOf(view, 'T3').ready]).toEqual([words, 'Blocked by T2'])
      expect((await client.listLocks()).waits).toEqual([
        expect.objectContaining({ waiter: `1/${two}`, waitingFor: `1/${one}`, file: 'shared.txt' }),
      ])

      await client.editItem({ params: path({ projectNumber: 1, number: two }), body: { priority: 0 } })
      await wants(two, 'agent-1')
      expect(await stateOf(client, one)).toMatchObject({
        state: 'backlog',
        claimedByAgentId: null,
        reason: `#${two} needs shared.txt for higher priority work`,
      })
      expect(await decisionsOf(client, two)).toEqual(['DENY', 'PREEMPT', 'GRANT'])
      await expect(wants(one, 'agent-2')).rejects.toThrow(`Locked by agent-1 for #${two}`)
      expect(await decisionsOf(client, one)).toEqual(['DENY'])
      await client.releaseItem({ params: path({ projectNumber: 1, number: two }), body: {} })
      expect((await client.listLocks()).items).toEqual([])
      await play(daemon, one, { 'shared.txt': 'T1\n' })
      await landed(client, one)
      expect(await decisionsOf(client, one)).toEqual(['DENY', 'GRANT'])
      expect((await client.listLocks()).items).toEqual([])
      await client.stopBuild({ params: { id: 'one-file' }, body: {} })
    },
  )

  verifies(
    ['AGENT-BUILD-9', 'AGENT-BUILD-10', 'AGENT-BUILD-15'],
    'a task whose file is owned by somebody else is not begun until a person says that they agree',
    async (context) => {
      const daemon = await open(context)
      const { client, workspace } = daemon
      workspace.write('CODEOWNERS', '* @team/all\napi/ @team/api\n')
      const build = await start(daemon, 'owned', [
        { id: 'T1', file: 'api/x.txt' },
        { id: 'T2', file: 'web/x.txt' },
      ])
      const number = taskOf(build, 'T1').number
      expect(build.prime).toContain('api/x.txt is owned by @team/api')
      expect(build.hint).toContain(`treadle edit ${number} --agreed`)
      expect(
        build.tasks.map(({ id, ready, requiresCoordination }) => [id, ready, requiresCoordination]),
      ).toEqual([
        ['T1', 'Owned by @team/api', true],
        ['T2', 'Ready', false],
      ])
      const ref = { projectNumber: 1, number }
      await expect(take(daemon, ref)).rejects.toThrow('Owned by @team/api')
      await client.editItem({ params: path(ref), body: { requiresCoordination: false } })
      expect(taskOf(await begun(client, 'owned'), 'T1')).toMatchObject({
        ready: 'Ready',
        owner: '@team/api',
        requiresCoordination: false,
      })
      await take(daemon, ref)
    },
  )
})

const clock = new LedClock()
const openLed = useInProcess('any', { clock, settings: { limits: { sweepMs: 300, claimMs: 60_000 } } })

test('who has a file and is never heard of again keeps it no longer than its claim, and the next one gets it', async (context) => {
  const daemon = await openLed(context)
  const { client } = daemon
  const { one, two } = await twoTasks(daemon)
  const lost = await take(daemon, { projectNumber: 1, number: one }, 'agent-2')
  const wants = () => take(daemon, { projectNumber: 1, number: two }, 'agent-1')
  await expect(wants()).rejects.toThrow(`Locked by agent-2 for #${one}`)
  clock.pass(59_000)
  await expect(wants()).rejects.toThrow(`Locked by agent-2 for #${one}`)
  await eventually('the claim of the lost agent falls', async () => {
    clock.pass(1_000)
    const { state } = await stateOf(client, one)
    return state === 'backlog' ? true : undefined
  })
  expect((await client.listLocks()).items).toEqual([])
  await wants()
  expect((await client.listLocks()).items.map(({ file, lockedBy }) => [file, lockedBy]).toSorted()).toEqual(
    TWO_FILES.map((file) => [file, 'agent-1']),
  )
  // Should it come back, it has nothing to say any more.
  await expect(
    say(lost, { type: 'build.finished', summary: 'late', checkpoint: SOME_COMMIT }),
  ).rejects.toMatchObject({ code: 'fenced' })
})

const openWatched = useInProcess('any', {
  settings: { limits: { sweepMs: 300 }, monitoring: { tasksMs: 200 } } as never,
})

verifies(
  ['AGENT-MONITOR-16', 'AGENT-MONITOR-17', 'AGENT-PM-14', 'AGENT-ROUTING-32', 'AGENT-ROUTING-46'],
  'two agents that each want the file of the other wait in a circle: it is told, the one begun last goes back, and the other has both files',
  async (context) => {
    const daemon = await openWatched(context)
    const { client } = daemon
    const build = await start(daemon, 'circle', [
      { id: 'T1', file: 'a.txt' },
      { id: 'T2', file: 'b.txt' },
    ])
    const [one, two] = [taskOf(build, 'T1').number, taskOf(build, 'T2').number]
    const first = await take(daemon, { projectNumber: 1, number: one }, 'agent-1')
    const second = await take(daemon, { projectNumber: 1, number: two }, 'agent-2')
    const wants = ({ claim: { run, fence } }: typeof first, agentId: AgentId, file: string) =>
      client.takeFiles({ params: { id: run.id }, body: { agentId, fence, files: [file] } })
    await expect(wants(first, 'agent-1', 'b.txt')).rejects.toThrow(`agent-2`)
    await expect(wants(second, 'agent-2', 'a.txt')).rejects.toThrow(`agent-1`)

    const broken = await eventually('the circle is broken', async () => {
      const { items } = await client.events({ query: { type: 'pm.decided' } })
      return items.find(({ event }) => event.type === 'pm.decided' && event.action === 'BREAK')?.event
    })
    expect(broken).toMatchObject({ target: `1/${two}`, facts: { edge: `1/${two} -> 1/${one}` } })
    const told = (await client.events({ query: { type: 'alert.deadlock' } })).items.map(({ event }) => event)
    expect(told).toEqual([
      expect.objectContaining({
        severity: 'critical',
        source: 'monitor',
        message: expect.stringMatching(/^Deadlock detected: 1\/\d+ -> 1\/\d+ -> 1\/\d+$/),
      }),
    ])
    expect(await stateOf(client, one)).toMatchObject({ claimedByAgentId: 'agent-1' })
    expect(await stateOf(client, two)).toMatchObject({ state: 'backlog', claimedByAgentId: null })
    const { items: own } = await wants(first, 'agent-1', 'b.txt')
    expect(own.map(({ file }) => file).toSorted()).toEqual(['a.txt', 'b.txt'])
    expect(taskOf(await begun(client, 'circle'), 'T2').ready).toBe(`Locked by agent-1 for #${one}`)
    await play(daemon, two, { 'b.txt': 'two\n' }).then(
      () => expect.unreachable('the file is not free'),
      (error) => expect(error).toMatchObject({ status: 409 }),
    )
  },
)

async function twoTasks(daemon: InProcessDaemon): Promise<{ one: number; two: number }> {
  const build = await start(daemon, 'one-file', [
    { id: 'T1', file: 'shared.txt' },
    { id: 'T2', file: 'other.txt' },
    { id: 'T3', file: 'third.txt', dependsOn: ['T2'] },
  ])
  const [one, two] = [taskOf(build, 'T1').number, taskOf(build, 'T2').number]
  await daemon.client.editItem({
    params: path({ projectNumber: 1, number: two }),
    body: { files: TWO_FILES },
  })
  return { one, two }
}

/** What was decided about files that an item wanted, oldest first. */
async function decisionsOf(client: Client, number: number): Promise<string[]> {
  const { events } = await client.showItem({ params: { projectNumber: 1, issueNumber: number } })
  return events.flatMap(({ event }) => (event.type === 'conflict.detected' ? [event.decision.action] : []))
}
