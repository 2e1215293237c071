// The bookings of one room on one day, in order of time. Ends are not part of a slot.
export type Slot = { start: number; end: number }
export type Booking = Slot & { id: string }

export class RoomDay {
  readonly open: Slot
  private bookings: Booking[] = []

  constructor(open: Slot) {
    if (open.start >= open.end) throw new RangeError('a room must be open for a while')
    this.open = open
  }

  isFree({ start, end }: Slot): boolean {
    if (start < this.open.start || end > this.open.end) return false
    return this.bookings.every((one) => end <= one.start || start >= one.end)
  }

  add(booking: Booking): void {
    const at = this.bookings.findIndex((one) => one.start > booking.start)
    this.bookings.splice(at < 0 ? this.bookings.length : at, 0, booking)
  }

  remove(id: string): boolean {
    const before = this.bookings.length
    this.bookings = this.bookings.filter((one) => one.id !== id)
    return this.bookings.length < before
  }

  list(): Booking[] {
    return [...this.bookings]
  }

  // The free slots that are at least so long.
  gaps(minutes = 1): Slot[] {
    const gaps: Slot[] = []
    let from = this.open.start
    for (const { start, end } of this.bookings) {
      if (start - from >= minutes) gaps.push({ start: from, end: start })
      from = end
    }
    if (this.open.end - from >= minutes) gaps.push({ start: from, end: this.open.end })
    return gaps
  }

  // In percent of the time that the room is open, rounded.
  usage(): number {
    const used = this.bookings.reduce((sum, one) => sum + (one.end - one.start), 0)
    return Math.round((100 * used) / (this.open.end - this.open.start))
  }
}
