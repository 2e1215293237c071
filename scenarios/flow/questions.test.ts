// Questions, their answers and their times, on real databases and a clock that is moved by hand.
import { randomUUID } from 'node:crypto'
import type { EventType } from '@treadle/contracts/event'
import type { Question } from '@treadle/contracts/paor'
import { NewQuestion } from '@treadle/contracts/question'
import { runDue } from '@treadle/flow/ask/due.run'
import { runGuide } from '@treadle/flow/ask/guide.run'
import { runAnswer, runAsk, runAsked, runTrigger } from '@treadle/flow/ask/question.run'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { report } from '@treadle/flow/report.run'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import { questionsFor, type Trigger } from '@treadle/questions/questions-for'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { FlowWorld } from './world.ts'

const HOUR = 3_600_000

class AskingWorld extends FlowWorld {
  words = ''
  catalogue = (trigger: unknown) => questionsFor(trigger as Trigger)
  conventions = async () => this.words
}

const ask = (given: Partial<NewQuestion> = {}) =>
  NewQuestion.parse({
    type: 'clarifying',
    agent: 'build',
    event: 'something',
    text: 'Which level?',
    context: 'It matters.',
    options: [{ label: 'Quick' }, { label: 'Thorough' }],
    defaultOption: 'Quick',
    tags: [randomUUID()],
    ...given,
  })

