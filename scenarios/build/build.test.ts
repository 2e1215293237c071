// A specification becomes merged code: approved over the API, its tasks played by hand on real branches.
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { expectTold } from '../kit/feed.ts'
import { approve } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import { begun, fail, failChecks, landed, play, start, stateOf, taskOf } from './hand-build.ts'

const open = useInProcess('any', { settings: { limits: { sweepMs: 300, improvements: 1 } } })

verifies(
  ['AGENT-BUILD-1', 'AGENT-BUILD-2', 'AGENT-BUILD-12', 'AGENT-ROUTING-14', 'AGENT-ROUTING-23'],
  'an approved specification is built task by task on a branch of its own, and delivered as one change with one receipt',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const build = await start(daemon, 'three-tasks', [
      { id: 'T1', file: 'one.txt', phase: 'types' },
      { id: 'T2', file: 'two.txt', dependsOn: ['T1'] },
      { id: 'T3', file: 'three.txt', phase: 'tests', dependsOn: ['T1', 'T2'] },
    ])
    expect(build).toMatchObject({
      spec: 'three-tasks',
      userSlug: 'test',
      branch: 'build/three-tasks',
      tasksTotal: 3,
    })
    expect(build.tasks.map(({ id, ready }) => [id, ready])).toEqual([
      ['T1', 'Ready'],
      ['T2', 'Blocked by T1'],
      ['T3', 'Blocked by T1'],
    ])
    const main = workspace.git('rev-parse', 'main')
    for (const [id, file] of [
      ['T1', 'one.txt'],
      ['T2', 'two.txt'],
      ['T3', 'three.txt'],
    ] as const) {
      await play(daemon, taskOf(build, id).number, { [file]: `${id}\n` })
      await landed(client, taskOf(build, id).number)
    }
    expect(workspace.git('rev-parse', 'main')).toBe(main)
    const ready = await begun(client, 'three-tasks', ({ counts }) => counts.complete === 3)
    const number = ready.delivery ?? 0
    // What an agent's process computes, played by hand: the files of the branch on the target.
    const whole = Object.fromEntries(
      ['one.txt', 'two.txt', 'three.txt'].map((file) => [
        file,
        workspace.git('show', `build/three-tasks:${file}`),
      ]),
    )
    await play(
      daemon,
      number,
      Object.fromEntries(Object.entries(whole).map(([file, text]) => [file, `${text}\n`])),
    )
    await eventually(
      'the delivery waits',
      async () => (await stateOf(client, number)).needsHuman || undefined,
    )
    await approve({ client, ref: { projectNumber: 1, number } })
    const { mergeCommit } = await landed(client, number)
    const done = await begun(client, 'three-tasks', ({ status }) => status === 'completed')
    expect(done).toMatchObject({ mergeCommit, counts: { complete: 3 } })
    expect(done.commits).toHaveLength(3)
    const { receipt } = await client.showReceipt({ params: { projectNumber: 1, issueNumber: number } })
    expect(receipt?.predicate.build).toMatchObject({
      spec: 'three-tasks',
      branch: 'build/three-tasks',
      exact: true,
    })
    expect(
      receipt?.predicate.build?.tasks.map(({ task, is, receipt: digest }) => [task, is, digest?.length]),
    ).toEqual([
      ['T1', 'complete', 64],
      ['T2', 'complete', 64],
      ['T3', 'complete', 64],
    ])
  },
)

