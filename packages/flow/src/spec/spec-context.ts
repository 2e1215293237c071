// Everything that a specification is made from, read once before it begins.
import type { Specification } from '@treadle/contracts/specification'
import type { SpecLessons } from './inject-gotchas.ts'
import type { Owners } from './owners.ts'

export const REQUIRED_DOCUMENTS = { readme: 'README.md', brief: 'planning/brief.md' } as const
export const OPTIONAL_DOCUMENTS = {
  targetUsers: 'target-users.md',
  problemSolution: 'problem-solution.md',
  development: 'development.md',
  marketResearch: 'research/market.md',
  competitiveResearch: 'research/competitive.md',
  technicalResearch: 'research/technical.md',
  mvpScope: 'planning/mvp-scope.md',
} as const

/** The exact words that everybody looks for. */
export const MISSING_DOCUMENTS = 'Missing required documents for spec generation'

export type Optional = { readonly [Name in keyof typeof OPTIONAL_DOCUMENTS]: string | null }

export interface SpecContext {
  readonly required: { readonly readme: string; readonly brief: string }
  readonly optional: Optional
  readonly conventions: readonly { readonly heading: string; readonly text: string }[]
  readonly gotchas: readonly SpecLessons[]
  readonly patterns: readonly SpecLessons[]
  /** The tree, and the lines on code that is like what is asked for. */
  readonly existingFiles: readonly string[]
  /** package.json, where there is one. */
  readonly manifest: string | null
  readonly owners: Owners
  readonly templates: SpecTemplates
}

/** Texts of the templates, and why the owner's copies are not used. */
export interface SpecTemplates {
  readonly spec: string
  readonly tasks: string
  readonly why: readonly string[]
}

interface SpecPaths {
  readonly folder: string
  readonly specPath: string
  readonly tasksPath: string
}

export function pathsOf(dir: string, userSlug: string, slug: string): SpecPaths {
  const folder = `${dir.replace(/\/+$/, '')}/${userSlug}/ideas/${slug}`
  return { folder, specPath: `${folder}/build/spec.md`, tasksPath: `${folder}/build/tasks.md` }
}

export type SpecPlace = Pick<Specification, 'slug' | 'userSlug'> & SpecPaths
