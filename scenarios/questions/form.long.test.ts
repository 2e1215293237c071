// What a program asks with a form: each question is in the inbox with all that it has, and has an answer of its own.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilEvent } from '../goal/goals.ts'
import { codingProgram } from '../kit/coding-program.ts'
import { treadle } from '../kit/daemon.ts'
import { told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()

function shopWithForm(autonomy: 'ask' | 'judgement') {
  const workspace = shop({ scripts: [[[]]], settings: { questions: { autonomy } } })
  codingProgram(workspace, async ({ ask, edit }) => {
    const { answers, message } = await ask([
      {
        question: 'Should an empty cart be zero or null?',
        header: 'Empty cart',
        multiSelect: false,
        options: [
          { label: 'zero', description: 'As the other totals do' },
          { label: 'null (Recommended)', description: 'There is nothing to add up' },
        ],
      },
      {
        question: 'Which files belong to it?',
        header: 'Files',
        multiSelect: true,
        options: [{ label: 'code' }, { label: 'tests' }, { label: 'words' }],
      },
    ])
    edit('src/module-01.txt', 'state: wrong', 'state: right')
    return `I was told ${JSON.stringify(answers ?? message)}`
  })
  return workspace
}

const shown = (workspace: Workspace, number: number) =>
  treadle(workspace, ['questions', 'show', String(number)])

test('a form of two questions: both are asked of a person, and each answer reaches the model', async () => {
  const workspace = shopWithForm('ask')
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1' } })
  await untilEvent(daemon, 'question.asked')
  const first = (await shown(workspace, 1)).stdout
  for (const words of ['Empty cart', 'zero or null?', 'As the other totals do', 'null (Recommended)'])
    expect(first).toContain(words)
  await told(workspace, 'answer', '1', 'zero')
  await eventually('the second question', async () => {
    const { items } = await daemon.client.listQuestions({ query: { status: 'open' } })
    return items.find(({ number }) => number === 2)
  })
  expect((await shown(workspace, 2)).stdout).toContain('Several may be chosen')
  await told(workspace, 'answer', '2', '1, 3')
  await until(daemon, 1, 'done')
  const { items } = await daemon.client.listQuestions({ query: {} })
  expect(items.map(({ status, answer }) => [status, answer?.how, answer?.text]).sort()).toEqual([
    ['answered', 'person', 'code, words'],
    ['answered', 'person', 'zero'],
  ])
  const item = await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: 1 } })
  expect(JSON.stringify(item)).toContain('code, words')
})

test('with the autonomy to decide, what the model recommends holds as the answer of the system; what has no default is asked', async () => {
  const workspace = shopWithForm('judgement')
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1' } })
  await untilEvent(daemon, 'question.asked')
  const first = (await shown(workspace, 1)).stdout
  expect(first).toContain('null (Recommended) (by the system: the agent was told to use its judgement')
  expect(first).toContain('questions.autonomy is judgement')
  await told(workspace, 'answer', '2', 'tests')
  await until(daemon, 1, 'done')
  expect(existsSync(join(workspace.root, 'src/module-01.txt'))).toBe(true)
  expect(readFileSync(join(workspace.root, 'src/module-01.txt'), 'utf8')).toContain('state: right')
})
