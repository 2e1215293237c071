// The capabilities of Python files, read by Python's own parser in a process of its own; nothing of them is run.
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { z } from 'zod'
import { type GateOptions, runGateCommand } from '../tests.ts'
import { type Capability, type CapabilityReading, keyOf, RULES } from './capability.ts'

const Output = z.record(
  z.string(),
  z
    .object({
      found: z.array(z.tuple([z.enum(RULES), z.string(), z.int()])),
      imports: z.array(z.tuple([z.string(), z.int()])),
      statements: z.array(z.tuple([z.string(), z.string()])),
    })
    .nullable(),
)

/** A statement at the top of a file: what it is to the tests, and its text without layout. */
export type Statement = readonly [kind: string, text: string]

export type PythonReading =
  | (Extract<CapabilityReading, { is: 'read' }> & { readonly statements: readonly Statement[] })
  | Extract<CapabilityReading, { is: 'unreadable' }>

const script = new URL('./capabilities.py', import.meta.url)
const outputBytesMax = 32 * 1024 * 1024
const readMsMax = 60_000

const harmless = new Set(
  `__future__ abc array ast base64 binascii bisect calendar cmath codecs collections colorsys contextlib copy csv
  dataclasses decimal difflib email enum fnmatch fractions functools gettext graphlib hashlib heapq hmac html ipaddress
  itertools json keyword logging math numbers operator pprint queue re reprlib shlex statistics string stringprep struct
  textwrap token tokenize typing typing_extensions unicodedata warnings xml zlib zoneinfo`.split(/\s+/),
)

type PythonRun = Pick<DeliveryGateRequest, 'cwd' | 'timeoutMs' | 'signal'>

/** One reading for each text; `isOwn` says whether a package is part of the tree. */
export async function readPythonTexts(
  options: GateOptions,
  request: PythonRun,
  { texts, isOwn }: { texts: readonly string[]; isOwn: (name: string) => boolean },
): Promise<PythonReading[]> {
  if (texts.length === 0) return []
  const output = await run(options, request, texts)
  if (output === null) return texts.map(() => ({ is: 'unreadable', why: 'python3 could not read it' }))
  return texts.map((_, index): PythonReading => {
    const read = output[String(index)]
    if (!read) return { is: 'unreadable', why: 'it does not parse' }
    const all = read.found.map(([rule, what, line]): Capability => ({ rule, what, line }))
    for (const [name, level] of read.imports) {
      const [top = ''] = name.split('.')
      const isKnown = harmless.has(top) || all.some(({ what }) => what.split(/[ .]/).includes(top))
      if (level === 0 && !isKnown && !standard.has(top) && !isOwn(top))
        all.push({ rule: 'package', what: `import ${top}`, line: 1 })
    }
    const capabilities = new Map(all.map((each) => [keyOf(each), each]))
    return { is: 'read', capabilities, imports: [], statements: read.statements }
  })
}

/** Modules of the language that are told by what is used of them. */
const standard = new Set(
  'os sys time random io datetime types urllib concurrent threading pathlib platform locale site argparse secrets uuid inspect traceback gc ctypes weakref atexit signal importlib pkgutil builtins subprocess multiprocessing asyncio socket http ssl tempfile shutil glob pickle marshal unittest pytest doctest'.split(
    ' ',
  ),
)

async function run(
  options: GateOptions,
  { cwd, timeoutMs, signal }: PythonRun,
  texts: readonly string[],
): Promise<z.infer<typeof Output> | null> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'python-')))
  try {
    const place = (name: string): string => join(folder, name)
    writeFileSync(place('read.py'), readFileSync(script))
    writeFileSync(place('in.json'), JSON.stringify(Object.fromEntries(texts.entries())))
    // Isolated: no module of the tree, no site and no variable takes part. A python3 that is a shim may not work here.
    const read = `-I -S '${place('read.py')}' < '${place('in.json')}' > '${place('out.json')}'`
    const ended = await runGateCommand(options, {
      command: `python3 ${read} || /usr/bin/python3 ${read}`,
      cwd,
      timeoutMs: Math.min(timeoutMs, readMsMax),
      signal,
      writable: [folder],
    })
    if (ended.exitCode !== 0 || statSync(place('out.json')).size > outputBytesMax) return null
    const output = Output.safeParse(JSON.parse(readFileSync(place('out.json'), 'utf8')))
    return output.success ? output.data : null
  } catch {
    // No Python, no sandbox, no room: what cannot be read is told as such.
    return null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
