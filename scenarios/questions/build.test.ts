// What the catalogue asks while a build runs, through a daemon: each once, and its answer is carried out.
import type { BuildView } from '@treadle/contracts/build'
import type { QuestionRecord } from '@treadle/contracts/question'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { begun, fail, failChecks, landed, play, start, stateOf, taskOf } from '../build/hand-build.ts'
import type { Daemon } from '../kit/daemon.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', {
  settings: { questions: { celebrate: true }, limits: { sweepMs: 300, improvements: 1 } },
})

const about = async ({ client }: Daemon, { id }: BuildView, event: string): Promise<QuestionRecord[]> => {
  const { items } = await client.listQuestions({ query: {} })
  return items.filter((each) => each.sessionId === `build:${id}` && each.event === event)
}
const asked = (daemon: Daemon, build: BuildView, event: string) =>
  eventually(`${event} is asked`, async () => (await about(daemon, build, event))[0])
const labels = ({ options }: QuestionRecord) => options.map(({ label }) => label)
const answer = ({ client }: Daemon, { id }: QuestionRecord, text: string) =>
  client.answerQuestion({ params: { id }, body: { text, by: 'ada' } })

verifies(
  ['AGENT-QUESTION-25', 'AGENT-QUESTION-32'],
  'half of a build is told once and may stop it; a whole that is well is told, and yes approves exactly that delivery',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const build = await start(daemon, 'celebrated', [
      { id: 'T1', file: 'one.txt' },
      { id: 'T2', file: 'two.txt' },
      { id: 'T3', file: 'three.txt' },
    ])
    const land = async (id: string, file: string) => {
      await play(daemon, taskOf(build, id).number, { [file]: `${id}\n` })
      await landed(client, taskOf(build, id).number)
    }
    await land('T1', 'one.txt')
    await begun(client, 'celebrated', ({ commits }) => commits.length === 1)
    expect(await about(daemon, build, 'milestone_reached')).toEqual([])
    await land('T2', 'two.txt')
    const half = await asked(daemon, build, 'milestone_reached')
    expect(half).toMatchObject({ type: 'celebratory', blocking: false, status: 'open', agent: 'build' })
    for (const words of [
      '2 of 3 tasks are done.',
      'Tests: green for each of the 2 that landed',
      '1 task to go.',
    ])
      expect(half.text).toContain(words)
    expect(labels(half)).toEqual(['Keep going!', "Show me what's done so far", 'Take a break, save progress'])
    expect(half.options[0]?.recommended).toBe(true)
    await answer(daemon, half, 'Take a break, save progress')
    await begun(client, 'celebrated', ({ status }) => status === 'stopped')
    await client.resumeBuild({ params: { id: 'celebrated' }, body: { by: 'ada' } })
    await land('T3', 'three.txt')
    const ready = await begun(client, 'celebrated', ({ counts }) => counts.complete === 3)
    const delivery = ready.delivery ?? 0
    const whole = ['one.txt', 'two.txt', 'three.txt'].map((file) => [
      file,
      `${workspace.git('show', `build/celebrated:${file}`)}\n`,
    ])
    await play(daemon, delivery, Object.fromEntries(whole))
    const passed = await asked(daemon, build, 'validation_passed')
    expect(passed).toMatchObject({
      type: 'celebratory',
      blocking: false,
      status: 'open',
      agent: 'validation',
    })
    for (const words of [
      'The validation passed.',
      'Coverage: not measured',
      'Lint: lint',
      'Security: secrets',
    ])
      expect(passed.text).toContain(words)
    expect(labels(passed)).toEqual([
      'Approved! Deploy it',
      'Run one more check on...',
      'Show me the details first',
    ])
    // One and the same, however often the daemon looks.
    expect(await about(daemon, build, 'milestone_reached')).toHaveLength(1)
    expect(await about(daemon, build, 'validation_passed')).toHaveLength(1)
    await answer(daemon, passed, '1')
    await landed(client, delivery)
    expect((await stateOf(client, delivery)).approval).toMatchObject({ kind: 'human', by: 'ada' })
  },
)

