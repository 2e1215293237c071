// What was measured, as tables, and whether the targets were met.
import { percentile, ratio, round, table } from '../start/numbers.ts'
import type { Driven } from './drive.ts'
import type { Measured } from './measure.ts'

/** What a claim in process is to reach, and what the gap is to stay within. */
const TARGETS = { overRaw: 0.8, overBoss: 1.5, gap: 3 } as const

export function printed(name: string, found: Measured, http: Driven | null): string {
  const { rates, graphile } = found
  const line = (what: string, { perSecond, p50, p99, cpuMs }: Driven) => [
    what,
    round(perSecond, 0),
    round(p50, 2),
    round(p99, 2),
    round(cpuMs, 2),
    ratio(rates.ours.perSecond, perSecond),
  ]
  const claims = table(`claims on ${name}, 10 at a time`, [
    ['', 'per second', 'p50 ms', 'p99 ms', 'node CPU ms', 'ours to it'],
    line('ours, in process', rates.ours),
    line(`the same ${found.statements} statements, raw`, rates.raw),
    line('bare conditional update', rates.bare),
    line('pg-boss, fetch + complete', rates.boss),
    line('pg-boss, fetch alone', rates.bossFetch),
    graphile.is === 'ran'
      ? [
          'graphile-worker',
          round(graphile.perSecond, 0),
          '-',
          '-',
          '-',
          ratio(rates.ours.perSecond, graphile.perSecond),
        ]
      : [`graphile-worker: not run: ${graphile.why}`, '-', '-', '-', '-', '-'],
    ...(http === null ? [] : [line('ours, over HTTP', http)]),
  ])
  const { notify } = found.gaps
  const gap = (what: string, values: readonly number[]) => [
    what,
    round(percentile(values, 50), 2),
    round(percentile(values, 99), 2),
    ratio(percentile(values, 50), percentile(notify, 50)),
    ratio(percentile(values, 99), percentile(notify, 99)),
  ]
  const gaps = table(`from a new item to an idle agent on ${name}`, [
    ['', 'p50 ms', 'p99 ms', 'p50 to NOTIFY', 'p99 to NOTIFY'],
    gap('bare NOTIFY', notify),
    gap('offered', found.gaps.offer),
    gap('claimed', found.gaps.claim),
  ])
  return `${claims}${gaps}`
}

/** The targets are for PostgreSQL; elsewhere the figures are only printed. */
export function missed({ overRaw, overBoss, gaps }: Measured): string[] {
  const gap = percentile(gaps.offer, 50) / percentile(gaps.notify, 50)
  return [
    ...(overRaw < TARGETS.overRaw ? [`${round(overRaw, 2)} x raw, wanted ${TARGETS.overRaw}`] : []),
    ...(overBoss < TARGETS.overBoss ? [`${round(overBoss, 2)} x pg-boss, wanted ${TARGETS.overBoss}`] : []),
    ...(gap > TARGETS.gap ? [`gap ${round(gap, 2)} x NOTIFY, wanted at most ${TARGETS.gap}`] : []),
  ]
}

export function verdict(found: Measured): string {
  const { overRaw, overBoss, overBare } = found
  const gap = percentile(found.gaps.offer, 50) / percentile(found.gaps.notify, 50)
  const faults = missed(found)
  return `median of rounds: ${round(overRaw, 2)} x raw, ${round(overBoss, 2)} x pg-boss, ${round(overBare, 2)} x bare update, gap ${round(gap, 2)} x NOTIFY: ${faults.length === 0 ? 'targets met' : `missed: ${faults.join('; ')}`}\n`
}
