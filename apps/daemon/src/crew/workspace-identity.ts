// Which workspace an agent belongs to. Several daemons may share one database, each with a crew of its own: the number
// of a process means nothing but to the daemon that started it.
import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { AgentWorkspace } from '@treadle/contracts/agent'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import type { AgentRow } from '@treadle/flow/ports/agents'

export interface WorkspaceIdentity extends Readonly<AgentWorkspace> {
  /** False: nobody else can have this database, so everything in it belongs here, wherever it was made. */
  readonly shared: boolean
}

export function openWorkspaceIdentity(
  { place: file, root }: WorkspacePaths,
  shared: boolean,
): WorkspaceIdentity {
  const words = `${hostname()}:${root}`
  try {
    const id = readFileSync(file, 'utf8').trim()
    if (id !== '') return { id, words, shared }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const id = randomUUID()
  writeFileSync(`${file}.tmp`, `${id}\n`)
  renameSync(`${file}.tmp`, file)
  return { id, words, shared }
}

/** The workspace as it is kept with an agent. */
export function workspaceOf({ id, words }: WorkspaceIdentity): AgentWorkspace {
  return { id, words }
}

/** An agent of nobody is not elsewhere. */
export function isElsewhere({ workspace }: Pick<AgentRow, 'workspace'>, here: WorkspaceIdentity): boolean {
  return here.shared && workspace !== null && workspace.id !== here.id
}
