// A question that a model asks in its answer: the run waits for a person, through the death of daemon and agent.
import { startModelServer } from '@treadle/engines/testing/model-server/server'
import { QUESTIONING_MODULE } from '@treadle/questions/module'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, expect } from 'vitest'
import { eventsLike, untilEvent } from '../goal/goals.ts'
import { agentOf } from '../kit/agents.ts'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { moduleOf, told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

type Server = Awaited<ReturnType<typeof startModelServer>>
type Answer = Parameters<typeof startModelServer>[0]['answer']
type Request = Parameters<Answer>[0]

const shop = useShops()
let server: Server | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

const asked = (question: object) => `I looked around.\n\n\`\`\`json\n${JSON.stringify({ question })}\n\`\`\``
const COLOUR = {
  type: 'blocking',
  text: 'Which colour should module 1 have?',
  context: 'Both are used elsewhere.',
  options: [{ label: 'Green', recommended: true }, { label: 'Blue' }],
}
const repair = {
  name: 'edit',
  input: { filePath: moduleOf(1), oldString: 'state: wrong', newString: 'state: right' },
}
const textOf = ({ messages }: Request) => messages.map(({ text }) => text).join('\n')
const hasResult = ({ messages }: Request) => messages.at(-1)?.results.length !== 0

async function shopWithModel(answer: (request: Request) => ReturnType<Answer>) {
  server = await startModelServer({ answer })
  const native = {
    provider: 'openai-compatible' as const,
    model: 'local',
    baseURL: server.url,
    keyVariable: null,
    stepsPerTurn: 20,
    parallel: 1,
  }
  const workspace = shop({
    scripts: [[[]]],
    settings: { engines: { default: 'native', sandbox: 'off', native } },
  })
  return { workspace, server }
}

const questionsOf = async ({ client }: Daemon) => (await client.listQuestions({ query: {} })).items

async function killBoth(daemon: Daemon): Promise<void> {
  const { pid } = await agentOf(daemon)
  for (const each of [daemon.pid, pid ?? 0]) {
    kill(each)
    await waitGone(each)
  }
}

verifies(
  [
    'AGENT-QUESTION-2',
    'AGENT-QUESTION-41',
    'AGENT-QUESTION-49',
    'AGENT-QUESTION-50',
    'AGENT-QUESTION-51',
    'AGENT-QUESTION-53',
    'AGENT-QUESTION-56',
    'AGENT-QUESTION-58',
  ],
  'a blocking question survives kill -9 of daemon and agent, and the run goes on with the answer in its context',
  async () => {
    const { workspace, server: model } = await shopWithModel((request) => {
      if (hasResult(request)) return { text: 'It is right now.' }
      return textOf(request).includes('Blue, and dark') ? { toolCalls: [repair] } : { text: asked(COLOUR) }
    })
    const first = await up(workspace, 1)
    await first.client.addItem({ body: { title: 'Repair module 1' } })
    await untilEvent(first, 'question.asked')
    const [open] = await questionsOf(first)
    expect(open).toMatchObject({ ...COLOUR, status: 'open', blocking: true, dueAt: null, number: 1 })
    const id = open?.runId ?? ''
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]?.system).toContain(QUESTIONING_MODULE)
    await killBoth(first)

    const second = await up(workspace, 1)
    await untilEvent(second, 'run.resumed')
    const status = await treadle(workspace, ['status'])
    expect(status.stdout.split('\n')[0]).toMatch(/WAITS FOR YOU.*about #1: Which colour/)
    expect((await treadle(workspace, ['questions'])).stdout).toContain('1 Green (recommended)')
    // Nothing is done, and nothing is paid for, before somebody has answered.
    expect(await questionsOf(second)).toEqual([open])
    expect(model.requests).toHaveLength(1)
    expect(await second.client.showRun({ params: { id } })).toMatchObject({ endedAt: null })

    const bad = await treadle(workspace, ['answer', '1'])
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('There is no answer')])
    const answered = await told(workspace, 'answer', '1', 'Blue, and dark')
    expect(answered).toMatchObject({ status: 'answered', answer: { text: 'Blue, and dark', how: 'person' } })
    expect(await until(second, 1, 'done')).toMatchObject({ runId: id, fence: 1, attempts: 1 })

    const heard = model.requests[1]
    expect(heard && textOf(heard)).toMatch(
      /answered the question "Which colour should module 1 have\?": Blue, and dark/,
    )
    expect(await eventsLike(second, 'run.asked')).toHaveLength(1)
    expect(await eventsLike(second, 'question.answered')).toMatchObject([{ text: 'Blue, and dark' }])
    const waitedMs = Date.parse(String(answerAt(answered))) - Date.parse(open?.askedAt ?? '')
    const [extended] = await eventsLike(second, 'claim.extended')
    expect(extended?.byMs).toBeGreaterThanOrEqual(waitedMs - 50)
    const again = await treadle(workspace, ['answer', '1', 'Green'])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Question 1 is over')])
  },
)

const answerAt = (answered: unknown) => (answered as { answer: { at: string } }).answer.at

verifies(
  ['AGENT-QUESTION-54', 'AGENT-QUESTION-57'],
  'a question that does not block is queued while the work goes on, and one that was answered is not asked again',
  async () => {
    const style = {
      type: 'preference',
      text: 'Do you like long names?',
      context: 'It concerns every file.',
      options: [{ label: 'Long' }, { label: 'Short' }],
    }
    const { workspace, server: model } = await shopWithModel((request) => {
      if (hasResult(request)) return { text: 'It is right now.' }
      return textOf(request).includes('It was passed on') ? { toolCalls: [repair] } : { text: asked(style) }
    })
    const daemon = await up(workspace, 1)
    await daemon.client.addItem({ body: { title: 'Repair module 1' } })
    await until(daemon, 1, 'done')
    expect(await questionsOf(daemon)).toMatchObject([{ ...style, status: 'open', blocking: false }])
    expect(await told(workspace, 'answer', '1', 'short')).toMatchObject({ answer: { option: 'Short' } })
    expect(await told(workspace, 'preferences')).toMatchObject([{ answer: 'Short', used: 0 }])

    const before = model.requests.length
    await daemon.client.addItem({ body: { title: 'Look at module 1 again' } })
    await eventually('the second item asked', async () =>
      (await questionsOf(daemon)).length === 2 ? true : undefined,
    )
    expect((await questionsOf(daemon)).find(({ number }) => number === 2)).toMatchObject({
      status: 'answered',
      answer: { text: 'Short', how: 'preference' },
    })
    expect(await told(workspace, 'preferences')).toMatchObject([{ used: 1 }])
    await eventually('the answer at the model', () =>
      model.requests
        .slice(before)
        .some((request) => textOf(request).includes('"Do you like long names?": Short'))
        ? true
        : undefined,
    )
  },
)
