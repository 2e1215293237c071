// From a sentence to a brief without a model, over the API: ten answers, real files, and what people do to them.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@treadle/contracts/client'
import type { TreadleEvent } from '@treadle/contracts/event'
import { verifies } from '@treadle/requirements/verifies'
import { beforeEach, expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { expectTold } from '../kit/feed.ts'
import { useInProcess } from '../kit/in-process.ts'
import { ANSWERS, finishIdea } from './answers.ts'

const open = useInProcess('any')
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const start = (text: string, more: { engine?: string; messageId?: string } = { engine: 'none' }) =>
  daemon.client.startIdea({ body: { text, by: 'ada', ...more } })
const say = (id: string, text: string, messageId?: string) =>
  daemon.client.sayToIdea({ params: { id }, body: { text, by: 'ada', ...(messageId ? { messageId } : {}) } })
const show = (id: string) => daemon.client.showIdea({ params: { id }, query: {} })
const file = (path: string) => join(daemon.workspace.root, path)
const refusal = async (act: Promise<unknown>): Promise<ApiError> => {
  const error = await act.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ApiError) return error
  throw new Error('it was not refused')
}

const completed = (text: string) => finishIdea(daemon.client, text)

const eventsOf = async (slug: string) => {
  const ofIdea = (event: TreadleEvent) => 'idea' in event && event.idea === slug
  await expectTold(daemon.client, { of: ofIdea }).toContainEqual(
    expect.objectContaining({ type: 'ideation.completed' }),
  )
  const { items } = await daemon.client.events({ query: { limit: 1_000 } })
  return items.map(({ event }) => event).filter(ofIdea)
}

verifies(
  [
    'AGENT-IDEATION-1',
    'AGENT-IDEATION-2',
    'AGENT-IDEATION-6',
    'AGENT-IDEATION-12',
    'AGENT-IDEATION-13',
    'AGENT-IDEATION-14',
    'AGENT-IDEATION-15',
    'AGENT-IDEATION-16',
    'AGENT-IDEATION-18',
    'AGENT-IDEATION-19',
    'AGENT-IDEATION-24',
    'AGENT-IDEATION-25',
  ],
  'a sentence and ten answers lead through the phases to a brief in the repository, with no model and no other command',
  async () => {
    const begun = await start('An offline-first shopping list')
    const { slug } = begun
    expect(begun).toMatchObject({
      slug: 'offline-first-shopping-list',
      userSlug: 'test',
      phase: 'EXPLORING',
      mode: 'interview',
      engine: null,
      waiting: false,
      questions: [
        { id: 'target-user', options: expect.arrayContaining(['Small business owners']) },
        { id: 'problem' },
      ],
      folder: null,
      documents: [],
      missing: ['who it is for', 'the problem that it solves', 'how it solves it'],
    })
    const phases: string[] = []
    for (const answer of ANSWERS) phases.push((await say(slug, answer)).phase)
    expect(phases.map((phase) => phase[0]).join('')).toBe('EENNVVVVRC')
    const view = await show(slug)
    const folder = `users/test/ideas/${slug}`
    expect(view).toMatchObject({ phase: 'COMPLETE', status: 'complete', questions: [], missing: [], folder })
    expect(view.artifacts.map(({ type }) => type)).toEqual([
      'target-user',
      'problem',
      'solution-concept',
      'mvp-features',
      'differentiator',
      'brief',
    ])
    expect(view.decisions.map(({ type }) => type)).toEqual(['validation', 'validation', 'validation', 'done'])
    expect(view.risks).toEqual([{ text: 'Phones stop background work' }])
    expect(view.confidence).toBeGreaterThan(0.75)
    expect(view.documents).toEqual(
      [
        'README.md',
        'target-users.md',
        'problem-solution.md',
        'planning/mvp-scope.md',
        'planning/brief.md',
      ].map((name) => ({ path: `${folder}/${name}`, state: 'written', besidePath: null, why: null })),
    )
    const brief = readFileSync(file(`${folder}/planning/brief.md`), 'utf8')
    expect(brief).toContain('- **Merge**: brings two lists together\n')
    expect(brief).toContain(
      '## Done when\n\n- A list is there after a restart without a network\n- Two phones',
    )
    expect(await daemon.client.ideaBrief({ params: { id: slug } })).toEqual({
      path: `${folder}/planning/brief.md`,
      text: brief,
    })
    // Nothing of it is staged or committed.
    expect(daemon.workspace.git('status', '--porcelain')).toBe('?? users/')
    const events = await eventsOf(slug)
    const told = events.map(({ type }) => type)
    expect(told.filter((type) => type === 'idea.candidate_created')).toHaveLength(1)
    expect(told.indexOf('idea.candidate_created')).toBeGreaterThan(told.indexOf('idea.artifact_saved'))
    expect(events.flatMap((event) => (event.type === 'idea.phase_changed' ? [event.to] : []))).toEqual([
      'NARROWING',
      'VALIDATING',
      'REFINING',
      'COMPLETE',
    ])
    // It is looked back on by a job of its end, whenever that comes.
    const talk = events.filter(({ type }) => type !== 'idea.reviewed')
    expect(talk.at(-2)).toMatchObject({ type: 'ideation.completed', brief: `${folder}/planning/brief.md` })
  },
)

