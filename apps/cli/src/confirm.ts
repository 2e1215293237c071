// Shows what an order will hit and asks, where somebody is there to be asked.
import { ApiError, type Client } from '@treadle/contracts/client'
import type { Order, OrderGiven, OrderPreview } from '@treadle/contracts/order'
import { askLine } from './ask-line.ts'
import { callerName } from './caller-name.ts'
import { tell } from './output.ts'
import { UserError } from './user-error.ts'

export interface Consent {
  readonly yes?: boolean
}

/** An impact may change between the look and the yes; then it is shown again, so often and no more. */
const TRIES_MAX = 5

export async function giveOrder(client: Client, order: Order, consent: Consent): Promise<OrderGiven> {
  let changed: ApiError | null = null
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const shown = await client.previewOrder({ body: { order } })
    if (shown.confirm !== null && hits(order, shown)) await agree(`${shown.impact.text}.`, consent)
    const confirm = shown.confirm ?? undefined
    try {
      return await client.giveOrder({ body: { order, by: callerName(), confirm } })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'confirm_needed') throw error
      changed = error
    }
  }
  throw changed ?? new UserError('Nothing was done.')
}

/** False for an order without effect, which nobody is asked to confirm. */
function hits(order: Order, { impact }: OrderPreview): boolean {
  return impact.agents.length > 0 || impact.items.length > 0 || order.is === 'rollback'
}

export async function agree(impact: string, { yes }: Consent): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UserError(impact, 'Nothing was done. Add --yes to go on.', 2)
  tell(impact)
  if (!(await isYes('Go on? [y/N] '))) throw new UserError('Nothing was done.')
}

/** Says what somebody should know first; whoever is there to be asked may still say no, and a script goes on. */
export async function warnFirst(words: string, { yes }: Consent): Promise<void> {
  tell(words)
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return
  if (!(await isYes('Go on? [y/N] '))) throw new UserError('Nothing was done.')
}

/** The end of the input is a no. */
async function isYes(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await askLine(question))
}
