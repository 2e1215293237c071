import type { Call } from './orders.ts'
import { requireUser } from './session.ts'

export function initials(name: string): string {
  return name
    .split(' ')
    .map((part) => part.slice(0, 1).toUpperCase())
    .join('')
}

export function profileOf(names: ReadonlyMap<string, string>, call: Call): { user: string; mark: string } {
  const user = requireUser(call.token, call.now)
  return { user, mark: initials(names.get(user) ?? user) }
}
