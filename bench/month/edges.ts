// What the month does not have: processes, a repository and programs that judge a change. They are played at their ports.
import { createHash } from 'node:crypto'
import type { GateResult } from '@treadle/contracts/gate'
import type { World } from '@treadle/daemon/world'
import type { Gates } from '@treadle/flow/ports/gates'
import type { MergeGit } from '@treadle/flow/ports/git'

/** A part of which the month has some functions; whatever else is asked of it is a mistake of the month. */
function onlyThese<T extends object>(name: string, parts: Partial<T>): T {
  return new Proxy(parts as T, {
    get(target, asked) {
      const found = Reflect.get(target, asked)
      if (found === undefined && typeof asked === 'string' && asked !== 'then')
        throw new Error(`the month has no ${name}.${asked}`)
      return found
    },
  })
}

/** Some functions of a real part, played; the rest of it is what it is. */
export function played<T extends object>(real: T, parts: Partial<T>): T {
  return new Proxy(real, {
    get(target, asked) {
      const own = Reflect.get(parts, asked)
      if (own !== undefined) return own
      const found = Reflect.get(target, asked, target)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}

const EVIDENCE = {
  command: 'true',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 1,
  output: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  outputBytes: 0,
  tail: '',
  report: null,
}

export const GREEN: GateResult = { is: 'passed', gate: 'tests_pass', evidence: EVIDENCE }
const WITNESS: GateResult = { is: 'passed', gate: 'witness', evidence: EVIDENCE }
export const RED: GateResult = {
  is: 'failed',
  gate: 'tests_pass',
  evidence: { ...EVIDENCE, exitCode: 1 },
  failures: [{ id: 'adds', file: null, line: null, message: 'wrong sum', stack: null }],
}

/** What a delivery is, told by its commit: nothing else of it is there. */
export type DeliveryKind = 'proven' | 'unproven' | 'red_when_merged'

/** A repository of commits without files: every merge is clean, and what it comes to is told by the commit it brings. */
export class PlayedRepository {
  #head = hashOf('the beginning')
  readonly #kinds = new Map<string, DeliveryKind>()

  get head(): string {
    return this.#head
  }

  deliver(commit: string, kind: DeliveryKind): void {
    this.#kinds.set(commit, kind)
  }

  git(): MergeGit {
    return onlyThese<MergeGit>('git', {
      commitOf: async (ref) => {
        if (ref === 'main') return this.#head
        return /^[0-9a-f]{40}$/.test(ref) ? ref : null
      },
      treeOf: async (commit) => hashOf(`tree ${commit}`),
      mergeBase: async () => this.#head,
      latest: async () => ({ commit: this.#head, from: 'here', beside: null, note: 'here' }),
      dryRun: async () => ({ is: 'clean' }),
      findLanded: async () => null,
      isPushed: async () => false,
      lockFiles: async () => [],
      writeNote: async () => undefined,
      withLease: (_, use) => use(),
      discardCheckout: async () => undefined,
      withCheckout: (commit, _, use) => use(this.#kinds.get(commit) ?? 'merged'),
      prepareMerge: async ({ target, head }) => {
        const red = this.#kinds.get(head) === 'red_when_merged'
        const commit = hashOf(`${target} ${head}`)
        if (red) this.#kinds.set(commit, 'red_when_merged')
        return { is: 'prepared', commit, base: target, signature: { is: 'unsigned' } }
      },
      land: async (_, __, commit) => {
        this.#head = commit
        return { is: 'landed', checkout: 'none', note: null }
      },
    })
  }

  /** Reads what a change is: nothing, here. */
  source(): World['source'] {
    return onlyThese<World['source']>('source', {
      diff: async (_, to) => ({ files: ['src/one.ts'], text: to }),
      fileAt: async () => null,
      fileChanges: async () => [],
    })
  }

  /** The place that a checkout is in says what was checked out. */
  gates(): Gates {
    return onlyThese<Gates>('gates', {
      runBuild: async () => null,
      runTests: async ({ cwd }) => (cwd === 'red_when_merged' ? RED : GREEN),
      runSetup: async () => ({ is: 'ok' }),
      settleFlaky: async ({ result }) => result,
      runDeliveryGates: async ({ cwd }) => (cwd === 'unproven' ? [] : [WITNESS]),
      keep: async (text) => hashOf(text),
    })
  }
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
