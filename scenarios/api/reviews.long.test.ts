// The review queue over the API, with builder and reviewer played by hand.
import { ApiError } from '@treadle/contracts/client'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, vi } from 'vitest'
import { type Daemon, DRIVERS } from '../kit/daemon.ts'
import { begin, deliver, itemOf, path, type Work } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

vi.setConfig({ testTimeout: 300_000 })
const settings = {
  merge: { approval: 'reviewer', target: 'main' },
  engines: { reviewer: 'scripted' },
  limits: { pollMs: 100, sweepMs: 300 },
} as const

async function refused(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof ApiError ? `${error.status} ${error.code}` : 'taken'
}

describe.each(DRIVERS)('reviews on the %s database', (driver) => {
  const open = useInProcess(driver, { settings })

  async function deliverOne(daemon: Daemon, n: number): Promise<Work> {
    const file = `file-${n}.sh`
    const body = '- [ ] AC-1.1.a: it is there'
    const work = await begin(daemon, { title: `Change ${n}`, body, testCommand: `test -e ${file}` })
    await deliver(daemon.workspace, work, { [file]: `number ${n}\n` })
    return work
  }

  verifies(
    ['ORCH-3.2-1', 'ORCH-3.2-3', 'ORCH-3.2-4', 'AC-3.2.a', 'AC-3.2.b', 'AC-3.2.c'],
    'deliveries are enqueued, the longest delivered first; one of many gets one, and its answer decides',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      const query = { waitsFor: 'reviewer' } as const
      const works: Work[] = []
      for (const n of [1, 2, 3]) works.push(await deliverOne(daemon, n))
      const queued = await eventually('three reviews', async () => {
        const { items } = await client.reviewQueue({ query })
        return items.length === 3 ? items : undefined
      })
      expect(queued.map(({ issueNumber }) => issueNumber)).toEqual([1, 2, 3])
      expect(queued[0]).toMatchObject({
        branchName: 'agent-1/project-1',
        completedByAgentId: 'agent-1',
        criteria: [{ id: 'AC-1.1.a', status: 'pending' }],
      })
      // What waits for a reviewer is a thought, offered by the question that all agents ask.
      const { items: thoughts } = await client.listThoughts({ query: { kind: 'review_judge', limit: 10 } })
      expect(thoughts.map(({ id }) => id).toReversed()).toEqual(
        queued.map(({ judgement }) => judgement?.thoughtId),
      )
      expect(thoughts.at(-1)).toMatchObject({
        work: { item: works[0]?.ref },
        engine: 'scripted',
        use: 'review',
      })
      const [first] = works
      if (first === undefined) throw new Error('nothing delivered')
      const enqueue = (changes: object = {}) =>
        client.enqueueReview({
          body: {
            ...path(first.ref),
            branchName: 'agent-1/project-1',
            completedByAgentId: 'agent-1',
            ...changes,
          },
        })
      expect(await enqueue()).toEqual(queued[0])
      expect(await refused(enqueue({ issueNumber: 99 }))).toBe('404 not_found')
      expect(await refused(enqueue({ branchName: 'main' }))).toBe('409 refused')
      expect(await refused(enqueue({ completedByAgentId: 'agent-2' }))).toBe('409 refused')

      const id = queued[0]?.id ?? 0
      const claim = (agentId: string, claimKey = `key-of-${agentId}-0000`) =>
        client.claimReview({ params: { id }, body: { agentId, claimKey } })
      expect(await refused(claim('agent-1'))).toBe('409 refused')
      const agents = ['review-agent', 'agent-2', 'agent-3', 'agent-4', 'agent-5', 'agent-6']
      const claimed = await Promise.allSettled(agents.map((agent) => claim(agent)))
      const [got, ...more] = claimed.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      expect(more).toEqual([])
      for (const each of claimed)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'already_claimed' })
      if (got === undefined) throw new Error('nobody got it')
      const { review, diff, changedFiles } = await client.showReview({ params: { id } })
      expect(got).toMatchObject({ ...review, thought: { id: review.judgement?.thoughtId, fence: 1 } })
      expect(review).toMatchObject({ status: 'in_review', waitsFor: null })
      expect(changedFiles).toEqual(['file-1.sh'])
      expect(diff).toContain('+number 1')
      const agentId = review.claimedByAgentId ?? 'nobody'
      const claimKey = `key-of-${agentId}-0000`
      const text = 'Status: APPROVED\n- [x] AC-1.1.a: Met (evidence: file-1.sh:1 `number 1`)'
      const end = { is: 'answered', text, structured: null, model: null } as const
      const say = (changes: object = {}) =>
        client.answerThought({
          params: { id: got.thought.id },
          body: { agentId, fence: got.thought.fence, claimKey, end, ...changes },
        })
      expect(await refused(say({ fence: 7 }))).toBe('409 fenced')
      expect(await refused(say({ agentId: 'agent-9' }))).toBe('409 fenced')
      // What all who have the crew's key can read is not enough to answer for somebody else, nor to take it over.
      expect(await refused(say({ claimKey: undefined }))).toBe('409 fenced')
      expect(await refused(say({ claimKey: 'key-of-somebody-else' }))).toBe('409 fenced')
      expect(await refused(claim(agentId, 'key-of-somebody-else'))).toBe('409 already_claimed')
      expect((await client.showReview({ params: { id } })).review.status).toBe('in_review')
      expect(await say()).toMatchObject({ is: 'taken', thought: { status: 'done' } })
      expect((await client.showReview({ params: { id } })).review).toMatchObject({
        status: 'approved',
        decidedBy: agentId,
      })
      expect(await say()).toMatchObject({ is: 'duplicate' })
      await eventually('the merge', async () => ((await itemOf(first)).state === 'done' ? true : undefined))
      expect(await refused(enqueue())).toBe('409 refused')
      expect(await refused(client.showReview({ params: { id: 99 } }))).toBe('404 not_found')
    },
  )
})
