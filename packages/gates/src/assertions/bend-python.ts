// The assertions of Python test files, found by Python's own parser in a process of its own.
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestGateRequest } from '@treadle/flow/ports/gates'
import { z } from 'zod'
import { type GateOptions, runGateCommand } from '../tests.ts'
import type { Bent } from './bent.ts'

const Output = z.record(
  z.string(),
  z.array(z.tuple([z.int(), z.string().nullable(), z.int(), z.int(), z.string(), z.boolean()])),
)
const script = new URL('./bend.py', import.meta.url)
const outputBytesMax = 16 * 1024 * 1024
const readMsMax = 60_000

/** All that can be bent, by path; none where there is no Python. */
export async function bentInPython(
  options: GateOptions,
  { cwd, timeoutMs, signal }: Pick<TestGateRequest, 'cwd' | 'timeoutMs' | 'signal'>,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly Bent[]>> {
  if (texts.size === 0) return new Map()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'python-')))
  try {
    const place = (name: string): string => join(folder, name)
    writeFileSync(place('bend.py'), readFileSync(script))
    writeFileSync(place('in.json'), JSON.stringify(Object.fromEntries(texts)))
    const read = `-I -S '${place('bend.py')}' < '${place('in.json')}' > '${place('out.json')}'`
    const ended = await runGateCommand(options, {
      command: `python3 ${read} || /usr/bin/python3 ${read}`,
      cwd,
      timeoutMs: Math.min(timeoutMs, readMsMax),
      signal,
      writable: [folder],
    })
    if (ended.exitCode !== 0 || statSync(place('out.json')).size > outputBytesMax) return new Map()
    const output = Output.parse(JSON.parse(readFileSync(place('out.json'), 'utf8')))
    return new Map(
      Object.entries(output).map(([path, all]) => [
        path,
        all.map((each) => bentOf(each, texts.get(path) ?? '')),
      ]),
    )
  } catch {
    // No Python, no sandbox, no room: nothing of these files is bent.
    return new Map()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
