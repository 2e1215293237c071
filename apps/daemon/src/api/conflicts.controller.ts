import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item } from '@treadle/contracts/item'
import { type Resolution, runAbort, runResolve } from '@treadle/flow/conflict/run'
import { resolveCommands } from '@treadle/flow/conflict/words'
import { audited } from '../orders/audit.ts'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

const QUEUE_MAX = 1_000

@Controller()
export class ConflictsController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('conflictQueue')
  async queue(@Given() _: GivenOf<'conflictQueue'>): Promise<Answer<'conflictQueue'>> {
    const waiting = await this.world.store.conflicts.list({ status: 'pending', limit: QUEUE_MAX })
    return { items: waiting.reverse() }
  }

  @Serve('predictedConflicts')
  predicted(@Given() _: GivenOf<'predictedConflicts'>): Answer<'predictedConflicts'> {
    return { items: [...this.world.foresight.current()] }
  }

  @Serve('listConflicts')
  async list(@Given() { query }: GivenOf<'listConflicts'>): Promise<Answer<'listConflicts'>> {
    return { items: await this.world.store.conflicts.list(query) }
  }

  @Serve('showConflict')
  async show(@Given() { params }: GivenOf<'showConflict'>): Promise<Answer<'showConflict'>> {
    const { git, target, config } = this.world
    const conflict = await this.find(params.id)
    const { from } = await git.latest(target, config().limits.fetchMs)
    const onto = from === 'origin' ? `origin/${target}` : target
    return { conflict, target, commands: resolveCommands(conflict, onto) }
  }

  @Serve('resolveConflict')
  async resolve(@Given() { params, body }: GivenOf<'resolveConflict'>): Promise<Answer<'resolveConflict'>> {
    const conflict = await this.find(params.id)
    const { issueNumber, branchName } = conflict
    const given = {
      order: 'resolve_conflict',
      by: body.by,
      target: `#${issueNumber}`,
      impact: `merge ${branchName} as it was resolved`,
    } as const
    const act = async () => this.moved(await runResolve(this.world, conflict, body.by))
    const item = await audited(this.world, given, act, ({ state }) => `#${issueNumber} is ${state}`)
    return { conflict: await this.find(params.id), item }
  }

  @Serve('abortConflict')
  async abort(@Given() { params, body }: GivenOf<'abortConflict'>): Promise<Answer<'abortConflict'>> {
    const conflict = await this.find(params.id)
    const { by, agentId: to } = body
    const { issueNumber, branchName } = conflict
    const given = {
      order: 'abort_conflict',
      by,
      target: `#${issueNumber}${to === null ? '' : ` to ${to}`}`,
      impact: `give up ${branchName} and queue #${issueNumber} again`,
    } as const
    const act = async () => this.moved(await runAbort(this.world, conflict, { by, to }))
    const item = await audited(this.world, given, act, ({ state }) => `#${issueNumber} is ${state}`)
    return { conflict: await this.find(params.id), item }
  }

  private async find(id: number): Promise<Conflict> {
    const conflict = await this.world.store.conflicts.find(id)
    if (conflict !== null) return conflict
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no conflict ${id}.`,
      hint: 'treadle conflicts shows those that wait.',
    })
  }

  private moved(result: Resolution): Item {
    if (result.is === 'moved') return result.item
    if (result.is === 'refused')
      throw new ProblemError(409, { code: 'refused', message: `${result.why}.`, hint: 'treadle conflicts' })
    throw new ProblemError(409, {
      code: 'refused',
      message: `${result.branch} still conflicts in ${result.files.join(', ')}.`,
      hint: 'Resolve them on the branch and commit; treadle conflicts show <number> says how.',
      details: { files: [...result.files] },
    })
  }
}
