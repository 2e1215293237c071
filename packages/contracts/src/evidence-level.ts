// How well a delivered change is proven, computed from what the system ran itself. Never an engine's word.
import { z } from 'zod'

export const EvidenceLevel = z.enum([
  /** Everything else. */
  'unproven',
  /** The suite is green with tests that run the changed lines; nothing was red before. */
  'supported',
  /** What was red on the base is green on the head, and planted faults are noticed. */
  'proven',
])
export type EvidenceLevel = z.infer<typeof EvidenceLevel>

export const DeliveryEvidence = z.strictObject({
  level: EvidenceLevel,
  /** One sentence: what bears it out, or what is missing. */
  why: z.string().min(1).max(2_000),
})
export type DeliveryEvidence = z.infer<typeof DeliveryEvidence>

/** The least that is merged without a person. */
export const MergeNeeds = EvidenceLevel.extract(['supported', 'proven'])
export type MergeNeeds = z.infer<typeof MergeNeeds>

const RANK: Record<EvidenceLevel, number> = { unproven: 0, supported: 1, proven: 2 }

export function reaches(level: EvidenceLevel, needs: MergeNeeds): boolean {
  return RANK[level] >= RANK[needs]
}
