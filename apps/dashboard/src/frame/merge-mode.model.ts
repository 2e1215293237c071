// Who decides on merges, in words.
import type { MergeApproval } from '@treadle/contracts/config/merge'

const MODE_WORDS: Record<MergeApproval, string> = {
  human: 'You approve merges',
  reviewer: 'Review agent approves merges',
  checks: 'Auto-merge when checks pass',
  never: 'Push only, no merges',
}

export function mergeModeWords(approval: MergeApproval): string {
  return MODE_WORDS[approval]
}
