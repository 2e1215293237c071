// What a source file can ask for or do, beyond computing with what it is given.
export const RULES = [
  'environment',
  'arguments',
  'clock',
  'randomness',
  'timers',
  'call stack',
  'path',
  'globals',
  'files',
  'network',
  'processes',
  'module system',
  'package',
  'code from text',
  'engine',
  'exit',
  'output',
  'test runner',
  'asks for the runner',
  'reflection',
  'patch',
  'protocol',
  'computed name',
  'directive',
] as const
export type Rule = (typeof RULES)[number]

export interface Capability {
  readonly rule: Rule
  /** What is used, in the words of the language: `process.env.HOME`. */
  readonly what: string
  readonly line: number
}

/** Capabilities by their key: the same use in another place of the file is nothing new. */
export type Capabilities = ReadonlyMap<string, Capability>

export function keyOf({ rule, what }: Pick<Capability, 'rule' | 'what'>): string {
  return `${rule}: ${what}`
}

export const NO_CAPABILITIES: Capabilities = new Map()

/** The capabilities of a file, or that it cannot be read. */
export type CapabilityReading =
  | { readonly is: 'read'; readonly capabilities: Capabilities; readonly imports: readonly string[] }
  | { readonly is: 'unreadable'; readonly why: string }

/** Rules under which a file asks about where and by whom it is run. */
const asking: ReadonlySet<Rule> = new Set([
  'environment',
  'arguments',
  'call stack',
  'path',
  'module system',
  'globals',
])

export function asksAround(capabilities: Capabilities): boolean {
  return [...capabilities.values()].some(({ rule }) => asking.has(rule))
}
