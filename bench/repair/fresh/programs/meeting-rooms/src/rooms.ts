import { formatClock, formatLength, parseClock } from './clock.ts'
import { RoomDay } from './day.ts'

export type Room = { name: string; seats: number; opens?: string; closes?: string }
export type Meeting = { id: string; start: string; end: string; people: number }
export type Answer =
  | { is: 'booked'; room: string }
  | { is: 'refused'; why: 'known' | 'too_large' | 'no_room_free' }
export type Offer = { room: string; start: string; end: string }

type Kept = Room & { day: RoomDay }

// Gives each meeting the smallest room that is large enough and free.
export class Rooms {
  private readonly rooms: Kept[]
  private readonly roomOf = new Map<string, Kept>()

  constructor(rooms: readonly Room[]) {
    this.rooms = rooms
      .map((room) => {
        const open = { start: parseClock(room.opens ?? '08:00'), end: parseClock(room.closes ?? '18:00') }
        return { ...room, day: new RoomDay(open) }
      })
      .sort((a, b) => a.seats - b.seats || (a.name < b.name ? -1 : 1))
  }

  book({ id, start, end, people }: Meeting): Answer {
    const slot = { start: parseClock(start), end: parseClock(end) }
    if (slot.start >= slot.end) throw new RangeError('a meeting takes time')
    if (this.roomOf.has(id)) return { is: 'refused', why: 'known' }
    const large = this.rooms.filter((room) => room.seats >= people)
    if (large.length === 0) return { is: 'refused', why: 'too_large' }
    const room = large.find(({ day }) => day.isFree(slot))
    if (!room) return { is: 'refused', why: 'no_room_free' }
    room.day.add({ id, ...slot })
    this.roomOf.set(id, room)
    return { is: 'booked', room: room.name }
  }

  cancel(id: string): boolean {
    const room = this.roomOf.get(id)
    if (!room) return false
    this.roomOf.delete(id)
    return room.day.remove(id)
  }

  // Where it cannot be moved, it stays where it is.
  move(meeting: Meeting): Answer {
    const room = this.roomOf.get(meeting.id)
    const old = room?.day.list().find((one) => one.id === meeting.id)
    this.cancel(meeting.id)
    const answer = this.book(meeting)
    if (answer.is === 'refused' && room && old) {
      room.day.add(old)
      this.roomOf.set(meeting.id, room)
    }
    return answer
  }

  // The earliest slot at or after a time; of several rooms the smallest one.
  suggest(minutes: number, people: number, after = '00:00'): Offer | undefined {
    const earliest = parseClock(after)
    let best: { room: string; start: number } | undefined
    for (const { name, seats, day } of this.rooms) {
      if (seats < people) continue
      for (const gap of day.gaps(minutes)) {
        const start = Math.max(gap.start, earliest)
        if (start + minutes > gap.end) continue
        if (!best || start < best.start) best = { room: name, start }
        break
      }
    }
    if (!best) return undefined
    return { room: best.room, start: formatClock(best.start), end: formatClock(best.start + minutes) }
  }

  agenda(name: string): string[] {
    return this.dayOf(name)
      .list()
      .map(
        ({ id, start, end }) =>
          `${formatClock(start)}-${formatClock(end)} ${id} (${formatLength(end - start)})`,
      )
  }

  usage(name: string): number {
    return this.dayOf(name).usage()
  }

  private dayOf(name: string): RoomDay {
    const room = this.rooms.find((one) => one.name === name)
    if (!room) throw new Error(`there is no room ${name}`)
    return room.day
  }
}
