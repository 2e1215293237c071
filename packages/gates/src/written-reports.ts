// The JUnit files that Maven and Gradle write by themselves. Only what a run has written counts: what lay there before
// is from an earlier run, or was put there.
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readBounded } from '@treadle/process/bounded-file'
import { readManifest } from './project-files.ts'

const call = /(?:^|[\s;&|(/])(?:mvnw?|mvnd|gradlew?)(?=[\s;&|)]|$)/

/** Whether the command, or the npm script behind it, calls Maven or Gradle. */
export function writesReports(command: string, cwd: string): boolean {
  const script = /^(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)$/.exec(command.trim())?.[1]
  const body =
    script === undefined ? undefined : readManifest(cwd)?.scripts?.[script === 't' ? 'test' : script]
  return call.test(body ?? command)
}

export interface ReportFiles {
  /** Each with what changes when it is written, among it the one time that cannot be set by hand. */
  readonly states: ReadonlyMap<string, string>
  /** Whether there were no more folders and files than can be looked at. */
  readonly complete: boolean
}

const foldersMax = 20_000
const filesMax = 5_000
const depthMax = 8
const skipped = new Set(['node_modules', 'src', 'classes', 'test-classes', 'generated', 'generated-sources'])
const reportFolder = /^(?:surefire-reports|failsafe-reports|test-results)$/

export function listReports(cwd: string): ReportFiles {
  const found = new Map<string, string>()
  const waiting: { path: string; depth: number }[] = [{ path: cwd, depth: 0 }]
  for (const { path, depth } of waiting) {
    if (waiting.length > foldersMax || found.size > filesMax) break
    for (const name of foldersIn(path)) {
      if (reportFolder.test(name)) addReports(found, join(path, name), name === 'test-results')
      else if (depth < depthMax) waiting.push({ path: join(path, name), depth: depth + 1 })
    }
  }
  return { states: found, complete: waiting.length <= foldersMax && found.size <= filesMax }
}

function foldersIn(path: string): string[] {
  return entriesOf(path)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name))
    .map(({ name }) => name)
}

/** Gradle has a folder for each task; below surefire's own files TestNG writes the same tests again. */
function addReports(found: Map<string, string>, folder: string, withTasks: boolean): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && withTasks) addReports(found, path, false)
    if (!entry.isFile() || !/^TEST-.*\.xml$/.test(entry.name) || found.size > filesMax) continue
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (stat) found.set(path, `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`)
  }
}

/** The files that were written since `before` was listed; null if there are none, or too much is in them. */
export function readWritten(cwd: string, before: ReportFiles, bytesMax: number): Buffer[] | null {
  const now = listReports(cwd)
  const files = [...now.states].filter(([path, state]) => before.states.get(path) !== state)
  if (files.length === 0 || !before.complete || !now.complete) return null
  const found: Buffer[] = []
  let left = bytesMax
  for (const [path] of files) {
    const file = readBounded(path, left)
    if (file.is !== 'read') return null
    left -= file.data.length
    found.push(file.data)
  }
  return found
}

/** One document of several. */
export function joinedSuites(texts: readonly string[]): string {
  return `<testsuites>\n${texts.map(suitesIn).join('\n')}\n</testsuites>\n`
}

/** Without the declaration, and without an element around the suites. */
function suitesIn(xml: string): string {
  const start = xml.search(/<testsuites?[\s/>]/)
  return xml
    .slice(Math.max(0, start))
    .replace(/^<testsuites[^>]*>/, '')
    .replace(/<\/testsuites>\s*$/, '')
}

/** What tests printed can look like markup that is not allowed; without it the rest may be readable. */
export function withoutOutput(xml: string): string {
  const kept: string[] = []
  const opening = /<(system-(?:out|err))>/g
  let from = 0
  for (let open = opening.exec(xml); open; open = opening.exec(xml)) {
    const closing = `</${open[1]}>`
    const close = xml.indexOf(closing, open.index)
    // One that does not end is looked for once only: a hostile text may have very many.
    if (close < 0) break
    kept.push(xml.slice(from, open.index))
    from = close + closing.length
    opening.lastIndex = from
  }
  return [...kept, xml.slice(from)].join('')
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
