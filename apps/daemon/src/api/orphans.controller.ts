import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { Orphan } from '@treadle/contracts/orphan'
import { deleteOrphan, listOrphans, recoverOrphan } from '../orphans.ts'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

@Controller()
export class OrphansController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('listOrphans')
  async list(@Given() _: GivenOf<'listOrphans'>): Promise<Answer<'listOrphans'>> {
    return { items: await listOrphans(this.world) }
  }

  @Serve('settleOrphan')
  async settle(@Given() { params, body }: GivenOf<'settleOrphan'>): Promise<Orphan> {
    const orphan = (await listOrphans(this.world)).find(({ agentId }) => agentId === params.id)
    if (orphan === undefined) {
      throw new ProblemError(404, {
        code: 'not_found',
        message: `${params.id} is no orphan.`,
        hint: 'treadle orphans lists them.',
      })
    }
    if (params.act === 'recover') await this.recover(orphan)
    else await this.delete(orphan, body.confirm)
    return orphan
  }

  private async recover(orphan: Orphan): Promise<void> {
    if (orphan.process === null && orphan.session === null) {
      throw new ProblemError(409, {
        code: 'refused',
        message: `The session file of ${orphan.agentId} cannot be read: ${orphan.problem ?? 'it is gone'}`,
        hint: `Remove it: treadle orphans delete ${orphan.agentId}`,
      })
    }
    const { store, config } = this.world
    const running = (await store.agents.list()).filter((row) => row.wanted !== 'stopped').length
    if (running >= config().limits.agents) {
      throw new ProblemError(409, {
        code: 'refused',
        message: `A workspace runs at most ${config().limits.agents} agents.`,
        hint: 'Stop another one first: treadle agent stop <id>',
      })
    }
    await recoverOrphan(this.world, orphan)
  }

  private async delete(orphan: Orphan, confirmed: boolean): Promise<void> {
    if (!confirmed) {
      const process = orphan.process === null ? '' : `, kill process ${orphan.process.pid}`
      throw new ProblemError(409, {
        code: 'confirm_needed',
        message: `This will remove the session file of ${orphan.agentId}${process} and release what it holds.`,
        hint: 'Send it again with confirm: true.',
      })
    }
    await deleteOrphan(this.world, orphan)
  }
}
