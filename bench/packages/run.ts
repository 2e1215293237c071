// What it costs to bring packages into the 2nd to 10th worktree of a repository: taken from the first install, against
// `npm ci` with a warm cache. Usage: node bench/packages/run.ts <repository with a package-lock.json> [--trees n] [--json]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { KeptPackages } from '@treadle/environment/packages/kept-packages'
import { packageKey } from '@treadle/environment/packages/package-key'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trees: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
  },
})
const [given] = positionals
if (given === undefined) throw new Error('name a repository with a package-lock.json')
const source = resolve(given)
const count = Number(options.trees)
const folder = mkdtempSync(join(tmpdir(), 'treadle-packages-'))

interface Cost {
  readonly seconds: number
  readonly megabytes: number
}

/** Room that the folder takes, files with several names counted once. */
function megabytes(): number {
  return Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024
}

async function costOf(work: (n: number) => unknown, times: number): Promise<Cost> {
  const before = megabytes()
  const startedAt = performance.now()
  for (let n = 0; n < times; n += 1) await work(n)
  const seconds = (performance.now() - startedAt) / 1000 / times
  return { seconds, megabytes: (megabytes() - before) / times }
}

function checkout(name: string): string {
  const tree = join(folder, name)
  execFileSync('git', ['clone', '--quiet', '--shared', source, tree])
  return tree
}

const install = (tree: string) =>
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, stdio: 'ignore' })

try {
  const first = checkout('first')
  install(first)
  const key = packageKey(first, 'npm ci') ?? ''
  const trees = (kind: string, times: number) =>
    Array.from({ length: times }, (_, n) => checkout(`${kind}-${n}`))
  const installed = trees('npm-ci', Math.min(3, count))
  const npm = await costOf((n) => install(installed[n] ?? ''), installed.length)
  const kept = new KeptPackages(join(folder, 'kept'))
  const keep = await costOf(() => kept.keep(first, key), 1)
  const ways: string[] = []
  const take = (kind: 'shared' | 'own', into: readonly string[]) =>
    costOf(async (n) => ways.push((await kept.take(into[n] ?? '', key, kind))?.how ?? 'none'), into.length)
  const begun = await take('shared', trees('begun', 1))
  const shared = await take('shared', trees('shared', count))
  const own = await take('own', trees('own', Math.min(3, count)))
  const found = { npm, keep, firstTaken: begun, shared, own }
  const ratios = Object.fromEntries(
    Object.entries({ shared, own }).map(([name, cost]) => [
      name,
      { timesFaster: npm.seconds / cost.seconds, shareOfRoom: cost.megabytes / npm.megabytes },
    ]),
  )
  const how = [...new Set(ways)]
  process.stdout.write(
    options.json ? `${JSON.stringify({ ...found, ratios, how }, null, 2)}\n` : printed(found, ratios, how),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

type Ratios = Readonly<Record<string, { readonly timesFaster: number; readonly shareOfRoom: number }>>

function printed(found: Readonly<Record<string, Cost>>, ratios: Ratios, how: readonly string[]): string {
  const rows = Object.entries(found).map(([name, { seconds, megabytes: room }]) => {
    const ratio = ratios[name]
    const more =
      ratio === undefined
        ? ''
        : `  ${ratio.timesFaster.toFixed(1)} times as fast, ${(100 * ratio.shareOfRoom).toFixed(1)} % of the room`
    return `${name.padEnd(11)} ${seconds.toFixed(2)} s  ${room.toFixed(1)} MB${more}`
  })
  return `${[...rows, `how: ${how.join(', ')}`].join('\n')}\n`
}
