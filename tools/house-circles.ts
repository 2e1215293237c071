// Rooms are the folders directly below a package's src. A circle is a set of rooms that all lead to each other.
import type { Imports } from './imports.ts'

export interface Circles {
  /** Without the files that stand beside the rooms. */
  readonly rooms: readonly (readonly string[])[]
  /** With those files as a room of their own, called `.`. */
  readonly withRoot: readonly (readonly string[])[]
}

const rootRoom = '.'

/** The folders below the src of a package, by name. */
export function roomsOf(files: readonly string[], owner: string): string[] {
  const own = files.filter((file) => file.startsWith(`${owner}/src/`)).map(roomOf)
  return [...new Set(own)].filter((room) => room !== rootRoom).sort()
}

export function circlesIn(imports: Imports): Record<string, Circles> {
  const owners = [...new Set([...imports.keys()].map(ownerOf))].sort()
  const found = owners.map((owner) => {
    const doors = doorsOf(imports, owner)
    const inner = new Map(
      [...doors].filter(([room]) => room !== rootRoom).map(([room, to]) => [room, without(to, rootRoom)]),
    )
    return [owner, { rooms: circlesOf(inner), withRoot: circlesOf(doors) }] as const
  })
  return Object.fromEntries(found.filter(([, { rooms, withRoot }]) => rooms.length + withRoot.length > 0))
}

function ownerOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

function roomOf(file: string): string {
  const [, , , room, ...rest] = file.split('/')
  return rest.length === 0 || room === undefined ? rootRoom : room
}

function doorsOf(imports: Imports, owner: string): Map<string, Set<string>> {
  const doors = new Map<string, Set<string>>()
  for (const [file, imported] of imports) {
    if (ownerOf(file) !== owner) continue
    const from = roomOf(file)
    const to = doors.get(from) ?? new Set()
    for (const other of imported)
      if (ownerOf(other) === owner && roomOf(other) !== from) to.add(roomOf(other))
    doors.set(from, to)
  }
  return doors
}

function without(rooms: ReadonlySet<string>, left: string): Set<string> {
  return new Set([...rooms].filter((room) => room !== left))
}

/** Rooms that reach each other both ways, each circle in order, the largest first. */
function circlesOf(doors: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = new Map([...doors.keys()].map((room) => [room, reached(doors, room)]))
  const left = new Set(doors.keys())
  const circles: string[][] = []
  for (const room of doors.keys()) {
    if (!left.has(room)) continue
    const circle = [...left].filter((other) => reach.get(room)?.has(other) && reach.get(other)?.has(room))
    for (const other of circle) left.delete(other)
    if (circle.length > 1) circles.push(circle.sort())
  }
  return circles.sort((a, b) => b.length - a.length)
}

function reached(doors: ReadonlyMap<string, ReadonlySet<string>>, from: string): Set<string> {
  const found = new Set([from])
  for (const room of found) for (const next of doors.get(room) ?? []) found.add(next)
  return found
}
