// A delivery that was sent back: the next claim builds on it, and is told what was asked for.
import type { StoredEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { eventsLike } from '../goal/goals.ts'
import { codingProgram, type TurnBody } from '../kit/coding-program.ts'
import type { Daemon } from '../kit/daemon.ts'
import { moduleOf, told, until, up, useShops } from '../kit/shop.ts'

const shop = useShops('file')

/** Makes the module of its item right; in the first two, once they were sent back, it only adds to what is there. */
const builder: TurnBody = async ({ text, before, edit }) => {
  const n = Number(/Repair module (\d)/.exec([...before, text].join('\n'))?.[1])
  const file = `src/module-0${n}.txt`
  if (n > 2 || !text.includes('Sent back')) edit(file, 'state: wrong', 'state: right')
  else edit(file, `module ${n}`, `module ${n}, with a note`)
  return 'Done.'
}

async function open() {
  const settings = { merge: { approval: 'human', target: 'main' } } as const
  const scripts = [1, 2, 3, 4].map(() => [[]])
  const workspace = shop({ scripts, settings, files: { 'other.txt': 'as it was\n' } })
  const { turns, forget } = codingProgram(workspace, builder)
  const daemon = await up(workspace, 1)
  const add = (n: number, body = '') =>
    daemon.client.addItem({
      body: { title: `Repair module ${n}`, body, testCommand: `sh test.sh ${moduleOf(n)}` },
    })
  const turnsOf = (n: number) =>
    turns().filter(({ text, before }) => [...before, text].join('\n').includes(`Repair module ${n}`))
  return { daemon, workspace, add, turnsOf, forget }
}

let opened: ReturnType<typeof open> | undefined
/** One agent for all tests of this file, each with an item of its own. */
function crew(): ReturnType<typeof open> {
  opened ??= open()
  return opened
}

const started = async (daemon: Daemon, n: number) =>
  (await eventsLike(daemon, 'build.started', n)) as Extract<StoredEvent['event'], { type: 'build.started' }>[]

test('after a rejection the same engine goes on in its conversation, and is told only what was asked for', async () => {
  const { daemon, workspace, add, turnsOf } = await crew()
  await add(1, 'It is about the state.')
  const { headCommit } = await until(daemon, 1, 'in_review')
  await told(workspace, 'review', 'reject', '1', '--feedback', '- Add a note\n- Leave the state as it is')
  const again = await until(daemon, 1, 'in_review')
  expect(again.headCommit).not.toBe(headCommit)
  expect(workspace.git('show', `${again.headCommit}:src/module-01.txt`)).toContain(
    'module 1, with a note\nstate: right',
  )
  const [first, second] = turnsOf(1)
  expect([second?.resumed, second?.session]).toEqual([true, first?.session])
  for (const words of ['- [ ] Add a note', '- [ ] Leave the state as it is', 'build on it'])
    expect(second?.text).toContain(words)
  for (const known of ['+state: right', 'It is about the state', 'nobody watches'])
    expect(second?.text).not.toContain(known)
  expect(await eventsLike(daemon, 'run.session', 1)).toHaveLength(2)
})

test('where its conversation is gone the files are those of the delivery on the newest target, and the prompt has the diff and a checklist', async () => {
  const { daemon, workspace, add, turnsOf, forget } = await crew()
  await add(2)
  const { headCommit } = await until(daemon, 2, 'in_review')
  workspace.write('other.txt', 'changed meanwhile\n')
  workspace.git('commit', '--quiet', '--all', '--message', 'meanwhile')
  forget()
  await told(workspace, 'review', 'reject', '2', '--feedback', '- Add a note\n- Leave the state as it is')
  const again = await until(daemon, 2, 'in_review')
  expect(again.headCommit).not.toBe(headCommit)
  const delivered = workspace.git('show', `${again.headCommit}:src/module-02.txt`)
  expect(delivered).toContain('module 2, with a note\nstate: right')
  expect(workspace.git('show', `${again.headCommit}:other.txt`)).toBe('changed meanwhile')
  const prompt = turnsOf(2).at(-1)?.text ?? ''
  for (const words of ['- [ ] Add a note', '- [ ] Leave the state as it is', '+state: right', 'Build on it'])
    expect(prompt).toContain(words)
  expect(await started(daemon, 2)).toMatchObject([{}, { delivery: { head: headCommit, how: 'carried' } }])
})

test('what does not merge with the target starts from the target with the diff in the prompt, and says so', async () => {
  const { daemon, workspace, add, turnsOf } = await crew()
  await add(3)
  const first = await until(daemon, 3, 'in_review')
  workspace.write('src/module-03.txt', 'module 3, renamed\nnow state: wrong\n')
  workspace.git('commit', '--quiet', '--all', '--message', 'meanwhile')
  await told(workspace, 'review', 'reject', '3', '--feedback', 'Follow the new name')
  await until(daemon, 3, 'in_review', 'escalated')
  const prompt = turnsOf(3)[1]?.text ?? ''
  expect(prompt).toContain('cannot be merged with it. The files here are those of the target.')
  expect(prompt).toContain('It cannot be merged in src/module-03.txt.')
  expect(prompt).toContain('+state: right')
  expect((await started(daemon, 3))[1]).toMatchObject({
    delivery: { head: first.headCommit, how: 'conflicted' },
  })
})

test('a person may have it started anew, and that is recorded', async () => {
  const { daemon, workspace, add, turnsOf } = await crew()
  await add(4)
  const first = await until(daemon, 4, 'in_review')
  await told(workspace, 'review', 'reject', '4', '--feedback', 'All of it is wrong', '--fresh')
  await until(daemon, 4, 'in_review')
  expect(turnsOf(4)[1]?.text).not.toContain('The delivered change')
  expect(turnsOf(4)[1]?.resumed).toBe(false)
  expect(await eventsLike(daemon, 'review.rejected', 4)).toMatchObject([{ fresh: true }])
  expect((await started(daemon, 4))[1]).toMatchObject({ delivery: { head: first.headCommit, how: 'anew' } })
})
