// Tables as data: the types of the queries, the drift test and the copy to another database are all made from this.
import type { ColumnType } from 'kysely'

export interface Column<Read, Write = Read> {
  /** As information_schema spells it. */
  readonly sql: string
  readonly nullable: boolean
  /** The database fills it in when an insert leaves it out. */
  readonly filled: boolean
  /** Types only; never set. */
  readonly of?: { read: Read; write: Write }
}
type Table = Readonly<Record<string, Column<unknown>>>
export type Tables = Readonly<Record<string, Table>>
/** The tables of a noun that has none of its own, or asks in plain SQL. */
export type NoTables = Readonly<Record<never, never>>

const column = <Read, Write = Read>(sql: string): Column<Read, Write> & { filled: false } => ({
  sql,
  nullable: false,
  filled: false,
})
export const nullable = <Read, Write>(of: Column<Read, Write> & { filled: false }) =>
  ({ ...of, nullable: true }) as Column<Read | null, Write | null> & { filled: false }
export const filled = <Read, Write>(of: Column<Read, Write>) =>
  ({ ...of, filled: true }) as Column<Read, Write> & { filled: true }

export const integer = column<number>('integer')
/** Read as text: it may exceed what a JavaScript number holds. */
export const bigint = column<string, string | number>('bigint')
export const real = column<number>('double precision')
export const text = column<string>('text')
export const flag = column<boolean>('boolean')
export const uuid = column<string>('uuid')
export const instant = column<Date>('timestamp with time zone')
export const json = column<unknown, string>('jsonb')

type Typed<C> =
  C extends Column<infer Read, infer Write>
    ? C extends { filled: true }
      ? ColumnType<Read, Write | undefined, Write>
      : ColumnType<Read, Write, Write>
    : never

/** The tables as Kysely wants to know them. */
export type Rows<T extends Tables> = { [N in keyof T]: { -readonly [C in keyof T[N]]: Typed<T[N][C]> } }

/** A row as it is read. */
export type Row<T extends Table> = {
  -readonly [C in keyof T]: Typed<T[C]> extends ColumnType<infer Read, infer _I, infer _U> ? Read : never
}

/** The same out of row_to_json, where an instant is text. */
export type JsonRow<T extends Table> = {
  [C in keyof Row<T>]: Date extends Row<T>[C] ? Exclude<Row<T>[C], Date> | string : Row<T>[C]
}
