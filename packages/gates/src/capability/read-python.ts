// The capabilities of Python files, read by Python's own parser in a process of its own; nothing of them is run.
import { z } from 'zod'
import { type PythonRun, readByPython } from '../run-python.ts'
import type { GateOptions } from '../tests.ts'
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

const harmless = new Set(
  `__future__ abc array ast base64 binascii bisect calendar cmath codecs collections colorsys contextlib copy csv
  dataclasses decimal difflib email enum fnmatch fractions functools gettext graphlib hashlib heapq hmac html ipaddress
  itertools json keyword logging math numbers operator pprint queue re reprlib shlex statistics string stringprep struct
  textwrap token tokenize typing typing_extensions unicodedata warnings xml zlib zoneinfo`.split(/\s+/),
)

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
  request: PythonRun,
  texts: readonly string[],
): Promise<z.infer<typeof Output> | null> {
  const input = Object.fromEntries(texts.entries())
  const output = Output.safeParse(await readByPython(options, request, { script, input, outputBytesMax }))
  return output.success ? output.data : null
}
