// Three versions of a text merged by git itself, told as parts: what is the same whoever wins, and the places to decide.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConflictPart } from '@treadle/contracts/conflict-parts'
import { Fault } from '@treadle/flow/fault'
import type { Git } from './git.ts'

interface Versions {
  readonly target: string
  readonly branch: string
  /** Null: the file was not there where both began. */
  readonly base: string | null
}

// Git answers with the number of places, and with 127 for more.
const COUNTS = Array.from({ length: 128 }, (_, count) => count)

/** By `merge-file`, which asks no attributes and starts no driver; the versions lie in a folder of our own meanwhile. */
export async function mergePlaces(git: Git, versions: Versions): Promise<ConflictPart[]> {
  const size = markerSize(versions)
  const folder = mkdtempSync(join(tmpdir(), 'treadle-places-'))
  try {
    const files = (['target', 'base', 'branch'] as const).map((side) => {
      const file = join(folder, side)
      writeFileSync(file, versions[side] ?? '', { mode: 0o600 })
      return file
    })
    // Without a base, lines that both sides added alike are found only in the plain style.
    const style = versions.base === null ? [] : ['--zdiff3']
    const labels = ['target', 'base', 'branch'].flatMap((label) => ['-L', label])
    const args = ['-c', 'merge.conflictStyle=merge', 'merge-file', '--stdout', ...style]
    const run = { cwd: await git.commonDir(), ok: COUNTS }
    const { stdout } = await git.run([...args, `--marker-size=${size}`, ...labels, ...files], run)
    return readParts(stdout, size, versions)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const SPARE = 8

/** Longer than anything like a marker in the versions, so that no line of a file can pass for one. */
function markerSize({ target, branch, base }: Versions): number {
  let longest = 0
  for (const text of [target, branch, base ?? ''])
    for (const [run] of text.matchAll(/([<|=>])\1*/g)) longest = Math.max(longest, run.length)
  return longest + SPARE
}

type ConflictPlace = Extract<ConflictPart, { is: 'place' }>
type Section = 'same' | 'target' | 'base' | 'branch'

function readParts(merged: string, size: number, versions: Versions): ConflictPart[] {
  const [opens, bases, splits, ends] = ['<', '|', '=', '>'].map((sign) => sign.repeat(size))
  const parts: ConflictPart[] = []
  const texts: Record<Section, string[]> = { same: [], target: [], base: [], branch: [] }
  const taken = (section: Section) => texts[section].splice(0).join('')
  let section: Section = 'same'
  const endSame = () => {
    const text = taken('same')
    if (text !== '') parts.push({ is: 'same', text })
  }
  for (const line of linesOf(merged)) {
    switch (line.replace(/\r?\n$/, '')) {
      case `${opens} target`:
        endSame()
        section = 'target'
        break
      case `${bases} base`:
        section = 'base'
        break
      case splits:
        section = 'branch'
        break
      case `${ends} branch`: {
        const base = taken('base')
        const place = { target: taken('target'), branch: taken('branch') }
        parts.push({ is: 'place', ...place, base: versions.base === null ? null : base })
        section = 'same'
        break
      }
      default:
        texts[section].push(line)
    }
  }
  if (section !== 'same') throw new Fault('git', 'git merge-file ended in the middle of a place')
  endSame()
  return withLastLines(parts, versions)
}

/** Between markers git ends every line; the last line of a version may have no end. */
function withLastLines(parts: ConflictPart[], versions: Versions): ConflictPart[] {
  const last = parts.at(-1)
  if (last?.is !== 'place') return parts
  const asIn = (text: string, version: string | null) =>
    version?.endsWith('\n') === false ? text.replace(/\r?\n$/, '') : text
  const place: ConflictPlace = {
    is: 'place',
    target: asIn(last.target, versions.target),
    branch: asIn(last.branch, versions.branch),
    base: last.base === null ? null : asIn(last.base, versions.base),
  }
  return [...parts.slice(0, -1), place]
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
