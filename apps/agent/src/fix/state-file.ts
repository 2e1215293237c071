// Where an interrupted `treadle fix` finds itself again: one file for each, replaced as a whole after every step.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { RunId } from '@treadle/contracts/ids'
import { Item } from '@treadle/contracts/item'
import { Run } from '@treadle/contracts/run'
import { z } from 'zod'
import { replaceFile } from '../replace-file.ts'
import type { Journal } from '../run-reporter.ts'

export const FixState = z.strictObject({
  version: z.literal(1),
  item: Item,
  /** Holds the loop's state: session_id (its id), iteration, history, gates. */
  run: Run,
  place: z.strictObject({ worktree: z.string(), branch: z.string(), target: z.string() }),
  engine: z.string(),
  scenario: z.string().nullable(),
  testCommand: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
})
export type FixState = z.infer<typeof FixState>

export function stateFile(folder: string, id: string): string {
  return join(folder, `${id}.json`)
}

export async function saveState(folder: string, state: FixState): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await replaceFile(stateFile(folder, state.run.id), `${JSON.stringify(state, null, 2)}\n`)
}

const LIGHT: ReadonlySet<string> = new Set(['run.said', 'run.began', 'run.observed'])

/** Keeps the file up to date with what is said; what moves nothing and adds no history is not worth a write. */
export function journalTo(folder: string, state: FixState, onReport: Journal['append']): Journal {
  return {
    append: async (report, of) => {
      if (!LIGHT.has(report.type)) await saveState(folder, { ...state, item: of.item, run: of.run })
      await onReport(report, of)
    },
  }
}

export type Unfinished =
  | { readonly is: 'read'; readonly state: FixState }
  | { readonly is: 'faulty'; readonly file: string; readonly why: string }

/** Every fix that has not ended, the latest first. */
export function unfinished(folder: string): Unfinished[] {
  return names(folder)
    .map((name) => read(join(folder, name)))
    .filter((each) => each.is === 'faulty' || each.state.endedAt === null)
    .sort((a, b) => startOf(b).localeCompare(startOf(a)))
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).filter(
      (name) => name.endsWith('.json') && RunId.safeParse(basename(name, '.json')).success,
    )
  } catch {
    return []
  }
}

function read(file: string): Unfinished {
  try {
    return { is: 'read', state: FixState.parse(JSON.parse(readFileSync(file, 'utf8'))) }
  } catch (error) {
    return { is: 'faulty', file, why: error instanceof Error ? error.message : String(error) }
  }
}

function startOf(each: Unfinished): string {
  return each.is === 'read' ? each.state.startedAt : ''
}
