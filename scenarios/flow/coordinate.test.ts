import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { runAnswer } from '@treadle/flow/ask/question.run'
import { runHealthChecks } from '@treadle/flow/supervise/health/health.run'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { CoordinatedWorld, sampleBuild } from './coordinated.ts'

const MINUTE = 60_000

describe.each(DRIVERS)('the monitor and the PM agent on the %s database', (driver) => {
  const open = useStore(driver)

  verifies(
    [
      'AGENT-MONITOR-2',
      'AGENT-MONITOR-3',
      'AGENT-MONITOR-9',
      'AGENT-MONITOR-10',
      'AGENT-MONITOR-14',
      'AGENT-MONITOR-15',
      'AGENT-PM-2',
      'AGENT-PM-4',
      'AGENT-ROUTING-31',
      'AGENT-ROUTING-44',
    ],
    'a task that is stuck is told once, watched, asked about, and taken from its agent after half an hour',
    async (context) => {
      const world = await CoordinatedWorld.begin(await open(context))
      await world.runs('agent-1', 'working')
      const task = await world.task({ phase: 'database', title: 'A table' })
      await world.claims('agent-1', task)
      await world.passes(5 * MINUTE)
      expect(await world.told('alert.stuck_task')).toEqual([])
      await world.passes(2 * MINUTE)
      const [alert] = await world.told('alert.stuck_task')
      expect(alert).toMatchObject({
        severity: 'warning',
        source: 'agent-1',
        message: `Task #${task.number} stuck for 7 min`,
        context: { task_id: `${world.project}/${task.number}`, duration: 7 * MINUTE, phase: 'database' },
      })
      const row = async () => await world.store.notifications.find(alert?.alert ?? 0)
      expect(await row()).toMatchObject({
        type: 'alert.stuck_task',
        level: 'warning',
        source: 'agent-1',
        title: alert?.message,
        context: alert?.context,
        acknowledgedAt: null,
        item: task,
        decision: { action: 'WATCH', checkAgainAt: expect.any(String) },
      })
      expect(await world.decisions()).toEqual([['WATCH', null]])
      // It lasts: neither told nor decided again, until it has been so for long enough.
      for (const minutes of [2, 3, 5]) await world.passes(minutes * MINUTE)
      expect(await world.told('alert.stuck_task')).toHaveLength(1)
      expect(await world.decisions()).toEqual([['WATCH', null]])
      for (const minutes of [5, 5]) await world.passes(minutes * MINUTE)
      expect(await world.decisions()).toEqual([
        ['WATCH', null],
        ['ESCALATE', 'human'],
      ])
      expect((await world.store.items.find(task))?.claimedByAgentId).toBe('agent-1')
      for (const minutes of [5, 2]) await world.passes(minutes * MINUTE)
      expect((await world.told('pm.decided')).at(-1)).toMatchObject({
        action: 'INTERRUPT',
        target: 'agent-1',
        reason: 'Task exceeded 30 minute timeout',
        followUp: 'SKIP_AND_CONTINUE',
      })
      expect(await world.store.items.find(task)).toMatchObject({
        state: 'escalated',
        claimedByAgentId: null,
        reason: 'Task exceeded 30 minute timeout',
      })
      expect((await row())?.resolvedAt).not.toBeNull()
      const questions = await world.store.questions.list({ item: task, limit: 10 })
      expect(questions.map(({ status }) => status)).toEqual(['withdrawn'])
      expect(await world.told('alert.stuck_task')).toHaveLength(1)
    },
  )

  verifies(
    ['AGENT-PM-3', 'AGENT-PM-16', 'AGENT-ROUTING-35'],
    'a person is asked about a task after twenty minutes, and the answer goes back and is done, once',
    async (context) => {
      const world = await CoordinatedWorld.begin(await open(context))
      await world.runs('agent-1', 'working')
      const stuckFor = async (title: string) => {
        const task = await world.task({ title })
        await world.claims('agent-1', task)
        for (let minute = 0; minute < 25; minute += 5) await world.passes(5 * MINUTE)
        const [question] = await world.store.questions.list({ item: task, status: 'open', limit: 10 })
        if (question === undefined) throw new Error('nobody was asked')
        return { task, question }
      }
      const answer = async (id: string, text: string) => {
        expect((await runAnswer(world, { id, text, by: 'ada' })).is).toBe('answered')
        await world.works()
      }
      const first = await stuckFor('waits')
      expect(first.question).toMatchObject({
        type: 'blocking',
        blocking: true,
        agent: 'pm-agent',
        text: expect.stringMatching(/^Task #\S+ stuck for 2\d min\. Skip or wait\?$/),
        options: [{ label: 'wait' }, { label: 'skip' }, { label: 'retry' }],
      })
      await answer(first.question.id, 'wait')
      expect(await world.told('decision.made')).toMatchObject([
        { for: 'pm-agent', by: 'ada', option: 'wait', decisionId: first.question.subject },
      ])
      // Its clock starts anew with the answer.
      await world.passes(9 * MINUTE)
      expect((await world.store.items.find(first.task))?.state).toBe('claimed')
      expect(await world.store.notifications.standing(['alert.stuck_task'])).toEqual([])
      for (let minute = 9; minute < 29; minute += 5) await world.passes(5 * MINUTE)
      const [again] = await world.store.questions.list({ item: first.task, status: 'open', limit: 10 })
      await answer(again?.id ?? '', 'skip')
      expect(await world.store.items.find(first.task)).toMatchObject({
        state: 'withdrawn',
        reason: 'withdrawn by ada',
      })
      const second = await stuckFor('is tried again')
      await answer(second.question.id, 'retry')
      // Alone, the agent begins it anew itself.
      expect(await world.store.items.find(second.task)).toMatchObject({
        state: 'backlog',
        claimedByAgentId: null,
        assignedAgentId: 'agent-1',
      })
      expect(await world.told('decision.made')).toHaveLength(3)
    },
  )

  test('what a person was asked about a task is over once the task goes on, and says nothing about a later claim', async (context) => {
    const world = await CoordinatedWorld.begin(await open(context))
    await world.runs('agent-1', 'working')
    const task = await world.task()
    const isStuck = async () => {
      await world.claims('agent-1', task)
      for (let minute = 0; minute < 25; minute += 5) await world.passes(5 * MINUTE)
      const [question] = await world.store.questions.list({ item: task, status: 'open', limit: 10 })
      if (question === undefined) throw new Error('nobody was asked')
      return question
    }
    const back = (why: string) =>
      world.advance({
        item: task,
        eventId: world.uuid(),
        fence: null,
        agentId: null,
        move: { type: 'claim.released', why },
      })
    const first = await isStuck()
    await back('given back by itself')
    await world.passes(MINUTE)
    const known = await world.store.questions.find(first.id)
    expect(known?.record.status).toBe('withdrawn')
    const second = await isStuck()
    expect(second.id).not.toBe(first.id)
    // Taken up anew and stuck again before anybody has looked, and answered late.
    await back('given back again')
    await world.claims('agent-1', task)
    await world.passes(11 * MINUTE)
    expect((await runAnswer(world, { id: second.id, text: 'skip', by: 'ada' })).is).toBe('answered')
    await world.works()
    expect(await world.store.items.find(task)).toMatchObject({ state: 'claimed' })
  })

  test('a task that waits for an answer or whose agent is paused is not stuck, nor is an item of another kind', async (context) => {
    const world = await CoordinatedWorld.begin(await open(context))
    await world.runs('agent-1', 'working')
    await world.runs('agent-2', 'working')
    await world.claims('agent-1', await world.task({ specTask: null, source: 'person' }))
    await world.claims('agent-2', await world.task())
    await world.store.agents.patch('agent-2', { wanted: 'paused', status: 'paused' })
    await world.passes(600 * MINUTE)
    expect(await world.told('alert.stuck_task')).toEqual([])
  })

  verifies(
    [
      'AGENT-PM-8',
      'AGENT-PM-9',
      'AGENT-PM-10',
      'AGENT-PM-11',
      'AGENT-PM-12',
      'AGENT-PM-13',
      'AGENT-ROUTING-40',
    ],
    'the tasks of an agent that was given up go to those that run, by load; with nobody they stay in the queue',
    async (context) => {
      const world = await CoordinatedWorld.begin(await open(context))
      for (const id of ['agent-1', 'agent-2', 'agent-3'] as const) await world.runs(id, 'working')
      const [held, kept, other] = [await world.task(), await world.task(), await world.task()]
      await world.claims('agent-1', held)
      await world.claims('agent-2', other)
      const move = { type: 'item.assigned', by: 'ada', to: 'agent-1' } as const
      await world.advance({ item: kept, eventId: 'kept:for:1', fence: null, agentId: null, move })
      const gives = async (id: AgentId) => {
        await world.store.agents.patch(id, { status: 'failed' })
        const event = { type: 'agent.status_changed', from: 'crashed', to: 'failed' } as const
        const about = { item: null, agentId: id, runId: null, state: null }
        await world.store.events.append({ id: world.uuid(), at: world.time, ...about, event })
      }
      await gives('agent-1')
      // What it had in hand may have gone back to the queue before anybody decides.
      const back = { type: 'claim.released', why: 'agent-1 is no longer running' } as const
      await world.advance({
        item: held,
        eventId: 'back:to:queue',
        fence: null,
        agentId: 'agent-1',
        move: back,
      })
      await world.works()
      expect(await world.decisions()).toEqual([['REASSIGN', 'agent-1']])
      const name = (ref: ItemRef) => `${ref.projectNumber}/${ref.number}`
      expect(await world.told('work.assigned')).toEqual([
        { type: 'work.assigned', task: name(held), from: 'agent-1', to: 'agent-3', load: 1 },
        { type: 'work.assigned', task: name(kept), from: 'agent-1', to: 'agent-2', load: 2 },
      ])
      expect(await world.store.items.find(held)).toMatchObject({
        state: 'backlog',
        assignedAgentId: 'agent-3',
      })
      // What is kept for one is offered to that one first, and to nobody else.
      const [offered] = await world.store.items.queue(1, 'agent-3')
      expect(offered?.number).toBe(held.number)
      await world.claims('agent-3', held)

      await world.store.agents.patch('agent-2', { wanted: 'stopped' })
      await gives('agent-3')
      await world.works()
      expect((await world.told('pm.decided')).at(-1)).toMatchObject({
        action: 'LEAVE',
        reason: 'agent-3 was given up, and no other agent runs: 1 task waits in the queue',
      })
      expect(await world.told('work.assigned')).toHaveLength(2)
    },
  )

  verifies(
    [
      'AGENT-MONITOR-4',
      'AGENT-MONITOR-18',
      'AGENT-MONITOR-20',
      'AGENT-PM-1',
      'AGENT-PM-15',
      'AGENT-ROUTING-16',
      'AGENT-ROUTING-39',
      'AGENT-ROUTING-47',
    ],
    'a component that is silent for more than five minutes is told and restarted, so often an hour and no more',
    async (context) => {
      const world = await CoordinatedWorld.begin(await open(context))
      await world.runs('agent-1')
      const silent = async (ms: number) => {
        world.wait(ms)
        await runHealthChecks(world, ['components'])
      }
      await silent(5 * MINUTE)
      expect(await world.told('alert.component_down')).toEqual([])
      await silent(1)
      expect(await world.told('alert.component_down')).toMatchObject([
        {
          severity: 'error',
          source: 'monitor',
          message: 'Component agent-1 not responding',
          context: { component: 'agent-1' },
        },
      ])
      await world.works()
      expect(await world.decisions()).toEqual([['RESTART', 'agent-1']])
      expect(world.restarted).toEqual(['agent-1'])
      for (const restarts of [2, 3]) {
        await world.beats('agent-1')
        await silent(1)
        await silent(5 * MINUTE)
        await world.works()
        expect(world.restarted).toHaveLength(restarts)
      }
      await world.beats('agent-1')
      await silent(1)
      await silent(5 * MINUTE)
      await world.works()
      expect(world.restarted).toHaveLength(3)
      expect((await world.told('pm.decided')).at(-1)).toMatchObject({ action: 'ESCALATE', target: 'human' })
      const [asked] = await world.store.questions.list({
        status: 'open',
        event: 'decision.requested',
        limit: 5,
      })
      expect(asked?.text).toContain('agent-1 is down again after 3 restarts within an hour')
      await runAnswer(world, { id: asked?.id ?? '', text: 'restart', by: 'ada' })
      await world.works()
      expect(world.restarted).toHaveLength(4)
    },
  )

  test('a component that a person has stopped is left as it is, and one that the settings name is expected', async (context) => {
    const world = await CoordinatedWorld.begin(await open(context))
    await world.runs('agent-2')
    await world.store.agents.patch('agent-2', { wanted: 'stopped', status: 'stopped' })
    world.wait(10 * MINUTE)
    await runHealthChecks(world, ['components'])
    expect(await world.told('alert.component_down')).toEqual([])
    const { monitoring } = world.settings
    world.settings = { ...world.settings, monitoring: { ...monitoring, components: ['agent-2'] } }
    await runHealthChecks(world, ['components'])
    await world.works()
    expect(await world.decisions()).toEqual([['LEAVE', 'agent-2']])
    expect(world.restarted).toEqual([])
  })

  verifies(
    [
      'AGENT-MONITOR-5',
      'AGENT-MONITOR-6',
      'AGENT-MONITOR-16',
      'AGENT-MONITOR-17',
      'AGENT-PM-14',
      'AGENT-ROUTING-32',
      'AGENT-ROUTING-46',
    ],
    'who waits in a circle is told, and the circle is broken where the least is lost',
    async (context) => {
      const world = await CoordinatedWorld.begin(await open(context))
      const tasks: [AgentId, ItemRef][] = []
      for (const id of ['agent-1', 'agent-2', 'agent-3'] as const) {
        await world.runs(id, 'working')
        const task = await world.task({ priority: id === 'agent-2' ? 5 : 1 })
        await world.claims(id, task)
        tasks.push([id, task])
      }
      const names = tasks.map(([, { projectNumber, number }]) => `${projectNumber}/${number}`)
      const [first = '', second = '', third = ''] = names
      for (const [id, task] of tasks) await world.locks(id, task, `${id}.ts`)
      const waits = async (waiter: number, other: number) => {
        const [one, next] = [tasks[waiter], tasks[other]]
        if (one === undefined || next === undefined) throw new Error('no such task')
        const lock = { file: `${next[0]}.ts`, item: next[1] }
        await world.store.fileLocks.wait(one[1], lock, world.time)
      }
      await waits(0, 1)
      await waits(1, 2)
      await world.passes(MINUTE)
      expect(await world.told('alert.deadlock')).toEqual([])
      await waits(2, 0)
      const last = tasks[2]?.[1] ?? { projectNumber: 1, number: 1 }
      const keep = (ms: number) => world.store.fileLocks.keep(last, new Date(world.time.getTime() + ms))
      await keep(MINUTE - 1)
      await world.passes(MINUTE)
      // A lock that has expired holds nobody up.
      expect(await world.told('alert.deadlock')).toEqual([])
      await keep(10 * MINUTE)
      await world.passes(MINUTE)
      expect(await world.told('alert.deadlock')).toMatchObject([
        {
          severity: 'critical',
          source: 'monitor',
          message: `Deadlock detected: ${first} -> ${second} -> ${third} -> ${first}`,
          context: { cycle: names },
        },
      ])
      expect(await world.told('pm.decided')).toMatchObject([
        { action: 'BREAK', target: second, facts: { edge: `${second} -> ${third}` } },
      ])
      const states = []
      for (const [, task] of tasks) states.push((await world.store.items.find(task))?.state)
      expect(states).toEqual(['claimed', 'backlog', 'claimed'])
      await world.passes(MINUTE)
      expect(await world.store.notifications.standing(['alert.deadlock'])).toEqual([])
      expect(await world.told('pm.decided')).toHaveLength(1)
    },
  )

  verifies(
    ['AGENT-ROUTING-33', 'AGENT-BUILD-49'],
    'a build that failed is told once, and the PM agent leaves it to a person',
    async (context) => {
      const world = await CoordinatedWorld.begin(await open(context))
      await world.store.builds.add(sampleBuild({ status: 'failed', why: '4 tasks failed' }, world.time))
      await world.passes(MINUTE)
      await world.passes(31 * MINUTE)
      expect(await world.told('alert.build_failed')).toMatchObject([
        { message: 'The build of cart failed', severity: 'error', context: { why: '4 tasks failed' } },
      ])
      expect(await world.decisions()).toEqual([['ESCALATE', 'human']])
      await world.passes(24 * 60 * MINUTE)
      expect(await world.store.notifications.standing(['alert.build_failed'])).toEqual([])
    },
  )
})
