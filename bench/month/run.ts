// npm run month [-- --seed N] [--days N] [--fault NAME] [--short]: a month of the crew in minutes, with what must hold.
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import { BEGAN, playMonth } from './month.ts'
import { reportOf } from './report.ts'
import { MONTH, type Scale, SHORT } from './settings.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string' },
    fault: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const days = Number(values.days ?? (values.short || values.fault !== undefined ? 1 : 30))
const fault = FAULTS.find(({ name }) => name === values.fault)
if (!Number.isInteger(seed) || seed < 0 || !(days > 0 && days <= 365)) {
  process.stderr.write('--seed is a whole number from 0 on, --days a number from 0 to 365\n')
  process.exit(2)
}
if (values.fault !== undefined && fault === undefined) {
  const names = FAULTS.map(({ name, what }) => `  ${name}: ${what}`)
  process.stderr.write(`There is no such fault. These can be planted:\n${names.join('\n')}\n`)
  process.exit(2)
}
const start = performance.now()
const month = await playMonth({
  seed,
  days,
  scale: scaleOf(),
  ...(fault === undefined ? {} : { plant: fault.plant }),
  onDay: (day, { books, rules }) =>
    void process.stderr.write(
      `day ${day}: ${books.items.size} items, ${books.depth} wait, ${rules.broken.length} broken\n`,
    ),
})
const seconds = Math.round((performance.now() - start) / 1_000)
process.stdout.write(`${reportOf(month, BEGAN)}\nseed ${seed}, ${seconds} s; again: ${again()}\n`)
process.exitCode = month.rules.broken.length === 0 ? 0 : 1

function scaleOf(): Scale {
  if (fault === undefined) return values.short ? SHORT : MONTH
  return { ...SHORT, ...fault.scale }
}

function again(): string {
  const planted = fault === undefined ? '' : ` --fault ${fault.name}`
  return `npm run month -- --seed ${seed} --days ${days}${values.short ? ' --short' : ''}${planted}`
}
