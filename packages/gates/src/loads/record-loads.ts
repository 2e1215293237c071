// Has the processes of a run note what they load.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeForeign } from '@treadle/sandbox/foreign-files'
import { putBefore } from '../put-before.ts'
import { type LoadRecord, readLoads } from './read-loads.ts'

const recorders = {
  node: new URL('./note-loads.cjs', import.meta.url),
  python: new URL('./note_loads.py', import.meta.url),
}

export interface Recording {
  readonly env: Readonly<Record<string, string>>
  /** The run writes into it. */
  readonly folder: string
  read(): LoadRecord | null
  remove(): void
}

/** @param root The folder of the tree, by the path under which the run knows it. */
export function startRecording(env: Readonly<Record<string, string>>, root: string): Recording {
  // Under a name that says nothing about who looks.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'run-')))
  const out = join(folder, 'out')
  mkdirSync(out)
  writeFileSync(join(folder, 'root'), root)
  return {
    env: putBefore(env, folder, recorders),
    folder,
    read: () => readLoads(out, root),
    remove: () => removeForeign(folder),
  }
}
