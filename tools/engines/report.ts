// The tables of results in docs/engines.md, each between its two marks.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Reported {
  readonly name: string
  readonly version: string
  readonly row: ReadonlyMap<string, { readonly verdict: string; readonly why: string | null }>
}

const page = fileURLToPath(new URL('../../docs/engines.md', import.meta.url))

export function tableOf(reported: readonly Reported[]): string {
  const names = [...(reported[0]?.row.keys() ?? [])]
  const head = ['case', ...reported.map(({ name, version }) => `${name} ${version}`)]
  const lines = names.map((name) => [name, ...reported.map(({ row }) => row.get(name)?.verdict ?? '')])
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`)
  const reasons = reported.flatMap(({ name, row }) => {
    const names = Map.groupBy(
      [...row].flatMap(([each, { why }]) => (why === null ? [] : [{ each, why }])),
      ({ why }) => why,
    )
    const because = [...names].map(([why, cases]) => `${cases.map(({ each }) => each).join(', ')} (${why})`)
    return because.length === 0 ? [] : [`- ${name} cannot: ${because.join('; ')}.`]
  })
  return [...table, ...(reasons.length === 0 ? [] : ['', ...reasons])].join('\n')
}

/** Puts a table into its place. */
export function writePart(name: 'conformance' | 'budget', table: string): void {
  const [begin, end] = [`<!-- ${name}: written by npm run test:engines -->`, `<!-- end of ${name} -->`]
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`${page} has lost the marks around its table of ${name}`)
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`)
}
