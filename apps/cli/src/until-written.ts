// Waiting for what a model writes of a specification, for so long and no longer.
import type { Client } from '@treadle/contracts/client'
import type { SpecificationView } from '@treadle/contracts/specification'
import { withProgress } from './output.ts'
import { WAIT_S } from './program.ts'

/** Below the patience of the client. */
const HELD_MS_MAX = 20_000

/** The specification as it is written; one that is still waiting if nothing came in time, or nobody is there to ask. */
export async function untilWritten(
  client: Client,
  spec: SpecificationView,
  { wait }: { readonly wait?: number | undefined },
): Promise<SpecificationView> {
  const isOver = (now: SpecificationView) => !now.waiting || (wait === undefined && isUnattended(now))
  if (isOver(spec)) return spec
  const ms = (wait ?? WAIT_S) * 1_000
  return withProgress('A model is writing', waitFor(client, { spec, ms, isOver }))
}

/** Somebody has to do something first; agents that are at work come to it by themselves. */
function isUnattended({ waitingFor }: SpecificationView): boolean {
  return waitingFor !== null && waitingFor.reason !== 'busy'
}

interface Waiting {
  readonly spec: SpecificationView
  readonly ms: number
  readonly isOver: (now: SpecificationView) => boolean
}

async function waitFor(client: Client, { spec, ms, isOver }: Waiting): Promise<SpecificationView> {
  const until = performance.now() + ms
  const params = { id: spec.slug }
  let now = spec
  while (!isOver(now)) {
    const left = Math.floor(until - performance.now())
    if (left <= 0) break
    now = await client.showSpecification({ params, query: { waitMs: Math.min(left, HELD_MS_MAX) } })
  }
  return now
}
