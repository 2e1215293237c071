// What the processes of a run noted of their loads, read as hostile: any of them may have written there.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'
import { z } from 'zod'

const Text = z.string().max(4_096)

const Line = z.union([
  z.tuple([
    z.literal('asked'),
    z.strictObject({ program: Text, options: z.array(Text).max(100), paths: Text }),
  ]),
  z.tuple([z.enum(['load', 'first']), Text.nullable(), Text.nullable(), Text.nullable()]),
  z.tuple([z.literal('module'), Text, Text]),
  z.tuple([z.literal('package'), Text, Text]),
  z.tuple([z.literal('partial'), Text]),
])
type Line = z.infer<typeof Line>

/** One thing that was loaded: who asked for it by which name, as far as that is known, and what came of it. */
const Load = z.strictObject({
  /** A file of the tree; null: the runner, or a package. */
  by: z.string().nullable(),
  /** As written; null where only the file is known. */
  name: z.string().nullable(),
  /** A path in the tree, `package <name>`, `outside`, or null if there was nothing. */
  to: z.string().nullable(),
  /** False: `by` is the first who asked; others may have. */
  all: z.boolean(),
})
export type Load = z.infer<typeof Load>

export const LoadRecord = z.strictObject({
  loads: z.array(Load),
  /** Packages with their versions; no version where it is not known. */
  packages: z.array(z.tuple([z.string(), z.string()])),
  /** By test file or other file that a runner loads itself: programs and options of the processes that loaded it. */
  asked: z.array(z.tuple([z.string(), z.string()])),
  /** Why something may be missing. */
  partial: z.array(z.string()),
})
export type LoadRecord = z.infer<typeof LoadRecord>

const filesMax = 5_000
const fileBytesMax = 8 * 1024 * 1024
const allBytesMax = 64 * 1024 * 1024

/** Null if nothing was written down. */
export function readLoads(folder: string, root: string): LoadRecord | null {
  const names = readdirSync(folder).sort()
  const gathered = new Gathered(root)
  let left = allBytesMax
  for (const name of names.slice(0, filesMax)) {
    const text = boundedText(join(folder, name), Math.min(fileBytesMax, left))
    left -= text?.length ?? 0
    if (text === null) gathered.partial.add('a record could not be read')
    else gathered.add(text.split('\n').flatMap(readLine))
  }
  if (names.length > filesMax) gathered.partial.add('there were too many processes')
  return gathered.record()
}

function readLine(text: string): Line[] {
  try {
    return text === '' ? [] : [Line.parse(JSON.parse(text))]
  } catch {
    return [['partial', 'a line of a record could not be read']]
  }
}

/** The records of all processes, as one. */
class Gathered {
  readonly partial = new Set<string>()
  readonly #root: string
  readonly #loads = new Map<string, Load>()
  readonly #packages = new Map<string, [string, string]>()
  readonly #asked = new Map<string, [string, string]>()

  constructor(root: string) {
    this.#root = root
  }

  add(lines: readonly Line[]): void {
    const asked = lines.flatMap((line) => (line[0] === 'asked' ? [this.#askedWords(line[1])] : []))
    for (const line of lines) {
      const load = this.#loadOf(line)
      if (load !== null) this.#loads.set(JSON.stringify(load), load)
      if (load !== null && load.by === null && load.to !== null)
        for (const words of asked) this.#asked.set(`${load.to} ${words}`, [load.to, words])
      if (line[0] === 'package') this.#packages.set(`${line[1]} ${line[2]}`, [line[1], line[2]])
      if (line[0] === 'partial') this.partial.add(line[1])
    }
  }

  record(): LoadRecord | null {
    if (this.#loads.size === 0) return null
    return {
      loads: [...this.#loads.values()],
      packages: [...this.#packages.values()],
      asked: [...this.#asked.values()],
      partial: [...this.partial],
    }
  }

  #loadOf(line: Line): Load | null {
    if (line[0] === 'load' || line[0] === 'first') {
      const [kind, by, name, to] = line
      const from = by === null ? null : this.#place(by)
      return { by: from, name, to: to === null ? null : this.#place(to), all: kind === 'load' }
    }
    if (line[0] !== 'module') return null
    // Python knows a module by one name, whoever asks for it.
    return { by: null, name: line[1], to: this.#place(line[2]), all: true }
  }

  #askedWords({ program, options, paths }: Extract<Line, ['asked', unknown]>[1]): string {
    const given = options.map((option) => option.replace(/\/[^=]*$/, (path) => this.#place(path)))
    const where = paths
      .split(':')
      .filter((path) => path !== '')
      .map((path) => this.#place(path))
    return [program, ...given, ...(where.length > 0 ? [`paths ${where.join(', ')}`] : [])].join(' ')
  }

  #place(path: string): string {
    const found = /.*[\\/](?:node_modules|site-packages|dist-packages)[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(
      path,
    )
    if (found?.[1] !== undefined) return `package ${found[1].replace(/\.pyc?$/, '')}`
    if (path.startsWith(`${this.#root}/`)) return path.slice(this.#root.length + 1)
    if (path.startsWith('/')) return 'outside'
    return `package ${/^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path}`
  }
}
