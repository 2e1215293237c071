// Puts what is known of a repository into a category prompt. What strangers wrote stands between marked lines as data.
import { markFor, writeBlock } from '@treadle/context/block'
import type { Part } from '@treadle/context/parts'
import { visibleLine } from '@treadle/contracts/category-idea'
import type { RepositoryFacts } from './repository-facts.ts'

const COMMITS_MAX = 10
const SUBJECT_CHARS_MAX = 200
const ISSUES_MAX = 200
const ISSUES_CHARS_MAX = 20_000
const NAME_CHARS_MAX = 100
const LANGUAGES_MAX = 8
const FRAMEWORKS_MAX = 20
/** A share below it says nothing of a project. */
const SHARE_MIN = 0.01
const PLACEHOLDER = /\{([a-z0-9_]{1,60})\}/g

/** In one pass, so that no placeholder in a text that is put in is filled; an unknown one stays as it is. */
export function fillTemplate(template: string, facts: RepositoryFacts): string {
  const parts = {
    last_10_commits: listPart('subjects of the newest commits', commitLines(facts)),
    existing_issues: listPart('titles of open issues', issueLines(facts)),
  }
  const mark = markFor([...Object.values(parts), listPart('the template', [template])])
  const used = new Set<string>()
  const values = plainValues(facts)
  return template.replace(PLACEHOLDER, (found, name: string, at: number) => {
    if (Object.hasOwn(values, name)) return values[name] ?? found
    if (!Object.hasOwn(parts, name)) return found
    // A template that names a list a thousand times would else be a thousand times as long.
    if (used.has(name)) return '(see above)'
    used.add(name)
    return asLines(template, { at, length: found.length }, blockOf(mark, parts[name as keyof typeof parts]))
  })
}

function plainValues(facts: RepositoryFacts): Readonly<Record<string, string>> {
  return {
    repository_name: nameOf(facts.name),
    owner: nameOf(facts.owner ?? 'local'),
    repo: nameOf(facts.repo),
    existing_issue_count: String(facts.issueCount),
    detected_languages_and_frameworks: stackOf(facts),
  }
}

/** A folder and an address can be named anything: letters and digits stay, and nothing that makes a sentence of them. */
function nameOf(name: string): string {
  const plain = visibleLine(name).replace(/[^\p{L}\p{N}\p{M}._/-]+/gu, '-')
  return plain.slice(0, NAME_CHARS_MAX).toWellFormed() || 'unnamed'
}

function stackOf({ languages, frameworks }: RepositoryFacts): string {
  const spoken = languages.filter(({ share }) => share >= SHARE_MIN).slice(0, LANGUAGES_MAX)
  const words = [
    ...spoken.map(({ name, share }) => `${name} (${Math.round(share * 100)} %)`),
    ...frameworks.slice(0, FRAMEWORKS_MAX),
  ]
  return words.length === 0 ? 'not detected' : words.join(', ')
}

function commitLines({ commits }: RepositoryFacts): string[] {
  return commits.slice(0, COMMITS_MAX).map(quoted)
}

function issueLines({ issues, issueCount }: RepositoryFacts): string[] {
  const lines: string[] = []
  let chars = 0
  for (const title of issues.slice(0, ISSUES_MAX)) {
    const line = quoted(title)
    chars += line.length
    if (chars > ISSUES_CHARS_MAX) break
    lines.push(line)
  }
  const more = Math.max(issueCount, issues.length) - lines.length
  return more > 0 && lines.length > 0 ? [...lines, `and ${more} more`] : lines
}

function quoted(text: string): string {
  const line = visibleLine(text)
  const cut = line.length > SUBJECT_CHARS_MAX ? `${line.slice(0, SUBJECT_CHARS_MAX).toWellFormed()}…` : line
  return `- ${JSON.stringify(cut)}`
}

function listPart(origin: string, lines: readonly string[]): Part {
  return { name: 'task', origin, trust: 'untrusted', text: lines.length === 0 ? null : lines.join('\n') }
}

function blockOf(mark: string, part: Part): string {
  return part.text === null ? 'none' : writeBlock(mark, { part, text: part.text, truncated: false }).trimEnd()
}

/** A block begins and ends with its line, whatever stands before and behind its placeholder. */
function asLines(template: string, found: { at: number; length: number }, block: string): string {
  if (!block.includes('\n')) return block
  const before = found.at === 0 || template[found.at - 1] === '\n' ? '' : '\n'
  const next = template[found.at + found.length]
  return `${before}${block}${next === undefined || next === '\n' || next === '\r' ? '' : '\n'}`
}
