// What is said of an item that takes back the merge of another one.
import type { Reverts } from '../item.ts'
import type { RevertedBy } from '../revert.ts'
import { shortCommit } from './commit.ts'
import { STATE_WORDS } from './state.ts'

/** "#12, merged as 1a2b3c4d" */
export function revertsWords({ number, commit }: Reverts): string {
  return `#${number}, merged as ${shortCommit(commit)}`
}

/** "#15, merged as 1a2b3c4d", or where #15 stands. */
export function revertedByWords({ number, state, mergeCommit }: RevertedBy): string {
  return mergeCommit === null
    ? `#${number}, ${STATE_WORDS[state].words.toLowerCase()}`
    : `#${number}, merged as ${shortCommit(mergeCommit)}`
}

const FILES_MAX = 20

/** What a revert cannot take back by itself, for whoever has to. */
export function revertConflictWords({ number, commit }: Reverts, conflicts: readonly string[]): string {
  const more = conflicts.length > FILES_MAX ? ` and ${conflicts.length - FILES_MAX} more` : ''
  return [
    `Later work has changed the same lines as #${number}, so that it cannot be taken back by itself in ${conflicts.slice(0, FILES_MAX).join(', ')}${more}.`,
    `Take back there what \`git diff ${commit}^1 ${commit}\` shows, and keep what came later. Tests that came with it go, too. All other files are taken back already.`,
  ].join(' ')
}
