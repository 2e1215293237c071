// `node bench/spec/run.ts`: ten briefs through the rules, as a table of shares.
import { table } from '../start/numbers.ts'
import { BRIEFS } from './briefs.ts'
import { measure } from './measure.ts'

const percent = (share: number) => `${Math.round(share * 100)} %`
const rows = BRIEFS.map((brief) => {
  const { kind, profile, tasks, validation } = measure(brief)
  const { features, criteria, requirements, tasks: serving, checks } = validation.shares
  const hours = tasks.reduce((sum, task) => sum + task.estimateHours, 0)
  return [
    kind,
    profile,
    String(tasks.length),
    String(hours),
    ...[features, criteria, requirements, serving, checks].map(percent),
    validation.problems.length === 0 ? 'none' : String(validation.problems.length),
  ]
})
const heads = [
  'brief',
  'profile',
  'tasks',
  'hours',
  'features',
  'criteria',
  'requirements',
  'serving',
  'checks',
  'problems',
]
process.stdout.write(`${table('Shares of ten briefs, by rules alone', [heads, ...rows])}\n`)
