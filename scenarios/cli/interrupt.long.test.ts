import { expect, test } from 'vitest'
import { start } from '../kit/command.ts'
import { useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { upAndInterrupt } from './up-and-interrupt.ts'

const shop = useShops()

test('SIGTERM stops everything, and the next up tells only what is new', async () => {
  const workspace = await upAndInterrupt(shop, 'SIGTERM')
  const again = start(workspace, ['up', '--agents', '2'])
  await eventually('news', () => (again.seen().includes('agent-1 started') ? true : undefined))
  again.child.kill('SIGINT')
  expect((await again.ended).code).toBe(0)
  expect(again.seen()).not.toContain('#1 was added')
})
