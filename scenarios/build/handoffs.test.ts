// What a build hands to others: its end to the learner, a file that two of its tasks want to the PM. Over the API.
import type { BuildView } from '@treadle/contracts/build'
import type { Client } from '@treadle/contracts/client'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { approve, path, take } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import { begun, fail, failChecks, landed, play, start, stateOf, taskOf } from './hand-build.ts'

const open = useInProcess('any', { settings: { limits: { sweepMs: 300, improvements: 1 } } })

const lookOn = (client: Client, slug: string, look: number) =>
  eventually(`look ${look} back on the build of ${slug}`, async () => {
    const seen = await client.buildRetrospective({ params: { id: slug } }).catch(() => undefined)
    return seen?.look === look ? seen : undefined
  })

const told = (client: Client, slug: string, count: number) =>
  eventually(`the events about ${slug}`, async () => {
    const { items } = await client.events({ query: { type: 'build.reviewed' } })
    const own = items.flatMap(({ event }) =>
      event.type === 'build.reviewed' && event.spec === slug ? [event] : [],
    )
    return own.length === count ? own : undefined
  })

async function deliver(daemon: InProcessDaemon, build: BuildView, files: Record<string, string>) {
  const { client } = daemon
  const number = build.delivery ?? 0
  await eventually('the delivery is free', async () =>
    (await stateOf(client, number)).blockedBy.length === 0 ? true : undefined,
  )
  await play(daemon, number, files)
  await eventually('the delivery waits', async () => (await stateOf(client, number)).needsHuman || undefined)
  await approve({ client, ref: { projectNumber: 1, number } })
  await landed(client, number)
}

verifies(
  ['AGENT-ROUTING-5', 'AGENT-ROUTING-29'],
  'the SIA is registered as an agent that an event starts and that learns from outcomes',
  async (context) => {
    const { client, workspace } = await open(context)
    const sia = (await client.listRoles()).items.find(({ name }) => name === 'sia-agent')
    expect(sia).toMatchObject({
      title: 'SIA (Self-Improvement Agent)',
      role: 'Learn from outcomes',
      location: 'coding-loops/agents/',
      trigger: { kind: 'event', words: 'Event', everyMs: null },
      part: null,
    })
    expect(sia?.reactsTo.map(({ event, does }) => [event, does])).toEqual([
      ['build.completed', 'job'],
      ['ideation.completed', 'job'],
      ['spec.generated', 'job'],
      ['task.failed', 'job'],
    ])
    expect(sia?.may).toContain('record_lessons')
    const { stdout } = await run(workspace, ['roles'])
    expect(stdout).toContain('build.completed → The outcome of the build is reviewed')
    expect(stdout).toContain('task.failed → What to avoid is recorded at once')
  },
)

