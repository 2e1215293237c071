// The costs screen: day by day, against the limits, and by agents and items.
import type { Client } from '@treadle/contracts/client'
import type { CostTotals } from '@treadle/contracts/cost'
import { usd } from '@treadle/contracts/words/money'
import { useCallback, useMemo, useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Chart } from '../parts/chart.tsx'
import { Choice } from '../parts/choice.tsx'
import { COST_SPANS, type CostSpan, hrefOf } from '../parts/route.model.ts'
import { meterOf } from './cost-tracker.model.ts'
import { CostMeter } from './cost-tracker.tsx'
import { adviceWords, agentRows, budgetFacts, captionOf, chartOf, itemRows, totalOf } from './costs.model.ts'
import { SpendTable } from './spend-table.tsx'

interface CostsProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly days: CostSpan
}

export function Costs({ live, snapshot, days }: CostsProps) {
  const { costs, items } = snapshot
  const { daily, monthly } = costs
  const ask = useCallback(
    async (client: Client) => {
      const [series, advice] = await Promise.all([
        client.costSeries({ query: { days } }),
        client.budgetAdvice(),
      ])
      return { days: series.days, advice }
    },
    [days],
  )
  // Costs are asked for anew when something was paid for, when a new day begins and when a limit changes.
  const { answer, problem } = useAnswer(
    live,
    ask,
    `${daily.startsAt} ${daily.totalUSD} ${monthly.totalUSD} ${daily.limitUSD}`,
  )
  const nothing = monthly.calls === 0 && answer !== null && totalOf(answer.days) === 0
  return (
    <div className="left">
      {problem !== null && (
        <p className="wrong" role="alert">
          What was spent could not be read. {problem}
        </p>
      )}
      <section aria-labelledby="costs">
        <div className="section-head">
          <h2 id="costs" tabIndex={-1}>
            Costs
          </h2>
          <p className="muted">Days and months end at midnight UTC{hereWords(daily.endsAt)}</p>
        </div>
        <ul className="budgets">
          <Budget totals={daily} />
          <Budget totals={monthly} />
        </ul>
      </section>
      <section aria-labelledby="spend" aria-busy={answer !== null && answer.days.length !== days}>
        <div className="section-head">
          <h2 id="spend">Spend over time</h2>
          <Choice
            label="How many days"
            options={COST_SPANS.map((each) => ({ value: each, words: `${each} days` }))}
            value={days}
            onChoose={(chosen) => {
              location.hash = hrefOf({ is: 'costs', days: chosen })
            }}
          />
        </div>
        {nothing ? <NoCosts /> : <Spend days={answer?.days ?? null} limitUSD={daily.limitUSD} />}
      </section>
      {!nothing && <Parts daily={daily} monthly={monthly} items={items} />}
      {answer !== null && (
        <section aria-labelledby="advice">
          <div className="section-head">
            <h2 id="advice">Limits</h2>
          </div>
          <div className="card padded advice">
            <p>
              <strong>{adviceWords(answer.advice).head}</strong> {adviceWords(answer.advice).why}
            </p>
            <p className="muted">
              The limits are <code>agents.dailyBudgetUSD</code> and <code>agents.monthlyBudgetUSD</code> in{' '}
              <code>treadle.json</code>; changes apply at once.
            </p>
          </div>
        </section>
      )}
    </div>
  )
}

function Budget({ totals }: { totals: CostTotals }) {
  const meter = meterOf(totals)
  return (
    <li className="card padded budget">
      <CostMeter meter={meter} />
      <p className="facts muted">
        <span>{meter.words}</span>
        {budgetFacts(totals).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
    </li>
  )
}

type Days = Parameters<typeof chartOf>[0]

function Spend({ days, limitUSD }: { days: Days | null; limitUSD: number }) {
  const facts = useMemo(() => chartOf(days ?? [], limitUSD), [days, limitUSD])
  return (
    <Chart
      facts={facts}
      caption={days === null ? 'Loading costs…' : captionOf(days, limitUSD)}
      words={usd}
      heads={{ bar: 'Day (UTC)', total: 'All', limit: 'daily limit' }}
    />
  )
}

function NoCosts() {
  return (
    <p className="empty">
      Nothing has been spent yet. The scripted and repair engines cost nothing; what calls of a model cost is
      shown here as soon as one was made.
    </p>
  )
}

const PERIODS = [
  { value: 'daily', words: 'Today' },
  { value: 'monthly', words: 'This month' },
] as const

function Parts({ daily, monthly, items }: Snapshot['costs'] & Pick<Snapshot, 'items'>) {
  const [period, setPeriod] = useState<'daily' | 'monthly'>('monthly')
  const totals = period === 'daily' ? daily : monthly
  const none = period === 'daily' ? 'No spend today.' : 'No spend this month.'
  return (
    <section aria-labelledby="parts">
      <div className="section-head">
        <h2 id="parts">Breakdown</h2>
        <Choice label="Of when" options={PERIODS} value={period} onChoose={setPeriod} />
      </div>
      <div className="spend-parts">
        <SpendTable
          title="By agent"
          head="Agent"
          rows={agentRows(totals)}
          total={totals.totalUSD}
          none={none}
        />
        <SpendTable
          title="By item"
          head="Item"
          rows={itemRows(totals, items)}
          total={totals.totalUSD}
          none={none}
        />
      </div>
    </section>
  )
}

/** The end of a period in the reader's own time zone. */
function hereWords(end: string): string {
  const there = new Date(end)
  if (there.getTimezoneOffset() === 0) return ''
  return `, ${there.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })} here`
}
