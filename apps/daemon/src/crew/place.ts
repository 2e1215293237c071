// Which workspace an agent belongs to. Several daemons may share one database, each with a crew of its own: the number
// of a process means nothing but to the daemon that started it.
import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import type { AgentRow } from '@treadle/flow/ports'

export interface PlaceName {
  /** Made once for a workspace; it stays when the machine is renamed or the folder is moved. */
  readonly id: string
  /** Where that is, for people. */
  readonly words: string
}

export interface Place extends PlaceName {
  /** False: nobody else can have this database, so everything in it belongs here, wherever it was made. */
  readonly shared: boolean
}

export function openPlace({ place: file, root }: WorkspacePaths, shared: boolean): Place {
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

/** As it is kept beside the number of the process: its start, and whose it is; without a start, whose the name is. */
export function markedStart({ id, words }: PlaceName, started = ''): string {
  return `${started}@${id}@${words}`
}

export function startIn({ pidStarted }: Pick<AgentRow, 'pidStarted'>): string | null {
  const started = pidStarted?.split('@')[0] ?? ''
  return started === '' ? null : started
}

/** Null: it is nobody's. */
export function placeIn({ pidStarted }: Pick<AgentRow, 'pidStarted'>): PlaceName | null {
  const [, id, ...words] = pidStarted?.split('@') ?? []
  return id === undefined || id === '' ? null : { id, words: words.join('@') }
}

export function isElsewhere(row: Pick<AgentRow, 'pidStarted'>, here: Place): boolean {
  const place = placeIn(row)
  return here.shared && place !== null && place.id !== here.id
}
