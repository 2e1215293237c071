// treadle up in the foreground, a signal while an engine works, and nothing left.
import { expect } from 'vitest'
import { start } from '../kit/command.ts'
import { everythingIn } from '../kit/processes.ts'
import { type ShopOptions, slowRepair, told } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

export async function upAndInterrupt(
  shop: (options: ShopOptions) => Workspace,
  signal: NodeJS.Signals,
  node: string = process.execPath,
): Promise<Workspace> {
  const workspace = shop({ scripts: [slowRepair(1)] })
  const started = start(workspace, ['up', '--agents', '2'], { node })
  await eventually('the link to the dashboard', () =>
    started.seen().includes('Dashboard: ') ? true : undefined,
  )
  await told(workspace, 'add', 'Repair module 1')
  await eventually('an engine at work', () => {
    const said = started.seen()
    return said.includes('agent-1 claimed #1') || said.includes('agent-2 claimed #1') ? true : undefined
  })
  started.child.kill(signal)
  const ended = await started.ended
  expect(ended).toMatchObject({ code: 0, signal: null })
  expect(ended.stderr).toContain('Stopped. Work in hand goes on with the next: treadle up')
  expect(everythingIn(workspace)).toEqual([])
  return workspace
}
