// Notes of what is still to be done that have stood for more than half a year, by the history of their lines.
import { isTest, type Project } from '../project.ts'
import { type FindingFacts, type Looked, looked, type Survey } from '../survey.ts'

export const oldTodo: Survey = { category: 'technical-debt', name: 'old-todo', look, kin }

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|sh|css|scss|sql)$/
/** Behind the beginning of a comment, so that neither a text nor a name is one. */
const NOTE = /(?:\/\/|\/\*|^\s*\*|#|--|<!--)\s*@?(TODO|FIXME|XXX|HACK)\b[:\s(](.*)$/
const OLD_MS = 182 * 24 * 3_600_000
const FILES_MAX = 300

async function look(project: Project): Promise<Looked> {
  const paths: string[] = []
  for (const path of await project.files())
    if (CODE.test(path) && !isTest(path) && /TODO|FIXME|XXX|HACK/.test((await project.read(path)) ?? ''))
      paths.push(path)
  const old: Note[] = []
  for (const path of paths.slice(0, FILES_MAX)) old.push(...(await oldNotesIn(project, path)))
  return looked(old.toSorted((a, b) => a.at.getTime() - b.at.getTime()).map(found))
}

/** Every note of any age, since one that was only touched looks new; and what this one says, wherever and however it is said. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const keys: string[] = await saidAgain(project, key)
  for (const path of await project.files()) {
    if (!CODE.test(path)) continue
    for (const line of ((await project.read(path)) ?? '').split('\n')) {
      const note = NOTE.exec(line)
      if (note !== null) keys.push(keyOf({ path, kind: note[1] ?? '', words: note[2] ?? '' }))
    }
  }
  return keys
}

/** So short words stand in many places. */
const SAID_MIN = 8

async function saidAgain(project: Project, key: string): Promise<string[]> {
  const [, own = '', kind = '', said = ''] = /^old-todo:(.*?):(TODO|FIXME|XXX|HACK):(.*)$/s.exec(key) ?? []
  const keys: string[] = []
  for (const path of await project.everything()) {
    const text = ((await project.read(path)) ?? '').toLowerCase().replace(/\s+/g, ' ')
    const isSaid =
      said.length < SAID_MIN
        ? path === own && new RegExp(`\\b${kind}\\b`, 'i').test(text)
        : text.includes(said.toLowerCase())
    if (isSaid) keys.push(keyOf({ path, kind, words: said }))
  }
  return keys
}

function saidIn(words: string): string {
  return words
    .replace(/\*\/|-->/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 150)
}

function keyOf({ path, kind, words }: Pick<Note, 'path' | 'kind' | 'words'>): string {
  return `old-todo:${path}:${kind}:${saidIn(words)}`.slice(0, 500)
}

async function oldNotesIn(project: Project, path: string): Promise<Note[]> {
  const times = await project.lineTimes(path)
  const before = project.now().getTime() - OLD_MS
  return ((await project.read(path)) ?? '').split('\n').flatMap((text, nth) => {
    const at = times[nth] ?? null
    const note = NOTE.exec(text)
    if (note === null || at === null || at.getTime() > before) return []
    return [{ path, line: nth + 1, kind: note[1] ?? '', words: note[2] ?? '', at }]
  })
}

interface Note {
  readonly path: string
  readonly line: number
  readonly kind: string
  readonly words: string
  readonly at: Date
}

function found(note: Note): FindingFacts {
  const { path, line, kind, words, at } = note
  const said = saidIn(words)
  const day = at.toISOString().slice(0, 10)
  return {
    key: keyOf(note),
    title: `${kind} in ${path} since ${day}: ${said === '' ? 'no words' : said}`.slice(0, 300),
    files: [path],
    evidence: `${path}:${line}: ${kind} ${said} (the line was last changed on ${day})`,
    estimateHours: 2,
    mendable: false,
  }
}
