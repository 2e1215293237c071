// Usage: node bench/trial/run.ts [--lives n] [--promote-at p] [--retire-at p]
import { parseArgs } from 'node:util'
import { FALSE_PROMOTIONS_MAX, falsePromotions, measure, printed } from './measure.ts'
import { WIRED } from './wired.ts'

const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '4000' },
    'promote-at': { type: 'string', default: String(WIRED.promoteAt) },
    'retire-at': { type: 'string', default: String(WIRED.retireAt) },
  },
})
const trials = measure(Number(values.lives), {
  promoteAt: Number(values['promote-at']),
  retireAt: Number(values['retire-at']),
})
process.stdout.write(printed(trials))
if (falsePromotions(trials) > FALSE_PROMOTIONS_MAX) process.exitCode = 1
