// The monitor and the PM agent over the API and on the command line: what a person sees of a task that is stuck, is asked
// and answers, by a clock that the test leads.
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import { verifies } from '@treadle/requirements/verifies'
import { beforeEach, expect } from 'vitest'
import { run } from '../kit/command.ts'
import { addItem, itemOf, take } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually } from '../kit/wait.ts'
import { writeIdea } from '../spec/idea-files.ts'

const MINUTE = 60_000
const clock = new LedClock()
const open = useInProcess('any', { clock, settings: { monitoring: { components: ['agent-7'] } } as never })
let daemon: InProcessDaemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const beat = {
  agentId: 'agent-7',
  status: 'idle',
  currentProjectNumber: null,
  memoryUsage: 1,
  cpuUsage: 1,
  pid: 7,
  engine: 'scripted',
  phase: null,
  tasksCompleted: 0,
  errorCount: 0,
  lastError: null,
  drained: false,
} as const

const eventsOf = async (...types: string[]): Promise<StoredEvent[]> =>
  (await daemon.client.newestEvents({ query: { limit: 500 } })).items.filter(({ event }) =>
    types.includes(event.type),
  )

verifies(
  ['AGENT-MONITOR-1', 'AGENT-ROUTING-6', 'AGENT-ROUTING-7', 'AGENT-ROUTING-18', 'AGENT-ROUTING-30'],
  'the monitor is woken by a timer, every two minutes, and by nothing else; what it tells wakes the PM agent',
  async () => {
    const { client } = daemon
    const { items } = await client.listRoles()
    const [monitor, pm] = ['monitor-agent', 'pm-agent'].map((name) =>
      items.find((role) => role.name === name),
    )
    expect(monitor).toMatchObject({
      title: 'Monitor Agent',
      role: 'Watch system health',
      location: 'coding-loops/agents/',
      trigger: { kind: 'timer', words: 'Timer', everyMs: 2 * MINUTE },
      reactsTo: [],
      part: null,
    })
    expect(pm).toMatchObject({
      title: 'PM Agent',
      role: 'Coordinate and resolve',
      trigger: { kind: 'event', words: 'Event' },
      part: null,
    })
    expect(pm?.reactsTo[0]).toMatchObject({ event: 'alert.*', does: 'job' })
    const { config } = await daemon.client.workspace()
    expect(config.monitoring.tasksMs).toBe(2 * MINUTE)
    // It is known and nobody wants it to run, so nothing is started here.
    await client.heartbeat({
      params: { id: 'agent-7' },
      body: { ...beat, timestamp: clock.now().toISOString() },
    })
    // Nobody asks for it: the component that the settings name has never been there, and the timer finds that.
    const down = () => eventsOf('alert.component_down')
    await eventually('the alert', async () => {
      clock.pass(30_000)
      const told = await down()
      return told.length > 0 ? told : undefined
    })
    const decided = await eventually('the decision', async () => (await eventsOf('pm.decided'))[0])
    expect(decided.event).toMatchObject({ about: 'alert.component_down', action: 'LEAVE', target: 'agent-7' })
  },
)

verifies(
  ['AGENT-MONITOR-8', 'AGENT-MONITOR-19'],
  'the health report has each agent with its load, and the components that the settings name',
  async () => {
    const { client } = daemon
    await take(daemon, await addItem(client, { title: 'in hand' }), 'agent-3')
    const { loops, components, checks } = await client.healthChecks()
    expect(loops.find(({ id }) => id === 'agent-3')).toMatchObject({
      name: 'agent-3',
      status: expect.any(String),
      currentLoad: 1,
    })
    expect(components.map(({ component }) => component)).toEqual(['agent-7'])
    expect(checks.map(({ check }) => check)).toContain('components')
  },
)

