// The metrics of the crew: asked for when they are looked at, every minute, and whenever an item is merged.
import type { Client } from '@treadle/contracts/client'
import type { Item } from '@treadle/contracts/item'
import type { CrewMetrics, MetricsPeriod } from '@treadle/contracts/metrics'
import type { MetricsReport } from '@treadle/contracts/metrics-report'
import { useCallback, useEffect, useState } from 'react'
import type { Live } from '../live/live.ts'
import { type LiveAnswer, useAnswer } from '../live/use-answer.ts'
import { mergeMark } from './metrics.model.ts'

const POLL_MS = 60_000

export function useMetrics(
  live: Live,
  period: MetricsPeriod,
  items: readonly Item[],
): LiveAnswer<CrewMetrics> {
  const ask = useCallback((client: Client) => client.crewMetrics({ query: { period } }), [period])
  const minute = useMinute()
  return useAnswer(live, ask, `${minute} ${mergeMark(items)}`)
}

export function useReport(
  live: Live,
  period: MetricsPeriod,
  items: readonly Item[],
): LiveAnswer<MetricsReport> {
  const ask = useCallback((client: Client) => client.metricsReport({ query: { period } }), [period])
  const minute = useMinute()
  return useAnswer(live, ask, `${minute} ${mergeMark(items)}`)
}

function useMinute(): number {
  const [minute, setMinute] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMinute((before) => before + 1), POLL_MS)
    return () => clearInterval(timer)
  }, [])
  return minute
}
