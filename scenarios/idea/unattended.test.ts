// An engine is named and nobody is there to ask it: the talk says so at once, and does not wait for long.
import { beforeEach, expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually } from '../kit/wait.ts'
import { writeIdea } from '../spec/idea-files.ts'

const clock = new LedClock()
const open = useInProcess('any', { clock })
let daemon: InProcessDaemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const start = (text: string) => daemon.client.startIdea({ body: { text, by: 'ada', engine: 'native' } })
const show = (id: string) => daemon.client.showIdea({ params: { id }, query: {} })

/** Sweeps come as the clock is led on, until it is so. */
const interview = (slug: string, stepMs: number) =>
  eventually('the interview', async () => {
    clock.pass(stepMs)
    const idea = await show(slug)
    return idea.mode === 'interview' ? idea : undefined
  })

test('without an agent it says what it waits for, and goes on as an interview after a minute', async () => {
  const { slug, waiting, waitingFor } = await start('A bell for cellars')
  expect({ waiting, waitingFor }).toEqual({
    waiting: true,
    waitingFor: {
      reason: 'no_agent',
      words: 'No agent is running.',
      hint: `Start one: treadle agent start. Or answer questions instead: treadle idea say ${slug} "…" --engine none`,
      until: expect.any(String),
    },
  })
  const began = clock.now().getTime()
  const idea = await interview(slug, 5_000)
  expect(clock.now().getTime() - began).toBeGreaterThanOrEqual(60_000)
  expect(idea).toMatchObject({ waiting: false, waitingFor: null, questions: [{ id: 'target-user' }, {}] })
  expect(idea.modeWhy).toBe('native gave no answer: No agent is running.')
  expect(idea.reply).toContain('nothing that you said is lost')
})

test('a command waits for a model so long and no longer: exit code 3, waiting, and the reply is in show later', async () => {
  const treadle = (...args: string[]) => run(daemon.workspace, [...args, '--json'])
  const begun = await treadle('idea', 'new', 'A basket for cats', '--engine', 'native', '--wait', '0.05')
  expect([begun.code, begun.stderr]).toEqual([3, ''])
  const { slug, ...view } = JSON.parse(begun.stdout)
  expect(view).toMatchObject({ waiting: true, reply: null, phase: 'EXPLORING' })
  for (const args of [
    ['say', slug, 'Old cats'],
    ['show', slug],
  ]) {
    const ended = await treadle('idea', ...args, '--wait', '0')
    expect([ended.code, JSON.parse(ended.stdout).waiting]).toEqual([3, true])
  }
  writeIdea(daemon.workspace, 'basket')
  for (const args of [
    ['generate', 'basket'],
    ['revise', 'basket', 'no database'],
  ]) {
    const ended = await treadle('spec', ...args, '--engine', 'native', '--wait', '0.05')
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([
      3,
      expect.objectContaining({ waiting: true, slug: 'basket' }),
    ])
  }
  const { stdout: help } = await run(daemon.workspace, ['idea', 'say', '--help'])
  expect(help.replace(/\s+/g, ' ')).toContain('--wait <seconds> how long to wait for a model (default: 120)')
  const bad = await treadle('idea', 'show', slug, '--wait', 'long')
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('must be a number of seconds')])
  await interview(slug, 5_000)
  const later = await treadle('idea', 'show', slug)
  expect([later.code, JSON.parse(later.stdout).waiting]).toEqual([0, false])
})

test('whoever does not want to wait answers questions at once, and asks the engine again later', async () => {
  const { slug } = await start('A ladder for cats')
  const ended = await run(daemon.workspace, ['idea', 'say', slug, 'Cats', '--engine', 'none', '--json'])
  expect(ended.stderr).toBe('')
  expect(JSON.parse(ended.stdout)).toMatchObject({
    mode: 'interview',
    waiting: false,
    artifacts: [{ type: 'target-user', summary: 'Cats' }],
    messageCount: 3,
  })
  const { items } = await daemon.client.listThoughts({ query: { subject: slug } })
  expect(items.map(({ status }) => status)).toEqual(['withdrawn'])
  const body = { text: 'What do you think?', by: 'ada', engine: 'native' }
  const again = await daemon.client.sayToIdea({ params: { id: slug }, body })
  expect(again).toMatchObject({ mode: 'engine', engine: 'native', waiting: true, modeWhy: null })
  const bad = { ...body, engine: 'gpt-99' }
  await expect(daemon.client.sayToIdea({ params: { id: slug }, body: bad })).rejects.toMatchObject({
    status: 400,
  })
})