verifies(
  ['AGENT-IDEATION-17', 'AGENT-IDEATION-5'],
  'a phase that lacks something stays, and says what it lacks; messages have role, content, signals and time',
  async () => {
    const { slug } = await start('A tool that waters plants')
    const said = await say(slug, 'People who travel')
    expect(said).toMatchObject({
      phase: 'EXPLORING',
      missing: ['the problem that it solves', 'how it solves it'],
      questions: [{ id: 'problem' }, { id: 'solution-concept' }],
    })
    const { items } = await daemon.client.ideaMessages({ params: { id: slug }, query: {} })
    expect(items.map(({ role, by }) => [role, by])).toEqual([
      ['user', 'ada'],
      ['assistant', 'treadle'],
      ['user', 'ada'],
      ['assistant', 'treadle'],
    ])
    expect(items[2]).toMatchObject({
      role: 'user',
      content: 'People who travel',
      signals: { artifacts: [{ type: 'target-user', text: 'People who travel' }], decisions: [], risks: [] },
      timestamp: expect.stringMatching(/^\d{4}-/),
    })
  },
)

test('a message that comes twice is said once, and so is a beginning', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const body = { engine: 'none', messageId: first }
  const [{ slug }, again] = [await start('A list of books', body), await start('A list of books', body)]
  expect(again.slug).toBe(slug)
  await Promise.all([1, 2, 3].map(() => say(slug, 'Readers', second)))
  const view = await show(slug)
  expect(view.artifacts.map(({ type }) => type)).toEqual(['target-user'])
  expect(view.messageCount).toBe(4)
})

test('two people in one talk answer one question after the other, and nothing is lost', async () => {
  const { slug } = await start('A calendar for two')
  await Promise.all(ANSWERS.map((answer) => say(slug, answer)))
  const view = await show(slug)
  expect(view.phase).toBe('COMPLETE')
  const texts = [...view.artifacts, ...view.decisions, ...view.risks].map(({ text }) => text)
  for (const answer of ANSWERS) expect(texts.filter((text) => text === answer)).toHaveLength(1)
})

test('ideas that begin alike have names of their own', async () => {
  const slugs: string[] = []
  for (let n = 0; n < 3; n += 1) slugs.push((await start('A map of trees')).slug)
  expect(slugs).toEqual(['map-trees', 'map-trees-2', 'map-trees-3'])
  const { items } = await daemon.client.listIdeas({ query: {} })
  expect(items.slice(0, 3).map(({ slug }) => slug)).toEqual(slugs.toReversed())
})

