// What the command line, the page and the feed say is said as people say it. Words that were never natural do not come back.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { HELP_GROUPS } from '../apps/cli/src/help.ts'

const BANNED: readonly RegExp[] = [
  /\banew\b/i,
  /\bis to be (done|reached|different|held)\b/i,
  /\bsend (it|a \w+ change)? ?back\b/i,
  /\blooked back on\b/i,
  /\bstands? still\b/i,
  /\btrusts its change\b/i,
  /\bstanding order\b/i,
  /\bupkeep\b/i,
  /\bdearest\b/i,
  /\bwhat it went into\b/i,
  /\bno attempt is over\b/i,
  /\bin good order instead\b/i,
  /\bengine ended with\b/i,
  /\bsaid something\b/i,
  /\bis not possible while\b/i,
  /\bwere told of nothing\b/i,
  /\bfor your yes\b/i,
  /^what is asked$/i,
  /\bnothing but the title\b/i,
  /\bin_review \(/,
  /\bnothing is known\b/i,
  /\bput(ting)? it away\b/i,
  /\bin good order\b/i,
  /\bwhat (became|came) of it\b/i,
  /^say it$/i,
  /\blook again\b/i,
]

/** Names that no person reads: a screen in links that were kept, a field's value, a part of a reference. */
const NAMES: ReadonlySet<string> = new Set(['upkeep', 'anew', '-anew'])

const root = fileURLToPath(new URL('..', import.meta.url))

interface Syntax {
  readonly type: string
  readonly [field: string]: unknown
}
const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The texts of a file: strings, the fixed parts of templates and what stands between tags, but not what it imports. */
function textsIn(node: Syntax): string[] {
  if (node.type === 'ImportDeclaration') return []
  if (node.type === 'JSXText') return [String(node.value)]
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node.type === 'TemplateElement') return [String((node.value as { cooked: unknown }).cooked)]
  return Object.values(node).flat().filter(isSyntax).flatMap(textsIn)
}

test.each([
  ['the command line', 'apps/cli/src/**/*.ts'],
  ['the page', 'apps/dashboard/src/**/*.{ts,tsx}'],
  [
    'events, settings and the flow',
    'packages/{contracts,flow,engines,environment,gates,git,mend,notify,repair,survey}/src/**/*.ts',
  ],
  ['the daemon and its agents', 'apps/{agent,daemon}/src/**/*.ts'],
])('no text of %s has a banned word', (_, pattern) => {
  const files = globSync(pattern, { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(30)
  const found = files.flatMap((file) => {
    const { program } = parseSync(file, readFileSync(`${root}/${file}`, 'utf8'))
    return textsIn(program as unknown as Syntax)
      .filter((text) => !NAMES.has(text) && BANNED.some((word) => word.test(text)))
      .map((text) => `${file}: ${text.trim()}`)
  })
  expect(found).toEqual([])
})

test('the words are looked for where people read them', () => {
  const sample = 'const a = `Start it anew: $' + '{b}`; print("Send back")'
  expect(textsIn(parseSync('sample.ts', sample).program as unknown as Syntax)).toEqual([
    'Start it anew: ',
    '',
    'Send back',
  ])
  for (const { commands } of HELP_GROUPS)
    for (const [, text] of commands)
      expect(
        BANNED.some((word) => word.test(text)),
        text,
      ).toBe(false)
})
