// Joins two connections, each of which may end its own side first.
import type { Socket } from 'node:net'

/** Whatever one side says the other hears, to its end; a side that breaks breaks the other. */
export function relay(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one)
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
}
