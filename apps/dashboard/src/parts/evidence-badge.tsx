// How well a delivery is proven, as a word with its colour.
import type { EvidenceLevel } from '@treadle/contracts/evidence-level'
import { EVIDENCE_WORDS } from '@treadle/contracts/words/state'

export function EvidenceBadge({ level }: { readonly level: EvidenceLevel }) {
  const { words, tone } = EVIDENCE_WORDS[level]
  return (
    <span className="badge" data-tone={tone}>
      {words}
    </span>
  )
}