verifies(
  ['AGENT-MONITOR-11', 'AGENT-MONITOR-12', 'AGENT-MONITOR-13', 'AGENT-ROUTING-31', 'AGENT-ROUTING-39'],
  'tasks are stuck by their phase; a person is asked on the command line, and the answer is carried out',
  async () => {
    const { client, workspace } = daemon
    writeIdea(workspace, 'shopping-list')
    const { slug, tasks } = await client.generateSpecification({
      body: { ideaSlug: 'shopping-list', userSlug: 'test', options: { targetComplexity: 'mvp' } },
    })
    const specTask = { spec: slug, revision: 1, id: tasks[0]?.id ?? '' }
    const task = async (phase: string, agent: `agent-${number}`) => {
      return take(daemon, await addItem(client, { title: phase, phase, source: 'spec', specTask }), agent)
    }
    const works = [
      await task('database', 'agent-4'),
      await task('api', 'agent-5'),
      await task('tests', 'agent-6'),
    ]
    const labels = works.map(({ ref }) => `#${ref.number}`)
    const stuck = async () =>
      (await eventsOf('alert.stuck_task')).flatMap(({ event }) =>
        event.type === 'alert.stuck_task' ? [event.message.split(' ')[1]] : [],
      )
    const minutes = async (count: number) => {
      // A longer step would pass for a machine that was asleep.
      for (let left = count; left > 0; left -= 2) {
        clock.pass(Math.min(left, 2) * MINUTE)
        await client.runHealthChecks()
      }
    }
    await minutes(5)
    expect(await stuck()).toEqual([])
    await minutes(1)
    expect(await stuck()).toEqual(labels.slice(0, 1))
    await minutes(5)
    expect(await stuck()).toEqual(labels.slice(0, 2))
    await minutes(5)
    expect(await stuck()).toEqual(labels)
    await minutes(8)
    const question = await eventually('the question', async () => {
      const { items } = await client.listQuestions({ query: { status: 'open' } })
      return items.find(({ agent, item }) => agent === 'pm-agent' && item?.number === works[0]?.ref.number)
    })
    expect((await run(workspace, ['questions'])).stdout).toContain('Skip or wait?')
    const answered = await run(workspace, ['answer', String(question.number), 'skip'])
    expect(answered.stderr).toBe('')
    const [work] = works
    if (work === undefined) throw new Error('no work')
    const item = await eventually('the answer to be carried out', async () => {
      const found = await itemOf(work)
      return found.state === 'withdrawn' ? found : undefined
    })
    expect(item.reason).toMatch(/^withdrawn by /)
    const told = (await eventsOf('pm.decided', 'decision.requested', 'decision.made')).map(
      (stored) => sentence(stored).text,
    )
    expect(told).toContain('The PM agent waits and looks again')
    expect(told).toContain('pm-agent asks for a decision')
    expect(told.some((text) => text.endsWith('decided what pm-agent asked'))).toBe(true)
    expect((await run(workspace, ['notifications', '--alerts'])).stdout).toContain('stuck for')
  },
)

verifies(
  'AGENT-QUESTION-24',
  'work that takes more than three times its estimate is asked about, once and without holding anybody up',
  async () => {
    const { client, workspace } = daemon
    const work = await take(
      daemon,
      await addItem(client, { title: 'a long one', estimateHours: 1 }),
      'agent-8',
    )
    const asked = async () =>
      (await client.listQuestions({ query: { status: 'open' } })).items.filter(
        ({ item }) => item?.number === work.ref.number,
      )
    clock.pass(3 * 60 * MINUTE - MINUTE)
    expect(await asked()).toEqual([])
    const [question] = await eventually('the question', async () => {
      clock.pass(MINUTE)
      const found = await asked()
      return found.length > 0 ? found : undefined
    })
    expect(question).toMatchObject({
      type: 'educational',
      blocking: false,
      options: [
        { label: "Continue, it's worth it" },
        { label: 'Simplify the approach' },
        { label: "Pause and let's discuss" },
        { label: 'Skip for now' },
      ],
    })
    expect(question?.text).toContain('Estimate: 1 h 0 min')
    expect((await itemOf(work)).claimedByAgentId).toBe('agent-8')
    await run(workspace, ['answer', String(question?.number), 'Skip for now'])
    expect(await itemOf(work)).toMatchObject({ state: 'withdrawn' })
    clock.pass(MINUTE)
    expect(await asked()).toEqual([])
  },
)
