// A decision names the delivery that was read; what was asked for on its lines is held against the next one.
import { expect, test } from 'vitest'
import { addItem, deliver, itemOf, path, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', { settings: { limits: { sweepMs: 200 }, merge: { approval: 'human' } } })

test('what was asked for on lines reaches the next delivery, which says what became of each line', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
  const write = (file: string, text: string) => {
    workspace.write(file, text)
    workspace.git('add', '.')
    workspace.git('commit', '--quiet', '--message', file)
  }
  write('list.txt', 'removed\nkept\n')
  const ref = await addItem(client, { title: 'A list' })
  const params = path(ref)
  const waiting = (cycle: number) =>
    eventually(`delivery ${cycle} waits`, async () => {
      const query = { projectNumber: ref.projectNumber, issueNumber: ref.number, limit: 1 }
      const [last] = (await client.listReviews({ query })).items
      return last?.cycle === cycle && last.waitsFor === 'person' ? last : undefined
    })
  const text = (changed: Record<number, string>) =>
    `${lines.map((line, at) => changed[at + 1] ?? line).join('\n')}\n`

  const first = await take(daemon, ref, 'agent-1')
  await deliver(workspace, first, { 'long.txt': text({}), 'list.txt': 'kept\n', 'note.txt': 'one\n' })
  const review = await waiting(1)
  const change = await client.showChange({ params: { id: review.id } })
  expect(change).toMatchObject({ head: review.headCommit, since: null, comments: [] })
  expect(change.files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['list.txt', 0, 1],
    ['long.txt', 20, 0],
    ['note.txt', 1, 0],
  ])

  const comments = [
    { path: 'long.txt', line: 2, side: 'new', text: 'Say two' },
    { path: 'long.txt', line: 18, side: 'new', text: 'Say eighteen' },
    { path: 'list.txt', line: 1, side: 'old', text: 'Keep it' },
  ] as const
  const body = { feedback: 'Nearly there', comments: [...comments], head: review.headCommit, by: 'ada' }
  const other = workspace.git('rev-parse', 'HEAD')
  const moved = { status: 409, code: 'head_moved' }
  await expect(client.rejectItem({ params, body: { ...body, head: other } })).rejects.toMatchObject(moved)
  await expect(client.approveItem({ params, body: { head: other } })).rejects.toMatchObject(moved)
  expect(await itemOf(first)).toMatchObject({ state: 'in_review' })
  const { head: _, ...headless } = body
  await expect(client.rejectItem({ params, body: headless })).rejects.toMatchObject({ status: 400 })
  await expect(client.rejectItem({ params, body: { feedback: ' ' } })).rejects.toMatchObject({ status: 400 })
  const back = await client.rejectItem({ params, body })
  expect(back.reason).toBe(
    'Nearly there\n\n- long.txt:2: Say two\n- long.txt:18: Say eighteen\n- list.txt:1 (a line that the change removes): Keep it',
  )

  // Others merge something above it: the comments still find their lines.
  write('other.txt', 'other\n')
  const again = await take(daemon, ref, 'agent-2')
  await deliver(workspace, again, {
    'long.txt': `zero\n${text({ 2: 'two' })}`,
    'list.txt': 'kept\n',
    'other.txt': 'other\n',
  })
  const second = await waiting(2)
  expect(second.criteria.map(({ description }) => description)).toContain('long.txt:2: Say two')
  const next = await client.showChange({ params: { id: second.id }, query: { since: 1 } })
  expect(next.since).toEqual({ cycle: 1, isAlone: true })
  expect(next.comments).toMatchObject([
    { line: 2, fate: 'changed', lineNow: null, askedIn: 1, by: 'ada' },
    { line: 18, fate: 'unchanged', lineNow: 19 },
    { line: 1, side: 'old', fate: 'unchanged' },
  ])
  expect(next.files.map((file) => file.path)).toEqual(['long.txt', 'note.txt'])
  await expect(client.showChange({ params: { id: second.id }, query: { since: 7 } })).rejects.toMatchObject({
    status: 404,
  })

  await expect(client.approveItem({ params, body: { head: review.headCommit } })).rejects.toMatchObject(moved)
  const approved = await client.approveItem({ params, body: { head: second.headCommit } })
  expect(approved.state).toBe('merging')
})
