// Every setting of treadle.json with its default, as docs/settings.md: node tools/settings.ts [--write]
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { jsonSchemas } from '../packages/contracts/src/json-schemas.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly default?: unknown
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
}

interface Setting {
  readonly key: string
  readonly values: string
  readonly standard: string
  readonly description: string
}

export const SETTINGS_FILE = fileURLToPath(new URL('../docs/settings.md', import.meta.url))
const DEFAULT_CHARS_MAX = 60
/** Above this a bound is there to keep out nonsense, and tells a reader nothing. */
const BOUND_MAX = 1_000_000

export function settings(): Setting[] {
  const { $schema: _, ...properties } = (jsonSchemas().treadle as Schema).properties ?? {}
  return settingsIn(properties, '')
}

function settingsIn(properties: Readonly<Record<string, Schema>>, above: string): Setting[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${above}${name}`
    if (schema.properties !== undefined) return settingsIn(schema.properties, `${key}.`)
    const { description = '' } = schema
    return [{ key, values: valuesOf(schema), standard: defaultOf(schema), description }]
  })
}

function valuesOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(valuesOf))].join(' or ')
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.map((type) => typeWords(type, schema)).join(' or ')
}

const TYPES: Readonly<Record<string, string>> = {
  boolean: '`true`, `false`',
  integer: 'whole number',
  number: 'number',
  string: 'text',
  null: '`null`',
  array: 'list',
  object: 'table',
}

function typeWords(type: string, { minimum, maximum }: Schema): string {
  const words = TYPES[type] ?? type
  if (type !== 'integer' && type !== 'number') return words
  const least = minimum === undefined || minimum < -BOUND_MAX ? '' : ` from ${minimum}`
  const most = maximum === undefined || maximum > BOUND_MAX ? '' : ` to ${maximum}`
  return `${words}${least}${most}`
}

function defaultOf({ default: standard }: Schema): string {
  if (standard === undefined) return ''
  const text = JSON.stringify(standard)
  return text.length <= DEFAULT_CHARS_MAX ? `\`${text}\`` : `${(standard as unknown[]).length} entries`
}

const HEAD = `# Settings

Every setting of \`treadle.json\`, in the root of your repository, with its default. This page is printed by \`node tools/settings.ts\` from the code. Your editor completes the keys if the file begins with \`"$schema"\`, as \`treadle init\` writes it.

A value that cannot be used gives way to its default or to the nearest limit, and \`treadle up\` and the dashboard say so. The file is read again when it changes. The keys \`claudeProjects.agents.*\` of \`.vscode/settings.json\` (\`maxConcurrent\`, \`dailyBudgetUSD\`, \`monthlyBudgetUSD\`, \`enabledCategories\`) count where \`treadle.json\` does not say.
`

/** A bar would end the cell. */
const cell = (text: string) => text.replaceAll('|', '\\|')

export function settingsPage(): string {
  const sections = Map.groupBy(settings(), ({ key }) =>
    key.includes('.') ? key.slice(0, key.indexOf('.')) : '',
  )
  const tables = [...sections].map(([section, rows]) => {
    const lines = rows.map(
      ({ key, values, standard, description }) =>
        `| \`${key}\` | ${cell(values)} | ${cell(standard)} | ${cell(description)} |`,
    )
    const title = section === '' ? 'The whole' : section
    return `## ${title}\n\n| key | values | default | meaning |\n|---|---|---|---|\n${lines.join('\n')}\n`
  })
  return [HEAD, ...tables].join('\n')
}

if (import.meta.main) {
  if (process.argv.includes('--write')) writeFileSync(SETTINGS_FILE, settingsPage())
  else process.stdout.write(settingsPage())
}
