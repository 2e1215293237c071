// Whether the tests of this workspace see the tree that they are started in, and what follows if they do not.
import type { GateResult } from '@treadle/contracts/gate'
import type { Canary } from '../ports/gates.ts'

/** What was found for one set-up; another set-up is looked at anew. */
export interface CanaryRecord {
  /** Stands for the commands and the files that decide what tests load. */
  readonly key: string
  readonly at: string
  readonly found: Canary
}

/** Why nothing is offered; null: items are. `key` is that of the set-up as it is now. */
export function canaryHold(record: CanaryRecord | null, key: string): string | null {
  if (record === null) return 'The tests are being checked: they must turn red when a source file is broken.'
  if (record.found.is !== 'blind' || record.key !== key) return null
  return blindWords(record.found)
}

export function blindWords({ files, command }: Extract<Canary, { is: 'blind' }>): string {
  const some = files.length === 1 ? files[0] : `${files.slice(0, -1).join(', ')} or ${files.at(-1)}`
  return [
    `The tests do not see a change: \`${command}\` stayed green although ${some} could not be loaded.`,
    'They run some other copy of the code, most likely through a link to the checkout, or a build that is out of date.',
    'Set tests.setupCommand in treadle.json, for example to `npm ci` or `npm run build`, so that each worktree has its own.',
  ].join(' ')
}

/** Tests that turned from red to green in the worktree have seen the change. */
export function hasWitness(baseline: readonly GateResult[], gates: readonly GateResult[]): boolean {
  return baseline.some((before) => {
    const now = gates.find(({ gate }) => gate === before.gate)
    if (before.is !== 'failed' || now === undefined || !('evidence' in now)) return false
    const still = new Set(now.is === 'failed' ? now.failures.map(({ id }) => id) : [])
    return before.failures.some(({ id }) => !still.has(id))
  })
}
