// The crew looks for improvements itself: a real agent and a scripted model go through categories, items are made, built,
// reviewed and merged, and what people think of them is kept.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATEGORIES } from '@treadle/contracts/categories'
import type { StoredEvent } from '@treadle/contracts/event'
import type { LoopMetrics } from '@treadle/contracts/metrics'
import type { MetricsReport } from '@treadle/contracts/metrics-report'
import type { Notification } from '@treadle/contracts/notification'
import { verifies } from '@treadle/requirements/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { treadle } from '../kit/daemon.ts'
import { changeSettings, itemNumber, moduleOf, told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const idea = (title: string, hours = 4) => `Here it is.

**Title:** ${title}
**Description:** It is slow. It need not be.
**Acceptance Criteria:**
- AC-1.a: The first works
- AC-1.b: The second works
- AC-1.c: The third works
**Technical Approach:** Change one function.
**Estimated Effort:** ${hours} hours`

const says = (...texts: string[]) => texts.map((text) => [{ say: { text } }])
const looks = (subject: string, ...texts: string[]) => ({
  match: { kind: 'category_idea', subject },
  replies: says(...texts),
})

const ENABLED = ['optimization', 'security', 'testing', 'documentation', 'code-quality'] as const
const thoughts = [
  looks('optimization', idea('Cache the totals of the cart')),
  looks('security', 'I have looked at everything.\n\nNO_IDEA_AVAILABLE'),
  looks('testing', idea('Rewrite all tests', 40), idea('Test the empty cart', 8)),
  looks('documentation', idea('Cache the totals of the cart')),
  looks('api-evolution', 'NO_IDEA_AVAILABLE'),
  looks('code-quality', 'It could be better.', 'It could be nicer.'),
]

const shops = useShops('file')
const workspace = shops({
  scripts: [],
  files: { 'src/module-00.txt': 'module 0\nstate: right\n' },
  settings: {
    flags: { enable_ideation: true },
    agents: { enabledCategories: [...ENABLED] },
    merge: { approval: 'human', target: 'main' },
    ideas: { perCategoryPerDay: 1 },
  } as never,
})
const build = (n: number) => [
  { write: { file: moduleOf(n), text: `module ${n}\nstate: right\n` } },
  { say: { text: 'Done.' } },
]
writeFileSync(
  join(workspace.home, 'scenario.json'),
  JSON.stringify({
    version: 1,
    items: [1, 2].map((number) => ({ match: { number }, attempts: [build(number)] })),
    thoughts,
  }),
)

let daemon: Daemon
beforeAll(async () => {
  daemon = await up(workspace, 1)
}, 120_000)
afterAll(async () => {
  await treadle(workspace, ['down'])
})

const events = async (...types: StoredEvent['event']['type'][]) =>
  (await daemon.client.newestEvents({ query: { limit: 500 } })).items.filter(({ event }) =>
    types.includes(event.type),
  )
const standing = async (category: string) =>
  (await daemon.client.listCategories()).items.find((each) => each.category === category)

verifies(
  [
    'ORCH-S0-2',
    'ORCH-S4-8',
    'ORCH-4.2-1',
    'AC-4.2.a',
    'ORCH-4.3-7',
    'AC-4.3.c',
    'AC-4.3.d',
    'AC-4.3.e',
    'AC-4.3.f',
    'ORCH-4.3-8',
    'ORCH-S5-7',
    'AC-4.5.b',
    'ORCH-4.5-6',
  ],
  'with an empty queue one category after the other is looked at, and each answer is taken as it deserves',
  async () => {
    await eventually(
      'all five were looked at',
      async () => {
        const { items } = await daemon.client.listCategories()
        const off = items.filter(
          ({ category, off: why }) => ENABLED.includes(category as never) && why !== null,
        )
        return off.length === ENABLED.length && off.every(({ off: why }) => why?.why !== 'under_way')
          ? true
          : undefined
      },
      120_000,
    )
    // Nothing waits and nothing is in review: somebody looks at once. With one or two items waiting the look comes first.
    const [started] = await events('agent.started')
    const [began] = await events('thought.claimed')
    expect(Date.parse(began?.at ?? '') - Date.parse(started?.at ?? '')).toBeLessThan(30_000)
    const answers = await events('idea.generated', 'idea.rejected')
    expect(
      answers.map(({ event }) => [
        'category' in event ? event.category : null,
        event.type === 'idea.rejected' ? event.outcome : 'project',
      ]),
    ).toEqual([
      ['optimization', 'project'],
      ['security', 'none'],
      ['testing', 'too_long'],
      ['testing', 'project'],
      ['documentation', 'duplicate'],
      ['code-quality', 'unreadable'],
      ['code-quality', 'unreadable'],
    ])
    expect(await standing('security')).toMatchObject({ off: { why: 'exhausted' }, refused: 1 })
    expect(await standing('optimization')).toMatchObject({
      off: { why: 'enough_today' },
      projectsGenerated: 1,
      weekly: [{ generated: 1 }],
    })
    const days = (at: string | null | undefined) => (Date.parse(at ?? '') - Date.now()) / 86_400_000
    expect(days((await standing('security'))?.exhaustedUntil)).toBeCloseTo(7, 1)
    expect(days((await standing('documentation'))?.exhaustedUntil)).toBeCloseTo(1, 1)
    // What is enabled in the settings is looked at, and nothing else.
    expect(await standing('innovation')).toMatchObject({ off: { why: 'disabled' }, lastUsedAt: null })
  },
)

verifies(
  ['ORCH-4.4-1', 'ORCH-4.4-2', 'AC-4.4.c', 'AC-4.3.b', 'ORCH-4.3-2', 'ORCH-4.3-3'],
  'what was taken is an item with labels, criteria, approach and estimate',
  async () => {
    expect(await itemNumber(daemon, 1)).toMatchObject({
      title: 'optimization: Cache the totals of the cart',
      body: expect.stringMatching(/It is slow[\s\S]*Technical Approach[\s\S]*Change one function/),
      source: 'category',
      estimateHours: 4,
      labels: ['agent-generated', 'category:optimization'],
      acceptance: [
        { text: 'AC-1.a: The first works' },
        { text: 'AC-1.b: The second works' },
        { text: 'AC-1.c: The third works' },
      ],
    })
    expect(await itemNumber(daemon, 2)).toMatchObject({
      title: 'testing: Test the empty cart',
      estimateHours: 8,
    })
    expect((await events('idea.generated')).map(({ agentId, item }) => [agentId, item?.number])).toEqual([
      ['agent-1', 1],
      ['agent-1', 2],
    ])
  },
)

verifies(
  ['ORCH-S3-7', 'ORCH-4.5-1', 'ORCH-4.3-1', 'AC-4.4.d', 'AC-4.4.f', 'AC-4.5.c', 'ORCH-S3-5', 'ORCH-S1-3'],
  'the agent that thought of them builds them, a person allows the merge, and the circle is closed',
  async () => {
    for (const number of [1, 2]) {
      await until(daemon, number, 'in_review')
      const params = { projectNumber: 1, issueNumber: number }
      await daemon.client.approveItem({ params, body: { by: 'ada' } })
      await until(daemon, number, 'done')
    }
    const thoughtOf = await events('idea.generated')
    const claims = await events('claim.taken')
    for (const { at, item } of thoughtOf) {
      const claim = claims.find((each) => each.item?.number === item?.number)
      expect(Date.parse(claim?.at ?? '') - Date.parse(at)).toBeLessThan(120_000)
    }
    const states = (await events('agent.status_changed'))
      .filter(({ agentId }) => agentId === 'agent-1')
      .flatMap(({ event }) => (event.type === 'agent.status_changed' ? [event.to] : []))
    expect(states.join(' ')).toMatch(/ideating idle .*working/)
    expect(states).not.toContain('crashed')
    const { loop } = await told<{ loop: LoopMetrics }>(workspace, 'metrics')
    expect(loop.categoryCoverage).toBeCloseTo(2 / 21, 3)
    const report = await told<MetricsReport>(workspace, 'metrics', '--report')
    expect(report.ideas).toMatchObject({
      generated: 2,
      merged: 2,
      mergedShare: 1,
      nothing: 1,
      ofCompleted: 1,
    })
    expect((await treadle(workspace, ['metrics', '--report'])).stdout).toMatch(/merged\s+2 \(100% of those/)
  },
)

test('people say what merged changes are worth, and the command line shows it', async () => {
  expect(await told(workspace, 'value', '1', '8')).toEqual({ number: 1, value: 8 })
  expect(await told(workspace, 'value', '1', '9')).toEqual({ number: 1, value: 9 })
  const { categories, next } = await told<{ categories: object[]; next: object }>(workspace, 'categories')
  expect(categories).toHaveLength(21)
  expect(categories).toContainEqual(
    expect.objectContaining({ category: 'optimization', merged: 1, open: 0, value: 9, valued: 1 }),
  )
  expect(next).toMatchObject({ category: null })
  const own = await told<object[]>(workspace, 'idea', 'list', '--source', 'category')
  expect(own).toMatchObject([
    { number: 2, category: 'testing', state: 'done' },
    {
      number: 1,
      category: 'optimization',
      state: 'done',
      title: 'optimization: Cache the totals of the cart',
    },
  ])
  expect(await told(workspace, 'idea', 'list')).toEqual([])
  const wrong = await treadle(workspace, ['value', '1', '11'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('from 0 to 10')])
  const unknown = await treadle(workspace, ['value', '77', '3'])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('#77')])
})

