// Faults in the order in which they come up in one repository: slips that return in other modules, and others.
import type { Bug, Edit } from './bug.ts'
import { library } from './materialise.ts'

type Fault = Edit & { slip: string; id: string }

const faults: readonly Fault[] = [
  fault('copy members', 'members', 'return [...this.rows]', 'return this.rows'),
  fault(
    'zero fines',
    'fines',
    'return Math.max(0, this.total(member) - paid)',
    'return this.total(member) - paid',
  ),
  fault('boundary since', 'members', 'row.joined >= day', 'row.joined > day'),
  fault(
    'limit members',
    'members',
    'Math.min(bonusMost, this.years(id, today) * bonusEach)',
    'this.years(id, today) * bonusEach',
  ),
  fault('copy shelves', 'shelves', 'return [...shelf.books]', 'return shelf.books'),
  fault(
    'sort members',
    'members',
    'this.rows.map((row) => row.name).sort()',
    'this.rows.map((row) => row.name)',
  ),
  fault('sum loans', 'loans', 'return past + now', 'return past - now'),
  fault('limit loans', 'loans', 'Math.min(loan.until + days, loan.from + longestDays)', 'loan.until + days'),
  fault(
    'zero shelves',
    'shelves',
    'return Math.max(0, shelf.places - shelf.books.length - reserved)',
    'return shelf.places - shelf.books.length - reserved',
  ),
  fault('sort shelves', 'shelves', '[...this.shelves.keys()].sort()', '[...this.shelves.keys()]'),
  fault(
    'variable fines',
    'fines',
    'this.paid.set(member, (this.paid.get(member) ?? 0) + cents)',
    'this.paid.set(member, cents)',
  ),
  fault('copy loans', 'loans', 'return [...this.open]', 'return this.open'),
  fault('zero loans', 'loans', 'return Math.max(0, loan.until - today)', 'return loan.until - today'),
  fault('off-by-one holds', 'holds', 'at < 0 ? null : at + 1', 'at < 0 ? null : at'),
  fault('copy holds', 'holds', 'return [...queue]', 'return queue'),
  fault('sort loans', 'loans', 'own.map((loan) => loan.book).sort()', 'own.map((loan) => loan.book)'),
  fault('method holds', 'holds', '?.shift()', '?.pop()'),
  fault('limit holds', 'holds', 'Math.min(daysMost, at * daysEach)', 'at * daysEach'),
  fault('zero holds', 'holds', 'return Math.max(0, queue.length - copies)', 'return queue.length - copies'),
  fault(
    'sort fines',
    'fines',
    '.filter((member) => this.owed(member) > 0).sort()',
    '.filter((member) => this.owed(member) > 0)',
  ),
  fault(
    'condition rooms',
    'rooms',
    'booking.room === room && booking.hour === hour',
    'booking.room === room',
  ),
  fault('copy fines', 'fines', 'return [...this.fines]', 'return this.fines'),
  fault(
    'zero rooms',
    'rooms',
    'return Math.max(0, seats - this.peopleIn(room, hour) - blocked)',
    'return seats - this.peopleIn(room, hour) - blocked',
  ),
  fault(
    'limit fines',
    'fines',
    'return Math.min(centsMost, daysLate * centsPerDay)',
    'return daysLate * centsPerDay',
  ),
  fault('sort holds', 'holds', 'wanted.map(([book]) => book).sort()', 'wanted.map(([book]) => book)'),
  fault('filter holds', 'holds', 'queue.length > 0)', 'queue.length >= 0)'),
  fault(
    'limit rooms',
    'rooms',
    'Math.min(centsMost, people * hours * centsEach)',
    'people * hours * centsEach',
  ),
  fault('copy rooms', 'rooms', 'return [...this.bookings]', 'return this.bookings'),
  fault('sort rooms', 'rooms', 'this.peopleIn(room, hour) === 0).sort()', 'this.peopleIn(room, hour) === 0)'),
  fault(
    'zero members',
    'members',
    'Math.max(0, Math.floor((today - found.joined) / 365))',
    'Math.floor((today - found.joined) / 365)',
  ),
  fault('boundary rooms', 'rooms', 'if (people > most)', 'if (people >= most)'),
]

export const stream: readonly Bug[] = faults.map(({ id, slip, file, find, replace }) => ({
  id,
  program: library,
  kind: slip,
  origin: 'hand',
  edits: [{ file, find, replace }],
}))

// The first word of the id is the slip, the second the module.
function fault(id: string, module: string, find: string, replace: string): Fault {
  return { id, slip: id.split(' ')[0] ?? id, file: `src/${module}.ts`, find, replace }
}
