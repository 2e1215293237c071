// Two workspaces on one database: ideas, thoughts and specifications of one are no business of the other.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { expectTold } from '../kit/feed.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import { writeIdea } from '../spec/idea-files.ts'

const settings = { limits: { sweepMs: 100, thoughtMs: 1_000 }, specification: { autoGenerate: true } }
const open = useInProcess('server', { settings: settings as never })
let one: InProcessDaemon
let other: InProcessDaemon
beforeEach(async (context) => {
  one = await open(context)
  other ??= await one.another()
})

const begin = ({ client }: InProcessDaemon, text: string, engine = 'none') =>
  client.startIdea({ body: { text, by: 'ada', engine } })
const NOT_THERE = { status: 404, code: 'not_found' }

test('an idea is listed, told, written and answered where it was begun, and nowhere else', async () => {
  const { slug } = await begin(one, 'A lamp for moths')
  const params = { id: slug }
  await one.client.sayToIdea({ params, body: { text: 'Moths' } })
  expect((await other.client.listIdeas({ query: {} })).items).toEqual([])
  await expect(other.client.showIdea({ params, query: {} })).rejects.toMatchObject(NOT_THERE)
  await expect(other.client.sayToIdea({ params, body: { text: 'Bats' } })).rejects.toMatchObject(NOT_THERE)
  await expect(other.client.ideaMessages({ params, query: {} })).rejects.toMatchObject(NOT_THERE)
  const [asked] = (await one.client.listQuestions({ query: { status: 'open' } })).items
  expect(asked?.sessionId).toBe(slug)
  expect((await other.client.listQuestions({ query: {} })).items).toEqual([])
  const answering = { params: { id: asked?.id ?? '' }, body: { text: 'Bats' } }
  await expect(other.client.answerQuestion(answering)).rejects.toMatchObject(NOT_THERE)
  // The same words begin another idea there, under a name that is free in the database.
  expect((await begin(other, 'A lamp for moths')).slug).toBe(`${slug}-2`)
  expect((await one.client.listIdeas({ query: {} })).items.map((idea) => idea.slug)).toEqual([slug])
  expect(existsSync(join(other.workspace.root, 'users/test/ideas', slug))).toBe(false)
})

test('a thought is offered, claimed, said, answered and ended by its own daemon alone', async () => {
  const { slug } = await begin(one, 'A raft of corks', 'native')
  const query = { subject: slug }
  const [thought] = (await one.client.listThoughts({ query })).items
  const params = { id: thought?.id ?? '' }
  expect((await other.client.listThoughts({ query })).items).toEqual([])
  await expect(other.client.showThought({ params })).rejects.toMatchObject(NOT_THERE)
  const claim = { params, body: { agentId: 'agent-2' } }
  await expect(other.client.claimThought(claim)).rejects.toMatchObject(NOT_THERE)
  const { fence } = await one.client.claimThought({ params, body: { agentId: 'agent-1' } })
  const end = { is: 'answered' as const, text: 'For whom?', structured: null, model: 'm-1' }
  const answer = { params, body: { agentId: 'agent-1', fence, end } }
  await expect(other.client.answerThought(answer)).rejects.toMatchObject(NOT_THERE)
  const withdraw = { params, body: { by: 'ada' } }
  await expect(other.client.withdrawThought(withdraw)).rejects.toMatchObject(NOT_THERE)
  expect(await one.client.answerThought(answer)).toMatchObject({ is: 'taken' })
})

test('a thought whose time is over is ended by the sweep of its own daemon', async () => {
  const { slug } = await begin(one, 'A kite of paper bags', 'native')
  const { modeWhy } = await eventually('the interview', async () => {
    const idea = await one.client.showIdea({ params: { id: slug }, query: {} })
    return idea.mode === 'interview' ? idea : undefined
  })
  expect(modeWhy).toContain('native gave no answer')
  await expectTold(one.client, {
    type: 'thought.failed',
    of: (event) => 'subject' in event && event.subject === slug,
  }).toHaveLength(1)
})

test('two specifications of one name have nothing to do with each other, and share no number of a migration', async () => {
  for (const { workspace } of [one, other]) writeIdea(workspace, 'shared-name')
  const body = { ideaSlug: 'shared-name' }
  const params = { id: 'shared-name' }
  const first = await one.client.generateSpecification({ body })
  await expect(other.client.showSpecification({ params })).rejects.toMatchObject(NOT_THERE)
  expect((await other.client.listSpecifications()).items).toEqual([])
  const second = await other.client.generateSpecification({ body })
  expect([first.revision, second.revision]).toEqual([1, 1])
  const migrations = ({ tasks }: typeof first) =>
    tasks.flatMap(({ phase, file }) => (phase === 'database' ? [file] : []))
  expect(migrations(first).length).toBeGreaterThan(0)
  expect(migrations(second).filter((file) => migrations(first).includes(file))).toEqual([])
  const approved = await other.client.approveSpecification({ params, body: { revision: 1, by: 'eve' } })
  expect(approved.status).toBe('approved')
  expect((await one.client.showSpecification({ params })).status).toBe('generated')
})

test('what is finished in one workspace gets its specification there', async () => {
  const { slug } = await begin(one, 'A boat of bottles')
  for (const text of ['Boys', 'No boat', 'Bottles', 'Float', 'Cheap', 'a', 'b', 'c', 'Leaks', 'It floats'])
    await one.client.sayToIdea({ params: { id: slug }, body: { text } })
  const listed = async ({ client }: InProcessDaemon) =>
    (await client.listSpecifications()).items.some((spec) => spec.slug === slug) || undefined
  await eventually('its specification', () => listed(one))
  expect(await listed(other)).toBeUndefined()
  expect(existsSync(join(other.workspace.root, 'users/test/ideas', slug))).toBe(false)
})
