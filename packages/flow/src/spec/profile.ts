// The profile of a repository: where it keeps what, found in its files, said by treadle.json, or that of its kind.
import type { LayoutConfig } from '@treadle/contracts/config/specification'
import type { z } from 'zod'
import { codeIn, foundKind, foundLayout } from './found-layout.ts'
import { type Layout, layoutOf } from './layouts.ts'
import { packageNameOf, type Spelling } from './names.ts'
import {
  kindSaid,
  type Language,
  languageSaid,
  mainLanguage,
  type ProjectKind,
  sourcesOf,
} from './project-kind.ts'

export interface Profile {
  readonly kind: ProjectKind
  readonly language: Language
  readonly layout: Layout
  /** How files of logic are spelled. */
  readonly spelling: Spelling | null
  /** Digits of a migration's number. */
  readonly digits: number
  /** No code stands there yet. */
  readonly greenfield: boolean
  /** Where each place comes from, in words. */
  readonly found: readonly string[]
}

interface ProfileFacts {
  readonly files: readonly string[]
  /** package.json, where there is one. */
  readonly manifest: string | null
  readonly configured: z.output<typeof LayoutConfig>
  /** What the brief says of the project: its title and its solution. */
  readonly said: readonly string[]
  /** What it says beside that. */
  readonly beside?: readonly string[]
  readonly title: string
}

export function profileOf(facts: ProfileFacts): Profile {
  const { files, manifest, configured, said, beside = [], title } = facts
  const sources = sourcesOf(files)
  const greenfield = codeIn(sources).length === 0
  const kindInBrief = kindSaid(said, { beside })
  const found = greenfield ? null : foundKind(sources, manifest)
  const kind = found ?? kindInBrief ?? (greenfield ? 'web' : 'library')
  const language = mainLanguage(sources) ?? languageSaid([...said, ...beside].join('\n')) ?? 'ts'
  const base = layoutOf(kind, language, packageNameOf(title))
  const seen = foundLayout(sources, { base, kind, language })
  const narrowed = narrow({ ...base, ...seen.layout }, { found, kindInBrief, language })
  const layout = withConfigured(narrowed, configured)
  return {
    kind: kindInBrief !== null && found === 'web' && isSmaller(kindInBrief) ? kindInBrief : kind,
    language,
    layout,
    spelling: seen.spelling,
    digits: seen.digits,
    greenfield,
    found: [
      greenfield
        ? `nothing is there yet: the layout of a ${kind} project in ${LANGUAGE_NAMES[language]}`
        : `the repository looks like a ${kind} project in ${LANGUAGE_NAMES[language]}`,
      ...seen.words,
      ...Object.entries(configured)
        .filter(([, pattern]) => pattern !== undefined)
        .map(([name, pattern]) => `${name}: ${pattern ?? 'none'}, as treadle.json says`),
    ],
  }
}

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  ts: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  other: 'another language',
}

/** A part of a larger repository that has neither tables nor routes of its own. */
function isSmaller(kind: ProjectKind): boolean {
  return ['library', 'cli', 'docs', 'extension', 'pipeline'].includes(kind)
}

/** A library that is asked for in a repository with a server must not grow a migration, either. */
function narrow(
  layout: Layout,
  {
    found,
    kindInBrief,
    language,
  }: { found: ProjectKind | null; kindInBrief: ProjectKind | null; language: Language },
): Layout {
  if (found === null || kindInBrief === null || !isSmaller(kindInBrief)) return layout
  if (found !== 'web' && found !== 'service') return layout
  const own = layoutOf(kindInBrief, language, 'app')
  return {
    ...layout,
    database: null,
    types: null,
    api: null,
    apiIndex: null,
    typesIndex: null,
    queries: own.queries,
    ui: own.ui,
    entry: null,
  }
}

function withConfigured(layout: Layout, configured: ProfileFacts['configured']): Layout {
  const given = Object.entries(configured).filter(([, pattern]) => pattern !== undefined)
  const merged: Layout = { ...layout, ...Object.fromEntries(given) }
  return { ...merged, tests: configured.tests ?? layout.tests }
}
