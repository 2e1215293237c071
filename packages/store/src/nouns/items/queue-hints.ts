// Hints for those who wait: an item came free or ended, an agent's orders changed. A hint can be lost; polling covers it.
import { AgentId, ItemRef, RunId } from '@treadle/contracts/ids'
import { type Item, ItemState } from '@treadle/contracts/item'
import { ThoughtKind } from '@treadle/contracts/thought'
import { messageOf } from '@treadle/flow/fault'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Driver } from '../../driver/driver.ts'

const Told = z.discriminatedUnion('is', [
  /** An item that nobody holds now; `runId` is the run that may just have lost it. */
  z.strictObject({
    is: z.literal('free'),
    item: ItemRef,
    state: ItemState,
    runId: RunId.nullable(),
    /** Given to this agent by a person. */
    keptFor: AgentId.nullable(),
    /** It depends on others, or names files: whoever is called looks whether it can be begun. */
    depends: z.boolean(),
    /** Whoever waits for its files looks whether they are free. */
    isOfBuild: z.boolean().default(false),
  }),
  /** An agent of whom something else is wanted now. */
  z.strictObject({ is: z.literal('wanted'), agentId: AgentId }),
  /** Somebody has said something to this run. */
  z.strictObject({ is: z.literal('guided'), runId: RunId }),
  /** A thought that nobody has: asked for, or given back. */
  z.strictObject({ is: z.literal('thought'), kinds: z.array(ThoughtKind) }),
])
type Told = z.infer<typeof Told>
/** `missed`: the connection was replaced, so anything may have happened. */
export type Hint = Told | { readonly is: 'missed' }

/** Delivered to every daemon on the database when the transaction commits, and only then. */
function notification(channel: string, told: Told): RawBuilder<unknown> {
  return sql`pg_notify(${channel}, ${JSON.stringify(told)})`
}

/** The number is known only to the statement that adds the item, so that one writes the hint: `free`, as above. */
export const ADDED_HINT_SQL = `json_build_object('is', 'free',
  'item', json_build_object('projectNumber', project_number, 'number', number),
  'state', state, 'runId', null, 'keptFor', null, 'depends', depends_on <> '[]'::jsonb or files <> '[]'::jsonb)::text`

export function freeHint(channel: string, item: Item) {
  const { projectNumber, number, state, runId, assignedAgentId: keptFor } = item
  const depends = item.dependsOn.length > 0 || item.files.length > 0
  return notification(channel, {
    is: 'free',
    item: { projectNumber, number },
    state,
    runId,
    keptFor,
    depends,
    isOfBuild: item.build !== null,
  })
}

export function wantedHint(channel: string, agentId: AgentId) {
  return sql`select ${notification(channel, { is: 'wanted', agentId })}`
}

export function guidedHint(channel: string, runId: RunId) {
  return sql`select ${notification(channel, { is: 'guided', runId })}`
}

export function thoughtHint(channel: string, kinds: ThoughtKind[]) {
  return sql`select ${notification(channel, { is: 'thought', kinds })}`
}

export interface HintsWorld {
  readonly driver: Driver
  readonly channel: string
  readonly log: (message: string) => void
}

export function listenToHints(
  { driver, channel, log }: HintsWorld,
  onHint: (hint: Hint) => void,
): () => Promise<void> {
  const heard = (payload: string): void => {
    const read = Told.safeParse(parsed(payload))
    onHint(read.success ? read.data : { is: 'missed' })
  }
  const fail = (error: unknown): void => log(`hints could not be heard: ${messageOf(error)}`)
  const handle = driver.listen(channel, heard, () => onHint({ is: 'missed' }))
  handle.catch(fail)
  return async () => (await handle).close().catch(fail)
}

/** The payload, read; null for what another version of us may have sent. */
function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return null
  }
}