verifies(
  ['AC-4.2.e', 'ORCH-S5-9'],
  'with nothing left to look at the agent is idle, and the owner is told once what can be done',
  async () => {
    await changeSettings(daemon, { agents: { enabledCategories: ['security', 'documentation'] } })
    const notice = await eventually('the notification', async () => {
      const list = await told<Notification[]>(workspace, 'notifications', '--all')
      return list.find(({ type }) => type === 'category.all_exhausted')
    })
    expect(notice.nextSteps.map(({ command }) => command)).toContain('treadle categories')
    const { items } = await daemon.client.listAgents()
    expect(items.find(({ id }) => id === 'agent-1')).toMatchObject({ status: 'idle' })
    expect(await events('category.all_exhausted')).toHaveLength(1)
  },
)

const prompts = () => join(workspace.home, '.claude', 'commands', 'category-prompts')

verifies(
  ['ORCH-4.1-1', 'ORCH-4.1-2', 'ORCH-4.1-9', 'AC-4.1.a', 'ORCH-S1-14'],
  'once it looks for improvements the 21 templates are there to be edited',
  () => {
    expect(readdirSync(prompts()).sort()).toEqual(CATEGORIES.map((category) => `${category}.md`).sort())
    expect(readFileSync(join(prompts(), 'security.md'), 'utf8')).toContain('{last_10_commits}')
  },
)

