// Waiting for what a model writes of a specification, for so long and no longer.
import type { Client } from '@treadle/contracts/client'
import type { SpecificationView } from '@treadle/contracts/specification'
import { withProgress } from './output.ts'

/** Below the patience of the client. */
const HELD_MS_MAX = 20_000

/** The specification as it is written; one that is still waiting if nothing came in time. */
export async function untilWritten(
  client: Client,
  spec: SpecificationView,
  { wait }: { readonly wait: number },
): Promise<SpecificationView> {
  return spec.waiting ? withProgress('A model is writing', waitFor(client, spec, wait * 1_000)) : spec
}

async function waitFor(client: Client, spec: SpecificationView, ms: number): Promise<SpecificationView> {
  const until = performance.now() + ms
  const params = { id: spec.slug }
  let now = spec
  while (now.waiting) {
    const left = Math.floor(until - performance.now())
    if (left <= 0) break
    now = await client.showSpecification({ params, query: { waitMs: Math.min(left, HELD_MS_MAX) } })
  }
  return now
}
