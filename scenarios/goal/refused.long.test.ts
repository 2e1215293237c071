// An engine whose key was refused rests; one that has reached its limit of use is waited for. Neither uses an attempt.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { addRepair, itemNumber, repair, told, until, up, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'
import { eventsLike, untilEvent } from './goals.ts'

const shop = useShops()

function play({ home }: Workspace, ...steps: object[]): void {
  const items = [{ match: { number: 1 }, attempts: [steps] }]
  writeFileSync(join(home, 'scenario.json'), JSON.stringify({ version: 1, items }))
}

const settings = (engineBreakMs: number) => ({
  merge: { approval: 'checks', target: 'main' },
  tests: { command: 'sh test.sh' },
  engines: { default: 'scripted', scripted: { scenario: '../home/scenario.json' } },
  limits: { pollMs: 100, sweepMs: 300, engineBreakMs },
})

test('an engine whose key is refused rests until that is over, or the settings change', async () => {
  const workspace = shop({ scripts: [[[]]] })
  play(workspace, { fail: { outcome: 'auth', text: 'The key was refused' } })
  workspace.setConfig(settings(600_000))
  const daemon = await up(workspace, 2)
  await addRepair(daemon, 1)
  const { until: end } = await untilEvent(daemon, 'engine.suspended', ({ engine }) => engine === 'scripted')
  expect(Date.parse(end)).toBeGreaterThan(Date.now() + 300_000)
  const back = await until(daemon, 1, 'backlog')
  expect(back).toMatchObject({ attempts: 0, claimedByAgentId: null, fence: 1, needsHuman: false })
  await sleep(1_500)
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'backlog', fence: 1 })
  const params = { projectNumber: 1, issueNumber: 1 }
  await expect(daemon.client.claimItem({ params, body: { agentId: 'agent-9' } })).rejects.toThrow(
    'rests until',
  )
  const { resting } = await told<{ resting: { engine: string; why: string }[] }>(workspace, 'status')
  expect(resting).toMatchObject([{ engine: 'scripted', why: expect.stringContaining('The key was refused') }])

  // A goal that is started meanwhile does not wait in silence.
  const ended = await run(workspace, ['run', 'Make module 1 right'])
  expect(ended.code, ended.stderr).toBe(3)
  expect(ended.stdout).toContain('The key was refused')
  expect(ended.stdout).toContain('treadle doctor')
  await daemon.client.withdrawItem({ params: { projectNumber: 1, issueNumber: 2 }, body: {} })

  // Everyone may try again; the next refusal lasts for a moment only, and ends by itself.
  workspace.setConfig(settings(1_500))
  await untilEvent(daemon, 'engine.suspended', ({ until: next }) => next !== end)
  play(workspace, repair(1))
  const done = await until(daemon, 1, 'done')
  expect(done).toMatchObject({ attempts: 1 })
  expect(done.fence).toBeGreaterThan(2)
})

test('a limit of use is waited for: the claim stays, no attempt is used, and it goes on by itself', async () => {
  const workspace = shop({ scripts: [[[]]] })
  play(workspace, { fail: { outcome: 'rate_limited', text: 'Used up until later', wakeInMs: 6_000 } })
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await untilEvent(daemon, 'run.paused')
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'building', attempts: 0 })
  play(workspace, repair(1))
  expect(await until(daemon, 1, 'done')).toMatchObject({ attempts: 1, fence: 1 })
  expect(await eventsLike(daemon, 'run.paused')).toHaveLength(1)
  expect((await eventsLike(daemon, 'claim.extended'))[0]?.byMs).toBeGreaterThan(0)
  expect(await eventsLike(daemon, 'run.resumed')).toEqual([])
})
