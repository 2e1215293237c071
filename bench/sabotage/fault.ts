// A small fault in a source file that a project's tests notice: what a liar would deliver, and what an honest fix takes
// back.
import { readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { mostImported } from '@treadle/gates/canary/most-imported'

export interface Fault {
  readonly file: string
  readonly line: number
  readonly before: string
  readonly after: string
  /** The whole text of the file, without the fault and with it. */
  readonly right: string
  readonly wrong: string
}

type Change = readonly [pattern: RegExp, replacement: string]

const EVERYWHERE: readonly Change[] = [
  [/ \+ (?=[\w(])/, ' - '],
  [/ < (?=[\w(])/, ' >= '],
  [/ > (?=[\w(])/, ' <= '],
]
const IN_SCRIPTS: readonly Change[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/^(\s*)return (?=\w)/, '$1return !'],
  [/\bfalse\b/, 'true'],
  [/ == /, ' != '],
]
const IN_PYTHON: readonly Change[] = [
  [/ == /, ' != '],
  [/^(\s*)return (?=\w)/, '$1return not '],
  [/ is not None\b/, ' is None'],
  [/ is None\b/, ' is not None'],
  [/^(\s*if) not /, '$1 '],
]
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|>>>|\.\.\.|import\b|from\b)/
const FILES_MAX = 6
const TRIES_PER_FILE_MAX = 5

/** Faults that can be planted in a text, spread over its lines; the text is code afterwards as it was before. */
export function faultsIn(file: string, right: string): Fault[] {
  const changes = changesFor(extname(file))
  const lines = right.split('\n')
  return lines.flatMap((before, at) => {
    if (COMMENT.test(before)) return []
    const change = changes.find(([pattern]) => pattern.test(before))
    if (change === undefined) return []
    const after = before.replace(...change)
    const wrong = lines.with(at, after).join('\n')
    return [{ file, line: at + 1, before: before.trim(), after: after.trim(), right, wrong }]
  })
}

function changesFor(ending: string): readonly Change[] {
  if (/^\.[cm]?[jt]sx?$/.test(ending)) return [...IN_SCRIPTS, ...EVERYWHERE]
  return ending === '.py' ? [...IN_PYTHON, ...EVERYWHERE] : []
}

/** Every so many, so that a few tries see the whole of a file. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)] as T)
}

/** The first fault that turns the tests of a checkout red; the checkout is left as it was found. */
export function findFault(root: string, testsPass: () => boolean): Fault | null {
  const likely = mostImported(root)
  const named = [...likely.filter(({ byTest }) => byTest), ...likely.filter(({ byTest }) => !byTest)]
  for (const { path } of named.slice(0, FILES_MAX)) {
    const at = join(root, path)
    const right = readFileSync(at, 'utf8')
    for (const fault of spread(faultsIn(path, right), TRIES_PER_FILE_MAX)) {
      writeFileSync(at, fault.wrong)
      try {
        if (!testsPass()) return fault
      } finally {
        writeFileSync(at, right)
      }
    }
  }
  return null
}
