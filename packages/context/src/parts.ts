// What a prompt may be made of: the kinds of parts, how much each matters, and who stands behind it.

/** Highest first. A part above CUT_ABOVE is cut to fit, the others come whole or not at all. */
export const PRIORITIES = {
  task: 1.0,
  gotchas: 0.95,
  template: 0.9,
  conventions: 0.85,
  recent_memory: 0.8,
  readme: 0.7,
  full_memory: 0.5,
  research: 0.3,
} as const

export const CUT_ABOVE = 0.8
const RECENT_MESSAGES = 5

export type PartName = keyof typeof PRIORITIES

/**
 * owner: asked for it; reviewer: an engine asks for it, of this item; project: lies in the repository; tool: a program
 * said it; untrusted: anybody may have.
 */
export type Trust = 'owner' | 'reviewer' | 'project' | 'tool' | 'untrusted'

export interface Part {
  readonly name: PartName
  /** Where the text comes from, in words or as a path. */
  readonly origin: string
  readonly trust: Trust
  /** null: there is none. */
  readonly text: string | null
}

type MemoryOrigin = Pick<Part, 'origin' | 'trust'>

/** The last five messages and, apart from them, the older ones, so that nothing is said twice. */
export function memoryParts(messages: readonly string[], { origin, trust }: MemoryOrigin): Part[] {
  const join = (some: readonly string[]) => (some.length === 0 ? null : some.join('\n\n'))
  return [
    { name: 'recent_memory', origin, trust, text: join(messages.slice(-RECENT_MESSAGES)) },
    {
      name: 'full_memory',
      origin: `${origin}, older`,
      trust,
      text: join(messages.slice(0, -RECENT_MESSAGES)),
    },
  ]
}
