// Which processes are agents of this workspace, by what they have written down and by the mark that all of them carry.
import { readdirSync, readFileSync } from 'node:fs'
import { AGENT_MARK } from '@treadle/contracts/child-env'
import { AgentId } from '@treadle/contracts/ids'
import { argumentsOf, type ProcessId, processOf } from '@treadle/process/table'
import { ProcessTree } from '@treadle/process/tree'

/** Every process of an agent inherits it, whatever group it is in and whoever its parent is now. */
export function markOf(id: AgentId, root: string): string {
  return `${id}@${root}`
}

/** All that belongs to one agent: its process, what descends from it, and what carries its mark. */
export function agentTree(process: ProcessId | null, id: AgentId, root: string): ProcessTree {
  const mark = markOf(id, root)
  return new ProcessTree(process === null ? [] : [process], {
    name: AGENT_MARK,
    is: (found) => found === mark,
  })
}

/** All that belongs to the agents of a workspace. */
export function crewTree(agents: readonly ProcessId[], root: string): ProcessTree {
  return new ProcessTree(agents, { name: AGENT_MARK, is: (mark) => mark.endsWith(`@${root}`) })
}

/** The agent that has written its number into its lock folder, if that number is still its own. */
export function findAgent(locks: string, id: AgentId, root: string): ProcessId | null {
  const pid = Number(readQuietly(`${locks}/${id}.pid`))
  const seen = Number.isInteger(pid) && pid > 1 ? processOf(pid) : null
  if (seen === null) return null
  const args = argumentsOf(pid)
  return args.includes(id) && args.includes(root) ? { pid, started: seen.started } : null
}

/** All agents that have written their numbers down and still run. */
export function agentsIn(locks: string, root: string): { id: AgentId; process: ProcessId }[] {
  return namesIn(locks).flatMap((file) => {
    const id = AgentId.safeParse(file.replace(/\.pid$/, ''))
    const found = id.success && file.endsWith('.pid') ? findAgent(locks, id.data, root) : null
    return id.success && found !== null ? [{ id: id.data, process: found }] : []
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended while we looked, or belongs to someone else.
    return ''
  }
}
