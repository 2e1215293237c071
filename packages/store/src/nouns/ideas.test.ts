import { randomUUID } from 'node:crypto'
import type { Idea, IdeaMessage } from '@treadle/contracts/idea'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import { DRIVERS, useStore } from '../testing/both-drivers.ts'

const START = Date.parse('2026-01-02T03:04:05.000Z')
const after = (ms: number) => new Date(START + ms)

function idea(slug: string, given: Partial<Idea> = {}): Idea {
  return {
    slug,
    userSlug: 'ada',
    title: 'A \0 list',
    phase: 'EXPLORING',
    status: 'active',
    mode: 'interview',
    engine: null,
    modeWhy: null,
    signals: { artifacts: [], decisions: [], risks: [], confidence: 0 },
    questions: [{ id: 'problem', text: 'What?', options: [] }],
    candidateAt: null,
    completedAt: null,
    createdAt: after(0).toISOString(),
    updatedAt: after(0).toISOString(),
    ...given,
  }
}

const message = (content: string, role: IdeaMessage['role'] = 'user'): IdeaMessage => ({
  id: randomUUID(),
  role,
  by: 'ada',
  content,
  signals: { artifacts: [], decisions: [], risks: [{ text: content }], confidence: 0.5 },
  timestamp: after(0).toISOString(),
})

describe.each(DRIVERS)('ideas on the %s database', (driver) => {
  const open = useStore(driver)

  verifies(
    'AGENT-IDEATION-3',
    'an idea is kept with its phase, its owner, its slug, its status and its time',
    async (context) => {
      const { ideas } = await open(context)
      expect(await ideas.add(idea('kept'))).toBe(true)
      expect(await ideas.find('kept')).toEqual({
        idea: { ...idea('kept'), title: 'A \uFFFD list' },
        revision: 1,
        documented: 0,
      })
      expect(await ideas.add(idea('kept', { title: 'Another' }))).toBe(false)
      await ideas.patch('kept', { phase: 'NARROWING', status: 'archived' }, after(5))
      expect(await ideas.lock('kept')).toMatchObject({
        idea: { phase: 'NARROWING', status: 'archived', userSlug: 'ada', updatedAt: after(5).toISOString() },
        revision: 2,
      })
      expect(await ideas.find('none')).toBeNull()
    },
  )

  test('the last changed come first, and of a status where one is named', async (context) => {
    const { ideas } = await open(context)
    for (const name of ['a', 'b', 'c']) await ideas.add(idea(`${name}-${driver}`, { title: 'Sorted' }))
    await ideas.patch(`b-${driver}`, { status: 'complete' }, after(9))
    const slugs = async (more: Parameters<typeof ideas.list>[0]) =>
      (await ideas.list(more)).flatMap(({ idea: { slug, title } }) =>
        title === 'Sorted' ? [slug.slice(0, 1)] : [],
      )
    expect(await slugs({ limit: 10 })).toEqual(['b', 'a', 'c'])
    expect(await slugs({ limit: 1 })).toEqual(['b'])
    expect(await slugs({ status: 'active', limit: 10 })).toEqual(['a', 'c'])
  })

  verifies(
    ['AGENT-IDEATION-4', 'AGENT-IDEATION-5'],
    'a message is kept once by its id, with its signals; the last twenty come oldest first',
    async (context) => {
      const { ideas } = await open(context)
      const [slug, other] = [`talk-${driver}`, `other-${driver}`]
      for (const each of [slug, other]) await ideas.add(idea(each))
      const said = Array.from({ length: 25 }, (_, at) =>
        message(`${at}`, at % 5 === 0 ? 'assistant' : 'user'),
      )
      for (const each of said) expect(await ideas.say(slug, each)).toBe(true)
      expect(await ideas.say(other, said[3] ?? message('x'))).toBe(false)
      expect(await ideas.messages(slug, { limit: 20 })).toEqual(said.slice(5))
      expect(await ideas.messages(slug, { limit: 1, role: 'assistant' })).toEqual([said[20]])
      expect(await ideas.messageCount(slug)).toBe(25)
      expect(await ideas.messageCount(other)).toBe(0)
      expect(await ideas.ofMessage(said[3]?.id ?? '')).toBe(slug)
      expect(await ideas.ofMessage(randomUUID())).toBeNull()
    },
  )

  test('documents that are older than their idea are found until they are written, and no sooner than it is a candidate', async (context) => {
    const { ideas } = await open(context)
    const slug = `written-${driver}`
    await ideas.add(idea(slug))
    const left = async () => (await ideas.undocumented(100)).filter(({ idea: { slug: one } }) => one === slug)
    expect(await left()).toEqual([])
    await ideas.patch(slug, { candidateAt: after(1).toISOString() }, after(1))
    expect(await left()).toMatchObject([{ revision: 2, documented: 0 }])
    await ideas.markDocumented(slug, 2)
    expect(await left()).toEqual([])
    await ideas.patch(slug, { phase: 'NARROWING' }, after(2))
    // Somebody who was slow says of an earlier one that it was written.
    await ideas.markDocumented(slug, 1)
    expect(await left()).toMatchObject([{ revision: 3, documented: 2 }])
  })

  test('two who change one idea at once do so one after the other', async (context) => {
    const store = await open(context)
    const slug = `both-${driver}`
    await store.ideas.add(idea(slug))
    const addRisk = (text: string) =>
      store.tx(async () => {
        const signals = (await store.ideas.lock(slug))?.idea.signals ?? idea(slug).signals
        await store.ideas.patch(
          slug,
          { signals: { ...signals, risks: [...signals.risks, { text }] } },
          after(3),
        )
      })
    await Promise.all(['a', 'b', 'c', 'd'].map(addRisk))
    const kept = await store.ideas.find(slug)
    expect(kept?.idea.signals.risks.map(({ text }) => text).toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(kept?.revision).toBe(5)
  })
})
