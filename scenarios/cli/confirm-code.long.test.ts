// Without a sandbox: treadle up says what that does not stop, and shows the code that a decision wants.
import { expect, test } from 'vitest'
import { run, start } from '../kit/command.ts'
import { announcedDaemon } from '../kit/daemon.ts'
import { addRepair, itemNumber, repair, until, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()

test('up shows the code in the foreground, and the command takes it with --code', async () => {
  const workspace = shop({
    scripts: [[[repair(1)]]],
    settings: {
      merge: { approval: 'human', target: 'main' },
      approval: { confirm: 'auto' },
      sandbox: { mode: 'off' },
    },
  })
  const started = start(workspace, ['up', '--agents', '1', '--json'])
  const link = await eventually('the address', () => /\{[^}]*"pid": \d+\s*\}/.exec(started.seen())?.[0])
  const daemon = announcedDaemon(workspace, link)
  expect(started.seen()).toContain('Nothing keeps your key from code that your agents run')
  expect(started.seen()).toContain('that stops scripts, not code written against it')
  await addRepair(daemon, 1)
  await until(daemon, 1, 'in_review')

  const approve = ['review', 'approve', '1']
  const asked = await run(workspace, approve)
  expect(asked).toMatchObject({ code: 1 })
  expect(asked.stderr).toContain('it wants a code')
  expect(asked.stderr).toContain('--code')
  const code = await eventually('the code', () => /Code (\d{6}) to approve #1/.exec(started.seen())?.[1])
  const wrong = await run(workspace, [...approve, '--code', code === '000000' ? '000001' : '000000'])
  expect(wrong.stderr).toContain('the code is wrong')
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'in_review', approval: null })
  expect(await run(workspace, [...approve, '--code', code])).toMatchObject({ code: 0 })
  expect((await itemNumber(daemon, 1)).approval).toMatchObject({ kind: 'human', restsOn: 'code' })
  started.child.kill('SIGINT')
  expect(await started.ended).toMatchObject({ code: 0 })
})