verifies(
  [
    'AGENT-BUILD-14',
    'AGENT-BUILD-17',
    'AGENT-BUILD-25',
    'AGENT-BUILD-48',
    'AGENT-ROUTING-25',
    'AGENT-ROUTING-43',
  ],
  'a failed task is tried again, skipped or left to a person by what went wrong, and those that wait for it go with it',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const build = await start(daemon, 'failures', [
      { id: 'T1', file: 'a.txt' },
      { id: 'T2', file: 'b.txt' },
      { id: 'T3', file: 'c.txt', dependsOn: ['T2'] },
      { id: 'T4', file: 'd.txt' },
      { id: 'T5', file: 'e.txt', dependsOn: ['T4'] },
      { id: 'T6', file: 'f.txt', dependsOn: ['T5'] },
    ])
    const numberOf = (id: string) => taskOf(build, id).number
    const statusOf = (id: string, status: string) =>
      begun(client, 'failures', (now) => taskOf(now, id).status === status)
    const queued = async (id: string) =>
      eventually(`${id} is offered again`, async () => {
        const item = await stateOf(client, numberOf(id))
        return item.state === 'backlog' ? item : undefined
      })

    await fail(daemon, numberOf('T1'), 'SyntaxError: Unexpected token )')
    const again = await queued('T1')
    expect(again).toMatchObject({ needsHuman: false, sentBackBy: 'person' })
    expect(again.reason).toContain('Syntax error - will retry with correction')
    expect(again.reason).toContain('SyntaxError: Unexpected token )')
    await play(daemon, numberOf('T1'), { 'a.txt': 'a\n' })
    await landed(client, numberOf('T1'))

    await failChecks(daemon, numberOf('T2'))
    await queued('T2')
    await failChecks(daemon, numberOf('T2'))
    const skipped = await statusOf('T3', 'skipped')
    expect(taskOf(skipped, 'T2')).toMatchObject({
      status: 'skipped',
      why: 'Validation failed after 2 attempts',
      attempts: 2,
    })
    expect(taskOf(skipped, 'T3').why).toBe('it waits for T2, which is skipped')

    await fail(daemon, numberOf('T4'), 'the engine said nothing sensible')
    const failed = await statusOf('T6', 'skipped')
    expect(taskOf(failed, 'T6').why).toBe('it waits for T5, which is skipped')
    expect(taskOf(failed, 'T4')).toMatchObject({
      status: 'failed',
      needsHuman: true,
      why: 'Unknown error: the engine said nothing sensible',
    })
    expect(failed).toMatchObject({ status: 'running', counts: { complete: 1, skipped: 4, failed: 1 } })
    expect(failed.hint).toContain('treadle build retry failures T4')
    expect((await stateOf(client, failed.delivery ?? 0)).blockedBy).toEqual([numberOf('T4')])
    await expectTold(client, { type: 'task.failed' }).toEqual(
      expect.arrayContaining(
        [
          { task: 'T1', decision: 'RETRY' },
          { task: 'T2', decision: 'RETRY' },
          { task: 'T2', decision: 'SKIP' },
          { task: 'T4', decision: 'ESCALATE' },
        ].map((each) => expect.objectContaining(each)),
      ),
    )

    const shown = await run(workspace, ['build', 'show', 'failures'])
    expect(shown).toMatchObject({ code: 3 })
    expect(shown.stdout).toMatch(/T4\tfailed\t#\d+\td\.txt/)
    const retried = await run(workspace, ['build', 'retry', 'failures', 'T4', '--json'])
    expect(retried.stderr).toBe('')
    const back = JSON.parse(retried.stdout)
    expect(back.counts).toMatchObject({ pending: 3, skipped: 2 })
    for (const [id, file] of [
      ['T4', 'd.txt'],
      ['T5', 'e.txt'],
      ['T6', 'f.txt'],
    ] as const) {
      await play(daemon, numberOf(id), { [file]: `${id}\n` })
      await landed(client, numberOf(id))
    }
    const ready = await begun(client, 'failures', ({ counts }) => counts.complete === 4)
    await eventually('the delivery is free', async () =>
      (await stateOf(client, ready.delivery ?? 0)).blockedBy.length === 0 ? true : undefined,
    )
    const names = { 'a.txt': 'a\n', 'd.txt': 'T4\n', 'e.txt': 'T5\n', 'f.txt': 'T6\n' }
    await play(daemon, ready.delivery ?? 0, names)
    await eventually(
      'it waits',
      async () => (await stateOf(client, ready.delivery ?? 0)).needsHuman || undefined,
    )
    await approve({ client, ref: { projectNumber: 1, number: ready.delivery ?? 0 } })
    await landed(client, ready.delivery ?? 0)
    const { receipt } = await client.showReceipt({
      params: { projectNumber: 1, issueNumber: ready.delivery ?? 0 },
    })
    expect(receipt?.predicate.build?.tasks.filter(({ is }) => is !== 'complete')).toMatchObject([
      { task: 'T2', is: 'skipped', why: 'Validation failed after 2 attempts' },
      { task: 'T3', is: 'skipped', why: 'it waits for T2, which is skipped' },
    ])
  },
)

