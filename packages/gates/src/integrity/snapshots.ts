// Snapshots are expected values kept in files: a new one is fine, another value for an old one is not.
import { type Finding, shown } from './finding.ts'

interface SnapshotChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export function compareSnapshots(files: readonly SnapshotChange[]): Finding[] {
  const added = new Set(files.flatMap(({ before, after }) => freshValues(before, after)))
  return files.flatMap((file) => compareOne(file, added))
}

function compareOne({ path, before, after }: SnapshotChange, added: ReadonlySet<string>): Finding[] {
  if (before === null || before === after) return []
  if (after === null)
    return [{ file: path, line: null, what: 'the snapshot file was removed', blocks: false }]
  const was = entriesOf(before)
  if (was.size === 0) return [{ file: path, line: 1, what: 'the snapshot was rewritten', blocks: true }]
  const is = entriesOf(after)
  return [...was].flatMap(([name, { value }]): Finding[] => {
    const now = is.get(name)
    if (now?.value === value) return []
    if (now !== undefined)
      return [{ file: path, line: now.line, what: `snapshot '${shown(name)}' was rewritten`, blocks: true }]
    // Under another name, as after a test was renamed.
    if (added.has(value)) return []
    return [{ file: path, line: null, what: `snapshot '${shown(name)}' was removed`, blocks: false }]
  })
}

function freshValues(before: string | null, after: string | null): string[] {
  const was = entriesOf(before ?? '')
  return [...entriesOf(after ?? '')].filter(([name]) => !was.has(name)).map(([, { value }]) => value)
}

const entry = /^exports\[`((?:[^`\\]|\\[\s\S])*)`\] = `((?:[^`\\]|\\[\s\S])*)`;?/gm

function entriesOf(text: string): Map<string, { value: string; line: number }> {
  return new Map(
    [...text.matchAll(entry)].map((match) => {
      const line = text.slice(0, match.index).split('\n').length
      return [match[1] ?? '', { value: match[2] ?? '', line }]
    }),
  )
}
