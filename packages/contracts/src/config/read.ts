// Turns whatever the files say into settings in force, and says what was wrong. Never throws.
import JSON5 from 'json5'
import { CATEGORIES } from '../categories.ts'
import { Config } from '../config.ts'
import type { PhaseFlag } from '../order.ts'
import { AgentsConfig } from './agents.ts'
import { knownEngines } from './engine-names.ts'
import { moveOldModels } from './models.ts'

export interface ConfigTexts {
  /** treadle.json. */
  readonly own: string | null
  /** .vscode/settings.json: its keys under `claudeProjects.agents` count where treadle.json is silent. */
  readonly vscode: string | null
  /** Switches that are off unless treadle.json says in so many words that they are on. */
  readonly off?: readonly PhaseFlag[]
}

export interface ConfigRead {
  readonly config: Config
  /** Each names the key, the value given, and what is used instead. */
  readonly warnings: readonly string[]
  /** The same, for values that concern money. */
  readonly errors: readonly string[]
}

type Json = Record<string, unknown>
interface Notices {
  readonly warnings: string[]
  readonly errors: string[]
}
const FIXES_MAX = 200
const VSCODE_PREFIX = 'claudeProjects.agents.'

export function readConfig({ own, vscode, off = [] }: ConfigTexts): ConfigRead {
  const notices: Notices = { warnings: [], errors: [] }
  const raw = own === null ? {} : parse(own)
  if (raw === null) notices.warnings.push('treadle.json is not a JSON object: all defaults are used')
  const given = raw ?? {}
  notices.warnings.push(...moveOldModels(given))
  const fromVscode = vscodeAgents(vscode, notices)
  const stage = stageOf(given.rolloutStage)
  const named = new Set(Object.keys({ ...fromVscode, ...(isObject(given.agents) ? given.agents : {}) }))
  if (isObject(given.agents)) checkAgents(given.agents, 'agents.', notices)
  checkAgents(fromVscode, VSCODE_PREFIX, notices)
  if (given.agents === undefined || isObject(given.agents)) {
    const staged = Object.entries(stage?.agents ?? {}).filter(([key]) => !named.has(key))
    given.agents = { ...Object.fromEntries(staged), ...fromVscode, ...given.agents }
  }
  const config = keepOff(dropInvalid(given, notices.warnings), off, notices.warnings)
  const flags = { ...stage?.flags, ...config.flags }
  const engines = knownEngines(config.engines, notices.warnings)
  const flagged = withFlags({ ...config, flags, engines }, given)
  return { config: withoutReview(flagged, off, notices.warnings), ...notices }
}

interface Stage {
  readonly agents: Pick<Config['agents'], 'maxConcurrent' | 'dailyBudgetUSD' | 'monthlyBudgetUSD'> &
    Partial<Pick<Config['agents'], 'enabledCategories'>>
  readonly flags: Pick<
    Config['flags'],
    'enable_multi_agent' | 'enable_review_agent' | 'enable_ideation' | 'enable_advanced_monitoring'
  >
}

/** Budgets begin high, because nobody knows yet what an item costs; `treadle costs` says how far they can come down. */
const BEGINNING = { dailyBudgetUSD: 100, monthlyBudgetUSD: 1_000 } as const

/** Where it begins: what a program finds and measures, before what is a matter of taste. */
const FIRST_CATEGORIES: Config['agents']['enabledCategories'] = [
  'testing',
  'documentation',
  'technical-debt',
  'dependency-management',
  'code-quality',
]

/** What a stage of the rollout gives where nothing is said; explicit settings win. */
const STAGES: readonly Stage[] = [
  {
    agents: { maxConcurrent: 1, ...BEGINNING },
    flags: { enable_multi_agent: false, enable_ideation: false, enable_advanced_monitoring: false },
  },
  {
    agents: { maxConcurrent: 3, ...BEGINNING },
    flags: { enable_multi_agent: true, enable_ideation: false, enable_advanced_monitoring: false },
  },
  {
    agents: { maxConcurrent: 5, ...BEGINNING },
    flags: {
      enable_review_agent: true,
      enable_multi_agent: true,
      enable_ideation: false,
      enable_advanced_monitoring: false,
    },
  },
  {
    agents: { maxConcurrent: 10, enabledCategories: [...FIRST_CATEGORIES], ...BEGINNING },
    flags: {
      enable_review_agent: true,
      enable_multi_agent: true,
      enable_ideation: true,
      enable_advanced_monitoring: false,
    },
  },
  {
    agents: { maxConcurrent: 10, dailyBudgetUSD: 50, monthlyBudgetUSD: 500 },
    flags: {
      enable_review_agent: true,
      enable_multi_agent: true,
      enable_ideation: true,
      enable_advanced_monitoring: true,
    },
  },
]

