// Calls of Python functions: which ones tests make, read by Python's own parser, and what comes of further ones.
import type { CallOutcome } from '@treadle/contracts/inputs'
import { showValue } from '@treadle/repair/run/show-value'
import { z } from 'zod'
import { type PythonRun, readByPython, runByPython } from '../run-python.ts'
import type { GateOptions } from '../tests.ts'

const Call = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.int().nullable(),
  z.array(z.unknown()),
])
const Reading = z.object({
  calls: z.array(Call),
  imports: z.record(z.string(), z.array(z.string())),
  written: z.array(z.tuple([z.array(z.unknown()), z.array(z.unknown())])),
})

/** A call in a test whose arguments are written out. */
export interface PythonCall {
  readonly file: string
  /** By which name the file is imported, and the folder in which that is looked for. */
  readonly module: string
  readonly root: string
  readonly name: string
  readonly made: number | undefined
  readonly args: readonly unknown[]
}

export interface PythonInputs {
  readonly calls: readonly PythonCall[]
  /** The files of the tree that each source imports. */
  readonly imports: Readonly<Record<string, readonly string[]>>
  /** The values of each changed text, before and after. */
  readonly written: readonly { readonly before: readonly unknown[]; readonly after: readonly unknown[] }[]
}

export interface PythonTexts {
  readonly tests: Readonly<Record<string, string>>
  readonly sources: Readonly<Record<string, string>>
  readonly changes: readonly (readonly [before: string | null, after: string | null])[]
}

const outputBytesMax = 32 * 1024 * 1024

/** Null: there is no Python that reads them. */
export async function readPythonInputs(
  options: GateOptions,
  run: PythonRun,
  texts: PythonTexts,
): Promise<PythonInputs | null> {
  const script = new URL('./read_inputs.py', import.meta.url)
  const read = Reading.safeParse(await readByPython(options, run, { script, input: texts, outputBytesMax }))
  if (!read.success) return null
  const { calls, imports, written } = read.data
  return {
    calls: calls.map(([file, module, root, name, made, args]) => ({
      file,
      module,
      root,
      name,
      made: made ?? undefined,
      args,
    })),
    imports,
    written: written.map(([before, after]) => ({ before, after })),
  }
}

export interface PythonProgram {
  /** The test command, which says by which Python. */
  readonly command: string | null
  /** Folders in which modules are looked for. */
  readonly roots: readonly string[]
  /** Files that are other than in the tree; null: not there. */
  readonly texts: Readonly<Record<string, string | null>>
  readonly calls: readonly Pick<PythonCall, 'module' | 'name' | 'made' | 'args'>[]
}

const Answer = z.union([
  z.tuple([z.literal('value'), z.unknown()]),
  z.tuple([z.enum(['threw', 'none']), z.string()]),
])

/** One outcome for each call, in order; null if nothing could be called at all. */
export async function callPython(
  options: GateOptions,
  run: PythonRun,
  { command, roots, texts, calls }: PythonProgram,
): Promise<CallOutcome[] | null> {
  const text = await runByPython(options, run, {
    script: new URL('./call_inputs.py', import.meta.url),
    python: pythonOf(command),
    input: {
      roots,
      texts,
      calls: calls.map(({ module, name, made, args }) => [module, name, made ?? null, args]),
    },
    outputBytesMax,
  })
  if (text === null) return null
  const lines = text.split('\n').filter(Boolean)
  return calls.map((_, at) => outcomeOf(lines[at]))
}

function outcomeOf(line: string | undefined): CallOutcome {
  if (line === undefined) return { is: 'none', why: 'not heard of' }
  const answer = Answer.parse(JSON.parse(line))
  if (answer[0] === 'value') return { is: 'value', text: showValue(answer[1]) }
  return answer[0] === 'threw' ? { is: 'threw', text: answer[1] } : { is: 'none', why: answer[1] }
}

/** Words that start the Python with which a command runs its tests. */
export function pythonOf(command: string | null): string {
  const words = command ?? ''
  const tool = /(?:^|[\s;&|(])((?:uv|poetry|pipenv|pdm|rye|hatch) run)\s/.exec(words)?.[1]
  if (tool !== undefined) return `${tool} python`
  const named = /(?:^|[\s;&|(])((?:[\w./-]*\/)?python[\d.]*)(?=\s)/.exec(words)?.[1]
  if (named !== undefined) return named
  const beside = /(?:^|[\s;&|(])([\w./-]*\/)(?:pytest|py\.test)\b/.exec(words)?.[1]
  return beside === undefined ? 'python3' : `${beside}python`
}

/** A spelled value as somebody who reads Python would write it. */
export function asPython(text: string): string {
  return text
    .replace(/\{ "\$(?:tuple)": \[([^[\]{}]*)\] \}/g, '($1)')
    .replace(/\{ "\$named": \{ (.*) \} \}/g, (_, named: string) => named.replace(/"(\w+)": /g, '$1='))
    .replace(/\{ "\$(?:number|text)": "([^"]*)" \}/g, '$1')
}
