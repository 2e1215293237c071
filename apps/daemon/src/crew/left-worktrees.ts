// Worktrees of agents that do not run and hold nothing: an agent tidies its own when it starts, and these will not.
// Looked for when a daemon starts and when a crew is made smaller: later an agent may be at them.
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import type { AgentId } from '@treadle/contracts/ids'
import { messageOf } from '@treadle/flow/fault'
import type { World } from '../world.ts'

const NAME = /^(agent-[1-9]\d{0,3})-(\d+)-(\d+)$/

type TidyWorld = Pick<World, 'store' | 'paths' | 'kept' | 'log'>

/** What is in them is kept under a reference first. */
export async function tidyWorktrees({ store, paths, kept, log }: TidyWorld): Promise<void> {
  const names = existsSync(paths.worktrees) ? readdirSync(paths.worktrees) : []
  for (const name of names) {
    const [, agentId, projectNumber, number] = NAME.exec(name) ?? []
    if (agentId === undefined || !(await isAway(store, agentId))) continue
    const item = await store.items.find({ projectNumber: Number(projectNumber), number: Number(number) })
    if (item?.claimedByAgentId === agentId) continue
    const ref = `refs/treadle/found/${name}-${randomUUID().slice(0, 8)}`
    try {
      await kept.keepWorktree(`${paths.worktrees}/${name}`, ref)
      log.info({ worktree: name, ref }, 'a worktree that was left behind is kept under a reference')
    } catch (error) {
      log.warn({ worktree: name, why: messageOf(error) }, 'a worktree that was left behind stays')
    }
  }
}

async function isAway(store: World['store'], id: AgentId): Promise<boolean> {
  const row = await store.agents.find(id)
  return row === null || (row.wanted === 'stopped' && row.pid === null)
}
