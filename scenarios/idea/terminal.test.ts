// The talk on the command line: with pipes in place of a terminal, and as a program reads it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { beforeEach, expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import type { Daemon } from '../kit/daemon.ts'
import { useInProcess } from '../kit/in-process.ts'

const open = useInProcess('any')
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const ANSWERS = [
  'Cooks',
  'Pans burn',
  'A pan that calls',
  'Bell; Timer',
  'It hears',
  'a',
  'b',
  'c',
  'Fire',
  'It rings',
]

const treadle = (args: string[], input?: string) =>
  run(daemon.workspace, args, input === undefined ? {} : { input })
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await treadle([...args, '--json'])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

verifies(
  ['AGENT-IDEATION-2', 'AGENT-IDEATION-24'],
  'a program begins an idea, answers what is asked, and reads the brief, as JSON',
  async () => {
    const begun = await json('idea', 'new', 'A pan that never burns', '--engine', 'none')
    expect(begun).toMatchObject({
      slug: 'pan-never-burns',
      phase: 'EXPLORING',
      questions: [{ id: 'target-user' }, { id: 'problem' }],
    })
    const { slug } = begun
    const first = await json('idea', 'say', slug, ANSWERS[0] ?? '')
    expect(first).toMatchObject({
      slug,
      phase: 'EXPLORING',
      reply: expect.stringContaining('Noted: target user.'),
      questions: [{ id: 'problem' }, { id: 'solution-concept' }],
      artifacts: [{ type: 'target-user', summary: 'Cooks', confidence: 0.66 }],
      decisions: [],
      risks: [],
      confidence: 0.07,
      missing: ['the problem that it solves', 'how it solves it'],
    })
    // What is listed among the questions is answered by the number as well.
    const [question] = (await json('questions')) as { number: number; text: string; sessionId: string }[]
    expect(question).toMatchObject({ sessionId: slug, text: expect.stringContaining('problem') })
    expect(await json('answer', String(question?.number), ANSWERS[1] ?? '')).toMatchObject({
      status: 'answered',
    })
    for (const text of ANSWERS.slice(2))
      await daemon.client.sayToIdea({ params: { id: slug }, body: { text } })
    expect(await json('idea', 'show', slug)).toMatchObject({ phase: 'COMPLETE', questions: [], missing: [] })
    expect(await json('questions')).toEqual([])
    expect((await json('idea', 'artifacts', slug)).artifacts).toHaveLength(6)
    expect((await json('idea', 'brief', slug)).text).toContain('- Bell\n- Timer\n')
    expect(await json('idea', 'list')).toMatchObject([{ slug }])
  },
)

test('a talk in the terminal shows what was understood as it fills up, and ends with the brief', async () => {
  const { code, stdout } = await treadle(
    ['idea', 'A spoon that stirs by itself', '--engine', 'none'],
    `${ANSWERS.join('\n')}\n`,
  )
  expect(code).toBe(0)
  expect(stdout).toContain('EXPLORING, confidence 0 %, still missing: who it is for')
  expect(stdout).toContain('? Who would be the ideal first user of this?')
  expect(stdout).toContain('✓ target user  Cooks  66 %')
  expect(stdout.match(/✓ target user/g)).toHaveLength(1)
  expect(stdout).toContain('✓ risk  Fire')
  expect(stdout).toContain('The brief is written: users/test/ideas/spoon-stirs-itself/planning/brief.md')
  expect(
    existsSync(join(daemon.workspace.root, 'users/test/ideas/spoon-stirs-itself/planning/brief.md')),
  ).toBe(true)
})

test('a talk that is left goes on where it was', async () => {
  const left = await treadle(
    ['idea', 'A cup that keeps warm', '--engine', 'none'],
    'Readers\n/quit\nnot said\n',
  )
  expect(left.stdout).toContain('Nothing is lost. Go on with: treadle idea talk cup-keeps-warm')
  const on = await treadle(['idea', 'talk', 'cup-keeps-warm', '--json'], 'Tea gets cold\n')
  expect(JSON.parse(on.stdout).artifacts).toMatchObject([
    { summary: 'Readers' },
    { summary: 'Tea gets cold' },
  ])
})

test.each([
  [['idea', 'shwo'], 2, "unknown command 'shwo'"],
  [['idea', 'show', 'nothing-of-this'], 1, 'There is no idea nothing-of-this'],
  [['idea', 'show', '../x'], 2, 'small letters'],
  [['idea', 'say', 'nothing-of-this', ' '], 2, 'no words'],
  [['idea', 'new', 'A thing', '--engine', 'gpt-99'], 2, 'There is no engine gpt-99'],
])('%j is refused with the reason', async (args, code, words) => {
  const ended = await treadle(args)
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(words)])
})
