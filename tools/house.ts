// `npm run -s house`: how the house is built, in numbers, to be held against those of before.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type House, readHouse } from './house-numbers.ts'
import { readResults, type Tier, tiers } from './trace-results.ts'

/** What running it has shown; null where nothing was measured for these sources. */
export interface Measured {
  readonly start: { readonly at: string; readonly cpuSeconds: number; readonly residentMb: number } | null
  readonly testMinutes: Readonly<Record<Tier, number | null>>
}

const help = `npm run -s house [-- --json] [-- --root <folder>]

Folders, circles between them, files per noun, names, sizes, comments: counted in packages/*/src and apps/*/src
without tests and their kits. Start and test minutes are those of the last runs, from .trace.

  --json           one document, with the names behind the numbers
  --root <folder>  another checkout
  --help           this text
`

export function readMeasured(root: string): Measured {
  const trace = join(root, '.trace')
  const minutes = tiers.map((tier) => [tier, minutesOf(trace, tier)])
  return { start: readStart(trace), testMinutes: Object.fromEntries(minutes) }
}

/** Only a run of the whole tier says how long it takes. */
function minutesOf(trace: string, tier: Tier): number | null {
  const results = readResults(tier, trace)
  if (!results?.whole) return null
  const times = Object.values(results.files).map((file) => ('ms' in file ? Number(file.ms) : Number.NaN))
  const sum = times.reduce((total, ms) => total + ms, 0)
  return times.length === 0 || Number.isNaN(sum) ? null : Math.round(sum / 6_000) / 10
}

function readStart(trace: string): Measured['start'] {
  try {
    return JSON.parse(readFileSync(join(trace, 'start.json'), 'utf8'))
  } catch {
    return null
  }
}

export function formatHouse(house: House, { start, testMinutes }: Measured): string {
  const { functions, files, comments } = house
  const share = comments.all === 0 ? 0 : Math.round((100 * comments.withoutReferent) / comments.all)
  const rows: [string, string | number, string?][] = [
    ['folders of flow', house.flowFolders.length],
    [
      '  beside ten words, ports, work, sprint',
      house.flowFoldersBeside.length,
      list(house.flowFoldersBeside),
    ],
    ...Object.entries(house.circles).flatMap(([owner, { rooms, withRoot }]): typeof rows => [
      [`folders in circles, ${owner}`, sum(rooms), circles(rooms)],
      ['  with the files beside them', sum(withRoot), circles(withRoot)],
    ]),
    ['files named run.ts', house.runFiles],
    ...Object.entries(house.nouns).map(([noun, { all, central }]): [string, number, string] => [
      `files that mention ${noun}`,
      all,
      `${central.length} of them central`,
    ]),
    ['exported type names twice in a package', house.namesTwice.length],
    ['types with a vague name', house.vagueNames.length],
    ['images in names', house.imageNames.length],
    ['folders that CONTEXT.md leaves out', house.foldersUnexplained.length],
    ['functions over 70 lines', functions.over70.length, `of ${functions.all}`],
    ['files', files.all, `median ${files.median}, p90 ${files.p90}, longest ${files.max} lines`],
    ['comments without a referent', comments.withoutReferent, `of ${comments.all}, ${share} %`],
    ['daemon start', ...(start ? startWords(start) : notMeasured)],
    ...Object.entries(testMinutes).map(([tier, minutes]): [string, string | number, string?] => [
      `minutes of tests, ${tier}`,
      ...(minutes === null ? notMeasured : ([minutes] as const)),
    ]),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows
    .map(([name, value, more]) =>
      `${name.padEnd(width)}  ${String(value).padStart(6)}  ${more ?? ''}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

const notMeasured = ['-', 'not measured'] as const

function startWords({ cpuSeconds, residentMb, at }: NonNullable<Measured['start']>): [string, string] {
  return [`${cpuSeconds} s`, `of CPU, ${residentMb} MB resident, measured ${at}`]
}

function sum(circles: readonly (readonly string[])[]): number {
  return circles.reduce((total, circle) => total + circle.length, 0)
}

function circles(all: readonly (readonly string[])[]): string {
  return all.map((circle) => `{${list(circle)}}`).join(' ')
}

function list(names: readonly string[]): string {
  return names.join(' ')
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, help: { type: 'boolean' }, root: { type: 'string' } },
  })
  const root = values.root ?? fileURLToPath(new URL('..', import.meta.url))
  if (values.help) process.stdout.write(help)
  else {
    const [house, measured] = [readHouse(root), readMeasured(root)]
    process.stdout.write(
      values.json ? `${JSON.stringify({ ...house, ...measured }, null, 2)}\n` : formatHouse(house, measured),
    )
  }
}
