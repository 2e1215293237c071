// A delivery that was sent back: the next claim builds on it, and is told what was asked for.
import type { StoredEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { eventsLike } from '../goal/goals.ts'
import { codingProgram, type TurnBody } from '../kit/coding-program.ts'
import type { Daemon } from '../kit/daemon.ts'
import { told, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()

function shopWithProgram(body: TurnBody) {
  const settings = { merge: { approval: 'human', target: 'main' } } as const
  const workspace = shop({ scripts: [[[]]], settings, files: { 'other.txt': 'as it was\n' } })
  return { workspace, program: codingProgram(workspace, body) }
}

const started = async (daemon: Daemon) =>
  (await eventsLike(daemon, 'build.started')) as Extract<StoredEvent['event'], { type: 'build.started' }>[]

/** Builds at first; then only adds to what is there. */
const builder: TurnBody = async ({ text, edit }) => {
  if (!text.includes('Sent back')) edit('src/module-01.txt', 'state: wrong', 'state: right')
  else edit('src/module-01.txt', 'module 1', 'module 1, with a note')
  return 'Done.'
}

test('after a rejection the same engine goes on in its conversation, and is told only what was asked for', async () => {
  const { workspace, program } = shopWithProgram(builder)
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1', body: 'It is about the state.' } })
  const { headCommit } = await until(daemon, 1, 'in_review')
  await told(workspace, 'review', 'reject', '1', '--feedback', '- Add a note\n- Leave the state as it is')
  const again = await until(daemon, 1, 'in_review')
  expect(again.headCommit).not.toBe(headCommit)
  expect(workspace.git('show', `${again.headCommit}:src/module-01.txt`)).toContain(
    'module 1, with a note\nstate: right',
  )
  const [first, second] = program.turns()
  expect([second?.resumed, second?.session]).toEqual([true, first?.session])
  for (const words of ['- [ ] Add a note', '- [ ] Leave the state as it is', 'build on it'])
    expect(second?.text).toContain(words)
  for (const known of ['+state: right', 'It is about the state', 'nobody watches'])
    expect(second?.text).not.toContain(known)
  expect(await eventsLike(daemon, 'run.session')).toHaveLength(2)
})

test('where its conversation is gone the files are those of the delivery on the newest target, and the prompt has the diff and a checklist', async () => {
  const { workspace, program } = shopWithProgram(builder)
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1' } })
  const { headCommit } = await until(daemon, 1, 'in_review')
  workspace.write('other.txt', 'changed meanwhile\n')
  workspace.git('commit', '--quiet', '--all', '--message', 'meanwhile')
  program.forget()
  await told(workspace, 'review', 'reject', '1', '--feedback', '- Add a note\n- Leave the state as it is')
  const again = await until(daemon, 1, 'in_review')
  expect(again.headCommit).not.toBe(headCommit)
  const delivered = workspace.git('show', `${again.headCommit}:src/module-01.txt`)
  expect(delivered).toContain('module 1, with a note\nstate: right')
  expect(workspace.git('show', `${again.headCommit}:other.txt`)).toBe('changed meanwhile')
  const prompt = program.turns().at(-1)?.text ?? ''
  for (const words of ['- [ ] Add a note', '- [ ] Leave the state as it is', '+state: right', 'Build on it'])
    expect(prompt).toContain(words)
  expect(await started(daemon)).toMatchObject([{}, { delivery: { head: headCommit, how: 'carried' } }])
})

test('what does not merge with the target starts from the target with the diff in the prompt, and says so', async () => {
  const { workspace, program } = shopWithProgram(async ({ edit }) => {
    edit('src/module-01.txt', 'state: wrong', 'state: right')
    return 'Done.'
  })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1' } })
  const first = await until(daemon, 1, 'in_review')
  workspace.write('src/module-01.txt', 'module 1, renamed\nnow state: wrong\n')
  workspace.git('commit', '--quiet', '--all', '--message', 'meanwhile')
  await told(workspace, 'review', 'reject', '1', '--feedback', 'Follow the new name')
  await until(daemon, 1, 'in_review', 'escalated')
  const prompt = program.turns()[1]?.text ?? ''
  expect(prompt).toContain('cannot be merged with it. The files here are those of the target.')
  expect(prompt).toContain('It cannot be merged in src/module-01.txt.')
  expect(prompt).toContain('+state: right')
  expect((await started(daemon))[1]).toMatchObject({
    delivery: { head: first.headCommit, how: 'conflicted' },
  })
})

test('a person may have it started anew, and that is recorded', async () => {
  const { workspace, program } = shopWithProgram(async ({ edit }) => {
    edit('src/module-01.txt', 'state: wrong', 'state: right')
    return 'Done.'
  })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1' } })
  const first = await until(daemon, 1, 'in_review')
  await told(workspace, 'review', 'reject', '1', '--feedback', 'All of it is wrong', '--fresh')
  await until(daemon, 1, 'in_review')
  expect(program.turns()[1]?.text).not.toContain('The delivered change')
  expect(program.turns()[1]?.resumed).toBe(false)
  expect(await eventsLike(daemon, 'review.rejected')).toMatchObject([{ fresh: true }])
  expect((await started(daemon))[1]).toMatchObject({ delivery: { head: first.headCommit, how: 'anew' } })
})
