// The assertions of Python test files, found by Python's own parser in a process of its own.
import { z } from 'zod'
import { type PythonRun, readByPython } from '../run-python.ts'
import type { GateOptions } from '../tests.ts'
import type { Bent } from './bent.ts'

const Output = z.record(
  z.string(),
  z.array(z.tuple([z.int(), z.string().nullable(), z.int(), z.int(), z.string(), z.boolean()])),
)
const script = new URL('./bend.py', import.meta.url)
const outputBytesMax = 16 * 1024 * 1024

/** All that can be bent, by path; none where there is no Python. */
export async function bentInPython(
  options: GateOptions,
  request: PythonRun,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly Bent[]>> {
  if (texts.size === 0) return new Map()
  const input = Object.fromEntries(texts)
  const output = Output.safeParse(await readByPython(options, request, { script, input, outputBytesMax }))
  // No Python, no sandbox, no room: nothing of these files is bent.
  if (!output.success) return new Map()
  return new Map(
    Object.entries(output.data).map(([path, all]) => [
      path,
      all.map((each) => bentOf(each, texts.get(path) ?? '')),
    ]),
  )
}

function bentOf(
  [line, test, from, to, put, isOfMachine]: z.infer<typeof Output>[string][number],
  text: string,
): Bent {
  // Python counts characters, we count the units that they are stored in.
  const unit = (at: number): number => [...text].slice(0, at).join('').length
  const code = text.split('\n')[line - 1]?.trim() ?? ''
  const group = test === null ? `line ${line}` : `test ${test}`
  return { line, test, group, start: unit(from), end: unit(to), text: put, code, isOfMachine }
}
