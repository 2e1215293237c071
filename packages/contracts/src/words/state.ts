// What the states of an item and the levels of its evidence are called, and how each should strike the reader.
import type { EvidenceLevel } from '../evidence-level.ts'
import type { ItemState } from '../item.ts'

export type Tone = 'attention' | 'good' | 'bad' | 'busy' | 'plain'

export const EVIDENCE_WORDS: Record<EvidenceLevel, { readonly words: string; readonly tone: Tone }> = {
  proven: { words: 'Proven', tone: 'good' },
  supported: { words: 'Supported', tone: 'plain' },
  unproven: { words: 'Unproven', tone: 'attention' },
}

export const STATE_WORDS: Record<ItemState, { readonly words: string; readonly tone: Tone }> = {
  todo: { words: 'To do', tone: 'plain' },
  backlog: { words: 'Backlog', tone: 'plain' },
  claimed: { words: 'Claimed', tone: 'busy' },
  building: { words: 'Building', tone: 'busy' },
  verifying: { words: 'Checking', tone: 'busy' },
  improving: { words: 'Improving', tone: 'busy' },
  in_review: { words: 'In review', tone: 'attention' },
  rework: { words: 'Rework', tone: 'busy' },
  merging: { words: 'Merging', tone: 'busy' },
  escalated: { words: 'Escalated', tone: 'attention' },
  conflicted: { words: 'Conflict', tone: 'bad' },
  done: { words: 'Done', tone: 'good' },
  withdrawn: { words: 'Withdrawn', tone: 'plain' },
}
