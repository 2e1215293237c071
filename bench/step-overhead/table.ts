// What was measured, and whether it is what was wanted.
import { median, round, table } from '../start/numbers.ts'
import { type Contender, type Measured, NAMES, type Round } from './measure.ts'

/** A durable step may take this many times what making it durable takes at least, and the step in memory. */
const OVER_LIMIT = 2

const LIMITS: ReadonlySet<Contender> = new Set(['append', 'row', 'http'])

export function printed({ steps, rounds, times, notRun, peerVersion }: Measured): string {
  const names = Object.keys(NAMES) as Contender[]
  const lines = names.flatMap((name) => {
    const time = times[name]
    if (time === undefined) return []
    const isLimit = LIMITS.has(name)
    const held = isLimit ? '-' : round(time.stepBytes / 1_024, 1)
    return [[NAMES[name], round(time.stepMs, 3), round(time.cpuMs, 3), held]]
  })
  const peer = peerVersion === null ? '' : `, LangGraph.js ${peerVersion}`
  const title = `one step of ${steps}, median of ${rounds.length} rounds${peer}`
  const missing = notRun.map((why) => `not run: ${why}\n`).join('')
  return `${table(title, [['', 'ms', 'node CPU ms', 'KiB held'], ...lines])}${missing}`
}

interface Target {
  readonly what: string
  /** How much of what it may take it takes; null: not run. */
  readonly share: number | null
}

type Allowed = (round: Round) => number | null

/** Round by round, because neighbours on the machine come and go; then the median. */
function targets({ rounds }: Measured): Target[] {
  const ms = (name: Contender) => (round: Round) => round[name]?.stepMs ?? null
  const within =
    (limit: Contender): Allowed =>
    (round) => {
      const [least, memory] = [ms(limit)(round), ms('memory')(round)]
      return least === null || memory === null ? null : OVER_LIMIT * least + memory
    }
  const target = (what: string, mine: Contender, allowed: Allowed): Target => {
    const shares = rounds.flatMap((round) => {
      const [took, most] = [ms(mine)(round), allowed(round)]
      return took === null || most === null ? [] : [took / most]
    })
    return { what, share: shares.length === 0 ? null : median(shares) }
  }
  return [
    target('in memory, of LangGraph.js', 'memory', ms('peerMemory')),
    target('spool, of LangGraph.js with Postgres', 'spool', ms('peerDurable')),
    target('store, of LangGraph.js with Postgres', 'api', ms('peerDurable')),
    target('spool, of 2 appends and a step in memory', 'spool', within('append')),
    target('store, of 2 rows and a step in memory', 'api', within('row')),
    target('store, of 2 rows over bare HTTP and a step in memory', 'api', within('http')),
  ]
}

export function missed(found: Measured): string[] {
  return targets(found).flatMap(({ what, share }) => (share === null || share <= 1 ? [] : [what]))
}

export function verdict(found: Measured): string {
  const lines = targets(found).map(({ what, share }) => {
    if (share === null) return `${what}: not run`
    return `${what}: ${round(share, 2)} x, ${share <= 1 ? 'met' : 'missed'}`
  })
  return `${lines.join('\n')}\n`
}
