// Where each kind of project keeps what, before anything is known of the repository itself.
import type { Language, ProjectKind } from './project-kind.ts'

/** `{slug}` is the feature's name, `{snake}` the same with underscores, `{number}` the next number of a migration. */
export interface Layout {
  readonly database: string | null
  readonly types: string | null
  readonly queries: string | null
  readonly api: string | null
  readonly ui: string | null
  readonly tests: string
  /** The file that mounts routes. */
  readonly apiIndex: string | null
  /** The file that exports types. */
  readonly typesIndex: string | null
  /** The file through which logic is reached from outside. */
  readonly entry: string | null
}

/** The layout of an empty web repository, as the requirements name it. */
const WEB: Layout = {
  database: 'database/migrations/{number}_{slug}.sql',
  types: 'types/{slug}.ts',
  queries: 'server/queries/{slug}.ts',
  api: 'server/routes/{slug}.ts',
  ui: 'src/components/{slug}.tsx',
  tests: 'tests/{slug}.test.ts',
  apiIndex: 'server/api.ts',
  typesIndex: 'types/index.ts',
  entry: null,
}

const NOTHING: Layout = {
  database: null,
  types: null,
  queries: 'src/{slug}.ts',
  api: null,
  ui: null,
  tests: 'tests/{slug}.test.ts',
  apiIndex: null,
  typesIndex: null,
  entry: null,
}

export function layoutOf(kind: ProjectKind, language: Language, packageName: string): Layout {
  const layout = inTypeScript(kind)
  switch (language) {
    case 'ts':
    case 'other':
      return layout
    case 'js':
      return inJavaScript(layout)
    case 'py':
      return inPython(layout, packageName)
    case 'go':
      return inGo(layout)
    case 'rs':
      return { ...layout, ...inRust(layout) }
  }
}

function inTypeScript(kind: ProjectKind): Layout {
  switch (kind) {
    case 'web':
      return WEB
    case 'service':
      return { ...WEB, ui: null }
    case 'library':
      return { ...NOTHING, entry: 'src/index.ts' }
    case 'cli':
      return { ...NOTHING, queries: 'src/commands/{slug}.ts', entry: 'src/cli.ts' }
    case 'mobile':
      return {
        ...NOTHING,
        types: 'src/types/{slug}.ts',
        queries: 'src/store/{slug}.ts',
        ui: 'src/screens/{slug}.tsx',
        typesIndex: 'src/types/index.ts',
      }
    case 'pipeline':
      return { ...NOTHING, queries: 'src/steps/{slug}.ts', entry: 'src/pipeline.ts' }
    case 'docs':
      return { ...NOTHING, queries: null, ui: 'docs/{slug}.md', entry: null }
    case 'extension':
      return { ...NOTHING, ui: 'src/views/{slug}.ts', entry: 'src/extension.ts' }
  }
}

/** The same places for another ending. */
function inJavaScript(layout: Layout): Layout {
  const turned = Object.entries(layout).map(([name, pattern]: [string, string | null]) => [
    name,
    pattern?.replace(/\.tsx$/, '.jsx').replace(/\.ts$/, '.js') ?? null,
  ])
  return { ...layout, ...Object.fromEntries(turned), types: null, typesIndex: null }
}

function inPython(layout: Layout, packageName: string): Layout {
  const folder = `src/${packageName}`
  return {
    database: layout.database,
    types: layout.database === null ? null : `${folder}/models/{snake}.py`,
    queries: `${folder}/{snake}.py`,
    api: layout.api === null ? null : `${folder}/routes/{snake}.py`,
    ui: layout.ui?.endsWith('.md') ? layout.ui : null,
    tests: 'tests/test_{snake}.py',
    apiIndex: layout.api === null ? null : `${folder}/api.py`,
    typesIndex: null,
    entry: entryInPython(layout, folder),
  }
}

/** A command is started by `python -m`, a library is imported. */
function entryInPython({ entry }: Layout, folder: string): string | null {
  if (entry === null) return null
  return entry.endsWith('/cli.ts') ? `${folder}/__main__.py` : `${folder}/__init__.py`
}

function inGo(layout: Layout): Layout {
  return {
    database: layout.database === null ? null : 'migrations/{number}_{snake}.sql',
    types: null,
    queries: 'internal/{snake}/{snake}.go',
    api: layout.api === null ? null : 'internal/api/{snake}.go',
    ui: null,
    tests: 'internal/{snake}/{snake}_test.go',
    apiIndex: layout.api === null ? null : 'internal/api/api.go',
    typesIndex: null,
    entry: null,
  }
}

function inRust(layout: Layout): Layout {
  return {
    ...layout,
    database: layout.database === null ? null : 'migrations/{number}_{snake}.sql',
    types: null,
    queries: 'src/{snake}.rs',
    api: layout.api === null ? null : 'src/routes/{snake}.rs',
    ui: null,
    tests: 'tests/{snake}.rs',
    apiIndex: layout.api === null ? null : 'src/routes/mod.rs',
    typesIndex: null,
    entry: 'src/lib.rs',
  }
}
