// What a project in an empty repository begins with: the file that its tools look for.
import type { Profile } from './profile.ts'
import type { Language } from './project-kind.ts'

type BuiltPhase = 'queries' | 'api' | 'ui'

export interface SetUp {
  /** What waits for it; it belongs to the first of these phases that has tasks. */
  readonly phases: readonly BuiltPhase[]
  readonly file: string
  readonly acceptance: readonly string[]
  readonly validation: string
}

const ALL = ['queries', 'api', 'ui'] as const

const FILES: Readonly<Record<Exclude<Language, 'other'>, SetUp>> = {
  ts: inNode('package.json'),
  js: inNode('package.json'),
  py: {
    phases: ALL,
    file: 'pyproject.toml',
    acceptance: [
      'pyproject.toml has the name of the package and what it needs',
      'python3 -m pytest finds the package in src',
    ],
    validation: "grep -q '^\\[project\\]' pyproject.toml",
  },
  go: {
    phases: ALL,
    file: 'go.mod',
    acceptance: ['go.mod has the name of the module, and go build ./... works'],
    validation: "grep -q '^module ' go.mod",
  },
  rs: {
    phases: ALL,
    file: 'Cargo.toml',
    acceptance: ['Cargo.toml has the name of the crate and what it needs, and cargo build works'],
    validation: "grep -q '^\\[package\\]' Cargo.toml",
  },
}

function inNode(file: string): SetUp {
  return {
    // Node runs TypeScript and its tests as they are; views need a framework.
    phases: ['ui'],
    file,
    acceptance: [
      `${file} has the name of the project, what it needs, and a script for the tests`,
      'One command installs what it needs',
    ],
    validation: `grep -q '"test"' ${file}`,
  }
}

/** Null: something is there already, or nothing is built. */
export function setUpOf(
  { greenfield, kind, language }: Pick<Profile, 'greenfield' | 'kind' | 'language'>,
  tree: ReadonlySet<string>,
): SetUp | null {
  if (!greenfield || kind === 'docs') return null
  const setUp = FILES[language === 'other' ? 'ts' : language]
  return tree.has(setUp.file) ? null : setUp
}
