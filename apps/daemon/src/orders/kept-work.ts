// The work under refs/treadle/ with whose and what it was.
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { AgentId as AgentIdSchema, RunId } from '@treadle/contracts/ids'
import type { KeptWork } from '@treadle/contracts/order'
import type { KeptRef } from '@treadle/flow/ports/git'
import type { World } from '../world.ts'

type KeptWorld = Pick<World, 'store' | 'kept' | 'target' | 'git'>
interface Owner {
  readonly runId: string | null
  readonly item: ItemRef | null
  readonly agentId: AgentId | null
}

const FILES_MAX = 50
/** Each is a git of its own. */
const AT_ONCE = 6
const RUN = /^refs\/treadle\/runs\/([^/]+)\/(.+)$/
const FOUND = /^refs\/treadle\/found\/(.+)-(\d+)-(\d+)-[0-9a-f]+$/

export async function listKept(
  world: KeptWorld,
  { limit, issueNumber, all: wantsAll }: { limit: number; issueNumber?: number | undefined; all: boolean },
): Promise<KeptWork[]> {
  const found: KeptWork[] = []
  // As a commit, so that what was looked at once is known again as long as the target stays where it is.
  const target = (await world.git.commitOf(`refs/heads/${world.target}`)) ?? world.target
  const all = await world.kept.list()
  for (let at = 0; at < all.length && found.length < limit; at += AT_ONCE) {
    const looked = await Promise.all(all.slice(at, at + AT_ONCE).map((kept) => look(world, kept, target)))
    for (const work of looked) {
      if (issueNumber !== undefined && work.item?.number !== issueNumber) continue
      // Where an agent began, or put everything back: nothing is there to be missed.
      if ((work.fileCount > 0 || wantsAll) && found.length < limit) found.push(work)
    }
  }
  return found
}

async function look(world: KeptWorld, kept: KeptRef, target: string): Promise<KeptWork> {
  const [owner, files] = await Promise.all([ownerOf(world, kept), world.kept.changes(kept.commit, target)])
  return {
    ref: kept.ref,
    commit: kept.commit,
    kind: kindOf(kept.ref),
    at: kept.at.toISOString(),
    ...owner,
    files: files.slice(0, FILES_MAX),
    fileCount: files.length,
  }
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
