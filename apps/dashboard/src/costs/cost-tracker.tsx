// The cost tracker of the header: both budgets, each with a bar, and what today's money went into.
import type { BudgetHold, CostTotals } from '@treadle/contracts/cost'
import type { Item } from '@treadle/contracts/item'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { type CostPart, costParts, holdBanner, type Meter, meterOf } from './cost-tracker.model.ts'

export interface BudgetTotals {
  readonly daily: CostTotals
  readonly monthly: CostTotals
}

const PART_COLUMNS: readonly TableColumn<CostPart>[] = [
  { id: 'item', head: 'Item', cell: ({ name }) => name },
  { id: 'cost', head: 'Cost', cell: ({ cost }) => cost },
  { id: 'calls', head: 'Calls', cell: ({ calls }) => calls },
]

export function CostTracker({ costs, items }: { costs: BudgetTotals; items: readonly Item[] }) {
  const parts = costParts(costs.daily, items)
  return (
    <section className="costs" aria-label="Budgets">
      <CostMeter meter={meterOf(costs.daily)} />
      <CostMeter meter={meterOf(costs.monthly)} />
      {parts.length > 0 && (
        <details className="cost-parts">
          <summary>Today by item</summary>
          <DataTable
            label="Today by item"
            frame={null}
            columns={PART_COLUMNS}
            rows={parts}
            keyOf={({ key }) => key}
          />
        </details>
      )}
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

export function HoldBanner({ hold }: { hold: BudgetHold }) {
  const banner = holdBanner(hold)
  if (banner === null) return null
  return (
    <p className="banner" data-tone={banner.tone} role="alert">
      <strong>{banner.strong}</strong> {banner.why}
    </p>
  )
}
