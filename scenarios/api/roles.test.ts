// Who reacts to what, over the API: a finished idea makes its specification where the owner wants that, once.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { POWER_WORDS } from '@treadle/contracts/words/role'
import { routed } from '@treadle/flow/supervise/roles/route.run'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, openAt, useTestDatabases } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { finishIdea } from '../idea/answers.ts'
import { run } from '../kit/command.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'

const open = useInProcess('any', { settings: { specification: { autoGenerate: true } } })

const roleOf = async ({ client }: InProcessDaemon, name: string) => {
  const { items } = await client.listRoles()
  const found = items.find((role) => role.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

verifies(
  ['AGENT-ROUTING-1', 'AGENT-ROUTING-2', 'AGENT-ROUTING-3', 'AGENT-ROUTING-20'],
  'six agents are registered, each with its trigger, its role and what it reacts to',
  async (context) => {
    const { client, workspace } = await open(context)
    const { items } = await client.listRoles()
    expect(items.map(({ title, trigger }) => [title, trigger.words])).toEqual([
      ['Ideation Agent', 'User message'],
      ['Specification Agent', 'Event / API'],
      ['Build Agent', 'Event'],
      ['SIA (Self-Improvement Agent)', 'Event'],
      ['Monitor Agent', 'Timer'],
      ['PM Agent', 'Event'],
    ])
    expect(items[0]).toMatchObject({
      role: 'Explore and develop ideas',
      location: 'agents/ideation/',
      reactsTo: [],
      context: { strategy: 'LAZY' },
      part: null,
    })
    expect(items[1]).toMatchObject({
      role: 'Generate specs from ideas',
      location: 'agents/specification/',
      context: { strategy: 'EAGER' },
      part: null,
    })
    const told = await run(workspace, ['roles'])
    for (const words of [
      'Specification Agent',
      'ideation.completed → The specification',
      'Timer, every 2 minutes',
    ])
      expect(told.stdout).toContain(words)
    expect(JSON.parse((await run(workspace, ['roles', '--json'])).stdout)).toEqual(items)
    for (const { may } of items) for (const power of may) expect(POWER_WORDS[power]).toBeTruthy()
  },
)

verifies(
  ['AGENT-ROUTING-21', 'AGENT-SPEC-2'],
  'where the owner wants it, a finished idea gets its specification by itself, and only one',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const { slug } = await finishIdea(client, 'A compass that points home')
    await expect
      .poll(async () => (await client.listSpecifications()).items.map((each) => each.slug), {
        timeout: 60_000,
      })
      .toContain(slug)
    const spec = await client.showSpecification({ params: { id: slug } })
    expect(existsSync(join(workspace.root, spec.tasksPath))).toBe(true)
    expect(spec.revision).toBe(1)
    const role = await roleOf(daemon, 'specification-agent')
    expect(role.reactsTo[0]).toMatchObject({
      event: 'ideation.completed',
      does: 'job',
      setting: 'specification.autoGenerate',
    })
    expect(role.last).toMatchObject({
      to: expect.stringContaining(`The brief of ${slug} is ready`),
      outcome: expect.stringContaining(`The specification of ${slug} is ready`),
    })
    expect((await roleOf(daemon, 'ideation-agent')).last?.to).toContain(`wrote about ${slug}`)
  },
)

describe.each(DRIVERS)('an event and its job on the %s database', (driver) => {
  const places = useTestDatabases(driver)

  test('are recorded together or not at all, and an event that is told twice makes one job', async (context) => {
    const store = await openAt(places(context))
    const config = () => ({ specification: { autoGenerate: true, layout: {} } })
    const whole = routed(store, config)
    const event = { type: 'ideation.completed', idea: 'kite', title: 'Kite', brief: 'b' } as const
    const told = {
      id: 'idea:kite:completed',
      at: new Date(),
      item: null,
      agentId: null,
      runId: null,
      state: null,
    }
    const jobs: unknown[] = []
    const none = async () => undefined
    const failing = whole.tx(async () => {
      await whole.events.append({ ...told, event })
      throw new Error('killed here')
    })
    await expect(failing).rejects.toThrow('killed here')
    expect(await whole.events.seen(told.id)).toBe(false)
    expect(await whole.events.append({ ...told, event })).toBe(true)
    await store.startJobs(
      {
        review: none,
        merge: none,
        learn: none,
        spec: async (job) => void jobs.push(job),
        build: none,
        coordinate: none,
      },
      none,
    )
    const job = { subject: 'kite', eventId: told.id, type: event.type }
    await expect.poll(() => jobs, { timeout: 60_000 }).toEqual([job])
    expect(await whole.events.append({ ...told, event })).toBe(false)
    // One that is sent after it comes after it: the second telling made none.
    const last = { ...told, id: 'idea:gull:completed', event: { ...event, idea: 'gull' } }
    expect(await whole.events.append(last)).toBe(true)
    await expect
      .poll(() => jobs, { timeout: 60_000 })
      .toEqual([job, { subject: 'gull', eventId: last.id, type: event.type }])
    await store.close()
  })
})
