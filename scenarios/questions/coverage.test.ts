// Coverage below its threshold, found by the gate of an agent: asked once for the run, which goes on.
import type { GateResult } from '@treadle/contracts/gate'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { begin, build, itemOf, red, say } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', { settings: { gates: { coverage: { threshold: 80 } } } as never })

verifies(
  'AGENT-QUESTION-31',
  'too little coverage asks once for a run whether tests are to be written, and the run goes on meanwhile',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const work = await begin(daemon, { title: 'Cover it' })
    await build(work)
    if (red.is !== 'failed') throw new Error('it is red')
    const message = '62.5 % of lines are covered (5 of 8), 80 % are asked for (coverage/lcov.info)'
    const failure = { id: 'line coverage', file: null, line: null, message, stack: null }
    const short: GateResult = { ...red, gate: 'coverage_pass', failures: [failure] }
    const refuse = () => say(work, { type: 'verify.failed', gates: [short], why: 'coverage' })
    const questions = async () =>
      (await client.listQuestions({ query: { item: work.ref.number } })).items.filter(
        ({ event }) => event === 'coverage_below_threshold',
      )
    await refuse()
    const question = await eventually('it is asked', async () => (await questions())[0])
    expect(question).toMatchObject({
      type: 'educational',
      blocking: false,
      status: 'open',
      agent: 'validation',
      runId: work.claim.run.id,
    })
    for (const words of ['The tests cover 62.5% of the code; the target is 80%.', '- 3 of 8 lines'])
      expect(question.text).toContain(words)
    expect(question.options.map(({ label }) => label)).toEqual([
      'Yes, generate more tests',
      'Coverage is acceptable',
      "Let's discuss which areas matter",
    ])
    expect((await itemOf(work)).state).toBe('improving')
    await say(work, {
      type: 'build.finished',
      summary: 'again',
      checkpoint: work.claim.run.base ?? '0'.repeat(40),
    })
    await refuse()
    expect(await questions()).toHaveLength(1)
    await client.answerQuestion({ params: { id: question.id }, body: { text: '1', by: 'ada' } })
    const { items } = await client.listGuidance({ params: { id: work.claim.run.id }, query: {} })
    expect(items.map(({ guidance }) => guidance.text)).toEqual(['Yes, generate more tests'])
  },
)
