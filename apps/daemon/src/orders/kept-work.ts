// The work under refs/treadle/ with whose and what it was.
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { AgentId as AgentIdSchema, RunId } from '@treadle/contracts/ids'
import type { KeptWork } from '@treadle/contracts/order'
import type { KeptRef } from '@treadle/flow/ports'
import type { World } from '../world.ts'

type KeptWorld = Pick<World, 'store' | 'kept' | 'target'>
interface Owner {
  readonly runId: string | null
  readonly item: ItemRef | null
  readonly agentId: AgentId | null
}

const FILES_MAX = 50
const RUN = /^refs\/treadle\/runs\/([^/]+)\/(.+)$/
const FOUND = /^refs\/treadle\/found\/(.+)-(\d+)-(\d+)-[0-9a-f]+$/

export async function listKept(
  world: KeptWorld,
  { limit, issueNumber, all }: { limit: number; issueNumber?: number | undefined; all: boolean },
): Promise<KeptWork[]> {
  const found: KeptWork[] = []
  for (const kept of await world.kept.list()) {
    if (found.length >= limit) break
    const owner = await ownerOf(world, kept)
    if (issueNumber !== undefined && owner.item?.number !== issueNumber) continue
    const files = await world.kept.changes(kept.commit, world.target)
    // Where an agent began, or put everything back: nothing is there to be missed.
    if (files.length === 0 && !all) continue
    const { ref, commit } = kept
    found.push({
      ref,
      commit,
      kind: kindOf(ref),
      at: kept.at.toISOString(),
      ...owner,
      files: files.slice(0, FILES_MAX),
      fileCount: files.length,
    })
  }
  return found
}

/** By its reference, or by the run's id: then what the run left last. */
export async function findKept(world: KeptWorld, what: string): Promise<(KeptRef & Owner) | null> {
  const all = await world.kept.list()
  const ofRun = all.filter(({ ref }) => RUN.exec(ref)?.[1] === what)
  const named = all.find(({ ref }) => ref === what || ref === `refs/treadle/${what}`)
  const kept = named ?? ofRun.find(({ ref }) => ref.endsWith('/last')) ?? ofRun[0]
  return kept === undefined ? null : { ...kept, ...(await ownerOf(world, kept)) }
}

async function ownerOf({ store }: KeptWorld, { ref }: KeptRef): Promise<Owner> {
  const runId = RUN.exec(ref)?.[1] ?? null
  const run = runId !== null && RunId.safeParse(runId).success ? await store.runs.find(runId) : null
  if (run !== null) return { runId, item: run.item, agentId: run.agentId }
  const [, agent, projectNumber, number] = FOUND.exec(ref) ?? []
  const agentId = AgentIdSchema.safeParse(agent)
  if (!agentId.success) return { runId, item: null, agentId: null }
  const item = { projectNumber: Number(projectNumber), number: Number(number) }
  return { runId: null, item, agentId: agentId.data }
}

function kindOf(ref: string): KeptWork['kind'] {
  const name = RUN.exec(ref)?.[2]
  if (name === undefined) return FOUND.test(ref) ? 'found' : 'other'
  if (name === 'last') return 'last'
  if (name === 'given-up') return 'given_up'
  return name.startsWith('found-') ? 'found' : 'checkpoint'
}
