// What an engine wrote, in the project's own form: its formatter on the changed files, and nothing else.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { FormatRequest, Formatting } from '@treadle/flow/ports/gates'
import { readForeign, writeForeign } from '@treadle/sandbox/foreign-files'
import { type Formatter, formattersOf } from './formatters.ts'
import { isInstalled } from './project-files.ts'
import { type GateOptions, runGateCommand } from './tests.ts'

const FILES_MAX = 200
const BYTES_MAX = 2 * 1024 * 1024
const MS_MAX = 60_000
const WORDS_MAX = 300
const NOT_THERE = 'it is not installed'
/** Of the lines that a change left alone, so many may be formatted with it, and for each changed one two more. */
const LINES_BESIDE = 6

export async function formatChanged(options: GateOptions, request: FormatRequest): Promise<Formatting[]> {
  const done: Formatting[] = []
  for (const formatter of formattersOf(request.cwd)) {
    const files = request.files.filter((file) => isFormatted(request.cwd, formatter, file))
    if (files.length > 0) done.push(await format(options, request, { formatter, files }))
  }
  return done
}

function isFormatted(cwd: string, { files }: Formatter, file: string): boolean {
  const stat = lstatSync(join(cwd, file), { throwIfNoEntry: false })
  return files.test(file) && stat?.isFile() === true
}

interface FormatOrder {
  readonly formatter: Formatter
  readonly files: readonly string[]
}

interface Written {
  readonly text: string
  readonly mode: number
}

/** A file as it was written; null: it is no text, too large, or none of this tree. Formatters are code of the change. */
function readWritten(cwd: string, file: string): Written | null {
  const path = join(cwd, file)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  const bytes = stat?.isFile() === true ? readForeign(cwd, path, BYTES_MAX + 1) : null
  if (stat === undefined || bytes === null || bytes.length > BYTES_MAX) return null
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? { text, mode: stat.mode & 0o777 } : null
}

function allWritten(cwd: string, files: readonly string[]): Map<string, Written> {
  const read = files.map((file) => [file, readWritten(cwd, file)] as const)
  return new Map(read.flatMap(([file, written]) => (written === null ? [] : [[file, written] as const])))
}

async function format(
  options: GateOptions,
  { cwd, readBase, timeoutMs, signal }: FormatRequest,
  { formatter, files: asked }: FormatOrder,
): Promise<Formatting> {
  const { name: by, ok } = formatter
  const none = { by, changed: [], left: [] }
  if (asked.length > FILES_MAX) return { ...none, problem: `${asked.length} files are too many` }
  // npx would look for it elsewhere.
  if (formatter.command.startsWith('npx ') && !isInstalled(cwd, by)) return { ...none, problem: NOT_THERE }
  const before = allWritten(cwd, asked)
  const files = [...before.keys()]
  if (files.length === 0) return { ...none, problem: null }
  const putBack = (file: string) => {
    const { text, mode } = before.get(file) ?? { text: '', mode: 0o644 }
    writeForeign(cwd, join(cwd, file), text, mode)
  }
  const command = [formatter.command, ...files.map(quote)].join(' ')
  const limit = Math.min(timeoutMs, MS_MAX)
  // Never from the network, whatever else gates may use.
  const ran = await runGateCommand(options, { command, cwd, timeoutMs: limit, signal, network: false })
  const isDone = !ran.timedOut && !ran.aborted && ran.exitCode !== null && ok.includes(ran.exitCode)
  const after = allWritten(cwd, files)
  const touched = files.filter((file) => after.get(file)?.text !== before.get(file)?.text)
  if (!isDone) {
    for (const file of touched) putBack(file)
    return { ...none, problem: problemOf(ran, limit) }
  }
  const left: string[] = []
  for (const file of touched) {
    const texts = { base: await readBase(file), written: before.get(file)?.text ?? '' }
    const formatted = after.get(file)
    if (formatted === undefined || isBeside(texts, formatted.text)) left.push(file)
  }
  for (const file of left) putBack(file)
  return { by, changed: touched.filter((file) => !left.includes(file)), left, problem: null }
}

function problemOf(
  { exitCode, tail, timedOut }: { exitCode: number | null; tail: string; timedOut: boolean },
  limit: number,
): string {
  if (timedOut) return `it did not end within ${limit} ms`
  if (exitCode === 127) return NOT_THERE
  const last = tail.trim().split('\n').at(-1) ?? ''
  return `it failed with exit code ${exitCode}: ${last}`.slice(0, WORDS_MAX)
}

/** Whether more was formatted than the change: then the file was not in this form before, and is not brought into it. */
export function isBeside(
  { base, written }: { base: string | null; written: string },
  formatted: string,
): boolean {
  if (base === null) return false
  const kept = common(base.split('\n'), written.split('\n'))
  const changed = written.split('\n').length - kept.length
  const lost = kept.length - common(kept, formatted.split('\n')).length
  return lost > LINES_BESIDE + 2 * Math.max(0, changed)
}

/** Lines of the first that are in the second too, each as often as in both. */
function common(first: readonly string[], second: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of second) left.set(line, (left.get(line) ?? 0) + 1)
  return first.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count > 0
  })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
