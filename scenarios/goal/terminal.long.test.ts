// Somebody sits at the terminal: what is typed while the daemon is away is not lost without a word.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cleanEnv } from '../env.ts'
import { LAUNCHER } from '../kit/command.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { hold, letGo, repair, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'
import { eventsLike, plan, reflect, untilEvent } from './goals.ts'

const shop = useShops()

/** On a terminal of its own. */
function atTerminal({ root, home }: Workspace, args: readonly string[]) {
  const command = [process.execPath, LAUNCHER, ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: root, env: cleanEnv(home) })
  let seen = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (seen += chunk))
  const ended = once(child, 'exit').then(() => child.exitCode)
  const shows = (words: string) =>
    eventually(`${words} on the screen`, () => (seen.includes(words) ? true : undefined), 60_000)
  return { ended, shows, type: (text: string) => child.stdin.write(text), seen: () => seen }
}

test('a line that cannot be said is told, and the command goes on', async () => {
  const script = [plan('Wait'), hold('go'), repair(1), reflect('achieved', 'It is right')]
  const workspace = shop({ scripts: [[script]] })
  const first = await up(workspace, 1)
  const verify = ['--verify', 'sh test.sh src/module-01.txt']
  const terminal = atTerminal(workspace, ['run', 'Make module 1 right', ...verify])
  await terminal.shows('Plan 1')
  kill(first.pid)
  await waitGone(first.pid)
  terminal.type('Keep it small\r')
  await terminal.shows('Not said: Keep it small')
  const second = await up(workspace, 1)
  terminal.type('Leave the title alone\r')
  await untilEvent(second, 'run.guided')
  // An end of input ends the typing, not the watching.
  terminal.type('\u0004')
  letGo(workspace, 'go')
  await until(second, 1, 'done')
  expect(await terminal.ended, terminal.seen()).toBe(0)
  expect((await eventsLike(second, 'run.guided')).map(({ guidance }) => guidance.text)).toEqual([
    'Leave the title alone',
  ])
  expect(terminal.seen()).not.toContain('Infinity')
})
