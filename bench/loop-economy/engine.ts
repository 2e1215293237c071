// The scripted engine that both flows use: what a request to mend something does to the project, by luck alone.
export interface Chances {
  /** That a fix succeeds if the error was shown. */
  readonly evidence: number
  /** If only the test was named. */
  readonly cold: number
}

/** What one call can do about several causes: mend each of them with some luck, or at most one. */
export type Reach = 'each' | 'one'

export interface Ask {
  readonly cause: string
  readonly evidence: boolean
}

/** The project as the engine leaves it. */
export interface Tree {
  /** Causes that are still in it. */
  left: ReadonlySet<string>
  /** Edits so far, good or bad. */
  edits: number
}

export interface EngineScript {
  readonly tree: Tree
  readonly chances: Chances
  readonly reach: Reach
  /** From 0 to 1, the same for the same key: the nth try at a cause has the same luck in both flows. */
  readonly luck: (key: string) => number
}

export class ScriptedEngine {
  readonly #script: EngineScript
  readonly #tries = new Map<string, number>()
  calls = 0
  /** Calls about causes that were all mended already. */
  idle = 0
  /** Calls that a cause was asked about in. */
  readonly askedAbout = new Map<string, number>()

  constructor(script: EngineScript) {
    this.#script = script
  }

  fix(asked: readonly Ask[]): void {
    const { tree, reach } = this.#script
    this.calls += 1
    tree.edits += 1
    for (const { cause } of asked) count(this.askedAbout, cause)
    const open = asked.filter(({ cause }) => tree.left.has(cause))
    if (open.length === 0) this.idle += 1
    for (const ask of reach === 'each' ? open : open.slice(0, 1)) {
      if (this.#succeeds(ask)) tree.left = new Set([...tree.left].filter((cause) => cause !== ask.cause))
    }
  }

  #succeeds({ cause, evidence }: Ask): boolean {
    const { chances, luck } = this.#script
    const luckNow = luck(`fix ${cause} ${count(this.#tries, cause)}`)
    return luckNow < (evidence ? chances.evidence : chances.cold)
  }
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1
  counts.set(key, next)
  return next
}
