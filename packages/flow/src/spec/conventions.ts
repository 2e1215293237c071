// Conventions of the project that are about specifications or builds: sections of CLAUDE.md.
import { withoutCloser } from './markdown.ts'

const CONVENTION_HEADINGS = [
  'Database Conventions',
  'API Conventions',
  'File Locations',
  'Atomic Task Conventions',
] as const

/** What a task of a build is told of them. */
export const BUILD_HEADINGS = ['Database Conventions', 'API Conventions', 'Build Agent Workflow'] as const

const TEXT_MAX = 8_000

/** Each section with its text, lower headings included, until a heading of its level or above. */
export function conventionsIn(
  text: string,
  headings: readonly string[] = CONVENTION_HEADINGS,
): { heading: string; text: string }[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return headings.flatMap((heading) => {
    const start = lines.findIndex((line) => headingAt(line)?.name === heading.toLowerCase())
    const level = headingAt(lines[start] ?? '')?.level
    if (start < 0 || level === undefined) return []
    const rest = lines.slice(start + 1)
    const end = rest.findIndex((line) => (headingAt(line)?.level ?? 9) <= level)
    const own = (end < 0 ? rest : rest.slice(0, end))
      .map((line) => deeper(line))
      .join('\n')
      .trim()
    return own === '' ? [] : [{ heading, text: own.slice(0, TEXT_MAX) }]
  })
}

function headingAt(line: string): { level: number; name: string } | null {
  const [, marks = '', name = ''] = /^(#{1,6})\s+(\S.*)$/.exec(line) ?? []
  if (marks === '') return null
  return { level: marks.length, name: withoutCloser(name).replace(/:$/, '').trimEnd().toLowerCase() }
}

/** Headings inside a section stand below it in spec.md, too. */
function deeper(line: string): string {
  return /^#{1,2}\s/.test(line) ? `##${line}` : line
}
