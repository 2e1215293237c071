// Which edits do people make? Of the small fixes in the history of repositories: how many are one edit of the
// catalogue, by which operator, and how many edits of the same statements are tried before it.
// Usage: node bench/repair/people.ts [--max 60] [--json] <repository> …
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EditMaker } from '@treadle/repair/edits/catalogue'
import { contextsFor } from '@treadle/repair/edits/context'
import { type Edit, sourceChanges } from '@treadle/repair/edits/edit'
import { statementsOf } from '@treadle/repair/localise/hits'
import { loadModules, type SourceFile } from '@treadle/repair/project/load'
import { programOf } from '../../apps/agent/src/repair-bench/same-program.ts'
import { type Found, peopleTable } from './people-table.ts'

const EDITS_MAX = 20_000
const LINES_MAX = 8
const COMMITS_MAX = 20_000
const BYTES_MAX = 1 << 28
const SOURCE = /\.[cm]?[jt]s$/
const TEST = /(^|\/)(__tests__|tests?|spec)\/|[._-](test|spec)\.[cm]?[jt]sx?$/

interface Fix {
  readonly commit: string
  readonly source: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { max: { type: 'string', default: '60' }, json: { type: 'boolean', default: false } },
})
if (positionals.length === 0) {
  process.stderr.write(
    'Name the repositories: node bench/repair/people.ts [--max 60] [--json] <repository> …\n',
  )
  process.exit(2)
}

const rows: Found[] = []
for (const repository of positionals)
  for (const fix of spread(fixesIn(repository), Number(values.max))) {
    const row = look(repository, fix)
    rows.push(row)
    process.stderr.write(
      `${row.commit} ${row.is}${row.is === 'one edit' ? ` ${row.op} after ${row.before}` : ''}\n`,
    )
  }
process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : peopleTable(rows))

function gitIn(repository: string, ...words: string[]): string {
  return execFileSync('git', ['-C', repository, ...words], {
    encoding: 'utf8',
    maxBuffer: BYTES_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Commits that change a few lines of one source file, and a test. */
function fixesIn(repository: string): Fix[] {
  const log = gitIn(
    repository,
    'log',
    '--no-merges',
    '--no-renames',
    '--numstat',
    `--max-count=${COMMITS_MAX}`,
    '--format=@%H',
  )
  return log.split(/^@/m).flatMap((block): Fix[] => {
    const [commit = '', ...lines] = block.trim().split('\n')
    const files = lines.filter((line) => line !== '').map((line) => line.split('\t'))
    const sources = files.filter(([, , path = '']) => SOURCE.test(path) && !TEST.test(path))
    const [added = '', removed = '', source = ''] = sources[0] ?? []
    const isSmall = Number(added) + Number(removed) <= LINES_MAX && Number(added) > 0
    const isTested = files.some(([, , path = '']) => TEST.test(path))
    return sources.length === 1 && isSmall && isTested ? [{ commit, source }] : []
  })
}

function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor(at * step)] as T)
}

function look(repository: string, { commit, source }: Fix): Found {
  const short = commit.slice(0, 9)
  const folder = mkdtempSync(join(tmpdir(), 'people-'))
  try {
    const [old, now] = [`${commit}^`, commit].map((at) => gitIn(repository, 'show', `${at}:${source}`))
    const archive = execFileSync(
      'git',
      ['-C', repository, 'archive', `${commit}^`, source.split('/')[0] ?? '.'],
      {
        maxBuffer: BYTES_MAX,
      },
    )
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    const project = loadModules(folder, [source])
    const file = project.files.find(({ path }) => path === source)
    const wanted = programOf(source, now ?? '')
    if (file === undefined || wanted === null) return { commit: short, is: 'not read' }
    if (wanted === programOf(source, old ?? '')) return { commit: short, is: 'no change of the program' }
    const edits = editsOf(file, changedIn(old ?? '', now ?? ''), project)
    const flat = flatten(now ?? '')
    const before = edits.findIndex((edit) => {
      const text = applied(edit)
      // Most differ at the first look, and parsing takes long.
      return flatten(text) === flat && programOf(source, text) === wanted
    })
    const op = edits[before]?.op
    return op === undefined
      ? { commit: short, is: 'no single edit' }
      : { commit: short, is: 'one edit', op, before }
  } catch {
    // A commit whose files or whose parent cannot be read says nothing.
    return { commit: short, is: 'not read' }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The text without what is no part of a program, roughly. */
function flatten(text: string): string {
  return text.replace(/[\s;(){}"']+/g, '')
}

interface Range {
  readonly start: number
  readonly end: number
}

/** From the first letter that differs to the last one, in the old text. */
function changedIn(old: string, now: string): Range {
  const max = Math.min(old.length, now.length)
  let start = 0
  while (start < max && old[start] === now[start]) start += 1
  let tail = 0
  while (tail < max - start && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  return { start, end: old.length - tail }
}

/** Edits of the statements that were changed, in the order in which they are tried, near the change alone. */
function editsOf(file: SourceFile, changed: Range, project: ReturnType<typeof loadModules>): Edit[] {
  const touched = statementsOf(file).filter(
    ({ node }) => node.start <= changed.end + 1 && node.end >= changed.start,
  )
  const suspects = touched.map((place) => ({ ...place, score: 1, line: 0, failing: 1, passing: 0 }))
  const maker = new EditMaker({ suspects, contextOf: contextsFor(project, []) })
  return maker
    .next(EDITS_MAX)
    .filter((edit) =>
      edit.changes.some(({ start, end }) => start <= changed.end + 40 && end >= changed.start - 40),
    )
}

function applied(edit: Edit): string {
  const { text } = edit.file
  return sourceChanges(edit)
    .sort((a, b) => b.start - a.start)
    .reduce((changed, { start, end, text: put }) => changed.slice(0, start) + put + changed.slice(end), text)
}