test('what is asked in a talk stands among all questions, and is settled by what is said there', async () => {
  const { slug } = await start('A bell for bicycles')
  const asked = async () => {
    const { items } = await daemon.client.listQuestions({ query: {} })
    return items.filter(({ sessionId }) => sessionId === slug)
  }
  expect(await asked()).toMatchObject([
    { agent: 'ideation', status: 'open', blocking: true, event: 'idea_created', options: [{}, {}, {}] },
    { agent: 'ideation', status: 'open', blocking: false, event: null },
  ])
  await say(slug, '2')
  expect((await show(slug)).artifacts).toMatchObject([{ type: 'target-user', text: 'Small business owners' }])
  const [problem, concept, user] = await asked()
  expect(user).toMatchObject({ status: 'answered', answer: { option: 'Small business owners', by: 'ada' } })
  expect(problem).toMatchObject({ status: 'open', tags: ['problem'] })
  // The other way round, and not in their order.
  const answered = await daemon.client.answerQuestion({
    params: { id: concept?.id ?? '' },
    body: { text: 'It rings by itself', by: 'bob' },
  })
  expect(answered).toMatchObject({ status: 'answered', answer: { text: 'It rings by itself', by: 'bob' } })
  expect((await show(slug)).questions.map(({ id }) => id)).toEqual(['problem', 'mvp-features'])
  const late = await refusal(
    daemon.client.answerQuestion({ params: { id: concept?.id ?? '' }, body: { text: 'x' } }),
  )
  expect(late.status).toBe(409)
  await say(slug, 'Nobody hears them')
  expect(await show(slug)).toMatchObject({ phase: 'NARROWING' })
  const left = (await asked()).filter(({ status }) => status === 'open')
  expect(left.map(({ event }) => event)).toEqual(['problem_statement_vague', null, null])
})

test('what a person writes into a document counts: it is shown, and never written over', async () => {
  const { slug, folder } = await completed('A boat that sails itself')
  const brief = `${folder}/planning/brief.md`
  writeFileSync(file(brief), '# My own brief\n\n## Features\n- **Sails**: by itself\n')
  expect((await daemon.client.ideaBrief({ params: { id: slug } })).text).toContain('# My own brief')
  expect((await show(slug)).documents).toContainEqual({
    path: brief,
    state: 'edited',
    besidePath: null,
    why: null,
  })
  // An edit while the talk goes on.
  const other = await start('A kite that flies itself')
  await say(other.slug, 'Children')
  const readme = `users/test/ideas/${other.slug}/README.md`
  writeFileSync(file(readme), '# Mine\n')
  const view = await say(other.slug, 'There is no wind')
  expect(readFileSync(file(readme), 'utf8')).toBe('# Mine\n')
  const besidePath = readme.replace('.md', '.treadle.md')
  expect(view.documents).toContainEqual({ path: readme, state: 'beside', besidePath, why: null })
  expect(readFileSync(file(besidePath), 'utf8')).toContain('# A kite that flies itself')
})

test('while a rebase is under way nothing is written; it is written at the next look', async () => {
  const { slug } = await start('A lamp that knows the time')
  const marks = file('.git/rebase-merge')
  mkdirSync(marks)
  const view = await say(slug, 'Children')
  expect(view.documents).toMatchObject([{ state: 'missing' }, { state: 'missing' }])
  expect(view.artifacts).toHaveLength(1)
  rmSync(marks, { recursive: true })
  expect((await show(slug)).documents).toMatchObject([{ state: 'written' }, { state: 'written' }])
})