verifies(
  [
    'ORCH-4.1-3',
    'AC-4.1.b',
    'AC-4.1.c',
    'ORCH-4.1-4',
    'ORCH-4.1-5',
    'ORCH-4.1-6',
    'ORCH-4.1-7',
    'ORCH-4.1-8',
    'AC-4.3.a',
  ],
  'what a model is asked holds the repository, what is open, and the form of the answer',
  async () => {
    const [asked] = (
      await daemon.client.listThoughts({ query: { kind: 'category_idea', subject: 'security' } })
    ).items
    expect(asked?.prompt).toContain('- "start"')
    expect(asked?.prompt).toContain('repository')
    expect(asked?.prompt).toContain('optimization: Cache the totals of the cart')
    expect(asked?.prompt).toMatch(/8 hours[\s\S]*NO_IDEA_AVAILABLE/)
    for (const part of [
      '**Title:**',
      '**Description:**',
      '**Acceptance Criteria:**',
      '- AC-1.a:',
      '**Technical Approach:**',
    ])
      expect(asked?.prompt).toContain(part)
    for (const rule of [
      'Review existing issues',
      'Verify technical feasibility',
      'Define 3-5 clear',
      'current architecture',
    ])
      expect(asked?.prompt).toContain(rule)
    expect(asked?.prompt).not.toContain('{last_10_commits}')
    const ms = Date.parse(asked?.claimedAt ?? '') - Date.parse(asked?.createdAt ?? '')
    expect(ms).toBeLessThan(30_000)
  },
)

