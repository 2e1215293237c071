// Names of things, checked where they enter.
import { z } from 'zod'

/** Numbered execution agents, 1-based, the reviewer, and those who help it while much is waiting. */
export const AgentId = z
  .string()
  .regex(/^(agent-[1-9]\d{0,3}|review-agent(-[2-9])?)$/, 'must be agent-<number> or review-agent')
export type AgentId = z.infer<typeof AgentId>

export const RunId = z.uuid()
export type RunId = z.infer<typeof RunId>

/** Chosen by whoever reports the event; the same id twice is the same event. */
export const EventId = z
  .string()
  .min(8)
  .max(128)
  .regex(/^[A-Za-z0-9:._-]+$/, 'letters, digits and : . _ - only')
export type EventId = z.infer<typeof EventId>

export const Positive = z.int().min(1).max(2_147_483_647)
export const ItemRef = z.strictObject({ projectNumber: Positive, number: Positive })
export type ItemRef = z.infer<typeof ItemRef>

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')
export const CommitId = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be a full commit id')
export const Instant = z.iso.datetime()

/** The integer of agent-3 is 3; a reviewer has none. */
export function agentNumber(id: AgentId): number | null {
  const match = /^agent-(\d+)$/.exec(id)
  return match ? Number(match[1]) : null
}

/** agent-1/project-42: the branch on which an agent works on an item. */
export function branchName(id: AgentId, item: ItemRef): string {
  return `${id}/project-${item.number}`
}

/** Why a branch was not pushed where there is nowhere to push to; nothing is wrong with that. */
export const NO_REMOTE = 'no remote'

export function itemLabel(item: ItemRef): string {
  return `#${item.number}`
}
