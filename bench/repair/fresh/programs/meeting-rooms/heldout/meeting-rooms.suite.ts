import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatClock, formatLength, parseClock } from '../src/clock.ts'
import { RoomDay } from '../src/day.ts'
import { type Meeting, Rooms } from '../src/rooms.ts'

let state = 13
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

test('every minute of the day comes back', () => {
  for (let hour = 0; hour < 24; hour += 1) {
    for (let minute = 0; minute < 60; minute += 1) {
      const text = `${hour < 10 ? '0' : ''}${hour}:${minute < 10 ? '0' : ''}${minute}`
      assert.equal(formatClock(parseClock(text)), text)
      assert.equal(parseClock(text), hour * 60 + minute)
    }
  }
  assert.equal(formatClock(1440), '24:00')
  for (const text of ['25:00', '24:30', '00:60', '1:2', '100:00', '-1:00', '12:00 ', '12.00']) {
    assert.throws(() => parseClock(text), { message: `no time: ${text}` })
  }
})

test('lengths', () => {
  const texts = [0, 1, 59, 60, 61, 119, 120, 600].map(formatLength)
  assert.deepEqual(texts, ['0 min', '1 min', '59 min', '1 h', '1 h 1 min', '1 h 59 min', '2 h', '10 h'])
})

const range = (start: number, end: number) => Array.from({ length: end - start }, (_, index) => start + index)

function slowGaps(minutes: ReadonlyMap<number, string>, open: { start: number; end: number }, least: number) {
  const gaps: { start: number; end: number }[] = []
  let from = open.start
  for (const minute of range(open.start, open.end + 1)) {
    if (minute < open.end && !minutes.has(minute)) continue
    if (minute - from >= least) gaps.push({ start: from, end: minute })
    from = minute + 1
  }
  return gaps
}

// Books or removes something in the day and in the minutes.
function actOnDay(day: RoomDay, minutes: Map<number, string>, step: number): void {
  const start = random(60)
  const end = start + 1 + random(12)
  const inside = start >= day.open.start && end <= day.open.end
  const free = inside && range(start, end).every((minute) => !minutes.has(minute))
  assert.equal(day.isFree({ start, end }), free)
  if (free) {
    day.add({ id: `m${step}`, start, end })
    for (const minute of range(start, end)) minutes.set(minute, `m${step}`)
  }
  if (random(4) > 0) return
  const gone = `m${random(step + 1)}`
  assert.equal(day.remove(gone), [...minutes.values()].includes(gone))
  for (const minute of range(0, 80)) if (minutes.get(minute) === gone) minutes.delete(minute)
}

test('a day agrees with an array of minutes', () => {
  for (let round = 0; round < 120; round += 1) {
    const open = { start: random(10), end: 50 + random(10) }
    const day = new RoomDay(open)
    const minutes = new Map<number, string>()
    for (let step = 0; step < 14; step += 1) {
      actOnDay(day, minutes, step)
      const owners = range(0, 61).flatMap((minute) => minutes.get(minute) ?? [])
      assert.deepEqual(
        day.list().map((one) => one.id),
        [...new Set(owners)],
      )
      assert.equal(day.usage(), Math.round((100 * minutes.size) / (open.end - open.start)))
      const least = random(8) + 1
      assert.deepEqual(day.gaps(least), slowGaps(minutes, open, least))
    }
  }
  assert.throws(() => new RoomDay({ start: 9, end: 8 }), /open for a while/)
})

test('what a day lists is a copy', () => {
  const day = new RoomDay({ start: 0, end: 10 })
  day.add({ id: 'a', start: 0, end: 5 })
  day.list().pop()
  assert.equal(day.list().length, 1)
  assert.deepEqual(day.gaps(), [{ start: 5, end: 10 }])
})

const plan = [
  { name: 'red', seats: 8, opens: '09:00', closes: '13:00' },
  { name: 'green', seats: 2 },
  { name: 'blue', seats: 8 },
  { name: 'grey', seats: 5, closes: '20:00' },
]
const bySize = ['green', 'grey', 'blue', 'red']
const hours: Record<string, [number, number]> = {
  red: [540, 780],
  green: [480, 1080],
  blue: [480, 1080],
  grey: [480, 1200],
}
type Held = Meeting & { room: string }

