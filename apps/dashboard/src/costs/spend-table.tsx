// A table of costs by agent or by item, sorted by any column.
import { usd } from '@treadle/contracts/words/money'
import { useState } from 'react'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { hrefOf } from '../parts/route.model.ts'
import {
  compactNumber,
  DEAREST_FIRST,
  type Sorting,
  type SpendColumn,
  type SpendRow,
  share,
  sortedBy,
  sortRows,
} from './costs.model.ts'

interface SpendTableProps {
  readonly title: string
  /** The head of the first column. */
  readonly head: string
  readonly rows: readonly SpendRow[]
  readonly total: number
  /** Words instead of a table without rows. */
  readonly none: string
}

const ROWS_MAX = 100

export function SpendTable({ title, head, rows, total, none }: SpendTableProps) {
  const [sorting, setSorting] = useState<Sorting>(DEAREST_FIRST)
  const columns: readonly TableColumn<SpendRow, SpendColumn>[] = [
    {
      id: 'name',
      head,
      isRowHead: true,
      attributes: () => ({ className: 'payee' }),
      cell: ({ name, item }) => (item === null ? name : <a href={hrefOf({ is: 'item', item })}>{name}</a>),
    },
    {
      id: 'costUSD',
      head: 'Cost',
      cell: ({ costUSD }) => (
        <>
          {usd(costUSD)} <span className="muted share">{share(costUSD, total)}</span>
        </>
      ),
    },
    { id: 'calls', head: 'Calls', cell: ({ calls }) => calls },
    {
      id: 'tokens',
      head: 'Tokens',
      attributes: ({ tokens }) => ({ title: String(tokens) }),
      cell: ({ tokens }) => compactNumber(tokens),
    },
  ]
  return (
    <div>
      <h3>{title}</h3>
      <DataTable
        label={title}
        frame="card table spend-table"
        columns={columns}
        rows={sortRows(rows, sorting).slice(0, ROWS_MAX)}
        keyOf={({ key }) => key}
        sort={{ ...sorting, onSort: (by) => setSorting(sortedBy(sorting, by)) }}
        empty={none}
      />
      {rows.length > ROWS_MAX && (
        <p className="muted">{`The first ${ROWS_MAX} of ${rows.length}. Run treadle costs --json to see all.`}</p>
      )}
    </div>
  )
}
