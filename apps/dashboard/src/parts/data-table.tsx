// A table of facts: named columns, one row each, words where there is none, and a frame that scrolls sideways.
import { memo, type ReactNode } from 'react'

/** Attributes of a cell. */
interface CellAttributes {
  readonly className?: string
  readonly title?: string
  readonly [data: `data-${string}`]: string | null | undefined
}

export interface TableColumn<Row, Id extends string = string> {
  readonly id: Id
  readonly head: ReactNode
  readonly cell: (row: Row) => ReactNode
  readonly attributes?: (row: Row) => CellAttributes
  /** The cells of this column name their rows. */
  readonly isRowHead?: boolean
}

interface TableSort<Id extends string> {
  readonly by: Id
  readonly down: boolean
  readonly onSort: (by: Id) => void
}

interface DataTableProps<Row, Id extends string> {
  /** The name of the table for a screen reader. */
  readonly label: string
  readonly columns: readonly TableColumn<Row, Id>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** Words instead of a table without rows. */
  readonly empty?: ReactNode
  readonly sort?: TableSort<Id>
  readonly toneOf?: (row: Row) => string
  /** Classes of the frame; null: the table stands by itself. */
  readonly frame?: string | null
  /** New rows are read aloud as they come. */
  readonly isLog?: boolean
}

export function DataTable<Row, Id extends string>(props: DataTableProps<Row, Id>) {
  const { label, columns, rows, keyOf, empty, sort, toneOf, frame = 'card table', isLog = false } = props
  if (rows.length === 0) return empty === undefined ? null : <p className="empty">{empty}</p>
  const table = (
    <table aria-label={isLog ? undefined : label}>
      <thead>
        <tr>
          {columns.map(({ id, head }) => (
            <th key={id} scope="col" aria-sort={sortWords(sort, id)}>
              {sort === undefined ? head : <SortButton sort={sort} id={id} head={head} />}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={keyOf(row)} row={row} columns={columns} tone={toneOf?.(row)} />
        ))}
      </tbody>
    </table>
  )
  if (frame === null) return table
  const log = isLog ? ({ role: 'log', 'aria-live': 'polite', 'aria-label': label } as const) : {}
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div className={frame} {...log} tabIndex={0}>
      {table}
    </div>
  )
}

interface RowProps<Row, Id extends string> {
  readonly row: Row
  readonly columns: readonly TableColumn<Row, Id>[]
  readonly tone: string | undefined
}

// A row is drawn anew only if it or the columns are others: keep the columns of a long table in a memo.
const TableRow = memo(function TableRow<Row, Id extends string>({ row, columns, tone }: RowProps<Row, Id>) {
  return (
    <tr data-tone={tone}>
      {columns.map(({ id, cell, attributes, isRowHead }) =>
        isRowHead === true ? (
          <th key={id} scope="row" {...attributes?.(row)}>
            {cell(row)}
          </th>
        ) : (
          <td key={id} {...attributes?.(row)}>
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  )
}) as <Row, Id extends string>(props: RowProps<Row, Id>) => ReactNode

interface SortButtonProps<Id extends string> {
  readonly sort: TableSort<Id>
  readonly id: Id
  readonly head: ReactNode
}

function SortButton<Id extends string>({ sort, id, head }: SortButtonProps<Id>) {
  const arrow = sort.down ? '↓' : '↑'
  return (
    <button type="button" onClick={() => sort.onSort(id)}>
      {head} <span aria-hidden="true">{sort.by === id ? arrow : '↕'}</span>
    </button>
  )
}

function sortWords<Id extends string>(
  sort: TableSort<Id> | undefined,
  id: Id,
): 'ascending' | 'descending' | undefined {
  if (sort === undefined || sort.by !== id) return undefined
  return sort.down ? 'descending' : 'ascending'
}
