// Rolls back at once when something was merged that brings a secret, or that the security check had found fault with.
import type { StoredEvent } from '@treadle/contracts/event'
import type { RolloutPhase } from '@treadle/contracts/order'
import { findSecrets } from '@treadle/gates/secrets'
import type { World } from '../world.ts'
import { rollBack } from './roll-back.ts'

const INCIDENT_BY = 'system:security'
const LOOK_BACK = 50
const DAY_MS = 86_400_000
const FILES_MAX = 500

/** Commits that each daemon has looked at; a new one looks at those of the last day again. */
const lookedAt = new WeakMap<World, Set<string>>()

/** Part of every sweep. */
export async function sweepIncident(world: World): Promise<void> {
  const { store, now, config } = world
  const { monitoring, flags } = config()
  if (monitoring.rollback === 'never') return
  const looked = lookedAt.get(world) ?? new Set()
  lookedAt.set(world, looked)
  const merges = await store.events.newest({ type: 'merge.landed', limit: LOOK_BACK })
  for (const merge of merges.toReversed()) {
    const { event } = merge
    if (event.type !== 'merge.landed' || looked.has(event.commit)) continue
    looked.add(event.commit)
    if (now().getTime() - Date.parse(merge.at) > DAY_MS) continue
    const found = (await secretIn(world, event.commit)) ?? (await vulnerableBy(world, merge))
    if (found === null) continue
    const phase: RolloutPhase = flags.enable_ideation === true ? 4 : 2
    const why = `Security incident: ${found}, merged as ${event.commit.slice(0, 12)}`
    await rollBack(world, { id: `incident:${event.commit}`, phase, why, by: INCIDENT_BY })
  }
}

/** A secret that was not in the same file before. What was found is never repeated. */
async function secretIn({ source, log }: World, commit: string): Promise<string | null> {
  try {
    const files = await source.fileChanges(`${commit}^1`, commit)
    for (const { path } of files.slice(0, FILES_MAX)) {
      const text = await source.fileAt(commit, path)
      const after = text === null ? [] : await findSecrets(path, text)
      if (after.length === 0) continue
      const known = await findSecrets(path, (await source.fileAt(`${commit}^1`, path)) ?? '')
      const fresh = after.find(({ value }) => !known.some((each) => each.value === value))
      if (fresh !== undefined) return `${path}:${fresh.line} holds what looks like a secret (${fresh.rule})`
    }
  } catch (error) {
    // The commit may be gone from here, or of another repository on the same database.
    log.warn({ err: error, commit }, 'a merge could not be looked through for secrets')
  }
  return null
}

/** Somebody allowed what the security check had refused. */
async function vulnerableBy({ store }: World, { item }: StoredEvent): Promise<string | null> {
  const review = item === null ? null : await store.reviews.latest(item)
  const failed = review?.checks.some(({ gate, is }) => gate === 'security' && is === 'failed')
  return failed === true && item !== null ? `the security check of #${item.number} had failed` : null
}
