// Where a delivery began, as reviewers are told it: read from the histories, not from what its agent says.
import { expect, test } from 'vitest'
import { addItem, build, commitOnBranch, delivery, itemOf, say, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', { settings: { merge: { approval: 'human' } } })

test('whatever an agent says it began with, a review is given all that a merge would take', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const commit = (text: string) => {
    workspace.write('gate.js', text)
    workspace.git('add', '.')
    workspace.git('commit', '--quiet', '--message', text.trim())
    return workspace.git('rev-parse', 'HEAD')
  }
  const before = commit('open\n')
  const mended = commit('closed\n')
  const work = await take(daemon, await addItem(client, { title: 'Say where it began' }), 'agent-1')
  const head = commitOnBranch(workspace, work, { 'gate.js': 'open\n' })
  const baseline = (base: string) => say(work, { type: 'run.baseline', base, gates: [] })
  await baseline(head)
  await build(work, mended)
  await baseline(before)
  await say(work, delivery(work, head))
  const { projectNumber, number: issueNumber } = work.ref
  const { id } = await eventually('its review', async () => {
    if ((await itemOf(work)).state !== 'in_review') return undefined
    return (await client.listReviews({ query: { projectNumber, issueNumber } })).items[0]
  })
  const all = { base: mended, changedFiles: ['gate.js'], diff: expect.stringContaining('-closed\n+open') }
  expect(await client.showReview({ params: { id } })).toMatchObject(all)
  // What was delivered is judged as it is: its run has no more to say about where it began.
  await expect(baseline(head)).rejects.toMatchObject({ status: 409, code: 'fenced' })
  expect(await client.showReview({ params: { id } })).toMatchObject(all)
})