describe.each(DRIVERS)('questions on the %s database', (driver) => {
  const open = useStore(driver)

  async function held(world: AskingWorld) {
    world.health.set('agent-1', 'healthy')
    const item = await world.add()
    const claimed = await runClaim(world, { item, agentId: 'agent-1', requestId: null })
    if (claimed.is !== 'claimed') throw new Error(claimed.is)
    const { run, fence } = claimed
    const asks = (question: Question, eventId: string = randomUUID()) =>
      runAsked(world, { runId: run.id, eventId, fence, event: { type: 'run.asked', question } })
    const told = async (...types: EventType[]) =>
      (await world.store.events.ofItem(item, 50, types)).map(({ event }) => event)
    const kept = () => world.store.questions.list({ runId: run.id, limit: 9 })
    return { item, run, fence, asks, told, kept }
  }
  const choice = (id: string, detail?: Question['detail']): Question => ({
    id,
    kind: 'choice',
    title: `Which way, ${id}?`,
    options: ['left', 'right'],
    ...(detail === undefined ? {} : { detail }),
  })
  const answer = (world: AskingWorld, id: string | undefined, text: string) =>
    runAnswer(world, { id: id ?? '', text, by: 'ada' })

  const formPart = (id: string, detail: Partial<Question['detail']> = {}): Question => ({
    ...choice(id),
    detail: {
      type: 'blocking',
      context: '1 of 2 that are asked together.',
      choices: [{ label: 'left', description: 'past the mill' }, { label: 'right' }],
      allowFreeText: true,
      header: 'Way',
      blocking: true,
      tags: [],
      ...detail,
    },
  })

  test('a question of a form keeps its header, its descriptions and its several choices, and reaches the run as labels', async (context) => {
    const world = new AskingWorld(await open(context))
    const { asks, told, kept } = await held(world)
    await asks(formPart('f1', { multiple: true }))
    const [question] = await kept()
    expect(question).toMatchObject({
      status: 'open',
      header: 'Way',
      multiple: true,
      context: '1 of 2 that are asked together.',
      options: [{ label: 'left', description: 'past the mill' }, { label: 'right' }],
    })
    expect(await answer(world, question?.id, '1 and 2')).toMatchObject({ is: 'answered' })
    expect(await told('run.guided')).toMatchObject([{ guidance: { text: 'left, right', answers: 'f1' } }])
  })

  test('with the autonomy to decide the recommended option holds, as an answer of the system with its reason; nothing is decided by its place', async (context) => {
    const world = new AskingWorld(await open(context))
    const { asks, told, kept } = await held(world)
    const { config } = world
    world.config = () => ({ ...config(), questions: { ...config().questions, autonomy: 'judgement' } })
    await asks(formPart('f1', { defaultOption: 'right' }))
    const [decided] = await kept()
    expect(decided).toMatchObject({
      status: 'defaulted',
      answer: {
        text: 'right',
        by: 'treadle',
        how: 'judgement',
        why: 'The setting questions.autonomy is judgement. It is the default of whoever asked.',
      },
    })
    expect(await told('run.guided')).toMatchObject([
      { guidance: { text: 'right', by: 'treadle', how: 'judgement', answers: 'f1' } },
    ])
    await asks(choice('q2'))
    expect(await kept()).toMatchObject([{ status: 'open' }, { status: 'defaulted' }])
  })

  verifies(
    ['AGENT-QUESTION-49', 'AGENT-QUESTION-50', 'AGENT-QUESTION-53', 'AGENT-QUESTION-56'],
    'what a run asks is a blocking question that waits for days; its answer reaches the run and gives the time back',
    async (context) => {
      const world = new AskingWorld(await open(context))
      const { item, asks, told, kept } = await held(world)
      const eventId = randomUUID()
      expect((await asks(choice('q1'), eventId)).is).toBe('recorded')
      expect((await asks(choice('q1'), eventId)).is).toBe('duplicate')
      const [question] = await kept()
      expect(question).toMatchObject({ type: 'blocking', blocking: true, status: 'open', dueAt: null, item })
      world.wait(90 * HOUR)
      await runSweep(world)
      await runDue(world, world.now())
      expect(await kept()).toMatchObject([{ status: 'open', remindedAt: world.now().toISOString() }])
      expect(await world.store.items.find(item)).toMatchObject({ state: 'claimed' })
      expect(await answer(world, question?.id, '2')).toMatchObject({ is: 'answered' })
      expect(await told('run.guided')).toMatchObject([
        { guidance: { text: 'right', answers: 'q1', by: 'ada' } },
      ])
      expect(await told('claim.extended')).toMatchObject([{ byMs: 90 * HOUR }])
      expect(await told('question.answered')).toMatchObject([
        { text: 'right', option: 'right', how: 'person' },
      ])
      expect(await answer(world, question?.id, '1')).toMatchObject({ is: 'over' })
      expect(await told('run.guided', 'question.answered')).toHaveLength(2)
    },
  )

  test('guidance that answers a question closes it, and one that nobody waits for any more is withdrawn', async (context) => {
    const world = new AskingWorld(await open(context))
    const { run, fence, asks, told, kept } = await held(world)
    await asks(choice('q1'))
    const guidance = { id: randomUUID(), by: 'owner', text: 'left', answers: 'q1' }
    await runGuide(world, { runId: run.id, guidance })
    expect(await kept()).toMatchObject([{ status: 'answered', answer: { option: 'left', by: 'owner' } }])
    await asks(choice('q2'))
    await asks(choice('q3'))
    expect((await kept()).map(({ status }) => status)).toEqual(['open', 'withdrawn', 'answered'])
    const why = 'enough'
    await report(world, {
      runId: run.id,
      eventId: randomUUID(),
      fence,
      event: { type: 'claim.released', why },
    })
    const [last] = await kept()
    expect(await answer(world, last?.id, 'left')).toMatchObject({
      is: 'over',
      question: { status: 'withdrawn' },
    })
    await runDue(world, world.now())
    expect((await kept()).map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn', 'answered'])
    expect(await told('question.answered')).toHaveLength(1)
  })

  verifies(
    ['AGENT-QUESTION-54', 'AGENT-QUESTION-55', 'AGENT-QUESTION-56'],
    'a run does not wait for a question that does not block; its default is told to it when the time is over',
    async (context) => {
      const world = new AskingWorld(await open(context))
      const { asks, told, kept } = await held(world)
      const choices = [{ label: 'left' }, { label: 'right' }]
      const detail = { type: 'clarifying', context: 'It matters.', choices, allowFreeText: false } as const
      await asks(choice('q1', { ...detail, defaultOption: 'right', blocking: false, tags: [] }))
      world.wait(13 * HOUR)
      await runDue(world, world.now())
      await runDue(world, world.now())
      expect(await told('question.reminded')).toHaveLength(1)
      expect(await kept()).toMatchObject([{ status: 'open', blocking: false }])
      world.wait(11 * HOUR)
      await runDue(world, world.now())
      await runDue(world, world.now())
      expect(await kept()).toMatchObject([{ status: 'defaulted', answer: { text: 'right', how: 'default' } }])
      expect(await told('question.defaulted')).toHaveLength(1)
      expect(await told('run.guided')).toMatchObject([
        { guidance: { text: 'right', about: 'Which way, q1?', answers: null } },
      ])
      expect(await told('claim.extended')).toEqual([])
    },
  )

  verifies(
    'AGENT-QUESTION-10',
    'somebody is reminded once, when the time that the question names has passed',
    async (context) => {
      const world = new AskingWorld(await open(context))
      const item = await world.add()
      const { is } = await runAsk(world, ask({ type: 'blocking', reminderAfter: '30m', item }))
      expect(is).toBe('asked')
      const reminded = () => world.store.events.ofItem(item, 9, ['question.reminded'])
      world.wait(HOUR / 2 - 1)
      await runDue(world, world.now())
      expect(await reminded()).toHaveLength(0)
      world.wait(1)
      await runDue(world, world.now())
      world.wait(90 * HOUR)
      await runDue(world, world.now())
      expect(await reminded()).toHaveLength(1)
    },
  )

  test('of an answer and a default at the same moment, and of two answers, one counts', async (context) => {
    const world = new AskingWorld(await open(context))
    for (const text of ['Thorough', 'Quick']) {
      const item = await world.add()
      const asked = await runAsk(world, ask({ item, expiresAfter: '1h' }))
      if (asked.is !== 'asked') throw new Error(asked.is)
      world.wait(HOUR)
      const { id } = asked.question
      await Promise.all([answer(world, id, text), runDue(world, world.now()), answer(world, id, text)])
      const told = await world.store.events.ofItem(item, 9, ['question.answered', 'question.defaulted'])
      expect(told).toHaveLength(1)
      const kept = await world.store.questions.find(id)
      expect(kept?.record.status).not.toBe('open')
      expect(told[0]?.event).toMatchObject({ text: kept?.record.answer?.text })
    }
  })

  verifies(
    ['AGENT-QUESTION-7', 'AGENT-QUESTION-57'],
    'an answer to a preference is given from then on, another one after it was given twice, until it is forgotten',
    async (context) => {
      const world = new AskingWorld(await open(context))
      const { preferences } = world.store
      const style = ask({ type: 'preference' })
      const level = ask()
      for (const [question, times] of [
        [style, 1],
        [level, 2],
      ] as const) {
        for (let time = 0; time < times; time += 1) {
          const asked = await runAsk(world, question)
          if (asked.is !== 'asked') throw new Error(asked.is)
          await answer(world, asked.question.id, 'Thorough')
        }
        const settled = await runAsk(world, question)
        expect(settled).toMatchObject({
          is: 'settled',
          question: { answer: { text: 'Thorough', how: 'preference' } },
        })
        const [learned] = await preferences.list(1)
        expect(learned).toMatchObject({ answer: 'Thorough', used: 1, by: 'ada' })
        expect(await preferences.forget(learned?.id ?? 0)).toBe(true)
        expect((await runAsk(world, question)).is).toBe('asked')
      }
    },
  )

  verifies(
    ['AGENT-QUESTION-44', 'AGENT-QUESTION-46'],
    'what CLAUDE.md says, and what was answered in the session, is recorded without asking anybody',
    async (context) => {
      const world = new AskingWorld(await open(context))
      const [tag = ''] = ask().tags
      world.words = `# Rules\n\n- ${tag}: thorough\n`
      const known = await runAsk(world, ask({ tags: [tag] }))
      expect(known).toMatchObject({
        is: 'settled',
        question: { answer: { text: 'Thorough', how: 'context' } },
      })
      const inSession = ask({ sessionId: randomUUID() })
      const first = await runAsk(world, inSession)
      if (first.is !== 'asked') throw new Error(first.is)
      expect(await runAsk(world, inSession)).toEqual(first)
      const other = ask({ sessionId: randomUUID() })
      const atOnce = await Promise.all(Array.from({ length: 8 }, () => runAsk(world, other)))
      expect(new Set(atOnce.map((each) => (each.is === 'asked' ? each.question.id : each.is))).size).toBe(1)
      await answer(world, first.question.id, 'Thorough')
      const again = await runAsk(world, inSession)
      expect(again).toMatchObject({
        is: 'settled',
        question: { answer: { text: 'Thorough', how: 'repeated' } },
      })
    },
  )

  test('what may be done is asked each time, however often it was allowed', async (context) => {
    const world = new AskingWorld(await open(context))
    const title = `May ${randomUUID()} be used?`
    for (let times = 0; times < 3; times += 1) {
      const { asks, kept } = await held(world)
      for (const id of ['q1', 'q2']) {
        await asks({ id, kind: 'permission', title, options: ['allow', 'deny'], tool: 'bash', input: id })
        const [question] = await kept()
        expect(question).toMatchObject({ status: 'open', text: title })
        expect(await answer(world, question?.id, 'allow')).toMatchObject({ is: 'answered' })
      }
    }
  })

  test('what an agent writes into its questions does not count as what the person has said', async (context) => {
    const world = new AskingWorld(await open(context))
    const { asks, kept } = await held(world)
    const choices = [{ label: 'Just do it' }, { label: 'Wait' }]
    const detail = { type: 'confirming', context: 'It matters.', choices, allowFreeText: false } as const
    const title = 'Shall I use your judgement?'
    const more = { ...detail, blocking: false, tags: [] }
    await asks({ id: 'q1', kind: 'choice', title, options: ['Just do it', 'Wait'], detail: more })
    const [first] = await kept()
    expect(await answer(world, first?.id, 'Just do it')).toMatchObject({ is: 'answered' })
    const drop = { ...more, type: 'blocking', blocking: true, defaultOption: 'Just do it' } as const
    await asks({ id: 'q2', kind: 'choice', title: 'Drop it?', options: ['Just do it', 'Wait'], detail: drop })
    expect((await kept())[0]).toMatchObject({ text: 'Drop it?', status: 'open' })
  })

  test('a question that is asked anew under the same name is still to be seen', async (context) => {
    const world = new AskingWorld(await open(context))
    const { asks, told, kept } = await held(world)
    await asks(choice('q1'))
    await asks(choice('q1'))
    expect(await kept()).toMatchObject([{ status: 'open' }])
    await asks(choice('q2'))
    await asks(choice('q1'))
    const [question, ...others] = await kept()
    expect([question?.text, question?.status]).toEqual(['Which way, q1?', 'open'])
    expect(others.map(({ status }) => status)).toEqual(['withdrawn'])
    expect(await answer(world, question?.id, 'left')).toMatchObject({ is: 'answered' })
    await asks(choice('q1'))
    expect((await told('run.guided')).length).toBe(2)
    await asks({ ...choice('q3'), title: '\u0001\u202e', options: [] })
    expect((await kept())[0]).toMatchObject({ text: 'How should it go on?', status: 'open' })
  })

  test('whatever is answered can be read back', async (context) => {
    const world = new AskingWorld(await open(context))
    const item = await world.add()
    const asked = await runAsk(world, ask({ item, allowFreeText: true }))
    if (asked.is !== 'asked') throw new Error(asked.is)
    const { id } = asked.question
    expect(await answer(world, id, '\u0001\u202e')).toMatchObject({ is: 'bad' })
    const text = 'é'.repeat(4_000)
    expect(await runAnswer(world, { id, text, by: 'n'.repeat(200) })).toMatchObject({ is: 'answered' })
    expect((await world.store.questions.list({ item, limit: 9 }))[0]).toMatchObject({ answer: { text } })
    expect(await world.store.events.ofItem(item, 9, ['question.answered'])).toHaveLength(1)
    const { run, asks, kept } = await held(world)
    await asks(choice('q1'))
    const guidance = { id: randomUUID(), by: 'n'.repeat(200), text: '\u0001', answers: 'q1' }
    await runGuide(world, { runId: run.id, guidance })
    expect(await kept()).toMatchObject([{ status: 'answered' }])
  })

  test('a question of the catalogue is asked once about one subject, also by two at once', async (context) => {
    const world = new AskingWorld(await open(context))
    const item = await world.add()
    const facts = { attempts: 3, task_id: '#1', error_message: 'no', attempts_list: ['one'] }
    const trigger = () =>
      runTrigger(world, {
        agent: 'build',
        event: 'task_failed_repeatedly',
        facts,
        about: { item, subject: `run:${item.projectNumber}` },
      })
    const asked = await Promise.all([trigger(), trigger(), trigger()])
    const [first] = await world.store.questions.list({ item, limit: 9 })
    expect(await world.store.questions.list({ item, limit: 9 })).toHaveLength(1)
    for (const [each] of asked) expect(each).toEqual({ is: 'asked', question: first })
    expect(await world.store.events.ofItem(item, 9, ['question.asked'])).toHaveLength(1)
  })
})
