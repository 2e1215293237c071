// By hand: how many reports of real runners are read right, on projects that are easily misread.
//   node bench/reports/run.ts [--home FOLDER] [--list] jest@29 vitest@3 mocha@11 node@22
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readReport } from '../../packages/gates/src/reports/read-report.ts'
import { capture, install } from './runners.ts'
import { type Family, families, type Trap, truthOf } from './trap.ts'
import { traps } from './traps.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    home: { type: 'string', default: join(tmpdir(), 'treadle-report-runners') },
    list: { type: 'boolean', default: false },
  },
})

const rates = { machine: { right: 0, all: 0 }, text: { right: 0, all: 0 } }
for (const asked of positionals) {
  const [name, version = 'latest'] = asked.split('@')
  const family = families.find((each) => each === name)
  if (family === undefined) throw new Error(`${asked} is none of ${families.join(', ')}`)
  const home = join(values.home, `${family}-${version}`)
  install(home, family, version)
  for (const trap of traps.filter(({ only }) => only === undefined || only.includes(family))) {
    for (const [kind, text] of Object.entries(capture(home, family, trap))) {
      if (isUntold(family, trap, kind)) continue
      const rate = rates[kind.endsWith('.txt') ? 'text' : 'machine']
      const wrong = wrongIn(text, trap, family)
      rate.all += 1
      if (wrong === null) rate.right += 1
      else if (values.list) process.stdout.write(`${asked} ${trap.name} ${kind}: ${wrong}\n`)
    }
  }
}
for (const [kind, { right, all }] of Object.entries(rates)) {
  const share = ((100 * right) / Math.max(1, all)).toFixed(1)
  process.stdout.write(`${kind.padEnd(8)} ${right} of ${all} read right (${share} %)\n`)
}

/** Jest-junit leaves out files that cannot be loaded, unless it is asked for them. */
function isUntold(family: Family, trap: Trap, kind: string): boolean {
  const unloaded = ['importerr', 'syntaxerr', 'zero', 'emptyfile', 'describethrow']
  return family === 'jest' && kind === 'junit.xml' && unloaded.includes(trap.name)
}

/** What is read wrong, or null. */
function wrongIn(text: string, trap: Trap, family: Family): string | null {
  const { format, passed, failed, skipped, failures } = readReport(text, '/project')
  const told = format === 'none' ? 'none' : `${passed} ${failed} ${skipped}`
  const truths = truthOf(trap, family).split('|')
  const isRed = failed > 0 || format === 'none'
  if (truths.includes('red') && isRed) return null
  if (!truths.includes(told)) return `${told} instead of ${truths.join(' or ')}`
  const left = failures.map(({ id }) => onOneLine(id))
  const missing = (trap.fails ?? []).filter((name) => {
    const at = left.findIndex((id) => id.endsWith(onOneLine(name)))
    return at < 0 || left.splice(at, 1).length === 0
  })
  return missing.length === 0 ? null : `without ${missing.join(', ')}`
}

function onOneLine(name: string): string {
  return name.replaceAll('›', '>').replaceAll('\\', '').replace(/\s+/g, ' ').trim()
}
