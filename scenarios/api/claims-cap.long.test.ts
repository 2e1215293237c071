// Ten agents and no more, whichever way an eleventh is asked for.
import { ApiError } from '@treadle/contracts/client'
import { Config } from '@treadle/contracts/config'
import { readConfig } from '@treadle/contracts/config/read'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { processesOf } from '../kit/processes.ts'
import { repair, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const CAP = 10

verifies(
  ['ORCH-S1-13', 'ORCH-S5-23'],
  'ten agents run; an eleventh is refused by number, by name and by setting',
  async () => {
    expect(Config.parse({}).limits.agents).toBe(CAP)
    expect(readConfig({ own: '{"agents":{"maxConcurrent":11}}', vscode: null }).config.agents).toMatchObject({
      maxConcurrent: CAP,
    })
    const workspace = shop({ scripts: [[[repair(1)]]] })
    const { client } = await up(workspace, CAP)
    const running = async () => (await client.listAgents()).items.filter(({ pid }) => pid !== null)
    await eventually('ten agents', async () => ((await running()).length === CAP ? true : undefined))
    const refused = async (asked: Promise<unknown>): Promise<number> => {
      const error = await asked.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ApiError)
      return (error as ApiError).status
    }
    expect(await refused(client.startAgents({ body: { count: CAP + 1 } }))).toBe(400)
    expect(await refused(client.wantAgent({ params: { id: 'agent-11', order: 'start' } }))).toBe(409)
    expect(await running()).toHaveLength(CAP)
    // The daemon is one process more.
    expect(processesOf(workspace).length).toBeLessThanOrEqual(CAP + 1)
  },
)
