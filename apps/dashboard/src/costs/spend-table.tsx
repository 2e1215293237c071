// Who or what the money went into, sorted by any column.
import { usd } from '@treadle/contracts/words/money'
import { useState } from 'react'
import { hrefOf } from '../frame/route.model.ts'
import {
  type Column,
  countWords,
  DEAREST_FIRST,
  type Sorting,
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
  /** Said if there are no rows. */
  readonly none: string
}

const ROWS_MAX = 100

export function SpendTable({ title, head, rows, total, none }: SpendTableProps) {
  const [sorting, setSorting] = useState<Sorting>(DEAREST_FIRST)
  const columns: readonly { readonly by: Column; readonly words: string }[] = [
    { by: 'name', words: head },
    { by: 'costUSD', words: 'Cost' },
    { by: 'calls', words: 'Calls' },
    { by: 'tokens', words: 'Tokens' },
  ]
  const shown = sortRows(rows, sorting).slice(0, ROWS_MAX)
  return (
    <div>
      <h3>{title}</h3>
      {rows.length === 0 && <p className="empty">{none}</p>}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen
        <div className="card table spend-table" tabIndex={0}>
          <table aria-label={title}>
            <thead>
              <tr>
                {columns.map(({ by, words }) => (
                  <th key={by} scope="col" aria-sort={sortOf(sorting, by)}>
                    <button type="button" onClick={() => setSorting(sortedBy(sorting, by))}>
                      {words} <span aria-hidden="true">{arrowOf(sorting, by)}</span>
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row key={row.key} row={row} total={total} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length > ROWS_MAX && (
        <p className="muted">{`The first ${ROWS_MAX} of ${rows.length}. treadle costs --json has all.`}</p>
      )}
    </div>
  )
}

function Row({ row, total }: { row: SpendRow; total: number }) {
  const { name, item, costUSD, calls, tokens } = row
  return (
    <tr>
      <th scope="row" className="payee">
        {item === null ? name : <a href={hrefOf({ is: 'item', item })}>{name}</a>}
      </th>
      <td>
        {usd(costUSD)} <span className="muted share">{share(costUSD, total)}</span>
      </td>
      <td>{calls}</td>
      <td title={String(tokens)}>{countWords(tokens)}</td>
    </tr>
  )
}

function sortOf(sorting: Sorting, by: Column): 'ascending' | 'descending' | undefined {
  if (sorting.by !== by) return undefined
  return sorting.down ? 'descending' : 'ascending'
}

function arrowOf(sorting: Sorting, by: Column): string {
  if (sorting.by !== by) return '↕'
  return sorting.down ? '↓' : '↑'
}
