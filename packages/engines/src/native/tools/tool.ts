// Tools of the native engine: what one is.
import { relative, sep } from 'node:path'
import { z } from 'zod'
import { insidePath } from '../../scripted/inside.ts'
import type { Shell } from '../../shell.ts'

/** Where a tool works. */
export interface ToolWorld {
  /** The worktree, with all links resolved. */
  readonly root: string
  /** Folders that searches keep to, relative to the worktree; empty: all of it. */
  readonly scope: readonly string[]
  readonly signal: AbortSignal
  readonly shell: Shell
}

export interface ToolOutput {
  readonly output: string
  /** False: it was done, and it came out badly. */
  readonly success?: boolean
  readonly diff?: string
}

export interface Tool {
  readonly name: string
  readonly description: string
  /** Changes nothing. */
  readonly isReading: boolean
  readonly schema: object
  /** A fault in the input; null: all is well. */
  faultIn(input: unknown): string | null
  run(input: unknown, world: ToolWorld): Promise<ToolOutput>
}

/** A tool could not do what it was told; the model is told why. */
export class ToolFailure extends Error {}

interface ToolDefinition<I> {
  readonly name: string
  readonly description: string
  readonly isReading: boolean
  readonly input: z.ZodType<I>
  run(input: I, world: ToolWorld): Promise<ToolOutput>
}

export function makeTool<I>({ name, description, isReading, input, run }: ToolDefinition<I>): Tool {
  return {
    name,
    description,
    isReading,
    schema: wireSchema(input),
    faultIn(given) {
      const read = input.safeParse(given)
      return read.success ? null : z.prettifyError(read.error)
    },
    run: async (given, world) => run(input.parse(given), world),
  }
}

/** As providers take it: draft 7, without the line that names the draft. */
export function wireSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
  return rest
}

/** Where a path of the model's leads; it may be absolute, as long as it stays in the worktree. */
export function placeIn(root: string, file: string): string {
  const named = file.startsWith(`${root}${sep}`) || file === root ? relative(root, file) : file
  if (named === '' || named === '.' || named === './') return root
  return insidePath(root, named, 'followed')
}

/** How a place is called, seen from the worktree. */
export function nameIn(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}
