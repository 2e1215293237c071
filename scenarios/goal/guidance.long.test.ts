// A person corrects a goal while it is being observed, answers its question, and ends a circle it is caught in.
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { changeSettings, hold, letGo, moduleOf, repair, until, up, useShops } from '../kit/shop.ts'
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

const shop = useShops('file')
/** How long an engine may be silent, unless a test says otherwise. */
const STALL_MS = 15 * 60_000
const goal = (n: number) => `Make module ${n} right`
const verify = (n: number) => `sh test.sh ${moduleOf(n)}`

const corrected = [
  plan('Look everywhere'),
  { write: { file: HOLD_FILE, text: 'hold\n' } },
  { run: { command: 'grep -rl wrong .' } },
  reflect('not_yet', 'Too many places'),
  plan('Mend what was found'),
  { delete: { file: HOLD_FILE } },
  repair(1),
  reflect('achieved', 'It is right now'),
]
const asking = [
  plan('Find out what is wanted'),
  reflect('needs_user', 'Two modules could be meant', { question: 'Which module?' }),
  plan('Mend the one that was meant'),
  repair(2),
  reflect('achieved', 'It is right now'),
]
const again = [plan('Try it once more'), { run: { command: 'false' } }, reflect('not_yet', 'Still wrong')]
const circling = [...again, ...again, ...again, plan('Do as told'), repair(3)]
const steered = [
  { write: { file: 'notes/at-work.txt', text: 'here' } },
  { steered: {} },
  { write: { file: 'notes/said.txt', text: '{{guidance}}\n' } },
  repair(4),
]

let opened: Promise<Daemon> | undefined
/** One agent for all tests of this file, which run in their order, each with the next item. */
function crew(): Promise<Daemon> {
  const scripts = [[corrected], [asking], [circling], [steered]]
  opened ??= up(shop({ scripts, files: { 'verify.sh': VERIFY_SCRIPT } }), 1)
  return opened
}

verifies(
  ['PAOR-HITL-1', 'PAOR-HITL-2', 'PAOR-HITL-3'],
  'guidance that is given while a goal is observed is in its next plan, which keeps to the folder it names',
  async () => {
    const daemon = await crew()
    await startGoal(daemon, goal(1), 'sh verify.sh')
    await untilEvent(daemon, 'run.moved', ({ to }) => to === 'observing')
    const said = await guide(daemon, await runOf(daemon), 'Search only in /src/utils')
    letGo(daemon.workspace, 'go')
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
    const daemon = await crew()
    await changeSettings(daemon, { limits: { engineStallMs: 3_000 } })
    await startGoal(daemon, goal(2), verify(2))
    const { question } = await untilEvent(daemon, 'run.asked')
    expect(question).toMatchObject({ kind: 'guidance', title: 'Which module?' })
    const id = await runOf(daemon, 2)
    // Longer than an engine may be silent.
    await new Promise((done) => setTimeout(done, 3_500))
    const waiting = await daemon.client.showRun({ params: { id } })
    expect(waiting).toMatchObject({ endedAt: null })
    expect((await eventsLike(daemon, 'run.moved', 2)).at(-1)).toMatchObject({ to: 'reflecting' })
    await expect(guide(daemon, id, 'The first', 'another-question')).rejects.toThrow('waits for no answer')
    await guide(daemon, id, 'The first one')
    const done = await until(daemon, 2, 'done')
    expect(done).toMatchObject({ attempts: 1, fence: 1, runId: id })
    expect((await plansOf(daemon, 2)).at(-1)?.guidance).toEqual(['The first one'])
    expect(await eventsLike(daemon, 'run.asked', 2)).toHaveLength(1)
    expect(await eventsLike(daemon, 'claim.extended', 2)).toHaveLength(1)
    await changeSettings(daemon, { limits: { engineStallMs: STALL_MS } })
  },
)

verifies(
  ['PAOR-HITL-4', 'PAOR-HITL-5'],
  'a goal caught in a circle asks for another approach, and the next plan has it',
  async () => {
    const daemon = await crew()
    await startGoal(daemon, goal(3), verify(3))
    await untilEvent(daemon, 'run.asked', undefined, 3)
    const isStuck = (event: { readonly reflection: { readonly stuck: boolean } }) => event.reflection.stuck
    const { reflection } = await untilEvent(daemon, 'run.reflected', isStuck, 3)
    expect(reflection).toMatchObject({ iteration: 3, verdict: 'not_yet' })
    await guide(daemon, await runOf(daemon, 3), 'Edit the file instead')
    await until(daemon, 3, 'done')
    expect((await plansOf(daemon, 3)).at(-1)).toMatchObject({
      iteration: 4,
      guidance: ['Edit the file instead'],
    })
  },
)

test('an ordinary item is steered while it is built, and hears what was said before that in its prompt', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  // The agent is held before the turn, so that something is said before it begins.
  await changeSettings(daemon, { tests: { setupCommand: hold('go-4').run?.command as string } })
  await daemon.client.addItem({ body: { title: 'Repair module 4', testCommand: verify(4) } })
  const id = await runOf(daemon, 4)
  const early = await guide(daemon, id, 'Use few words')
  letGo(workspace, 'go-4')
  await untilEvent(daemon, 'run.observed', undefined, 4)
  const late = await guide(daemon, id, 'Keep it small')
  await until(daemon, 4, 'done')
  expect(workspace.git('show', 'main:notes/said.txt')).toBe('Keep it small')
  const heard = await eventsLike(daemon, 'run.heard', 4)
  expect(heard.map(({ guidance }) => guidance)).toEqual([[early.id], [late.id]])
  const { history } = await daemon.client.showRun({ params: { id } })
  const prompt = history[0]?.fixes[0]?.prompt ?? ''
  const { text } = await daemon.client.evidence({ params: { sha256: prompt } })
  expect(text).toContain('- Use few words')
  expect(text).not.toContain('Keep it small')
  await expect(guide(daemon, id, 'Too late')).rejects.toThrow('is over')
})
