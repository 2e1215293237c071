// Somebody sits at the terminal: what is typed while the daemon is away is not lost without a word.
import { expect, test } from 'vitest'
import { kill, waitGone } from '../kit/processes.ts'
import { hold, letGo, repair, until, up, useShops } from '../kit/shop.ts'
import { atTerminal } from '../kit/terminal.ts'
import { eventsLike, plan, reflect, untilEvent } from './goals.ts'

const shop = useShops()

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
