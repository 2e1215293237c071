import type { Orphan } from '@treadle/contracts/orphan'
import type { orphanRoutes } from '@treadle/contracts/routes/orphans'
import { capacityFor } from '@treadle/flow/supervise/crew-size'
import { deleteOrphan, listOrphans, recoverOrphan } from '../crew/orphans.ts'
import { audited } from '../orders/audit.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

export const orphanHandlers = {
  async listOrphans(world) {
    return { items: await listOrphans(world) }
  },

  async settleOrphan(world, { params, body }) {
    const orphan = (await listOrphans(world)).find(({ agentId }) => agentId === params.id)
    if (orphan === undefined) {
      throw new ProblemError(404, {
        code: 'not_found',
        message: `${params.id} is no orphan.`,
        hint: 'treadle orphans lists them.',
      })
    }
    if (params.act === 'delete') checkConfirmed(orphan, body.confirm)
    const order = params.act === 'recover' ? 'recover_orphan' : 'delete_orphan'
    const given = { order, by: body.by, target: orphan.agentId, impact: wordsOf(orphan) } as const
    const act = () => (order === 'recover_orphan' ? recover(world, orphan) : deleteOrphan(world, orphan))
    const ended = order === 'recover_orphan' ? 'runs again' : 'is gone, with its session file'
    await audited(world, given, act, () => `${orphan.agentId} ${ended}`)
    return orphan
  },
} satisfies HandlersOf<typeof orphanRoutes>

async function recover(world: World, orphan: Orphan): Promise<void> {
  if (orphan.process === null && orphan.session === null) {
    throw new ProblemError(409, {
      code: 'refused',
      message: `The session file of ${orphan.agentId} cannot be read: ${orphan.problem ?? 'it is gone'}`,
      hint: `Remove it: treadle orphans delete ${orphan.agentId}`,
    })
  }
  const { store, config, crew } = world
  const rows = (await store.agents.list()).filter((row) => row.wanted !== 'stopped' && !crew.isElsewhere(row))
  const room = capacityFor(config())
  if (rows.length >= room.agents) {
    throw new ProblemError(409, {
      code: 'refused',
      message: `There is no room: ${room.why}.`,
      hint: 'Stop another one first: treadle agent stop <id>',
    })
  }
  await recoverOrphan(world, orphan)
}

function checkConfirmed(orphan: Orphan, confirmed: boolean): void {
  if (confirmed) return
  const process = orphan.process === null ? '' : `, kill process ${orphan.process.pid}`
  throw new ProblemError(409, {
    code: 'confirm_needed',
    message: `This will remove the session file of ${orphan.agentId}${process} and release what it holds.`,
    hint: 'Send it again with confirm: true.',
  })
}

function wordsOf({ agentId, process, item }: Orphan): string {
  const running = process === null ? 'no process' : `process ${process.pid}`
  return `${agentId} was left behind: ${running}${item === null ? '' : `, holds #${item.number}`}`
}
