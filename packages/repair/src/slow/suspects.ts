// Suspects without coverage: the lines that failures name, what is around them, and what the failing tests import.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { statementsOf } from '../localise/hits.ts'
import { lineOf, type Suspect } from '../localise/localise.ts'
import { isTestPath, toSlash } from '../project/files.ts'
import { type Project, type SourceFile, sourceFor } from '../project/load.ts'
import { Resolver } from '../project/resolve.ts'
import { above } from '../tree/node.ts'

const FILES_MAX = 12
const OUTSIDE =
  /(['"])(node:)?(child_process|fs|fs\/promises|net|http|https|http2|dgram|tls|worker_threads|cluster)\1/
const OUTSIDE_PYTHON =
  /^\s*(?:import|from)\s+(?:os|shutil|subprocess|pathlib|socket|urllib|requests|httpx|http|ftplib|smtplib|tempfile|glob|multiprocessing|ctypes|sqlite3)\b|\bopen\(/m

export interface SlowSuspects {
  readonly suspects: readonly Suspect[]
  readonly files: readonly SourceFile[]
}

/** Here mutated code runs with all rights, so files that reach into the world are left alone. */
export function isHarmless(text: string, path = ''): boolean {
  return !(path.endsWith('.py') ? OUTSIDE_PYTHON : OUTSIDE).test(text)
}

export function slowSuspects(root: string, tests: readonly string[], output: string): SlowSuspects {
  const frames = framesIn(root, output)
  const paths = new Set([...frames.keys(), ...importedBy(root, tests)])
  const files: SourceFile[] = []
  for (const path of [...paths].slice(0, FILES_MAX)) {
    const text = readFileSync(join(root, path), 'utf8')
    const file = isTestPath(path) || !isHarmless(text) ? null : sourceFor(root, path, text, files.length)
    if (file !== null) files.push(file)
  }
  const suspects = files.flatMap((file) => suspectsIn(file, frames.get(file.path) ?? new Set()))
  return { suspects: suspects.sort((a, b) => b.score - a.score), files }
}

function framesIn(root: string, output: string): Map<string, Set<number>> {
  const frames = new Map<string, Set<number>>()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are part of what runners print.
  const plain = output.replace(/\x1b\[[\d;]*m/g, '')
  for (const found of plain.matchAll(/(?:file:\/\/)?((?:\/|\.{0,2}\/?)[\w@./-]+\.[cm]?[jt]sx?):(\d+)/g)) {
    const [, name = '', line = ''] = found
    const path = toSlash(name.startsWith(root + sep) ? relative(root, name) : name.replace(/^\.\//, ''))
    if (
      path.startsWith('/') ||
      path.startsWith('..') ||
      path.includes('node_modules') ||
      !existsSync(join(root, path))
    )
      continue
    const lines = frames.get(path) ?? new Set<number>()
    frames.set(path, lines.add(Number(line)))
  }
  return frames
}

function importedBy(root: string, tests: readonly string[]): string[] {
  const resolver = new Resolver(root)
  const found = new Set<string>()
  const visit = (path: string, depth: number): void => {
    const text = readFileSync(join(root, path), 'utf8')
    for (const match of text.matchAll(/(?:from|import|require\()\s*(['"])([^'"\n]+)\1/g)) {
      const target = resolver.resolve(join(root, path), match[2] ?? '')
      if (target.is !== 'own' || !/\.[cm]?[jt]sx?$/.test(target.path)) continue
      const inside = toSlash(relative(root, target.path))
      if (found.has(inside)) continue
      found.add(inside)
      if (depth < 2) visit(inside, depth + 1)
    }
  }
  for (const test of tests) visit(test, 0)
  return [...found].filter((path) => !isTestPath(path))
}

function suspectsIn(file: SourceFile, lines: ReadonlySet<number>): Suspect[] {
  const places = statementsOf(file).filter(({ node }) => above(node, 'func') !== null)
  const named = places.filter(({ node }) => {
    const from = lineOf(file.text, node.start)
    return (
      lines.has(from) ||
      (node.kind !== 'if' &&
        node.kind !== 'loop' &&
        [...lines].some((line) => line > from && line <= lineOf(file.text, node.end)))
    )
  })
  const functions = new Set(named.map(({ node }) => above(node, 'func')))
  return places.map(({ node }) => {
    const near = functions.has(above(node, 'func')) ? 0.6 : 0.3
    const score = named.some((found) => found.node === node) ? 1 : near
    return { file, node, score, line: lineOf(file.text, node.start), failing: 0, passing: 0 }
  })
}

/** The little of a project that the edits look at. */
export function projectOf(root: string, files: readonly SourceFile[]): Project {
  return { root, files, left: [], tests: [] }
}