function stageOf(given: unknown): Stage | null {
  return typeof given === 'number' ? (STAGES[given - 1] ?? null) : null
}

/** False: the file is damaged, or somebody is just writing it. */
export function isWellFormed(text: string, file: 'own' | 'vscode'): boolean {
  return parse(text, file === 'own' ? JSON.parse : JSON5.parse) !== null
}

function parse(text: string, read: (text: string) => unknown = JSON.parse): Json | null {
  try {
    const value = read(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The file of an editor is written with comments, and says much that is not ours. */
function vscodeAgents(text: string | null, { warnings }: Notices): Json {
  if (text === null) return {}
  const settings = parse(text, JSON5.parse)
  if (settings === null) {
    warnings.push('.vscode/settings.json is not well-formed: its settings are not used')
    return {}
  }
  const ours = Object.entries(settings).filter(([key]) => key.startsWith(VSCODE_PREFIX))
  const known = ours.filter(([key]) => key.slice(VSCODE_PREFIX.length) in AgentsConfig.shape)
  for (const [key] of ours.filter((entry) => !known.includes(entry)))
    warnings.push(`${key}: there is no such setting, it is left out`)
  return Object.fromEntries(known.map(([key, value]) => [key.slice(VSCODE_PREFIX.length), value]))
}

/** The agents' keys have fallbacks of their own: a cap, a floor, a filter, and defaults for money. */
function checkAgents(agents: Json, prefix: string, { warnings, errors }: Notices): void {
  const max = agents.maxConcurrent
  if (max !== undefined && !(Number.isInteger(max) && Number(max) >= 1 && Number(max) <= 10)) {
    agents.maxConcurrent = typeof max === 'number' && max > 10 ? 10 : 1
    warnings.push(
      `${prefix}maxConcurrent: ${show(max)} is not a whole number from 1 to 10, ${agents.maxConcurrent} is used`,
    )
  }
  for (const key of ['dailyBudgetUSD', 'monthlyBudgetUSD'] as const) {
    const budget = agents[key]
    if (budget === undefined || AgentsConfig.shape[key].safeParse(budget).success) continue
    delete agents[key]
    const used = AgentsConfig.parse({})[key]
    errors.push(`${prefix}${key}: ${show(budget)} is not an amount above 0, the default ${used} is used`)
  }
  const categories = agents.enabledCategories
  if (!Array.isArray(categories)) return
  const known = categories.filter((name) => CATEGORIES.some((category) => category === name))
  for (const name of categories.filter((candidate) => !known.includes(candidate))) {
    warnings.push(`${prefix}enabledCategories: ${show(name)} is no category, it is left out`)
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
  const used = defaultAt(names.slice(0, depth + 1))
  const instead = used === undefined ? 'it is left out' : `the default ${show(used)} is used`
  return `${names.slice(0, depth + 1).join('.')}: ${show(value)} cannot be used (${message}), ${instead}`
}

function defaultAt(names: readonly string[]): unknown {
  let at: unknown = Config.parse({})
  for (const name of names) at = isObject(at) ? at[name] : undefined
  return at
}

/** What a rollback has turned off does not come back because the file was lost, damaged or put back. */
export function keepOff(config: Config, off: readonly PhaseFlag[], warnings: string[]): Config {
  const kept = off.filter((flag) => config.flags[flag] === undefined)
  for (const flag of kept)
    warnings.push(`flags.${flag}: it was rolled back and stays off; set it to true to turn it on again`)
  return { ...config, flags: { ...config.flags, ...Object.fromEntries(kept.map((flag) => [flag, false])) } }
}

/** Who took the review back does not want that merging goes on, whatever was set before. */
function withoutReview(config: Config, off: readonly PhaseFlag[], warnings: string[]): Config {
  const { flags, merge } = config
  const isOff = off.includes('enable_review_agent') && flags.enable_review_agent === false
  if (!isOff || merge.approval === 'never') return config
  warnings.push(
    `merge.approval: ${show(merge.approval)} counts no more since the review was rolled back, "never" is used; set flags.enable_review_agent to true to turn it on again`,
  )
  return { ...config, merge: { ...merge, approval: 'never' } }
}

function withFlags(given: Config, raw: Json): Config {
  const single = given.flags.enable_multi_agent === false
  const config = single ? { ...given, agents: { ...given.agents, maxConcurrent: 1 } } : given
  const flag = config.flags.enable_review_agent
  const merge = raw.merge
  if (flag === undefined || (isObject(merge) && merge.approval !== undefined)) return config
  return { ...config, merge: { ...config.merge, approval: flag ? 'reviewer' : 'never' } }
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? 'undefined'
}
