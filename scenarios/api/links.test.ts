// Items that belong together: who waits for whom, who is a part of whom.
import { ApiError } from '@treadle/contracts/client'
import { beforeEach, expect, test } from 'vitest'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { addItem, deliver, path, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', { settings: { tests: { command: 'true' }, merge: { approval: 'never' } } })
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const show = async (number: number) =>
  (await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: number } })).item
const problemOf = async (asked: Promise<unknown>) => {
  const refused = await asked.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(refused instanceof ApiError)) throw new Error(`not refused: ${refused}`)
  return refused
}

test('an item is offered to nobody until what it waits for is done, and then at once', async () => {
  const { client } = daemon
  const first = await addItem(client, { title: 'first' })
  const last = await addItem(client, { title: 'last', dependsOn: [first.number], parent: first.number })
  expect(await show(last.number)).toMatchObject({
    dependsOn: [first.number],
    blockedBy: [first.number],
    parent: first.number,
    source: 'person',
  })
  const refused = await problemOf(take(daemon, last, 'agent-8'))
  expect([refused.status, refused.message]).toEqual([409, `#${last.number} is blocked by #${first.number}.`])
  expect((await client.queue()).items.map(({ number }) => number)).not.toContain(last.number)

  const work = await take(daemon, first, 'agent-8')
  await deliver(daemon.workspace, work, { 'a.txt': 'a\n' })
  await eventually('the first one is done', async () =>
    (await show(first.number)).state === 'done' ? true : undefined,
  )
  expect((await show(last.number)).blockedBy).toEqual([])
  expect((await take(daemon, last, 'agent-8')).claim.item.number).toBe(last.number)
})

test('what does not exist, and what would wait for itself, is refused with its names and changes nothing', async () => {
  const { client } = daemon
  const unknown = await problemOf(addItem(client, { dependsOn: [99_999] }))
  expect([unknown.status, unknown.message]).toEqual([400, 'body.dependsOn: there is no item #99999'])
  const a = await addItem(client)
  const b = await addItem(client, { dependsOn: [a.number] })
  const edit = (number: number, changes: object) =>
    client.editItem({ params: path({ projectNumber: 1, number }), body: { by: 'ada', ...changes } })
  const cycle = await problemOf(edit(a.number, { dependsOn: [b.number], priority: 7 }))
  expect(cycle.status).toBe(400)
  expect(cycle.message).toContain(`#${a.number} waits for #${b.number} waits for #${a.number}`)
  expect(await show(a.number)).toMatchObject({ dependsOn: [], priority: null })

  const edited = await edit(b.number, { dependsOn: [], files: ['src/**'], phase: 'api', estimateHours: 2 })
  expect(edited).toMatchObject({ blockedBy: [], files: ['src/**'], phase: 'api', estimateHours: 2 })
  const { events } = await client.showItem({ params: path(b) })
  expect(events.at(-1)?.event).toMatchObject({ type: 'item.edited', by: 'ada' })
})

test('two edits at once cannot make a circle between them', async () => {
  const { client } = daemon
  const [a, b] = [await addItem(client), await addItem(client)]
  const edit = (number: number, on: number) =>
    client.editItem({ params: path({ projectNumber: 1, number }), body: { by: 'ada', dependsOn: [on] } })
  const ends = await Promise.allSettled([edit(a.number, b.number), edit(b.number, a.number)])
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('the command line sets and takes away what an item has to do with others, and says what blocks it', async () => {
  const { workspace } = daemon
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await treadle(workspace, args)
    return { code, stdout, stderr }
  }
  const added = async (...args: string[]) => JSON.parse((await run('add', ...args, '--json')).stdout)
  const first = await added('first')
  const second = await added('second', '--after', `${first.number}`, '--files', 'src/**')
  expect(second).toMatchObject({ dependsOn: [first.number], blockedBy: [first.number] })
  const shown = JSON.parse((await run('show', `${second.number}`, '--json')).stdout)
  expect(shown.item).toMatchObject({
    dependsOn: [first.number],
    blockedBy: [first.number],
    files: ['src/**'],
  })
  expect((await run('show', `${second.number}`)).stdout).toContain(`Blocked by #${first.number}`)
  const unknown = await run('add', 'third', '--after', '4711')
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no item #4711')])
  expect((await run('edit', `${second.number}`)).code).toBe(2)
  const edited = await run('edit', `${second.number}`, '--no-after', '--priority', '3')
  expect(edited.stdout).toContain(`Edited #${second.number}: waits for nothing; priority 3`)
})

test('who withdraws an item is told what waits for it, and nothing new comes to wait for it', async () => {
  const { client, workspace } = daemon
  const first = await addItem(client)
  const waiting = [
    await addItem(client, { dependsOn: [first.number] }),
    await addItem(client, { dependsOn: [first.number] }),
  ]
  const [one, other] = waiting.map(({ number }) => number)
  const said = await treadle(workspace, ['withdraw', `${first.number}`])
  expect(said.stdout).toContain(`#${one} and #${other} wait for it: treadle edit ${one} --no-after`)
  for (const args of [['show', `${one}`], ['list']])
    expect((await treadle(workspace, args)).stdout).toContain(`Blocked by #${first.number} (withdrawn)`)
  const refused = await problemOf(addItem(client, { dependsOn: [first.number] }))
  expect([refused.status, refused.message, refused.hint]).toEqual([
    400,
    expect.stringContaining(`#${first.number} is withdrawn`),
    `Put it back first: treadle reopen ${first.number}`,
  ])
  const params = path({ projectNumber: 1, number: one ?? 0 })
  await client.editItem({ params, body: { by: 'ada', priority: 3 } })
  await client.editItem({ params, body: { by: 'ada', dependsOn: [] } })
  await client.reopenItem({ params: path(first), body: {} })
  const withdrawn = await client.withdrawItem({ params: path(first), body: {} })
  expect(withdrawn.waitedForBy).toEqual([other])
})