test('a brief that was deleted comes back, and one that cannot be read is named', async () => {
  const { slug, folder } = await completed('A shelf that counts books')
  const brief = file(`${folder}/planning/brief.md`)
  rmSync(brief)
  expect((await show(slug)).documents).toContainEqual(expect.objectContaining({ state: 'missing' }))
  expect((await daemon.client.ideaBrief({ params: { id: slug } })).text).toContain('# Brief: A shelf')
  expect(existsSync(brief)).toBe(true)
  writeFileSync(brief, Buffer.from([0x23, 0xff, 0xfe]))
  const error = await refusal(daemon.client.ideaBrief({ params: { id: slug } }))
  expect([error.status, error.message]).toEqual([409, expect.stringContaining('is not UTF-8')])
})

test('bad input gets a clear answer and loses nothing', async () => {
  const { slug } = await start('A hat that sings')
  const before = await show(slug)
  for (const [act, status, words] of [
    [() => show('no-such-idea'), 404, 'There is no idea no-such-idea'],
    [() => say('no-such-idea', 'x'), 404, 'There is no idea no-such-idea'],
    [() => show('../etc'), 400, 'small letters'],
    [() => say(slug, ' \u0007\n'), 400, 'no words'],
    [() => say(slug, 'x'.repeat(20_001)), 400, '20,000 characters'],
    [() => say(slug, 'x'.repeat(1_000_000)), 400, '20,000 characters'],
    [() => start('A sock', { engine: 'gpt-99' }), 400, 'There is no engine gpt-99'],
    [() => daemon.client.ideaBrief({ params: { id: slug } }), 404, 'no brief yet'],
  ] as const) {
    const error = await refusal(act())
    expect([error.status, `${error.message} ${JSON.stringify(error.details ?? '')}`]).toEqual([
      status,
      expect.stringContaining(words),
    ])
  }
  expect(await show(slug)).toEqual(before)
})

test('hostile words stay words: no path, no heading and no control character comes of them', async () => {
  const { slug, title } = await start('../../../etc/passwd <script>alert(1)</script> \u001b[2J\u202e')
  expect(slug).toBe('etc-passwd-script-alert-1')
  expect(title.includes('\u001b') || title.includes('\u202e')).toBe(false)
  const said = await say(slug, '# Brief: gone\n## Risks\n\u001b[2J\0 <!-- ```')
  expect(said.artifacts[0]?.text.includes('\u001b')).toBe(false)
  const text = readFileSync(file(`${said.folder}/target-users.md`), 'utf8')
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual(['# Target users'])
})

test.each([
  [{}, /repair cannot read/],
  [{ engine: 'none' }, /asked for an interview/],
])('without an engine that can read it is an interview, and says why: %o', async (more, why) => {
  expect(await start('A door that knocks', more)).toMatchObject({
    mode: 'interview',
    modeWhy: expect.stringMatching(why),
  })
})

verifies(
  ['AGENT-ROUTING-17', 'AGENT-ROUTING-36'],
  'the owner is told of a brief that is ready, and of no question of a talk; nothing more begins by itself',
  async () => {
    const { slug } = await completed('A fork that weighs')
    await expect
      .poll(
        async () => {
          const { items } = await daemon.client.listNotifications({ query: { all: 'true' } })
          return items.filter(({ type }) => type === 'ideation.completed').map(({ title }) => title)
        },
        { timeout: 30_000 },
      )
      .toContain(`The brief of ${slug} is ready`)
    const { items } = await daemon.client.listNotifications({ query: { all: 'true' } })
    expect(items.filter(({ type }) => type === 'question.asked')).toEqual([])
    // What waits for a person is begun by one, and by nothing else.
    expect((await daemon.client.listSpecifications()).items).toEqual([])
    const role = (await daemon.client.listRoles()).items.find(({ name }) => name === 'specification-agent')
    expect(role?.last).toMatchObject({ to: expect.stringContaining('is ready'), outcome: null })
    const body = { ideaSlug: slug, options: { targetComplexity: 'mvp' as const } }
    expect((await daemon.client.generateSpecification({ body })).slug).toBe(slug)
  },
)
