// A program that talks, under the loop: it plans, acts and reflects in one conversation, and is told only what is new.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capabilities, Engine, EngineEvent, EngineTask, GoalTask } from '@treadle/flow/ports/engine'
import { expect, onTestFinished, test } from 'vitest'
import { driven } from './driven.ts'
import { TEST_PATH, taskOf } from './testing/native.ts'

const TEXT =
  '[[ce0bce188e36 task | the item | from the owner]]\nRename loadUser to fetchUser\n[[/ce0bce188e36]]'
const plan = (...texts: string[]) =>
  JSON.stringify({
    tasks: texts.map((text, at) => ({ id: `${at + 1}`, text, dependsOn: [], by: 'self' })),
    scope: [],
    why: 'because',
  })
const verdict = (is: string, remaining: string[] = []) =>
  `Here it is:\n\`\`\`json\n${JSON.stringify({ verdict: is, why: `it is ${is}`, remaining, question: null })}\n\`\`\``

interface Said {
  readonly text: string
  readonly events?: readonly EngineEvent[]
}

async function reach(
  answers: readonly (string | Said)[],
  given: Partial<GoalTask> & { resume?: string } = {},
) {
  const cwd = mkdtempSync(join(tmpdir(), 'talking-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const told: string[] = []
  const engine: Engine = {
    id: 'talker',
    takes: 'groups',
    can: {} as Capabilities,
    probe: async () => ({ is: 'usable', note: '' }),
    open: async ({ onEvent }) => ({
      prompt: async ({ text }) => {
        const answer = answers[told.length] ?? 'Done.'
        told.push(text)
        if (text.includes('carry out the plan')) writeFileSync(join(cwd, 'count'), `${countIn(cwd)}x`)
        const said = typeof answer === 'string' ? { text: answer } : answer
        for (const event of said.events ?? []) onEvent(event)
        return { outcome: 'done', text: said.text }
      },
      interrupt: async () => undefined,
      stop: async () => undefined,
    }),
  }
  const { resume, ...more } = given
  const goal: GoalTask = {
    iterationsMax: 5,
    verifyCommand: 'test "$(cat count)" = xx',
    guidance: [],
    plans: [],
    reflections: [],
    ...more,
  }
  const events: EngineEvent[] = []
  const session = await driven(engine, { mode: 'off' }).open({
    cwd,
    env: { PATH: TEST_PATH },
    stallMs: 30_000,
    ...(resume === undefined ? {} : { resume }),
    onEvent: (event) => void events.push(event),
    onQuestion: async () => ({ text: '' }),
  })
  const item = { projectNumber: 1, number: 1, title: 'Rename loadUser', body: '', acceptance: [] }
  const task: EngineTask = { ...taskOf(TEXT, goal), item }
  const end = await session.prompt(task)
  const plans = events.flatMap((event) => (event.is === 'planned' ? [event.plan] : []))
  const reflections = events.flatMap((event) => (event.is === 'reflected' ? [event.reflection] : []))
  return { end, told, plans, reflections }
}

function countIn(cwd: string): string {
  try {
    return readFileSync(join(cwd, 'count'), 'utf8')
  } catch {
    return ''
  }
}

const tasksIn = (plans: Awaited<ReturnType<typeof reach>>['plans']) =>
  plans.map(({ tasks }) => tasks.map(({ text }) => text))

test('it makes a plan, acts on it and reflects; the request is said once, and an opinion is not enough', async () => {
  const { end, told, plans, reflections } = await reach([
    plan('Find the uses', 'Rename them'),
    'Renamed it.',
    verdict('achieved'),
    plan('Rename the last one'),
    'Renamed that too.',
    verdict('achieved'),
  ])
  expect(end).toMatchObject({ outcome: 'done', goal: { outcome: 'goal_achieved', iterations: 2 } })
  expect(tasksIn(plans)).toEqual([['Find the uses', 'Rename them'], ['Rename the last one']])
  expect(reflections.map((each) => each.verdict)).toEqual(['not_yet', 'achieved'])
  expect(told).toHaveLength(6)
  expect(told.map((text) => text.includes('Rename loadUser to fetchUser'))).toEqual([
    true,
    ...Array.from({ length: 5 }, () => false),
  ])
  expect(told[3]).toContain('ended with exit code 1')
})

test('the list that a program keeps for itself is the plan', async () => {
  const listed: EngineEvent = {
    is: 'listed',
    entries: [
      { text: 'Look at user.js', status: 'pending' },
      { text: 'Rename', status: 'pending' },
    ],
  }
  const { plans } = await reach([{ text: 'I have made a list.', events: [listed] }], { iterationsMax: 1 })
  expect(tasksIn(plans)[0]).toEqual(['Look at user.js', 'Rename'])
})

test('a plan that cannot be read is the goal in the words of its owner, without a mark of ours', async () => {
  const { plans, told } = await reach(['I would rename it.', 'As I said.', 'Done.', 'Looks good.', 'Fine.'], {
    iterationsMax: 1,
  })
  expect(tasksIn(plans)[0]).toEqual(['Rename loadUser'])
  expect(JSON.stringify(plans)).not.toContain('[[')
  expect(told[1]).toContain('could not be read')
})

test('in a conversation that goes on the request is not said again', async () => {
  const { told } = await reach([plan('Go on')], { resume: 's1', iterationsMax: 1 })
  expect(told[0]).not.toContain('Rename loadUser to fetchUser')
})

test('without a check, a verdict that cannot be read is for a person', async () => {
  const { reflections } = await reach([plan('Do it'), 'Done.', 'Good.', 'Good!'], { verifyCommand: null })
  expect(reflections[0]).toMatchObject({ verdict: 'needs_user' })
})
