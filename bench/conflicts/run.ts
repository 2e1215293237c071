// Conflicts foretold and real, on a history. Usage: node bench/conflicts/run.ts REPOSITORY… [--limit n] [--json].
// Progress goes to stderr, the table or one JSON document to stdout; the exit code is 1 if a computed conflict was none,
// or the other way round.
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { figuresOf, table } from './figures.ts'
import { type Replay, replay } from './measure.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string', default: '1000' }, json: { type: 'boolean', default: false } },
})
if (positionals.length === 0) throw new RangeError('name a repository')

const found: { name: string; replayed: Replay }[] = []
for (const repository of positionals) {
  const name = basename(resolve(repository))
  const tell = (text: string) => process.stderr.write(`${name}: ${text}\n`)
  found.push({
    name,
    replayed: await replay(resolve(repository), { limit: Number(options.limit), tell }),
  })
}
const together: Replay = {
  rows: found.flatMap(({ replayed }) => replayed.rows),
  skipped: found.flatMap(({ replayed }) => replayed.skipped),
}
const all = found.length > 1 ? [...found, { name: 'all of them', replayed: together }] : found
const results = all.map(({ name, replayed }) => ({ name, figures: figuresOf(replayed) }))
process.stdout.write(
  options.json
    ? `${JSON.stringify(results, null, 2)}\n`
    : results.map(({ name, figures }) => table(name, figures)).join('\n'),
)
if (results.some(({ figures }) => figures.mismatches.length > 0)) process.exitCode = 1
