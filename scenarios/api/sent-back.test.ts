// What was sent back and comes again: the same change, and the changes that were asked for.
import { expect, test } from 'vitest'
import { addItem, deliver, itemOf, path, take, type Work } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

/** Red until there is a file named by its argument. */
const NEED_SCRIPT = `echo 'TAP version 13'
echo '1..1'
if [ ! -e "$1" ]; then echo "not ok 1 - there is $1"; exit 1; fi
echo "ok 1 - there is $1"
`
const limits = { sweepMs: 200 }
const open = useInProcess('any', {
  settings: { limits, merge: { approval: 'human' } },
  files: { 'need.sh': NEED_SCRIPT },
})

test('the same change goes to a person, and what was asked for stays on the list until it is done', async (context) => {
  const daemon = await open(context)
  const { client, workspace } = daemon
  const ref = await addItem(client, { title: 'Count', testCommand: 'sh need.sh count.sh' })
  const review = async () => {
    const query = { projectNumber: ref.projectNumber, issueNumber: ref.number, limit: 1 }
    const [last] = (await client.listReviews({ query })).items
    return last
  }
  const waiting = (cycle: number) =>
    eventually(`delivery ${cycle} waits for a person`, async () => {
      const last = await review()
      return last?.cycle === cycle && last.waitsFor === 'person' ? last : undefined
    })
  const again = async (agentId: string, text: string): Promise<Work> => {
    const work = await take(daemon, ref, agentId)
    await deliver(workspace, work, { 'count.sh': text })
    return work
  }
  const sendBack = (feedback: string) => client.rejectItem({ params: path(ref), body: { feedback } })

  await again('agent-1', 'three\n')
  await waiting(1)
  await sendBack('Please:\n- use two\n- `sh need.sh count.sh` passes')
  // From now on what is proven is merged, unless somebody has asked for something.
  workspace.setConfig({ limits, merge: { approval: 'checks' } })
  await eventually('merge.approval checks', async () =>
    (await client.workspace()).config.merge.approval === 'checks' ? true : undefined,
  )
  await again('agent-2', 'one\n')
  const second = await waiting(2)
  expect(second).toMatchObject({ repeats: null, why: expect.stringContaining('"use two"') })
  expect(second.criteria).toMatchObject([
    { id: 'R1.1', description: 'use two', status: 'pending', askedIn: 1 },
    { id: 'R1.2', description: '`sh need.sh count.sh` passes', status: 'met', askedIn: 1 },
  ])

  await sendBack('use two')
  await again('agent-3', 'one\n')
  const third = await waiting(3)
  expect(third).toMatchObject({
    repeats: 2,
    why: 'it is the same change as delivery 2, which was sent back',
    criteria: [{ id: 'R1.1', description: 'use two', askedIn: 1 }],
  })
  expect(await itemOf({ client, ref })).toMatchObject({ needsHuman: true, state: 'in_review' })
})
