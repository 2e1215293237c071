// Finds what an earlier daemon has left of agents that nobody wants to run, and recovers or removes it.
import { readdirSync, rmSync } from 'node:fs'
import { AgentId, agentNumber } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Orphan } from '@treadle/contracts/orphan'
import type { SessionFile } from '@treadle/contracts/session-file'
import type { AgentRow } from '@treadle/flow/ports/agents'
import type { World } from '../world.ts'
import { agentTree, findAgent } from './processes.ts'
import { readSession, sessionPath } from './session-note.ts'

type OrphanWorld = Pick<World, 'store' | 'paths' | 'crew' | 'now' | 'config' | 'uuid' | 'advance'>

const ITEMS_MAX = 1_000

export async function listOrphans({ store, paths, crew }: OrphanWorld): Promise<Orphan[]> {
  // What another daemon does under a name says nothing about what was left of it here.
  const here = (await store.agents.list()).filter((row) => !crew.isElsewhere(row))
  const rows = new Map(here.map((row) => [row.id, row]))
  const names = new Set([...namesIn(paths.sessions, '.session'), ...namesIn(paths.locks, '.pid')])
  return [...names]
    .toSorted((a, b) => (agentNumber(a) ?? 0) - (agentNumber(b) ?? 0))
    .flatMap((id) => orphanOf(paths, id, rows.get(id) ?? null) ?? [])
}

function orphanOf(paths: OrphanWorld['paths'], agentId: AgentId, row: AgentRow | null): Orphan | null {
  // Whoever is wanted is started again, or taken over, by the supervisor.
  if (row !== null && (row.wanted !== 'stopped' || row.pid !== null)) return null
  const process = findAgent(paths.locks, agentId, paths.root)
  const found = readSession(paths.sessions, agentId)
  const session = found.is === 'valid' ? found.session : null
  const problem = found.is === 'invalid' ? found.why : null
  if (process === null && problem === null && (session === null || session.status === 'stopped')) return null
  return { agentId, process, session, problem, item: row?.item ?? null }
}

export async function recoverOrphan(world: OrphanWorld, { agentId, session }: Orphan): Promise<void> {
  const { store, crew, now } = world
  await store.agents.ensure(agentId, now())
  if (session !== null) {
    const { tasksCompleted, errorCount, lastError } = session
    await store.agents.patch(agentId, { tasksCompleted, errorCount, lastError })
    await keepItemFor(world, agentId, session)
  }
  await crew.order(agentId, 'start')
  await note(world, agentId, 'recover_orphan', `${agentId} runs again as its session file says`)
}

/** What it was working on waits for it, unless somebody has it by now. */
async function keepItemFor(world: OrphanWorld, agentId: AgentId, session: SessionFile): Promise<void> {
  const { currentProjectNumber, branchName } = session
  if (currentProjectNumber === null) return
  const mine = (item: Item) =>
    item.number === currentProjectNumber && item.branch === branchName && item.claimedByAgentId === null
  const item = (await world.store.items.list({ limit: ITEMS_MAX })).find(mine)
  if (item === undefined) return
  await world.advance({
    item: { projectNumber: item.projectNumber, number: item.number },
    eventId: world.uuid(),
    fence: null,
    agentId,
    move: { type: 'item.assigned', by: 'system:recovery', to: agentId },
  })
}

export async function deleteOrphan(world: OrphanWorld, { agentId, process }: Orphan): Promise<void> {
  const { paths, crew } = world
  await agentTree(process, agentId, paths.root).kill()
  await crew.member(agentId).giveBack()
  rmSync(sessionPath(paths.sessions, agentId), { force: true })
  await note(world, agentId, 'delete_orphan', `${agentId} is gone, with its session file`)
}

async function note({ crew }: OrphanWorld, id: AgentId, action: string, why: string): Promise<void> {
  await crew.member(id).record({ type: 'recovery.acted', action, why })
}

function namesIn(folder: string, ending: string): AgentId[] {
  let files: string[]
  try {
    files = readdirSync(folder)
  } catch {
    return []
  }
  return files.flatMap((file) => {
    const name = file.endsWith(ending) ? AgentId.safeParse(file.slice(0, -ending.length)) : null
    return name?.success && agentNumber(name.data) !== null ? [name.data] : []
  })
}
