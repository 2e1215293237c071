// Scripts of ours in Python, for what only Python's own parser can tell; each in a process of its own.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { boundedText } from '@treadle/process/bounded-file'
import { type GateOptions, runGateCommand } from './tests.ts'

export type PythonRun = Pick<DeliveryGateRequest, 'cwd' | 'timeoutMs' | 'signal'>

interface PythonScript {
  readonly script: URL
  readonly input: unknown
  readonly outputBytesMax: number
}

interface ProjectScript extends PythonScript {
  /** Words that start the Python of the tests. */
  readonly python: string
}

const msMax = 60_000

/** What a script prints about texts that it is given as JSON; null where there is no Python. Nothing of the tree is run. */
export async function readByPython(
  options: GateOptions,
  run: PythonRun,
  asked: PythonScript,
): Promise<unknown> {
  // Isolated: no module of the tree, no site and no variable takes part. A python3 that is a shim may not work here.
  const text = await inFolder(options, run, asked, ({ script, input, output }) => {
    const words = `-I -S '${script}' < '${input}' > '${output}'`
    return `python3 ${words} || /usr/bin/python3 ${words}`
  })
  return text === null || text.trim() === '' ? null : JSON.parse(text)
}

/** What a script leaves that loads modules of the tree, with the Python of the tests; null if it could not. */
export function runByPython(
  options: GateOptions,
  run: PythonRun,
  asked: ProjectScript,
): Promise<string | null> {
  return inFolder(options, run, asked, ({ script, input, output }) => {
    const words = `-B '${script}' '${input}' '${output}'`
    return `${asked.python} ${words} || /usr/bin/python3 ${words}`
  })
}

interface Places {
  readonly script: string
  readonly input: string
  readonly output: string
}

async function inFolder(
  options: GateOptions,
  { cwd, timeoutMs, signal }: PythonRun,
  { script, input, outputBytesMax }: PythonScript,
  commandFor: (places: Places) => string,
): Promise<string | null> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'python-')))
  try {
    const place = (name: string): string => join(folder, name)
    const places = { script: place('ask.py'), input: place('in.json'), output: place('out.json') }
    writeFileSync(places.script, readFileSync(script))
    writeFileSync(places.input, JSON.stringify(input))
    const ended = await runGateCommand(options, {
      command: commandFor(places),
      cwd,
      timeoutMs: Math.min(timeoutMs, msMax),
      signal,
      writable: [folder],
    })
    return ended.exitCode === 0 ? boundedText(places.output, outputBytesMax) : null
  } catch {
    // No Python, no sandbox, no room: what cannot be read is told as such.
    return null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
