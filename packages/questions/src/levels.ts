// How thoroughly a build is validated, and what the changes ask for.
export type LevelName = 'Quick' | 'Standard' | 'Thorough' | 'Comprehensive' | 'Release'
export type Level = { name: LevelName; takes: string; adds: readonly string[] }

/** Each level does what those before it do, and adds something. */
export const VALIDATION_LEVELS: readonly Level[] = [
  { name: 'Quick', takes: '30s', adds: ['syntax', 'types', 'lint'] },
  { name: 'Standard', takes: '2m', adds: ['unit tests'] },
  { name: 'Thorough', takes: '10m', adds: ['integration', 'edge cases'] },
  { name: 'Comprehensive', takes: '30m', adds: ['performance', 'security'] },
  { name: 'Release', takes: '2h', adds: ['full regression'] },
]

export type Change = { path: string; lines: number }

const PROSE =
  /(?:^|\/)(?:docs?\/|(?:LICEN[SC]E|CHANGELOG|NOTICE)[^/]*$)|\.(?:md|mdx|txt|rst|adoc|png|jpe?g|gif|svg)$/i
const VERSION = /(?:^|\/)(?:VERSION|version\.(?:txt|json)|\.release-please-manifest\.json)$/
const SENSITIVE_WORD =
  /(?:^|[/._-])(?:o?auth\d?|authn|authz|authentication|authorization|passwords?|secrets?|credentials?|crypto|security|permissions?|payments?|migrations?)(?:[/._-]|$)/i
const DEPENDENCIES =
  /(?:^|\/)(?:package(?:-lock)?\.json|[\w.-]+\.lock|go\.(?:mod|sum)|requirements[\w.-]*\.txt|pom\.xml|Cargo\.toml)$/
const TEST = /(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+$|_test\.\w+$/i

/** Where one change, or all of them together, asks for more, more it is. */
export function recommendLevel(changes: readonly Change[]): LevelName {
  if (changes.some(({ path }) => VERSION.test(path))) return 'Release'
  // requirements.txt is prose by its ending only.
  if (changes.some(({ path }) => DEPENDENCIES.test(path))) return 'Comprehensive'
  const code = changes.filter(({ path }) => !PROSE.test(path))
  if (code.length === 0) return 'Quick'
  const product = code.filter(({ path }) => !TEST.test(path))
  if (product.some(({ path }) => SENSITIVE_WORD.test(path))) return 'Comprehensive'
  const lines = product.reduce((sum, change) => sum + change.lines, 0)
  const places = new Set(product.map(({ path }) => path.split('/').slice(0, 2).join('/')))
  return product.length > 5 || lines > 200 || places.size > 3 ? 'Thorough' : 'Standard'
}
