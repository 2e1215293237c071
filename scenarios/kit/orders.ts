// Orders as a person gives them: what they will hit is read first, and read again where it has changed meanwhile.
import { ApiError } from '@treadle/contracts/client'
import type { Order } from '@treadle/contracts/order'
import type { Daemon } from './daemon.ts'
import { eventually } from './wait.ts'

/** Gives an order. A crew that still grows or shrinks changes what is hit, and the order is then confirmed anew. */
export function confirmOrder({ client }: Pick<Daemon, 'client'>, order: Order, by: string): Promise<unknown> {
  return eventually(`${order.is} is given`, async () => {
    const { confirm } = await client.previewOrder({ body: { order } })
    try {
      return await client.giveOrder({ body: { order, by, ...(confirm === null ? {} : { confirm }) } })
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return undefined
      throw error
    }
  })
}
