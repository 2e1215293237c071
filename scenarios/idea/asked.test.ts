// What the catalogue and a model ask in a talk: put at its moment, listed among all questions, answered once.
import type { QuestionRecord } from '@treadle/contracts/question'
import type { Thought } from '@treadle/contracts/thought'
import { verifies } from '@treadle/requirements/verifies'
import { beforeEach, expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { useInProcess } from '../kit/in-process.ts'
import { ANSWERS } from './answers.ts'

const open = useInProcess('any', { settings: { questions: { celebrate: true } } })
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const start = (text: string, engine: string) => daemon.client.startIdea({ body: { text, by: 'ada', engine } })
const say = (id: string, text: string) =>
  daemon.client.sayToIdea({ params: { id }, body: { text, by: 'ada' } })
const show = (id: string) => daemon.client.showIdea({ params: { id }, query: {} })
const asked = async (slug: string): Promise<QuestionRecord[]> => {
  const { items } = await daemon.client.listQuestions({ query: {} })
  return items.filter(({ sessionId }) => sessionId === slug)
}
const ofEvent = async (slug: string, event: string) =>
  (await asked(slug)).find((each) => each.event === event)
const openIn = async (slug: string) => (await asked(slug)).filter(({ status }) => status === 'open')
const answer = (question: QuestionRecord | undefined, text: string) =>
  daemon.client.answerQuestion({ params: { id: question?.id ?? '' }, body: { text, by: 'bob' } })

async function reply(slug: string, text: string, given: object): Promise<void> {
  const { items } = await daemon.client.listThoughts({ query: { subject: slug, status: 'pending' } })
  const { id } = items[0] as Thought
  const { fence } = await daemon.client.claimThought({ params: { id }, body: { agentId: 'agent-1' } })
  const all = `${text}\n\n\`\`\`json\n${JSON.stringify(given)}\n\`\`\``
  await daemon.client.answerThought({
    params: { id },
    body: {
      agentId: 'agent-1',
      fence,
      end: { is: 'answered', text: all, structured: null, model: 'm-1' },
    },
  })
}

const artifact = (type: string, text: string) => ({ type, summary: text, text, confidence: 0.8 })
const LONG = 'Two people of one family buy the same milk, because one of them has no network'
const labels = (question: QuestionRecord | undefined) => question?.options.map(({ label }) => label)

verifies(
  ['AGENT-QUESTION-12', 'AGENT-QUESTION-13', 'AGENT-QUESTION-14', 'AGENT-QUESTION-15'],
  'an interview is asked beside its own questions, whose order stays; with the brief nothing is open any more',
  async () => {
    const { slug, questions } = await start('A lamp for readers', 'none')
    const user = await ofEvent(slug, 'idea_created')
    expect(user).toMatchObject({ type: 'blocking', blocking: true, status: 'open', allowFreeText: true })
    expect(labels(user)).toEqual(['Myself / indie developers', 'Small business owners', 'Enterprise teams'])
    expect(questions.map(({ id }) => id)).toEqual(['target-user', 'problem'])
    await say(slug, ANSWERS[0])
    expect(await ofEvent(slug, 'problem_statement_vague')).toBeUndefined()
    const short = 'Readers fall asleep'
    expect((await say(slug, short)).questions.map(({ id }) => id)).toEqual([
      'solution-concept',
      'mvp-features',
    ])
    const vague = await ofEvent(slug, 'problem_statement_vague')
    expect(vague).toMatchObject({ type: 'blocking', blocking: true, status: 'open', allowFreeText: true })
    for (const words of [`"${short}"`, 'Who has this problem', 'not solved', 'solve it today'])
      expect(vague?.text).toContain(words)
    await answer(vague, LONG)
    expect((await show(slug)).artifacts.find(({ type }) => type === 'problem')?.text).toBe(LONG)
    expect((await show(slug)).questions.map(({ id }) => id)).toEqual(['solution-concept', 'mvp-features'])
    expect(await ofEvent(slug, 'phase_complete')).toBeUndefined()
    await say(slug, ANSWERS[2])
    const done = await ofEvent(slug, 'phase_complete')
    expect(done).toMatchObject({ type: 'celebratory', phase: 'EXPLORING', status: 'open' })
    expect(labels(done)).toEqual([
      "Yes, let's continue!",
      'Actually, I want to refine something',
      'Save progress, continue later',
    ])
    expect(done?.options[0]?.recommended).toBe(true)
    const eight = Array.from({ length: 8 }, (_, nth) => `Part ${nth + 1}: it does thing ${nth + 1}`).join(
      '\n',
    )
    await say(slug, eight)
    const parts = await ofEvent(slug, 'idea_complexity_high')
    expect(parts).toMatchObject({ type: 'educational', status: 'open' })
    expect(labels(parts)).toEqual([
      "Yes, I'd start with...",
      'Help me think through this',
      'I want to build the full thing',
    ])
    await answer(parts, "Yes, I'd start with...: part 1")
    expect((await show(slug)).decisions).toContainEqual(expect.objectContaining({ type: 'scope' }))
    for (const said of ANSWERS.slice(4)) await say(slug, said)
    expect(await show(slug)).toMatchObject({ phase: 'COMPLETE', questions: [] })
    expect(await openIn(slug)).toEqual([])
    expect(await ofEvent(slug, 'before_research')).toBeUndefined()
  },
)

verifies(
  ['AGENT-QUESTION-13', 'AGENT-QUESTION-14', 'AGENT-QUESTION-15'],
  'what is asked beside an interview is passed over by its next message: ten messages end it, and nothing waits twice',
  async () => {
    const { slug } = await start('A lamp for dreamers', 'none')
    const eight = Array.from({ length: 8 }, (_, nth) => `Part ${nth + 1}: it does thing ${nth + 1}`).join(
      '\n',
    )
    const said: string[] = [...ANSWERS]
    said.splice(1, 1, 'They fall asleep')
    said.splice(3, 1, eight)
    const beside: string[] = []
    for (const [nth, text] of said.entries()) {
      const { questions, reply: words } = await say(slug, text)
      const open = await openIn(slug)
      const fresh = open.filter(({ event }) => event !== null)
      beside.push(...fresh.map(({ event }) => event ?? ''))
      // The questions of the talk are those of the list, and beside them only what this very answer has brought up.
      expect(open.filter(({ event }) => event === null).map(({ tags }) => tags[0])).toEqual(
        questions.map(({ id }) => id),
      )
      for (const { number } of fresh) expect(words).toContain(`question ${number} (treadle answer ${number}`)
      expect(fresh.length).toBeLessThanOrEqual([1, 2, 3].includes(nth) ? 1 : 0)
    }
    expect(beside).toEqual(['problem_statement_vague', 'phase_complete', 'idea_complexity_high'])
    expect(await show(slug)).toMatchObject({ phase: 'COMPLETE', questions: [] })
    expect((await show(slug)).artifacts.find(({ type }) => type === 'problem')?.text).toBe('They fall asleep')
    expect(await openIn(slug)).toEqual([])
    const over = (await asked(slug)).filter(({ event }) => beside.includes(event ?? ''))
    expect(over.map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn', 'withdrawn'])
    await expect(answer(over[0], LONG)).rejects.toMatchObject({ status: 409 })
  },
)

test('seven features are no reason to ask, and neither is a problem in fifty characters', async () => {
  const { slug } = await start('A lamp for writers', 'none')
  await say(slug, ANSWERS[0])
  await say(slug, 'x'.repeat(50))
  await say(slug, ANSWERS[2])
  await say(slug, Array.from({ length: 7 }, (_, nth) => `Part ${nth + 1}: does ${nth + 1}`).join('\n'))
  const events = (await asked(slug)).map(({ event }) => event)
  expect(events).not.toContain('problem_statement_vague')
  expect(events).not.toContain('idea_complexity_high')
})

verifies(
  ['AGENT-QUESTION-12', 'AGENT-QUESTION-16'],
  'what a model asks in its reply stands among all questions, and the next message answers it once',
  async () => {
    const begun = await start('A greenhouse that waters itself', 'native')
    const { slug } = begun
    expect(begun.questions).toMatchObject([{ id: 'target-user' }])
    expect(await openIn(slug)).toMatchObject([{ event: 'idea_created', blocking: true }])
    await reply(slug, 'Nice.', { questions: ['Who waters it today?', 'How large is it?'], confidence: 0.2 })
    const own = await openIn(slug)
    expect(own.map(({ text }) => text)).toEqual(['Who waters it today?', 'How large is it?'])
    expect((await show(slug)).questions.map(({ text }) => text)).toEqual(own.map(({ text }) => text))
    // One of them from the list: it is said in the talk, and the other one stays.
    expect(await answer(own[1], 'Two by three metres')).toMatchObject({ status: 'answered' })
    const { items } = await daemon.client.ideaMessages({ params: { id: slug }, query: {} })
    expect(items.at(-1)).toMatchObject({
      role: 'user',
      by: 'bob',
      content: 'How large is it?\nTwo by three metres',
    })
    expect((await openIn(slug)).map(({ text }) => text)).toEqual(['Who waters it today?'])
    await expect(answer(own[1], 'Ten')).rejects.toMatchObject({ status: 409 })
    await say(slug, 'My neighbour')
    expect(await openIn(slug)).toEqual([])
    const all = ['target-user', 'problem', 'solution-concept', 'mvp-features', 'differentiator']
    await reply(slug, 'Understood.', { artifacts: all.map((type) => artifact(type, LONG)), confidence: 0.7 })
    const research = await ofEvent(slug, 'before_research')
    expect(research).toMatchObject({ type: 'confirming', status: 'open' })
    for (const words of [
      'Market size and trends',
      'Existing solutions and competitors',
      'Technical feasibility',
    ])
      expect(research?.text).toContain(words)
    expect(labels(research)).toEqual([
      'Those areas look good',
      'Also look into...',
      'Skip research, I know the market',
    ])
    expect((await show(slug)).questions.map(({ id }) => id)).toEqual(['phase_complete', 'before_research'])
    await say(slug, 'Those areas look good')
    expect(await ofEvent(slug, 'before_research')).toMatchObject({
      status: 'answered',
      answer: { option: 'Those areas look good', by: 'ada' },
    })
    expect(await openIn(slug)).toEqual([])
  },
)

test('an engine that gives up leaves the questions of the interview, once each', async () => {
  const { slug } = await start('A bell that knows the wind', 'native')
  await reply(slug, 'Well.', { questions: ['How loud?'], confidence: 0.1 })
  await say(slug, 'Not very')
  const { items } = await daemon.client.listThoughts({ query: { subject: slug, status: 'pending' } })
  const { id } = items[0] as Thought
  const { fence } = await daemon.client.claimThought({ params: { id }, body: { agentId: 'agent-1' } })
  await daemon.client.answerThought({
    params: { id },
    body: { agentId: 'agent-1', fence, end: { is: 'failed', why: 'no key' } },
  })
  expect((await openIn(slug)).map(({ tags }) => tags[0])).toEqual(['target-user', 'problem'])
})

verifies(
  ['AGENT-ROUTING-12', 'AGENT-ROUTING-13'],
  'whatever a message says it is for the talk, and where that talk stands is looked at first',
  async () => {
    const { slug } = await start('A clock for two', 'none')
    const orders = 'Approve the specification, start the build and stop all agents'
    expect(await say(slug, orders)).toMatchObject({
      artifacts: [{ type: 'target-user', text: orders }],
      phase: 'EXPLORING',
      questions: [{ id: 'problem' }, { id: 'solution-concept' }],
    })
    expect((await daemon.client.listSpecifications()).items).toEqual([])
    // No such talk: nothing hears it. One that is in a later phase is asked what that phase lacks.
    await expect(say('no-such-talk', 'x')).rejects.toMatchObject({ status: 404 })
    await say(slug, LONG)
    expect(await say(slug, ANSWERS[2])).toMatchObject({
      phase: 'NARROWING',
      questions: [{ id: 'mvp-features' }, {}],
    })
    const talk = await start('A clock for three', 'native')
    const all = ['target-user', 'problem', 'solution-concept']
    await reply(talk.slug, 'So.', { artifacts: all.map((type) => artifact(type, LONG)), confidence: 0.5 })
    await say(talk.slug, orders)
    const { items } = await daemon.client.listThoughts({ query: { subject: talk.slug, status: 'pending' } })
    expect(items).toMatchObject([
      { kind: 'idea_reply', use: 'idea', system: expect.stringContaining('NARROWING') },
    ])
  },
)
