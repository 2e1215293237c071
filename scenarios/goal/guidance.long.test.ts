// A person corrects a goal while it is being observed, answers its question, and ends a circle it is caught in.
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { hold, letGo, repair, until, up, useShops } from '../kit/shop.ts'
import {
  eventsLike,
  guide,
  HOLD_FILE,
  plan,
  plansOf,
  reflect,
  runOf,
  startGoal,
  untilEvent,
  VERIFY_SCRIPT,
} from './goals.ts'

const shop = useShops()
const files = { 'verify.sh': VERIFY_SCRIPT }
const GOAL = 'Make module 1 right'

verifies(
  ['PAOR-HITL-1', 'PAOR-HITL-2', 'PAOR-HITL-3'],
  'guidance that is given while a goal is observed is in its next plan, which keeps to the folder it names',
  async () => {
    const script = [
      plan('Look everywhere'),
      { write: { file: HOLD_FILE, text: 'hold\n' } },
      { run: { command: 'grep -rl wrong .' } },
      reflect('not_yet', 'Too many places'),
      plan('Mend what was found'),
      { delete: { file: HOLD_FILE } },
      repair(1),
      reflect('achieved', 'It is right now'),
    ]
    const workspace = shop({ scripts: [[script]], files })
    const daemon = await up(workspace, 1)
    await startGoal(daemon, GOAL, 'sh verify.sh')
    await untilEvent(daemon, 'run.moved', ({ to }) => to === 'observing')
    const said = await guide(daemon, await runOf(daemon), 'Search only in /src/utils')
    letGo(workspace, 'go')
    await until(daemon, 1, 'done')
    const [first, second] = await plansOf(daemon)
    expect(first).toMatchObject({ guidance: [], scope: [] })
    expect(second).toMatchObject({ guidance: ['Search only in /src/utils'], scope: ['src/utils'] })
    expect((await eventsLike(daemon, 'run.guided')).map(({ guidance }) => guidance)).toEqual([said])
    expect(await eventsLike(daemon, 'run.heard')).toEqual([{ type: 'run.heard', guidance: [said.id] }])
  },
)

verifies(
  ['PAOR-HITL-2', 'PAOR-TERM-3', 'PAOR-TERM-4', 'PAOR-TERM-5'],
  'a goal that cannot go on without a person asks, waits without using an attempt, and goes on with the answer',
  async () => {
    const script = [
      plan('Find out what is wanted'),
      reflect('needs_user', 'Two modules could be meant', { question: 'Which module?' }),
      plan('Mend the one that was meant'),
      repair(1),
      reflect('achieved', 'It is right now'),
    ]
    const workspace = shop({ scripts: [[script]], settings: { limits: { engineStallMs: 3_000 } } })
    const daemon = await up(workspace, 1)
    await startGoal(daemon, GOAL)
    const { question } = await untilEvent(daemon, 'run.asked')
    expect(question).toMatchObject({ kind: 'guidance', title: 'Which module?' })
    const id = await runOf(daemon)
    // Longer than an engine may be silent.
    await new Promise((done) => setTimeout(done, 3_500))
    const waiting = await daemon.client.showRun({ params: { id } })
    expect(waiting).toMatchObject({ endedAt: null })
    expect((await eventsLike(daemon, 'run.moved')).at(-1)).toMatchObject({ to: 'reflecting' })
    await expect(guide(daemon, id, 'The first', 'another-question')).rejects.toThrow('waits for no answer')
    await guide(daemon, id, 'The first one')
    const done = await until(daemon, 1, 'done')
    expect(done).toMatchObject({ attempts: 1, fence: 1, runId: id })
    expect((await plansOf(daemon)).at(-1)?.guidance).toEqual(['The first one'])
    expect(await eventsLike(daemon, 'run.asked')).toHaveLength(1)
    expect(await eventsLike(daemon, 'claim.extended')).toHaveLength(1)
  },
)

verifies(
  ['PAOR-HITL-4', 'PAOR-HITL-5'],
  'a goal caught in a circle asks for another approach, and the next plan has it',
  async () => {
    const again = [plan('Try it once more'), { run: { command: 'false' } }, reflect('not_yet', 'Still wrong')]
    const script = [...again, ...again, ...again, plan('Do as told'), repair(1)]
    const workspace = shop({ scripts: [[script]] })
    const daemon = await up(workspace, 1)
    await startGoal(daemon, GOAL)
    await untilEvent(daemon, 'run.asked')
    const { reflection } = await untilEvent(daemon, 'run.reflected', (event) => event.reflection.stuck)
    expect(reflection).toMatchObject({ iteration: 3, verdict: 'not_yet' })
    await guide(daemon, await runOf(daemon), 'Edit the file instead')
    await until(daemon, 1, 'done')
    expect((await plansOf(daemon)).at(-1)).toMatchObject({
      iteration: 4,
      guidance: ['Edit the file instead'],
    })
  },
)

test('an ordinary item is steered while it is built, and hears what was said before that in its prompt', async () => {
  const attempts = [
    [
      { write: { file: 'notes/at-work.txt', text: 'here' } },
      { steered: {} },
      { write: { file: 'notes/said.txt', text: '{{guidance}}\n' } },
      repair(1),
    ],
  ]
  // The agent is held before the turn, so that something is said before it begins.
  const tests = { command: 'sh test.sh', setupCommand: hold('go').run?.command as string }
  const workspace = shop({ scripts: [attempts], settings: { tests } })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1' } })
  const id = await runOf(daemon)
  const early = await guide(daemon, id, 'Use few words')
  letGo(workspace, 'go')
  await untilEvent(daemon, 'run.observed')
  const late = await guide(daemon, id, 'Keep it small')
  await until(daemon, 1, 'done')
  expect(workspace.git('show', 'main:notes/said.txt')).toBe('Keep it small')
  const heard = await eventsLike(daemon, 'run.heard')
  expect(heard.map(({ guidance }) => guidance)).toEqual([[early.id], [late.id]])
  const { history } = await daemon.client.showRun({ params: { id } })
  const prompt = history[0]?.fixes[0]?.prompt ?? ''
  const { text } = await daemon.client.evidence({ params: { sha256: prompt } })
  expect(text).toContain('- Use few words')
  expect(text).not.toContain('Keep it small')
  await expect(guide(daemon, id, 'Too late')).rejects.toThrow('is over')
})
