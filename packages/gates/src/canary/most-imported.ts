// The source files of a project that its tests most likely load, told from the text of its files, in any language.
import { basename, dirname, extname, join, posix } from 'node:path'
import { listFiles, readText } from '../project-files.ts'
import { isOfTests } from '../review/changed-tests.ts'
import { canPlantIn } from './plant.ts'

const readBytesMax = 200_000
/** A line that names something to load; what it names are the quoted texts and the dotted words in it. */
const loads =
  /^.{0,200}?\b(?:import|from|require|require_relative|include|use|using|mod|package|load|source)\b.{1,400}$/gm
/** How much more a line in a test counts than one elsewhere: tests are what is asked about. */
const testWeight = 5
/** Settings and the like are loaded by tools, not by tests. */
const notSource =
  /(^|\/)(?:[^/]*\.config\.[^/]*|setup\.py|conftest\.py|Gruntfile\.js|gulpfile\.js|rakefile)$/i

export interface LikelyLoaded {
  readonly path: string
  /** Whether the text of a test names it. */
  readonly byTest: boolean
}

/** Source files with code to run, no tests, those that most files and tests import first. */
export function mostImported(cwd: string): LikelyLoaded[] {
  const files = listFiles(cwd).filter((path) => canPlantIn(path))
  const sources = files.filter(
    (path) => !isOfTests(path) && !notSource.test(path) && !isExample(path) && hasCode(cwd, path),
  )
  const byName = namesOf(sources, cwd)
  const score = new Map<string, number>()
  const byTest = new Set<string>()
  for (const path of files) {
    const weight = isOfTests(path) ? testWeight : 1
    const named = new Set(namedIn(readText(join(cwd, path))?.slice(0, readBytesMax) ?? '', path))
    const hit = new Set([...named].flatMap((name) => byName.get(name) ?? []))
    hit.delete(path)
    for (const each of hit) {
      score.set(each, (score.get(each) ?? 0) + weight)
      if (isOfTests(path)) byTest.add(each)
    }
  }
  return sources
    .sort((a, b) => (score.get(b) ?? 0) - (score.get(a) ?? 0) || depthOf(a) - depthOf(b))
    .map((path) => ({ path, byTest: byTest.has(path) }))
}

/** A file of types alone is gone before it is loaded. */
function hasCode(cwd: string, path: string): boolean {
  if (!/\.[cm]?tsx?$/.test(path)) return true
  const text = readText(join(cwd, path))?.slice(0, readBytesMax) ?? ''
  return /\b(?:function|class|const|let|var|enum)\b|=>|^export (?:\*|\{)/m.test(text)
}

const isExample = (path: string): boolean =>
  /(^|\/)(examples?|docs?|bench(?:marks?)?|scripts?|tools|demo)\//.test(path)

const depthOf = (path: string): number => path.split('/').length

/** The names that a file can be imported by: its path without its ending, its folder for an index, its module. */
function namesOf(sources: readonly string[], cwd: string): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  const add = (name: string, path: string): void => {
    if (name !== '' && name !== '.') byName.set(name, [...(byName.get(name) ?? []), path])
  }
  for (const path of sources) {
    const stem = stemOf(path)
    add(stem, path)
    add(basename(stem), path)
    if (/^(?:index|__init__|main|mod|lib)$/.test(basename(stem))) add(basename(dirname(path)), path)
    for (const name of packageNames(path, cwd)) add(name, path)
  }
  return byName
}

const stemOf = (path: string): string => path.slice(0, path.length - extname(path).length)

/** The name of the package whose entry a file is, where its manifest says so. */
function packageNames(path: string, cwd: string): string[] {
  const folder = dirname(path)
  for (const at of [folder, dirname(folder)]) {
    const text = readText(join(cwd, at, 'package.json'))
    if (text === null) continue
    const name = /"name"\s*:\s*"([^"]+)"/.exec(text)?.[1]
    const isEntry = stemOf(basename(path)) === 'index' || text.includes(posix.relative(at, path))
    return name !== undefined && isEntry ? [name] : []
  }
  return []
}

/** What a text names in the lines that load something; relative names as paths from the project's root. */
function namedIn(text: string, path: string): string[] {
  return [...text.matchAll(loads)].flatMap(([line]) => {
    const quoted = [...line.matchAll(/['"`<]([^'"`<>\s]{1,200})['"`>]/g)].map(([, name = '']) => name)
    const dotted = [...line.matchAll(/[\w-]+(?:(?:\.|::|\\)[\w-]+)*/g)].map(([word]) => word)
    return [...quoted, ...dotted].flatMap((name) => formsOf(name, path))
  })
}

function formsOf(name: string, path: string): string[] {
  if (/^\.{1,2}(\/|$)/.test(name)) {
    const target = posix.normalize(posix.join(posix.dirname(path), name))
    return [target, stemOf(target), `${target}/index`]
  }
  const parts = name.split(/\.|::|\\|\//)
  return [name, parts.join('/'), parts.at(-1) ?? '', parts[0] ?? '']
}
