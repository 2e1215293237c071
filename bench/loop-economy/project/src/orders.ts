import { HttpError } from './http-error.ts'
import { requireUser } from './session.ts'

export type Order = { id: number; user: string; product: string; count: number }
export type Call = { token: string | null; now: number }

export function listOrders(orders: readonly Order[], call: Call): Order[] {
  const user = requireUser(call.token, call.now)
  return orders.filter((order) => order.user === user)
}

export function getOrder(orders: readonly Order[], id: number, call: Call): Order {
  const found = listOrders(orders, call).find((order) => order.id === id)
  if (found === undefined) throw new HttpError(404, `there is no order ${id}`)
  return found
}

export function placeOrder(orders: readonly Order[], product: string, call: Call): Order[] {
  const user = requireUser(call.token, call.now)
  const id = Math.max(0, ...orders.map((order) => order.id)) + 1
  return [...orders, { id, user, product, count: 1 }]
}

export function cancelOrder(orders: readonly Order[], id: number, call: Call): Order[] {
  const gone = getOrder(orders, id, call)
  return orders.filter((order) => order !== gone)
}
