// Rooms that groups may use, hour by hour.
export type Booking = { room: string; hour: number; people: number }

const centsEach = 150
const centsMost = 4_000

export function priceOf(people: number, hours: number): number {
  return Math.min(centsMost, people * hours * centsEach)
}

export class Rooms {
  private readonly seats = new Map<string, number>()
  private readonly bookings: Booking[] = []

  open(room: string, seats: number): void {
    if (seats <= 0) throw new RangeError('a room needs seats')
    this.seats.set(room, seats)
  }

  book(room: string, hour: number, people: number): boolean {
    if (this.peopleIn(room, hour) + people > (this.seats.get(room) ?? 0)) return false
    this.bookings.push({ room, hour, people })
    return true
  }

  peopleIn(room: string, hour: number): number {
    const same = this.bookings.filter((booking) => booking.room === room && booking.hour === hour)
    return same.reduce((sum, booking) => sum + booking.people, 0)
  }

  // Staff may block seats that are taken.
  seatsLeft(room: string, hour: number, blocked: number): number {
    const seats = this.seats.get(room) ?? 0
    return Math.max(0, seats - this.peopleIn(room, hour) - blocked)
  }

  all(): Booking[] {
    return [...this.bookings]
  }

  freeRooms(hour: number): string[] {
    const names = [...this.seats.keys()]
    return names.filter((room) => this.peopleIn(room, hour) === 0).sort()
  }

  busiest(): number | null {
    let best: number | null = null
    let most = 0
    for (let hour = 0; hour < 24; hour += 1) {
      const people = [...this.seats.keys()].reduce((sum, room) => sum + this.peopleIn(room, hour), 0)
      if (people > most) {
        most = people
        best = hour
      }
    }
    return best
  }
}
