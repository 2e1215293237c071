import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item } from '@treadle/contracts/item'
import { type Resolution, runAbort, runResolve } from '@treadle/flow/merge/conflict/conflict.run'
import { resolveCommands } from '@treadle/flow/merge/conflict/words'
import { audited } from '../orders/audit.ts'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

const QUEUE_MAX = 1_000
/** More than this nobody reads on a page; the commands are there for the rest. */
const VIEW_FILES_MAX = 30
const VIEW_CHARS_MAX = 100_000

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
    const conflict = await this.find(params.id)
    const onto = await this.onto()
    return { conflict, target: this.world.target, commands: resolveCommands(conflict, onto.name) }
  }

  @Serve('conflictView')
  async view(@Given() { params }: GivenOf<'conflictView'>): Promise<Answer<'conflictView'>> {
    const { git } = this.world
    const { branchName, headCommit } = await this.find(params.id)
    // As it is now: a person may be at work on it.
    const commit = (await git.commitOf(`refs/heads/${branchName}`)) ?? (await git.commitOf(headCommit))
    if (commit === null) throw unseen(`${branchName} is gone.`)
    const view = await git.viewConflict({
      branch: { name: branchName, commit },
      target: await this.onto(),
      filesMax: VIEW_FILES_MAX,
      charsMax: VIEW_CHARS_MAX,
    })
    if (view === null) throw unseen(`${branchName} and ${this.world.target} have no commit in common.`)
    return view
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

  /** The target as it is known here. Origin is not asked: whoever looks must not wait for a network. */
  private async onto(): Promise<{ name: string; commit: string }> {
    const { git, target } = this.world
    const here = await git.commitOf(`refs/heads/${target}`)
    const there = await git.commitOf(`refs/remotes/origin/${target}`)
    const isBehind = here === null || (there !== here && (await git.mergeBase(here, there ?? here)) === here)
    if (there !== null && isBehind) return { name: `origin/${target}`, commit: there }
    if (here === null) throw unseen(`There is no branch ${target}.`)
    return { name: target, commit: here }
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

function unseen(message: string): ProblemError {
  return new ProblemError(409, {
    code: 'refused',
    message,
    hint: 'Give the item back to the queue: treadle conflicts abort <number>',
  })
}
