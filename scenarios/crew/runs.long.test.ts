// The life of a run, from the claim to the agent's rest.
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { agentOf, untilAgent } from '../kit/agents.ts'
import type { Daemon } from '../kit/daemon.ts'
import { addRepair, letGo, slowRepair, until, untilHolding, up, useShops } from '../kit/shop.ts'

const shop = useShops()

verifies(
  ['AGENT-ROUTING-8', 'AGENT-ROUTING-9', 'AGENT-ROUTING-10', 'AGENT-ROUTING-11'],
  'a run is loading, active and complete, then its agent is idle; a run that fails while it loads is in error',
  async () => {
    // The first worktree waits for the test, every later one is refused.
    const setupCommand =
      'while [ ! -e ../../../../home/ready ]; do sleep 0.05; done; test ! -e ../../../../home/broken'
    const settings = { tests: { command: 'sh test.sh', setupCommand } }
    const workspace = shop({ scripts: [slowRepair(1), slowRepair(2)], settings })
    const daemon = await up(workspace, 1)
    expect((await agentOf(daemon)).runStatus).toBe('idle')
    await addRepair(daemon, 1)
    await until(daemon, 1, 'building')
    expect([await runOf(daemon, 1), (await agentOf(daemon)).runStatus]).toEqual(['loading', 'loading'])
    letGo(workspace, 'ready')
    await untilHolding(daemon, 1)
    await untilAgent(daemon, 'active', ({ runStatus }) => runStatus === 'active')
    expect(await runOf(daemon, 1)).toBe('active')
    letGo(workspace, 'go-1')
    await until(daemon, 1, 'done')
    expect(await runOf(daemon, 1)).toBe('complete')
    expect(await untilAgent(daemon, 'at rest', ({ status }) => status === 'idle')).toMatchObject({
      runStatus: 'idle',
    })
    letGo(workspace, 'broken')
    await addRepair(daemon, 2)
    await until(daemon, 2, 'escalated')
    expect(await runOf(daemon, 2)).toBe('error')
    expect(await untilAgent(daemon, 'at rest', ({ status }) => status === 'idle')).toMatchObject({
      runStatus: 'idle',
    })
  },
)

async function runOf({ client }: Daemon, n: number): Promise<string | undefined> {
  const { runs } = await client.showItem({ params: { projectNumber: 1, issueNumber: n } })
  return runs[0]?.status
}
