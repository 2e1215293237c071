// A task is to change a file that is not there: the run asks before anything is spent, and waits through kills.
import type { QuestionRecord } from '@treadle/contracts/question'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, vi } from 'vitest'
import { begun, taskOf } from '../build/hand-build.ts'
import { type GivenTask, specify } from '../build/spec-tasks.ts'
import { agentOf } from '../kit/agents.ts'
import { announcedDaemon, clearWorkspace, type Daemon, daemonLog, treadle } from '../kit/daemon.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { told } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 240_000 })

const TASKS: readonly GivenTask[] = ['T1', 'T2', 'T3'].map((id) => ({
  id,
  file: `${id.toLowerCase()}.txt`,
  action: 'UPDATE',
}))
const scenario = {
  version: 1,
  items: TASKS.map(({ id, file }) => ({
    match: { title: `${id}: *` },
    attempts: [[{ write: { file, text: `${id}\n` } }, { say: { text: 'Written.' } }]],
  })),
}

async function up(workspace: Workspace): Promise<Daemon> {
  const started = await treadle(workspace, ['up', '--detach', '--json', '--agents', '1', '--no-trial'])
  if (started.code !== 0) throw new Error(`${started.stderr}\n${daemonLog(workspace)}`)
  return announcedDaemon(workspace, started.stdout)
}

const questions = async ({ client }: Daemon): Promise<QuestionRecord[]> =>
  (await client.listQuestions({ query: {} })).items.filter(({ event }) => event === 'missing_context')
const waiting = (daemon: Daemon, after: number) =>
  eventually(
    'the task waits',
    async () => (await questions(daemon)).find(({ status, number }) => status === 'open' && number > after),
    120_000,
  )

verifies(
  ['AGENT-QUESTION-23', 'AGENT-QUESTION-50', 'AGENT-QUESTION-53', 'AGENT-QUESTION-58'],
  'a task whose file is not there waits for its answer through kills, once; it goes on, is skipped or is left to a person as answered',
  async () => {
    const workspace = makeWorkspace({
      settings: {
        tests: { command: 'true' },
        limits: { sweepMs: 300, pollMs: 200 },
        engines: { default: 'scripted', scripted: { scenario: 'scenario.json' } },
      } as never,
      files: { 'scenario.json': JSON.stringify(scenario) },
    })
    onTestFinished(() => clearWorkspace(workspace))
    const first = await up(workspace)
    const { revision } = await specify({ client: first.client, workspace }, 'missing', TASKS)
    await first.client.approveSpecification({ params: { id: 'missing' }, body: { by: 'ada', revision } })
    const question = await waiting(first, 0)
    expect(question).toMatchObject({
      type: 'blocking',
      blocking: true,
      dueAt: null,
      agent: 'build',
      allowFreeText: true,
      item: { projectNumber: 1 },
    })
    expect(question.text).toMatch(/I cannot go on with task #\d+ T1: Write t1\.txt\./)
    expect(question.text).toContain('it is to change t1.txt, and there is no such file.')
    expect(question.options.map(({ label }) => label)).toEqual([
      "Here's the answer...",
      'Check this file...',
      'Skip this task for now',
      "Let's redesign this part",
    ])
    const { pid } = await agentOf(first)
    for (const each of [first.pid, pid ?? 0]) {
      kill(each)
      await waitGone(each)
    }

    const daemon = await up(workspace)
    const { client } = daemon
    await begun(client, 'missing')
    await eventually('it is taken up again', async () => {
      const { items } = await client.events({ query: { type: 'run.resumed' } })
      return items.length > 0 ? true : undefined
    })
    expect(await questions(daemon)).toEqual([question])
    await told(workspace, 'answer', String(question.number), "Here's the answer: make it anew")
    const second = await waiting(daemon, question.number)
    await begun(client, 'missing', (now) => taskOf(now, 'T1').status === 'complete')
    const run = await client.showRun({ params: { id: question.runId ?? '' } })
    expect(run.history.map(({ phase }) => phase)).toContain('commit')

    expect(second.text).toContain('T2: Write t2.txt')
    await told(workspace, 'answer', String(second.number), '3')
    const third = await waiting(daemon, second.number)
    await begun(client, 'missing', (now) => taskOf(now, 'T2').status === 'skipped')

    expect(third.text).toContain('T3: Write t3.txt')
    await told(workspace, 'answer', String(third.number), "Let's redesign this part")
    const left = await begun(client, 'missing', (now) => taskOf(now, 'T3').status === 'failed')
    expect(taskOf(left, 'T3').needsHuman).toBe(true)
    expect(await questions(daemon)).toHaveLength(3)
  },
)