function fits(held: readonly Held[], room: string, start: number, end: number): boolean {
  const [opens, closes] = hours[room] ?? [0, 0]
  if (start < opens || end > closes) return false
  return !held.some(
    (one) => one.room === room && Math.max(parseClock(one.start), start) < Math.min(parseClock(one.end), end),
  )
}

function slowBook(held: readonly Held[], { id, start, end, people }: Meeting): string {
  if (held.some((one) => one.id === id)) return 'known'
  const large = bySize.filter((room) => (plan.find((one) => one.name === room)?.seats ?? 0) >= people)
  if (large.length === 0) return 'too_large'
  return large.find((room) => fits(held, room, parseClock(start), parseClock(end))) ?? 'no_room_free'
}

function drawMeeting(): Meeting {
  const start = 450 + 15 * random(44)
  return {
    id: `m${random(16)}`,
    start: formatClock(start),
    end: formatClock(start + 15 * (random(12) + 1)),
    people: random(9) + (random(10) === 0 ? 1 : 0) + 1,
  }
}

// Does something to the rooms and to the list, and compares the answers.
function act(rooms: Rooms, held: readonly Held[]): readonly Held[] {
  const meeting = drawMeeting()
  const others = held.filter((one) => one.id !== meeting.id)
  const what = random(4)
  if (what === 0) {
    assert.equal(rooms.cancel(meeting.id), others.length < held.length)
    return others
  }
  const before = what === 1 ? others : held
  const expected = slowBook(before, meeting)
  const answer = what === 1 ? rooms.move(meeting) : rooms.book(meeting)
  assert.equal(answer.is === 'booked' ? answer.room : answer.why, expected)
  return answer.is === 'booked' ? [...before, { ...meeting, room: expected }] : held
}

function slowAgenda(held: readonly Held[], room: string): string[] {
  const own = held.filter((one) => one.room === room).sort((a, b) => (a.start < b.start ? -1 : 1))
  return own.map((one) => {
    const length = formatLength(parseClock(one.end) - parseClock(one.start))
    return `${one.start}-${one.end} ${one.id} (${length})`
  })
}

test('rooms agree with a list of all meetings', () => {
  for (let round = 0; round < 100; round += 1) {
    const rooms = new Rooms(plan)
    let held: readonly Held[] = []
    for (let step = 0; step < 25; step += 1) {
      held = act(rooms, held)
      for (const room of bySize) assert.deepEqual(rooms.agenda(room), slowAgenda(held, room))
      const length = 15 * (random(10) + 1)
      const people = random(10)
      const after = 15 * random(80)
      const expected = slowSuggest(held, length, people, after)
      assert.deepEqual(rooms.suggest(length, people, formatClock(after)), expected)
    }
  }
})

function slowSuggest(held: readonly Held[], length: number, people: number, after: number) {
  for (let start = after; start <= 1440; start += 1) {
    for (const room of bySize) {
      const seats = plan.find((one) => one.name === room)?.seats ?? 0
      if (seats < people || !fits(held, room, start, start + length)) continue
      return { room, start: formatClock(start), end: formatClock(start + length) }
    }
  }
  return undefined
}

test('a suggestion starts with the day if no time is given', () => {
  const rooms = new Rooms([{ name: 'only', seats: 3, opens: '00:00', closes: '24:00' }])
  assert.deepEqual(rooms.suggest(1440, 3), { room: 'only', start: '00:00', end: '24:00' })
  assert.equal(rooms.suggest(1440, 3, '00:01'), undefined)
  rooms.book({ id: 'a', start: '00:00', end: '12:00', people: 1 })
  assert.equal(rooms.usage('only'), 50)
  assert.throws(() => rooms.agenda('other'), /there is no room other/)
  assert.throws(() => rooms.book({ id: 'b', start: '10:00', end: '09:00', people: 1 }), /takes time/)
  assert.throws(() => new Rooms([{ name: 'x', seats: 1, opens: '10:00', closes: '10:00' }]), RangeError)
})
