// Where the words of a test come from: an `expect` of one's own, or a stand-in for the code under test, proves nothing.
import type { Finding } from './finding.ts'
import { namesIn } from './names.ts'
import { field, lineOf, list, nameOf, type Source, type Syntax } from './source.ts'
import { isTestSupport } from './test-conventions.ts'

interface Origin {
  /** A module's name, or null where the file declares the name itself. */
  readonly from: string | null
  readonly node: Syntax
}

const judging = /^(expect|assert|should)$/
const running = /^(test|it|describe|suite)$/
const library =
  /^(node:)?(assert|test)(\/strict)?$|^(vitest|chai|expect|ava|tape|tap|@jest\/globals|@playwright\/test|uvu.*)$/

export function changedOrigins(before: Source | null, after: Source): Finding[] {
  if (before === null) return []
  const was = originsIn(before)
  const is = originsIn(after)
  const imported = new Set([...is.values()].map(({ from }) => from))
  return [...is].flatMap(([name, { from, node }]) => {
    const old = was.get(name)?.from
    const what = judge(name, { old, from, extended: /\.extend\b/.test(textOf(after, node)), imported })
    return what === null ? [] : [{ file: after.path, line: lineOf(after, node), what, blocks: true }]
  })
}

function judge(
  name: string,
  origin: {
    old: string | null | undefined
    from: string | null
    extended: boolean
    imported: ReadonlySet<string | null>
  },
): string | null {
  const { old, from, extended, imported } = origin
  // Nothing that was its own before, or comes from the same place, was replaced.
  if (old === null || old === from) return null
  const own = from === null || from.startsWith('.')
  const known = old === undefined ? judging.test(name) || running.test(name) : library.test(old)
  if (own && known && !extended)
    return `${name} no longer comes from ${old === undefined ? 'the test runner' : old}, but from ${from ?? 'this file'}`
  const underTest = old?.startsWith('.') === true && !isTestSupport(old.replace(/^[./]+/, ''))
  return from === null && underTest && !imported.has(old)
    ? `${name} stands in for what was imported from ${old}`
    : null
}

function textOf({ text }: Source, { start, end }: Syntax): string {
  return text.slice(start, end)
}

function originsIn(source: Source): Map<string, Origin> {
  const found = new Map<string, Origin>()
  for (const [name, { node }] of namesIn(source, source.program, new Map()))
    found.set(name, { from: null, node })
  for (const node of list(source.program, 'body')) {
    const from = node.type === 'ImportDeclaration' ? field(node, 'source')?.value : undefined
    if (typeof from !== 'string') continue
    for (const each of list(node, 'specifiers')) found.set(nameOf(field(each, 'local')), { from, node: each })
  }
  return found
}
