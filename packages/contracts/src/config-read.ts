// Turns whatever is in treadle.json into settings in force, and says what was wrong. Never throws.
import { CATEGORIES } from './categories.ts'
import { Config } from './config.ts'

export interface ConfigRead {
  readonly config: Config
  /** Each names the key, the value given, and what is used instead. */
  readonly warnings: readonly string[]
}

type Json = Record<string, unknown>
const FIXES_MAX = 200

export function readConfig(text: string | null): ConfigRead {
  if (text === null) return { config: Config.parse({}), warnings: [] }
  const raw = parse(text)
  if (raw === null) {
    return {
      config: Config.parse({}),
      warnings: ['treadle.json is not a JSON object: all defaults are used'],
    }
  }
  const warnings: string[] = []
  clampAgents(raw, warnings)
  const config = dropInvalid(raw, warnings)
  return { config: withFlags(config, raw), warnings }
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The agents' keys have fallbacks of their own: a cap, a floor, and a filter. */
function clampAgents(raw: Json, warnings: string[]): void {
  const agents = raw.agents
  if (!isObject(agents)) return
  const max = agents.maxConcurrent
  if (max !== undefined && !(Number.isInteger(max) && Number(max) >= 1 && Number(max) <= 10)) {
    agents.maxConcurrent = typeof max === 'number' && max > 10 ? 10 : 1
    warnings.push(
      `agents.maxConcurrent: ${show(max)} is not a whole number from 1 to 10, ${agents.maxConcurrent} is used`,
    )
  }
  const categories = agents.enabledCategories
  if (!Array.isArray(categories)) return
  const known = categories.filter((name) => CATEGORIES.some((category) => category === name))
  for (const name of categories.filter((candidate) => !known.includes(candidate))) {
    warnings.push(`agents.enabledCategories: ${show(name)} is no category, it is left out`)
  }
  agents.enabledCategories = known
}

/** Every other invalid value gives way to its default, one by one, so that the valid ones stay. */
function dropInvalid(raw: Json, warnings: string[]): Config {
  for (let fix = 0; fix < FIXES_MAX; fix += 1) {
    const read = Config.safeParse(raw)
    if (read.success) return read.data
    const issue = read.error.issues[0]
    if (issue === undefined) break
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const key of keys)
      warnings.push(dropAt(raw, [...issue.path, ...(key === undefined ? [] : [key])], issue.message))
  }
  warnings.push('treadle.json has too many faults: all defaults are used')
  return Config.parse({})
}

function dropAt(raw: Json, path: readonly PropertyKey[], message: string): string {
  const names = path.map(String)
  let at: Json = raw
  let depth = 0
  // An element of a list cannot be dropped alone; its whole list gives way.
  while (depth < names.length - 1 && isObject(at[names[depth] ?? ''])) at = at[names[depth++] ?? ''] as Json
  const key = names[depth] ?? ''
  const value = at[key]
  delete at[key]
  return `${names.slice(0, depth + 1).join('.')}: ${show(value)} cannot be used (${message}), the default is used`
}

function withFlags(config: Config, raw: Json): Config {
  const flag = config.flags.enable_review_agent
  const merge = raw.merge
  if (flag === undefined || (isObject(merge) && merge.approval !== undefined)) return config
  return { ...config, merge: { ...config.merge, approval: flag ? 'reviewer' : 'never' } }
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? 'undefined'
}
