// The cost tracker of the header: a budget with its bar, and what today's money went into.
import type { CostTotals } from '@treadle/contracts/cost'
import type { Item } from '@treadle/contracts/item'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { type CostPart, costParts, type Meter } from './cost-tracker.model.ts'

export interface BudgetTotals {
  readonly daily: CostTotals
  readonly monthly: CostTotals
}

const PART_COLUMNS: readonly TableColumn<CostPart>[] = [
  { id: 'item', head: 'Item', cell: ({ name }) => name },
  { id: 'cost', head: 'Cost', cell: ({ cost }) => cost },
  { id: 'calls', head: 'Calls', cell: ({ calls }) => calls },
]

/** What today's money went into. */
export function SpendToday({ costs, items }: { costs: BudgetTotals; items: readonly Item[] }) {
  const parts = costParts(costs.daily, items)
  if (parts.length === 0) return <p className="muted">No spend today.</p>
  return (
    <section className="cost-parts" aria-labelledby="today-by-item">
      <h2 id="today-by-item">Today by item</h2>
      <DataTable
        label="Today by item"
        frame={null}
        columns={PART_COLUMNS}
        rows={parts}
        keyOf={({ key }) => key}
      />
    </section>
  )
}

export function CostMeter({ meter }: { meter: Meter }) {
  const { name, label, sign, words, health, filled } = meter
  return (
    <div className="cost" data-health={health}>
      <span className="cost-name">{name}</span>
      <span className="cost-label">{label}</span>
      <span className="cost-sign" title={words} aria-hidden="true">
        {sign}
      </span>
      <span
        className="cost-bar"
        role="progressbar"
        aria-label={`Budget, ${name.toLowerCase()}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={filled}
        aria-valuetext={`${label}, ${words}`}
      >
        <span className="cost-fill" style={{ width: `${filled}%` }} />
      </span>
    </div>
  )
}
