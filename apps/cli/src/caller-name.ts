// The name of the person at the keyboard, for the record of orders.
import { userInfo } from 'node:os'

export function callerName(): string {
  try {
    return userInfo().username || `user-${process.getuid?.() ?? 0}`
  } catch {
    // A number without a name in the user database, as in many containers.
    return `user-${process.getuid?.() ?? 0}`
  }
}
