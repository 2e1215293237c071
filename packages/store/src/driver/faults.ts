// Errors between us and the database, as faults with a kind.
import { Fault, messageOf } from '@treadle/flow/fault'
import { DatabaseError } from 'pg'

export interface Holder {
  readonly url: string | null
  readonly pid: number
}

/** Another process owns the database directory. */
export class StoreLocked extends Fault {
  readonly holder: Holder | null
  constructor(dir: string, holder: Holder | null) {
    super('store_locked', `${dir} is in use by ${describe(holder)}`, {
      hint: 'Use that daemon, or stop it first. A second one on the same directory would lose data.',
    })
    this.name = 'StoreLocked'
    this.holder = holder
  }
}

function describe(holder: Holder | null): string {
  if (holder === null) return 'another process'
  return holder.url === null ? `process ${holder.pid}` : `the daemon at ${holder.url} (process ${holder.pid})`
}

/** Connection lost, operator intervention, server full or starting. */
const AWAY = /^(08|57P|53|25P03)/
/** Deadlock or serialization failure: the same again may well work. */
const CONFLICT = /^40/

/** The server's own refusal of a statement stays what it is: a bug of ours. All else is the world. */
export function asFault(thrown: unknown): unknown {
  if (thrown instanceof Fault) return thrown
  if (thrown instanceof DatabaseError && CONFLICT.test(thrown.code ?? ''))
    return new Fault('store_conflict', thrown.message, { cause: thrown })
  if (thrown instanceof DatabaseError && !AWAY.test(thrown.code ?? '')) return thrown
  return unreachable(thrown)
}

/** No connection, for whatever reason: also a refused password or a database that does not exist. */
export function unreachable(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown
  const message = messageOf(thrown)
  if (message.startsWith('timeout exceeded'))
    return new Fault('store_busy', 'the database did not become free in time', { cause: thrown })
  if (isFull(thrown, message))
    return new Fault('store_full', `the disk of the database is full: ${message}`, {
      hint: 'Make room; what was recorded is kept, and work goes on by itself.',
      cause: thrown,
    })
  return new Fault('store_unavailable', `the database is away: ${message}`, {
    hint: 'Is it running, and is DATABASE_URL right?',
    cause: thrown,
  })
}

/** Said by the database (class 53100), by the system, or by the embedded database in its own words. */
function isFull(thrown: unknown, message: string): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  return (
    code === '53100' || code === 'ENOSPC' || /No space left on device|ENOSPC|disk (?:is )?full/i.test(message)
  )
}
