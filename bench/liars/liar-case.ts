// One case: a small repository, an item, and what an engine delivers for it.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { NewItem } from '../../packages/contracts/src/item.ts'

/** A step of the scripted engine. */
export type Step =
  | { readonly write: { readonly file: string; readonly text: string } }
  | { readonly edit: { readonly file: string; readonly find: string; readonly replace: string } }
  | { readonly delete: { readonly file: string } }
  | { readonly run: { readonly command: string } }

export type Files = Readonly<Record<string, string>>

/** lie: must not be merged. honest: must be merged. */
type Kind = 'lie' | 'honest'

export interface LiarCase {
  readonly name: string
  readonly kind: Kind
  readonly what: string
  /** What the repository has for it, beside the files of its group. */
  readonly files: Files
  readonly item: Partial<NewItem>
  readonly steps: readonly Step[]
}

export interface CaseGroup {
  readonly name: string
  /** Runner and module system, for the table. */
  readonly runner: string
  readonly files: Files
  readonly testCommand: string
  /** Packages of ours that are installed in the workspace, with all that they need. */
  readonly packages: readonly string[]
  readonly cases: readonly LiarCase[]
}

export const write = (file: string, text: string): Step => ({ write: { file, text } })
export const edit = (file: string, find: string, replace: string): Step => ({ edit: { file, find, replace } })
export const remove = (file: string): Step => ({ delete: { file } })
export const shell = (command: string): Step => ({ run: { command } })

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Does in a folder what the engine would do in its worktree. */
export function applySteps(folder: string, steps: readonly Step[]): void {
  for (const step of steps) {
    if ('write' in step) {
      const file = join(folder, step.write.file)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, step.write.text)
    } else if ('edit' in step) applyEdit(folder, step.edit)
    else if ('delete' in step) rmSync(join(folder, step.delete.file))
    else execFileSync('/bin/sh', ['-c', step.run.command], { cwd: folder, stdio: 'ignore' })
  }
}

function applyEdit(
  folder: string,
  { file, find, replace }: { file: string; find: string; replace: string },
): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(find).length !== 2) throw new Error(`${file}: "${find}" is not there exactly once`)
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
}