verifies(
  [
    'AGENT-BUILD-26',
    'AGENT-BUILD-27',
    'AGENT-BUILD-29',
    'AGENT-BUILD-30',
    'AGENT-BUILD-47',
    'AGENT-ROUTING-24',
  ],
  'a build ends with too many failures or a failed database task, stops when it is told to, and goes on when it is resumed',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const files = ['a', 'b', 'c', 'd', 'e'].map((name, nth) => ({
      id: `T${nth + 1}`,
      file: `many/${name}.txt`,
    }))
    const many = await start(daemon, 'many-failures', files)
    for (const id of ['T1', 'T2', 'T3']) await fail(daemon, taskOf(many, id).number, 'no idea')
    const three = await begun(client, 'many-failures', ({ counts }) => counts.failed === 3)
    expect(three).toMatchObject({ status: 'running', why: null })
    await fail(daemon, taskOf(many, 'T4').number, 'no idea')
    const four = await begun(client, 'many-failures', ({ status }) => status === 'failed')
    expect(four).toMatchObject({ why: 'Too many failures (>3)', completedAt: expect.any(String) })
    expect(four.hint).toContain('treadle build resume many-failures')
    await expect(
      client.claimItem({
        params: { projectNumber: 1, issueNumber: taskOf(many, 'T5').number },
        body: { agentId: 'agent-1' },
      }),
    ).rejects.toMatchObject({ status: 409 })
    const resumed = await run(workspace, ['build', 'resume', 'many-failures', '--json'])
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'running', why: null, counts: { pending: 5 } })

    const database = await start(daemon, 'database-first', [
      { id: 'T1', file: 'db/1.sql', phase: 'database' },
      { id: 'T2', file: 'b.ts' },
    ])
    await fail(daemon, taskOf(database, 'T1').number, 'no idea')
    const ended = await begun(client, 'database-first', ({ status }) => status === 'failed')
    expect(ended.why).toBe('Critical database task failed')
    await expectTold(client, { type: 'build.completed' }).toContainEqual(
      expect.objectContaining({
        spec: 'database-first',
        outcome: 'failed',
        why: 'Critical database task failed',
      }),
    )

    await start(daemon, 'to-be-stopped', [{ id: 'T1', file: 'x.txt' }])
    const stopped = await run(workspace, ['build', 'stop', 'to-be-stopped'])
    expect(stopped.stdout).toContain('stopped, Stop signal received')
    expect(stopped.stdout).toContain('treadle build resume to-be-stopped')
    const twice = await run(workspace, ['build', 'stop', 'to-be-stopped'])
    expect(twice).toMatchObject({ code: 1 })
    expect(twice.stderr).toContain('it is stopped already')
    await client.resumeBuild({ params: { id: 'to-be-stopped' }, body: { by: 'ada' } })
    expect((await begun(client, 'to-be-stopped')).tasks[0]?.ready).toBe('Ready')
  },
)

test('a build that never was is no build, a task that is not there is none, and what is well is not tried again', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const never = await run(workspace, ['build', 'resume', 'never-was'])
  expect(never).toMatchObject({ code: 1, stdout: '' })
  expect(never.stderr).toContain('There is no build of never-was.')
  expect(never.stderr).toContain('treadle spec approve never-was')
  await start(daemon, 'well', [{ id: 'T1', file: 'x.txt' }])
  const retry = (task: string) => client.retryTask({ params: { id: 'well' }, body: { by: 'ada', task } })
  await expect(retry('T9')).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('no task T9'),
  })
  await expect(retry('T1')).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('T1 is pending'),
  })
  await expect(client.resumeBuild({ params: { id: 'well' }, body: { by: 'ada' } })).rejects.toMatchObject({
    status: 409,
  })
})
