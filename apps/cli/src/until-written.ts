// Waiting for what a model writes of a specification, for so long and no longer.
import type { Client } from '@treadle/contracts/client'
import type { SpecificationView } from '@treadle/contracts/specification'
import { withProgress } from './output.ts'

const WRITTEN_MS_MAX = 120_000
/** Below the patience of the client. */
const HELD_MS_MAX = 20_000

/** The specification as it is written; one that is still waiting if nothing came in time. */
export async function untilWritten(client: Client, spec: SpecificationView): Promise<SpecificationView> {
  return spec.waiting ? withProgress('A model is writing', waitFor(client, spec)) : spec
}

async function waitFor(client: Client, spec: SpecificationView): Promise<SpecificationView> {
  const until = performance.now() + WRITTEN_MS_MAX
  const params = { id: spec.slug }
  let now = spec
  while (now.waiting) {
    const left = Math.floor(until - performance.now())
    if (left <= 0) break
    now = await client.showSpecification({ params, query: { waitMs: Math.min(left, HELD_MS_MAX) } })
  }
  return now
}
