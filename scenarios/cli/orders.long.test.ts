// Orders from the command line: what is shown, who is asked, and who is written down.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { userInfo } from 'node:os'
import type { AuditEntry, OrderGiven } from '@treadle/contracts/order'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { cleanEnv } from '../env.ts'
import { LAUNCHER } from '../kit/command.ts'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { addItem, begin, deliver, itemOf, path } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { told } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', { settings: { limits: { sweepMs: 3_600_000 } } })
const MS_MAX = 60_000

/** On a terminal of its own; the answer is typed once the question is there. */
async function onTerminal({ workspace }: Daemon, args: readonly string[], answer: string) {
  const command = [process.execPath, LAUNCHER, ...args].map((part) => `'${part}'`).join(' ')
  const child = spawn('script', ['-q', '-e', '-c', command, '/dev/null'], {
    cwd: workspace.root,
    env: { ...cleanEnv(workspace.home), TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: MS_MAX,
  })
  let seen = ''
  child.stdout.on('data', (chunk) => (seen += chunk))
  const gone = once(child, 'exit')
  await eventually('the question', () => (seen.includes('[y/N]') ? true : undefined), MS_MAX)
  child.stdin.write(answer)
  await gone
  child.stdin.end()
  return { code: child.exitCode, seen }
}

async function queued({ client }: Daemon): Promise<number[]> {
  return (await client.queue()).items.map(({ number }) => number)
}

verifies(
  ['ORCH-5.5-9', 'ORCH-5.5-10'],
  'a person is shown the impact and asked; without a yes nothing is done',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const { number } = await addItem(client)
    const impact = `This will withdraw 1 item from the queue: #${number}`
    const orders = (await client.audit()).items.length

    const mute = await treadle(workspace, ['purge'])
    expect(mute).toMatchObject({ code: 2, stdout: '' })
    expect(mute.stderr).toContain(impact)
    expect(mute.stderr).toContain('Add --yes to go on.')
    for (const answer of ['n\r', '\r', 'yeah\r', '\u0004']) {
      const asked = await onTerminal(daemon, ['purge'], answer)
      expect(asked.seen, answer).toContain(impact)
      expect(asked.seen, answer).toContain('Nothing was done.')
      expect(asked.code, answer).toBe(1)
    }
    expect(await queued(daemon)).toEqual([number])
    expect((await client.audit()).items.length).toBe(orders)

    const done = await onTerminal(daemon, ['purge'], 'y\r')
    expect(done.seen).toContain(`withdrew #${number}.`)
    const id = /treadle purge --undo (\S+)/.exec(done.seen)?.[1] ?? ''
    expect(done.code).toBe(0)
    expect(await queued(daemon)).toEqual([])
    expect((await told<OrderGiven>(workspace, 'purge', '--undo', id)).outcome).toBe(`put back #${number}`)
    expect(await queued(daemon)).toEqual([number])
    expect((await told<OrderGiven>(workspace, 'purge', '--yes')).outcome).toBe(`withdrew #${number}`)
    // Nothing will be hit, so there is nothing to ask.
    expect(await treadle(workspace, ['purge'])).toMatchObject({ code: 0, stdout: 'the queue was empty.\n' })
    expect((await told<OrderGiven>(workspace, 'purge', '--undo')).outcome).toBe(`put back #${number}`)
  },
)

verifies(
  'ORCH-5.5-11',
  'who gives an order from the command line is written down by name',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const name = userInfo().username
    const work = await begin(daemon)
    await deliver(workspace, work, { 'new.txt': 'new\n' })
    await told(workspace, 'review', 'approve', String(work.ref.number))
    expect((await itemOf(work)).approval).toMatchObject({ kind: 'human', by: name })
    const ref = await addItem(client)
    await told(workspace, 'withdraw', String(ref.number))
    const taken = await begin(daemon)
    await told(workspace, 'release', String(taken.ref.number))
    expect((await itemOf(taken)).reason).toBe(`released by ${name}`)
    const again = await begin(daemon)
    await told(workspace, 'reassign', String(again.ref.number), '--yes')
    await told(workspace, 'pause-all')
    const log = await told<AuditEntry[]>(workspace, 'audit', '--limit', '5')
    expect(log.map(({ order, by, target }) => [order, by, target])).toEqual([
      ['pause_all', name, null],
      ['reassign', name, `#${again.ref.number}`],
      ['release', name, `#${taken.ref.number}`],
      ['withdraw', name, `#${ref.number}`],
      ['approve', name, `#${work.ref.number}`],
    ])
    const words = await treadle(workspace, ['audit'])
    expect(words.stdout).toMatch(new RegExp(`${name}\twithdraw\t#${ref.number}\t#${ref.number} is withdrawn`))
    expect((await client.showItem({ params: path(ref) })).item.reason).toBe(`withdrawn by ${name}`)
  },
)

test('what cannot be done is said before anybody is asked', async (context) => {
  const { workspace } = await open(context)
  for (const [args, sentence] of [
    [['reassign', '999'], 'There is no item #999.'],
    [['reset', '9'], 'There is no agent-9.'],
    [['undelete', 'nothing'], 'Nothing is kept under nothing.'],
  ] as const) {
    const ended = await treadle(workspace, args)
    expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(ended.stderr).toContain(sentence)
  }
})