verifies(
  'AGENT-QUESTION-29',
  'a build that failed asks in what order to go on, and the answer has it go on with what was given up or with all of it',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const build = await start(
      daemon,
      'many-failed',
      ['a', 'b', 'c', 'd', 'e'].map((name, nth) => ({ id: `T${nth + 1}`, file: `${name}.txt` })),
    )
    const number = (id: string) => taskOf(build, id).number
    await failChecks(daemon, number('T4'))
    await eventually('T4 is offered again', async () =>
      (await stateOf(client, number('T4'))).state === 'backlog' ? true : undefined,
    )
    await failChecks(daemon, number('T4'))
    await begun(client, 'many-failed', (now) => taskOf(now, 'T4').status === 'skipped')
    for (const id of ['T1', 'T2', 'T3']) await fail(daemon, number(id), 'no idea')
    await begun(client, 'many-failed', ({ status }) => status === 'failed')
    const question = await asked(daemon, build, 'multiple_failures')
    expect(question).toMatchObject({ type: 'blocking', blocking: true, status: 'open', dueAt: null })
    expect(question.text).toContain('The validation found 4 issues.')
    expect(question.text).toMatch(/Critical \(3\):\n- #\d+ T1: Write a\.txt: Unknown error: no idea/)
    expect(question.text).toMatch(
      /Warnings \(1\):\n- #\d+ T4: Write d\.txt: Validation failed after 2 attempts/,
    )
    expect(labels(question)).toEqual([
      'Fix all critical first, then warnings',
      'Fix all before proceeding',
      'Show me each one to decide',
      'Skip warnings, fix critical only',
    ])
    expect(question.options[0]?.recommended).toBe(true)
    await answer(daemon, question, 'Skip warnings, fix critical only')
    const on = await begun(client, 'many-failed')
    expect(on).toMatchObject({ why: null, counts: { pending: 4, skipped: 1, failed: 0 } })
    expect(on.skipped).toMatchObject([{ task: 'T4', leftOutBy: 'ada' }])

    // Another end is asked about anew; what goes on without an answer asks no more.
    for (const id of ['T1', 'T2', 'T3', 'T5']) await fail(daemon, number(id), 'no idea')
    await begun(client, 'many-failed', ({ status }) => status === 'failed')
    const again = await eventually('it is asked again', async () =>
      (await about(daemon, build, 'multiple_failures')).find(({ status }) => status === 'open'),
    )
    expect(again.text).toContain('Critical (4)')
    await client.resumeBuild({ params: { id: 'many-failed' }, body: { by: 'ada' } })
    await eventually('it is needless', async () =>
      (await about(daemon, build, 'multiple_failures')).every(({ status }) => status !== 'open')
        ? true
        : undefined,
    )
  },
)

test('what was asked about a build is over once a newer revision is built instead', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const files = ['a', 'b', 'c', 'd'].map((name, nth) => ({ id: `T${nth + 1}`, file: `${name}.txt` }))
  const build = await start(daemon, 'replaced', files)
  for (const { id } of files) await fail(daemon, taskOf(build, id).number, 'no idea')
  await begun(client, 'replaced', ({ status }) => status === 'failed')
  await asked(daemon, build, 'multiple_failures')
  const { tasksPath } = await client.showSpecification({ params: { id: 'replaced' } })
  const { tasks } = await client.specificationDocument({ params: { id: 'replaced' } })
  workspace.write(tasksPath, tasks.replaceAll('a.txt', 'changed.txt'))
  const { revision } = await client.showSpecification({ params: { id: 'replaced' } })
  await client.approveSpecification({ params: { id: 'replaced' }, body: { by: 'ada', revision } })
  await begun(client, 'replaced', ({ id, status }) => id !== build.id && status === 'running')
  await eventually('nobody is asked about the old one', async () => {
    const { items } = await client.listQuestions({ query: { status: 'open' } })
    return items.some(({ sessionId }) => sessionId === `build:${build.id}`) ? undefined : true
  })
})
