// Candidates until the first green one: the engine's order against the same candidates in random order.
// Usage: node bench/repair/against-random.ts [--limit n] [--only id]... [--seeds n] [--cap candidates]
// [--seconds n] [--json]. Only bugs of the tuning side. Progress goes to stderr.
import { parseArgs } from 'node:util'
import { keyOf } from '@treadle/repair/edits/edit'
import { table } from '../start/numbers.ts'
import { type Bug, faultsOf } from './bug.ts'
import { bugs } from './bugs.ts'
import { type Count, ratioOf, shown, times, verdict } from './comparison.ts'
import { drawOrder } from './draw.ts'
import { countOurs, countRandom, type OrderRow, pairOf, summariesOf } from './orders.ts'
import { asMade, type Order, type Probe, tryEdits, withProbe } from './probe.ts'
import { sideOf } from './split.ts'

const wanted = 5
// One worker for each search keeps the count exact; two searches at a time use the same two cores.
const searchesAtOnce = 2

const { values: options } = parseArgs({
  options: {
    limit: { type: 'string' },
    only: { type: 'string', multiple: true },
    seeds: { type: 'string', default: '3' },
    cap: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
})
const cap = Number(options.cap)

const waiting = chosen()
const rows: OrderRow[] = []
await Promise.all(Array.from({ length: searchesAtOnce }, work))
rows.sort((a, b) => a.id.localeCompare(b.id))
const summaries = summariesOf(rows)
process.stdout.write(options.json ? `${JSON.stringify({ cap, summaries, rows }, null, 2)}\n` : drawn())

// A part of the set is a random part, the same every time.
function chosen(): Bug[] {
  const { only } = options
  const own = bugs.filter((bug) => sideOf(bug.id) === 'tuning' && (only?.includes(bug.id) ?? true))
  const order = drawOrder('treadle repair bench, part, 1', own, (bug) => bug.id)
  return order.slice(0, options.limit === undefined ? order.length : Number(options.limit))
}

async function work(): Promise<void> {
  for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
    const row = await measure(bug)
    rows.push(row)
    process.stderr.write(`${row.id}: ours ${shown(row.ours)}, random ${row.random.map(shown).join(', ')}\n`)
  }
}

async function measure(bug: Bug): Promise<OrderRow> {
  return await withProbe(bug, async (probe) => {
    const ours = countOurs(await search(probe, asMade), cap)
    const random: Count[] = []
    for (let seed = 1; seed <= Number(options.seeds); seed += 1)
      random.push(
        countRandom(await search(probe, (edits) => drawOrder(`random order ${seed}`, edits, keyOf)), cap),
      )
    return { id: bug.id, faults: faultsOf(bug), edits: probe.edits.length, ours, random }
  })
}

async function search(probe: Probe, order: Order) {
  const secondsMax = Number(options.seconds)
  const bounds = { candidatesMax: cap, secondsMax, workers: 1 }
  const tried = await tryEdits(probe, { ...bounds, order, until: 'first_green' })
  return { ...tried, outOfTime: tried.seconds >= secondsMax }
}

function drawn(): string {
  const seeds = Array.from({ length: Number(options.seeds) }, (_, index) => `random ${index + 1}`)
  const lines = rows.map((row) => {
    const pair = pairOf(row)
    const ratio = pair === null ? '-' : times(ratioOf(pair.theirs, pair.ours))
    return [row.id, row.faults, String(row.edits), shown(row.ours), ...row.random.map(shown), ratio]
  })
  const number = (value: number | null) => (value === null ? '-' : value.toFixed(0))
  const totals = summaries.map((one) => [
    one.name,
    String(one.bugs),
    String(one.oursGreen),
    one.randomGreen.toFixed(1),
    String(one.pairs),
    number(one.medianOurs),
    number(one.medianRandom),
    times(one.medianRatio),
    times(one.ratioOfMedians),
  ])
  const single = summaries[0]?.medianRatio ?? null
  const all = summaries.at(-1)?.medianRatio ?? null
  return [
    table(`candidates until the first green one, at most ${cap}`, [
      ['', 'faults', 'candidates', 'ours', ...seeds, 'ratio'],
      ...lines,
    ]),
    table('in short (what never got green counts as the cap: the ratios are lower bounds)', [
      [
        '',
        'bugs',
        'ours green',
        'random green',
        'compared',
        'median ours',
        'random',
        'median ratio',
        'of medians',
      ],
      ...totals,
    ]),
    `${verdict(all, `target ${wanted} x, all bugs`, (all ?? 0) >= wanted)}\n`,
    `${verdict(single, `target ${wanted} x, single faults`, (single ?? 0) >= wanted)}\n`,
  ].join('')
}