verifies(
  ['ORCH-4.1-10', 'AC-4.1.d'],
  'a template that is gone skips its category with a warning, and an edited one is used as it is',
  async () => {
    rmSync(join(prompts(), 'accessibility.md'))
    writeFileSync(join(prompts(), 'api-evolution.md'), 'Only about {repository_name}, please.\n')
    await changeSettings(daemon, { agents: { enabledCategories: ['accessibility', 'api-evolution'] } })
    await eventually('the look', async () =>
      (await standing('api-evolution'))?.off?.why === 'exhausted' ? true : undefined,
    )
    expect(await standing('accessibility')).toMatchObject({ lastUsedAt: null })
    const [missing] = await events('category.template_missing')
    expect(missing?.event).toMatchObject({
      category: 'accessibility',
      why: expect.stringContaining('accessibility.md'),
    })
    const log = readFileSync(join(workspace.paths.logs, 'daemon.log'), 'utf8')
    expect(log).toMatch(/"level":40.*accessibility\.md/)
    const [asked] = (
      await daemon.client.listThoughts({ query: { kind: 'category_idea', subject: 'api-evolution' } })
    ).items
    expect(asked?.prompt).toMatch(/^Only about .*repository.*, please\.\s*$/)
  },
)

verifies(
  ['ORCH-4.2-3', 'ORCH-4.2-4', 'ORCH-4.2-2', 'AC-4.2.b', 'AC-4.2.c', 'AC-4.1.e'],
  'the next category is the one that was used longest ago, and using it is known at once',
  async () => {
    await changeSettings(daemon, {
      flags: { enable_ideation: false },
      agents: { enabledCategories: ['innovation', 'scalability'] },
    })
    const { client } = daemon
    expect(await client.nextCategory()).toMatchObject({ category: 'innovation' })
    const before = Date.now()
    const used = await client.markCategoryUsed({ params: { name: 'innovation' } })
    expect(Date.parse(used.lastUsedAt ?? '')).toBeGreaterThanOrEqual(before - 1_000)
    expect(await client.nextCategory()).toMatchObject({ category: 'scalability' })
    await client.markCategoryUsed({ params: { name: 'scalability' } })
    expect(await client.nextCategory()).toMatchObject({ category: 'innovation' })
  },
)

verifies(
  ['ORCH-4.4-3'],
  'a project that an agent has made by the words of /project-create is one of its own ideas',
  async () => {
    const { client } = daemon
    const text =
      '/project-create scalability: Share the cart\n\nBetween two machines.\n\nAcceptance Criteria:\n- [ ] AC-1.a: It is shared\n\nTechnical Approach:\nA queue.'
    const item = await client.createProject({ body: { text, ideatedByAgentId: 'agent-1' } })
    expect(item).toMatchObject({ title: 'scalability: Share the cart', state: 'todo' })
    expect(await standing('scalability')).toMatchObject({ projectsGenerated: 1, open: 1 })
    const by = await client.addItem({ body: { title: 'By hand' } })
    const createdAt = new Date().toISOString()
    const body = {
      projectNumber: by.number,
      category: 'scalability',
      ideatedByAgentId: 'agent-2',
      createdAt,
    } as const
    expect(await client.recordSelfGenerated({ body })).toMatchObject({
      item: { number: by.number },
      createdAt,
    })
    // Once said it stays so.
    expect(
      await client.recordSelfGenerated({ body: { ...body, ideatedByAgentId: 'agent-1' } }),
    ).toMatchObject({ ideatedByAgentId: 'agent-2' })
    await expect(client.createProject({ body: { text: 'Share it' } })).rejects.toThrow('body.text')
  },
)
