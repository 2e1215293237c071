// The commands of a reviewer against a real daemon, and the full-screen view on a terminal of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnv } from '../env.ts'
import { LAUNCHER, run } from '../kit/command.ts'
import type { Daemon } from '../kit/daemon.ts'
import { begin, build, deliver, itemOf, say, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const crewless = () => useInProcess('any', { settings: { merge: { approval: 'human', target: 'main' } } })
const [reading, listing, watching] = [crewless(), crewless(), crewless()]

const FILE = { 'cart.js': 'export const total = 0\n' }

async function delivered(daemon: Daemon, title: string) {
  const work = await begin(daemon, { title, acceptance: ['Every unit counts'] })
  await deliver(daemon.workspace, work, FILE)
  await eventually('its evidence', async () => (await itemOf(work)).evidence ?? undefined)
  return work
}

test('a delivery is found, read and approved; a second one is sent back', async (context) => {
  const daemon = await reading(context)
  const { workspace } = daemon
  const work = await delivered(daemon, 'Totals are wrong')
  const number = String(work.ref.number)
  const status = (await run(workspace, ['status'])).stdout
  expect(status.startsWith('NEEDS YOU (1)')).toBe(true)
  expect(status).toContain(`#${number}\tReady to review\tTotals are wrong\t`)
  expect(status).not.toContain('in_review')

  const diff = await run(workspace, ['diff', number])
  expect(diff).toMatchObject({ code: 0, stderr: '' })
  expect(diff.stdout).toMatch(/^diff --git a\/cart\.js b\/cart\.js\n/)
  expect(diff.stdout).toContain('\n+export const total = 0\n')
  expect((await run(workspace, ['diff', number, '--name-only'])).stdout).toBe('cart.js\n')
  const asJson = JSON.parse((await run(workspace, ['diff', number, '--json'])).stdout)
  expect(asJson.files).toEqual([{ path: 'cart.js', added: 1, removed: 0 }])
  const second = await run(workspace, ['diff', number, '--delivery', '2'])
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('has no delivery 2')])

  const sent = await run(workspace, ['request-changes', number, 'Add', 'a', 'test'])
  expect(sent.stdout).toContain(`#${number} is now: Rework`)
  const again = await take(daemon, work.ref, 'agent-2')
  await build(again)
  await say(again, {
    type: 'run.observed',
    observation: { tool: 'bash', input: 'npm test', output: 'all red', durationMs: 5, success: false },
  })
  const logs = (await run(workspace, ['logs', number])).stdout
  expect(logs).toMatch(/✗ bash npm test/)
  expect(logs).toContain('all red')

  const other = await delivered(daemon, 'Another one')
  const approved = await run(workspace, ['approve', String(other.ref.number)])
  expect(approved.code, approved.stderr).toBe(0)
  expect(approved.stderr).toContain(`#${other.ref.number} is unproven: `)
  expect(approved.stderr).toContain('1 file, +1 −0')
  await eventually('it is merged', async () => ((await itemOf(other)).state === 'done' ? true : undefined))
  const merged = await run(workspace, ['approve', String(other.ref.number)])
  expect([merged.code, merged.stderr]).toEqual([1, expect.stringContaining('is already merged.')])
  expect((await run(workspace, ['diff', String(other.ref.number)])).stdout).toContain(
    '+export const total = 0',
  )
})

test('list searches, filters and says how many are left out; open knows the page of an item', async (context) => {
  const { workspace, client } = await listing(context)
  for (const nth of [1, 2, 3, 4])
    await client.addItem({
      body: { title: `Item ${nth}`, labels: nth % 2 === 0 ? ['bug'] : [], priority: nth },
    })
  const shown = await run(workspace, ['list', '--limit', '1'])
  expect(shown.stdout.split('\n')).toHaveLength(2)
  expect(shown.stderr).toContain('and 3 more')
  const numbers = async (...args: string[]) =>
    (JSON.parse((await run(workspace, ['list', '--json', ...args])).stdout) as { number: number }[]).map(
      (item) => item.number,
    )
  expect(await numbers('item', '3')).toEqual([3])
  expect(await numbers('--label', 'bug', '--priority', '2')).toEqual([2])
  expect(await numbers('--needs-me')).toEqual([])
  expect((await run(workspace, ['open', '2', '--link'])).stdout).toMatch(/#token=[\w.~-]+&at=\/item\/1\/2\n$/)
  const known = await run(workspace, ['completion', 'numbers'])
  expect(known.stdout.split('\n')[0]).toBe('1\tItem 1')
})

/** The command line on a terminal of 80 by 24. */
function atTerminal({ root, home }: Workspace, args: readonly string[]) {
  const command = [process.execPath, LAUNCHER, ...args].map((word) => `'${word}'`).join(' ')
  const env = cleanEnv(home, { TERM: 'xterm-256color' })
  const child: ChildProcess = spawn(
    'script',
    ['-qec', `stty rows 24 cols 80; exec ${command}`, '/dev/null'],
    {
      cwd: root,
      env,
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let seen = ''
  child.stdout?.on('data', (chunk) => {
    seen += chunk
  })
  const ended = once(child, 'exit').then(() => child.exitCode)
  const shows = (words: string) =>
    eventually(`${words} on the screen`, () =>
      stripVTControlCharacters(seen).includes(words) ? true : undefined,
    )
  return {
    ended,
    shows,
    type: (text: string) => child.stdin?.write(text),
    forget: () => {
      seen = ''
    },
    raw: () => seen,
  }
}

test('watch shows what waits, its change with the evidence, and approves it there', async (context) => {
  const daemon = await watching(context)
  const work = await delivered(daemon, 'Totals are wrong')
  const terminal = atTerminal(daemon.workspace, ['watch'])
  await terminal.shows('Needs you (1)')
  await terminal.shows('● live')
  terminal.type('3')
  await terminal.shows('Deliveries (1)')
  terminal.type('a')
  await terminal.shows('+export const total = 0')
  await terminal.shows('Unproven')
  await terminal.shows('Criteria: 0 of 1 met')
  expect((await itemOf(work)).state).toBe('in_review')
  terminal.type('a')
  await terminal.shows(`Approve and merge #${work.ref.number}? y/n`)
  terminal.type('y')
  await eventually('it is merged', async () => ((await itemOf(work)).state === 'done' ? true : undefined))
  await terminal.shows('Nothing needs you.')
  terminal.type('q')
  expect(await terminal.ended).toBe(0)
  // The screen of before is back.
  expect(terminal.raw()).toContain('\u001b[?1049l')
})
