// A rollback at once after a security incident, and one that the owner is asked about.
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { approve, begin, deliver, itemOf } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually as until } from '../kit/wait.ts'

const tests = { command: 'sh test.sh' }
const settings = {
  tests,
  limits: { sweepMs: 200 },
  merge: { approval: 'human' },
  flags: { enable_ideation: true },
  ideas: { openMax: 0 },
} as const
const clock = new LedClock(new Date())
/** Time goes on while something is waited for. */
const eventually = <T>(what: string, look: () => Promise<T | undefined>): Promise<T> =>
  until(what, () => {
    clock.pass(500)
    return look()
  })
const open = useInProcess('any', {
  clock,
  settings,
  files: { 'test.sh': "echo 'TAP version 13'\necho '1..1'\necho 'ok 1 - all is well'\n" },
})

async function merge(daemon: InProcessDaemon, files: Record<string, string>): Promise<number> {
  const work = await begin(daemon)
  await deliver(daemon.workspace, work, files)
  await eventually('it can be approved', async () => {
    const { state } = await itemOf(work)
    return state === 'in_review' ? true : undefined
  })
  await approve(work)
  await eventually('it is merged', async () => ((await itemOf(work)).state === 'done' ? true : undefined))
  return work.ref.number
}

const isOn = async ({ client }: InProcessDaemon) => (await client.workspace()).config.flags.enable_ideation
const rollbacks = async ({ client }: InProcessDaemon) =>
  (await client.audit({ query: {} as never })).items.filter(({ order }) => order === 'rollback')
const turnOn = async (daemon: InProcessDaemon) => {
  daemon.workspace.setConfig(settings)
  await eventually('it is on', async () => ((await isOn(daemon)) === true ? true : undefined))
}

verifies(
  ['ORCH-S4-19'],
  'a merge that brings a secret turns the search for improvements off at once; it is audited, and can be undone',
  async (context) => {
    const daemon = await open(context)
    await merge(daemon, { 'plain.txt': 'nothing to hide\n' })
    expect(await rollbacks(daemon)).toEqual([])
    const key = [
      '-----BEGIN RSA ',
      'PRIVATE KEY-----\n',
      'MIIEpAIBAAKCAQEA'.repeat(20),
      '\n-----END RSA ',
      'PRIVATE KEY-----\n',
    ]
    await merge(daemon, { 'key.pem': key.join('') })
    await eventually('it is off', async () => ((await isOn(daemon)) === false ? true : undefined))
    const [rollback, ...others] = await eventually('the audit', async () => {
      const found = await rollbacks(daemon)
      return found.length > 0 ? found : undefined
    })
    expect(others).toEqual([])
    expect(rollback).toMatchObject({ by: 'system:security', target: 'phase 4' })
    expect(rollback?.impact).toMatch(/^Security incident: key\.pem:\d+ holds what looks like a secret/)
    expect(JSON.stringify(rollback)).not.toContain('MIIEpAIBAAKCAQEA')
    await turnOn(daemon)
    await merge(daemon, { 'other.txt': 'nothing to hide\n' })
    expect([await isOn(daemon), (await rollbacks(daemon)).length]).toEqual([true, 1])
  },
)

verifies(
  ['ORCH-S4-22'],
  'with few points for what was merged the owner is asked once, and the answer is carried out once',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    for (const value of [2, 3, 4]) {
      const number = await merge(daemon, { [`v${value}.txt`]: `${value}\n` })
      await client.scoreValue({
        params: { projectNumber: 1, issueNumber: number },
        body: { value, by: 'ada' },
      })
    }
    // The figures are looked at once an hour.
    clock.pass(61 * 60_000)
    const question = await eventually('the question', async () =>
      (await client.listQuestions({ query: {} })).items.find(({ event }) => event === 'planned_rollback'),
    )
    expect(question).toMatchObject({ blocking: false, defaultOption: 'Keep it on', status: 'open' })
    expect(question.text).toContain('30% of the points')
    await client.answerQuestion({
      params: { id: question.id },
      body: { text: 'Roll it back', by: 'ada' },
    })
    await eventually('it is off', async () => ((await isOn(daemon)) === false ? true : undefined))
    const before = await rollbacks(daemon)
    expect(before[0]).toMatchObject({ by: 'ada', target: 'phase 4' })
    await turnOn(daemon)
    await client
      .answerQuestion({ params: { id: question.id }, body: { text: 'Keep it on', by: 'ada' } })
      .catch(() => null)
    expect((await rollbacks(daemon)).length).toBe(before.length)
  },
)