verifies(
  ['AGENT-ROUTING-15', 'AGENT-ROUTING-26', 'AGENT-ROUTING-38'],
  'a build that is merged, and one that failed, is looked back on because of its end: tasks, attempts, what went wrong, time and money',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const build = await start(daemon, 'looked-back', [
      { id: 'T1', file: 'one.txt', estimateHours: 2 },
      { id: 'T2', file: 'two.txt', estimateHours: 1 },
      { id: 'T3', file: 'three.txt', dependsOn: ['T2'] },
    ])
    const numberOf = (id: string) => taskOf(build, id).number
    await expect(client.buildRetrospective({ params: { id: 'looked-back' } })).rejects.toMatchObject({
      status: 404,
      message: 'The build of looked-back has no retrospective yet.',
    })
    await fail(daemon, numberOf('T1'), 'SyntaxError: Unexpected token )')
    await begun(client, 'looked-back', (now) => taskOf(now, 'T1').status === 'pending')
    await play(daemon, numberOf('T1'), { 'one.txt': 'one\n' })
    await landed(client, numberOf('T1'))
    for (const status of ['pending', 'skipped'] as const) {
      await failChecks(daemon, numberOf('T2'))
      await begun(client, 'looked-back', (now) => taskOf(now, 'T2').status === status)
    }
    await deliver(daemon, await begun(client, 'looked-back'), { 'one.txt': 'one\n' })
    const done = await begun(client, 'looked-back', ({ status }) => status === 'completed')

    const seen = await lookOn(client, 'looked-back', 1)
    expect(seen).toMatchObject({
      is: 'build',
      slug: 'looked-back',
      trigger: 'build.completed',
      build: done.id,
      revision: done.revision,
      outcome: 'completed',
      why: null,
      completedAt: done.completedAt,
      tasks: { total: 3, complete: 1, skipped: 2, failed: 0, open: 0, atFirstAttempt: 0 },
      attempts: 4,
      errors: [
        { class: 'VALIDATION_FAILED', count: 2 },
        { class: 'SYNTAX_ERROR', count: 1 },
      ],
      // Nobody has finished anything before, so nothing was foreseen.
      money: { usd: 0, forecast: null, held: null },
    })
    expect(seen.hours.planned).toBeGreaterThanOrEqual(3)
    expect(seen.hours.worked).toBeCloseTo(done.elapsedMs / 3_600_000, 6)
    expect(seen.gaps).toEqual(
      expect.arrayContaining([
        { kind: 'repeated_attempts', about: 'T1', what: 'T1 took 2 attempts' },
        {
          kind: 'skipped_task',
          about: 'T2',
          what: 'T2 (Write two.txt) was skipped: Validation failed after 2 attempts',
        },
        {
          kind: 'skipped_task',
          about: 'T3',
          what: 'T3 (Write three.txt) was skipped: it waits for T2, which is skipped',
        },
      ]),
    )
    // What its runs have taught is what their own looks back say: nothing is recorded a second time.
    const { items: runs } = await client.listRetrospectives({ query: { limit: 100 } })
    const numbers = new Set([...done.tasks.map(({ number }) => number), done.delivery])
    const known = runs
      .filter(({ item }) => numbers.has(item.number))
      .flatMap(({ learned }) => learned.map(({ lessonId }) => lessonId))
    expect(runs.filter(({ item }) => numbers.has(item.number))).toHaveLength(5)
    for (const { lessonId } of seen.learned) expect(known).toContain(lessonId)
    expect(await told(client, 'looked-back', 1)).toEqual([
      {
        type: 'build.reviewed',
        build: done.id,
        spec: 'looked-back',
        look: 1,
        gaps: seen.gaps.length,
        learned: seen.learned.length,
      },
    ])
    const sia = (await client.listRoles()).items.find(({ name }) => name === 'sia-agent')
    expect(sia?.last?.outcome).toContain('Retrospective for')

    const shown = await run(workspace, ['retrospective', '--build', 'looked-back'])
    expect(shown.stdout).toContain('The build of looked-back, revision 2, is merged')
    expect(shown.stdout).toContain('1 of 3 tasks done, 0 at the first attempt, 2 skipped')
    expect(shown.stdout).toContain('4 attempts, came to nothing: 2 validation failed, 1 syntax error')
    expect(shown.stdout).toContain('repeated attempts: T1 took 2 attempts')
    const json = await run(workspace, ['retrospective', '--build', 'looked-back', '--json'])
    expect(JSON.parse(json.stdout)).toEqual(seen)
    const { items } = await client.listPlanningRetrospectives({ query: { of: 'build' } })
    expect(items).toContainEqual(seen)
  },
)

verifies(
  'AGENT-ROUTING-38',
  'a build that failed is handed over as well, and each of its ends is looked back on once',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const build = await start(daemon, 'fails-first', [
      { id: 'T1', file: 'first.sql', phase: 'database' },
      { id: 'T2', file: 'b.txt' },
    ])
    const [one, two] = [taskOf(build, 'T1').number, taskOf(build, 'T2').number]
    await fail(daemon, one, 'no idea')
    const failed = await begun(client, 'fails-first', ({ status }) => status === 'failed')
    const first = await lookOn(client, 'fails-first', 1)
    expect(first).toMatchObject({
      outcome: 'failed',
      why: 'Critical database task failed',
      completedAt: failed.completedAt,
      tasks: { total: 2, complete: 0, failed: 1, open: 1 },
      errors: [{ class: 'UNKNOWN', count: 1 }],
    })
    expect(first.gaps.map(({ kind, about }) => [kind, about])).toContainEqual(['failed_task', 'T1'])
    await client.resumeBuild({ params: { id: 'fails-first' }, body: { by: 'ada' } })
    for (const [number, file] of [
      [one, 'first.sql'],
      [two, 'b.txt'],
    ] as const) {
      await play(daemon, number, { [file]: 'text\n' })
      await landed(client, number)
    }
    const ready = await begun(client, 'fails-first', ({ counts }) => counts.complete === 2)
    await deliver(daemon, ready, { 'first.sql': 'text\n', 'b.txt': 'text\n' })
    const second = await lookOn(client, 'fails-first', 2)
    expect(second).toMatchObject({
      outcome: 'completed',
      build: first.build,
      tasks: { total: 2, complete: 2, atFirstAttempt: 1 },
    })
    expect(await client.buildRetrospective({ params: { id: first.build } })).toEqual(second)
    expect((await told(client, 'fails-first', 2)).map(({ look }) => look).toSorted()).toEqual([1, 2])
  },
)

