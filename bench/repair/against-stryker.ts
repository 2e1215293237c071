// Candidates per second: the repair search and StrykerJS on the same programs, in the same run.
// Usage: node bench/repair/against-stryker.ts [--program name]... [--candidates n] [--seconds n]
// [--tools folder] [--json]. StrykerJS is installed by npm into a scratch folder, or into --tools and kept.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { table } from '../start/numbers.ts'
import { bugs } from './bugs.ts'
import { perSecond, type Rate, ratioOf, sumOf, times, verdict } from './comparison.ts'
import { materialise, runnerOf, testCommandOf } from './materialise.ts'
import { secondsSince, withFolder } from './probe.ts'
import { sideOf } from './split.ts'
import { installStryker, rateOfStryker } from './stryker.ts'
import { run } from './suites.ts'

// One, two and three source files.
const programsUsual = ['text-wrap', 'semver', 'cart-pricing']
const workers = 2
const wanted = 100

const { values: options } = parseArgs({
  options: {
    program: { type: 'string', multiple: true, default: programsUsual },
    candidates: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '30' },
    tools: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

type Row = { program: string; bugs: number; stryker: Rate; repair: Rate }

await (options.tools === undefined ? withFolder(compare) : compare(options.tools))

async function compare(tools: string): Promise<void> {
  for (const program of options.program)
    if (runnerOf(program) !== 'vitest') throw new RangeError(`${program} does not use vitest`)
  process.stderr.write('installing StrykerJS\n')
  const installed = await installStryker(tools)
  if (installed.is === 'failed') {
    const { why, command } = installed
    print({ is: 'not_run', why, command }, `not run: StrykerJS is not there: ${why}\n  ${command}\n`)
    return
  }
  const rows: Row[] = []
  for (const program of options.program) {
    const stryker = await rateOfStryker(tools, program, workers)
    const rates = await ratesOfRepair(program)
    rows.push({ program, bugs: rates.length, stryker, repair: sumOf(rates) })
    process.stderr.write(`${program}: ${stryker.candidates} mutants, ${rates.length} searches\n`)
  }
  const all: Row = {
    program: 'all',
    bugs: rows.reduce((sum, row) => sum + row.bugs, 0),
    stryker: sumOf(rows.map((row) => row.stryker)),
    repair: sumOf(rows.map((row) => row.repair)),
  }
  print(
    { is: 'ran', workers, rows: [...rows, all].map((row) => ({ ...row, ...ratios(row) })) },
    drawn(rows, all),
  )
}

// Every bug of the program on the tuning side; the search goes on after a green candidate.
async function ratesOfRepair(program: string): Promise<Rate[]> {
  const rates: Rate[] = []
  for (const bug of bugs.filter((one) => one.program === program && sideOf(one.id) === 'tuning')) {
    const rate = await withFolder(async (root) => {
      materialise(root, program, bug.edits)
      const script = fileURLToPath(new URL('./rate.ts', import.meta.url))
      const bounds = [String(workers), options.candidates, options.seconds]
      const started = performance.now()
      const { code, output } = await run([script, root, testCommandOf(program), ...bounds], root, 300_000)
      const wholeSeconds = secondsSince(started)
      if (code !== 0) throw new Error(`${bug.id}: ${output}`)
      const { candidates, seconds }: { candidates: number; seconds: number } = JSON.parse(output)
      return { candidates, timedOut: null, searchSeconds: seconds, wholeSeconds }
    })
    rates.push(rate)
  }
  return rates
}

function ratios({ stryker, repair }: Row): { withoutStart: number | null; withStart: number | null } {
  return {
    withoutStart: ratioOf(perSecond(repair).searching, perSecond(stryker).searching),
    withStart: ratioOf(perSecond(repair).whole, perSecond(stryker).whole),
  }
}

function drawn(rows: readonly Row[], all: Row): string {
  const head = [
    '',
    'candidates',
    'timed out',
    'whole s',
    'searching s',
    'per s with start-up',
    'per s without',
  ]
  const number = (value: number | null) => (value === null ? '-' : value.toFixed(value < 100 ? 1 : 0))
  const line = (name: string, rate: Rate) => {
    const { searching, whole } = perSecond(rate)
    const seconds = [rate.wholeSeconds, rate.searchSeconds].map((value) => value.toFixed(1))
    return [
      name,
      String(rate.candidates),
      String(rate.timedOut ?? '-'),
      ...seconds,
      number(whole),
      number(searching),
    ]
  }
  const lines = [...rows, all].flatMap((row) => [
    line(`${row.program}, StrykerJS`, row.stryker),
    line(`${row.program}, repair, ${row.bugs} bugs`, row.repair),
    ['  ratio', '', '', '', '', times(ratios(row).withStart), times(ratios(row).withoutStart)],
  ])
  const { withoutStart } = ratios(all)
  const goal = verdict(withoutStart, `target ${wanted} x without start-up`, (withoutStart ?? 0) >= wanted)
  return `${table(`candidates per second, ${workers} workers each`, [head, ...lines])}${goal}\n`
}

function print(facts: object, words: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(facts, null, 2)}\n` : words)
}