verifies(
  ['AGENT-ROUTING-29', 'AGENT-ROUTING-43'],
  'what made a task fail is recorded as something to avoid at once, while the build goes on and tries it again',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const build = await start(daemon, 'taught', [
      { id: 'T1', file: 'sum.txt' },
      { id: 'T2', file: 'other.txt' },
    ])
    const { number } = taskOf(build, 'T1')
    const cause = 'the sum of a taught list is off by one'
    await failChecks(daemon, number, [{ id: 'taught-1', signature: cause, cause, tests: ['adds'] }])
    const seen = await eventually('the look back on the attempt', async () => {
      const { items } = await client.listRetrospectives({ query: { limit: 100 } })
      return items.find(({ item }) => item.number === number)
    })
    expect(seen).toMatchObject({ trigger: 'task.failed', outcome: expect.not.stringContaining('success') })
    const known = await client.listLessons({ query: { type: 'gotcha', limit: 100 } })
    const lesson = known.items.find(({ lesson: each }) => each.content.includes(cause))?.lesson
    expect(seen.learned).toContainEqual(expect.objectContaining({ lessonId: lesson?.id, how: 'recorded' }))
    const now = await begun(client, 'taught', ({ failures }) => failures.length === 1)
    expect(now).toMatchObject({ status: 'running', counts: { pending: 2 } })
    expect(now.failures[0]).toMatchObject({ task: 'T1', decision: 'RETRY', runId: seen.runId })
    const sia = (await client.listRoles()).items.find(({ name }) => name === 'sia-agent')
    expect(sia?.reactsTo.find(({ event }) => event === 'task.failed')).toMatchObject({ does: 'job' })
    expect((await run(workspace, ['lessons'])).stdout).toContain(cause)
  },
)

verifies(
  'AGENT-ROUTING-45',
  'two tasks want one file: the agent without it waits, the PM decides, and what it decided is told with its facts',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const build = await start(daemon, 'contended', [
      { id: 'T1', file: 'shared.txt' },
      { id: 'T2', file: 'other.txt' },
    ])
    const [one, two] = [taskOf(build, 'T1').number, taskOf(build, 'T2').number]
    await client.editItem({
      params: path({ projectNumber: 1, number: two }),
      body: { files: ['other.txt', 'shared.txt'] },
    })
    await take(daemon, { projectNumber: 1, number: one }, 'agent-2')

    // The other agent asks for the task, and has to wait.
    await expect(take(daemon, { projectNumber: 1, number: two }, 'agent-1')).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(`Locked by agent-2 for #${one}`),
    })
    const decisions = () =>
      eventually('a decision', async () => {
        const { items } = await client.events({ query: { type: 'conflict.detected' } })
        const own = items.flatMap(({ event }) =>
          event.type === 'conflict.detected' && event.build === build.id ? [event] : [],
        )
        return own.length > 0 ? own : undefined
      })
    expect(await decisions()).toEqual([
      {
        type: 'conflict.detected',
        build: build.id,
        file: 'shared.txt',
        requestor: expect.objectContaining({ item: { projectNumber: 1, number: two } }),
        owner: expect.objectContaining({ item: { projectNumber: 1, number: one }, agentId: 'agent-2' }),
        decision: {
          action: 'DENY',
          target: `#${two}`,
          reason: `File owned by #${one}`,
          suggestion: 'Wait or request change',
        },
      },
    ])
    expect(await stateOf(client, two)).toMatchObject({
      state: 'todo',
      claimedByAgentId: null,
      clearance: { is: 'locked', by: 'agent-2', file: 'shared.txt' },
    })
    expect((await client.listLocks()).waits).toContainEqual(
      expect.objectContaining({ waiter: `1/${two}`, waitingFor: `1/${one}`, file: 'shared.txt' }),
    )
    const pm = (await client.listRoles()).items.find(({ name }) => name === 'pm-agent')
    expect(pm?.reactsTo.find(({ event }) => event === 'conflict.detected')).toMatchObject({ does: 'with_it' })
    const activity = await run(workspace, ['show', String(two)])
    expect(activity.stdout).toContain('shared.txt')

    // The file is given back: whoever waited has it, and that is the PM's decision as well.
    await client.releaseItem({ params: path({ projectNumber: 1, number: one }), body: {} })
    await take(daemon, { projectNumber: 1, number: two }, 'agent-1')
    const granted = await eventually('it is granted', async () =>
      (await decisions()).find(({ decision }) => decision.action === 'GRANT'),
    )
    expect(granted).toMatchObject({
      requestor: { item: { projectNumber: 1, number: two }, agentId: 'agent-1' },
      file: 'shared.txt',
      decision: { reason: 'File unowned - granting to first requestor' },
    })
  },
)

test('a build that never was has no retrospective, and only one thing is shown at a time', async (context) => {
  const { client, workspace } = await open(context)
  await expect(client.buildRetrospective({ params: { id: 'never-was' } })).rejects.toMatchObject({
    status: 404,
    message: 'There is no build of never-was.',
  })
  const both = await run(workspace, ['retrospective', '--build', 'x', '--spec', 'x'])
  expect(both).toMatchObject({ code: 2 })
  expect(both.stderr).toContain('--build')
})
