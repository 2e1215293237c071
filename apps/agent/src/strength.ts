// Plants faults in changed lines and writes down which of them the tests noticed. A program of its own, so that what
// the faults do stays out of the daemon. Usage: strength.ts --order FILE --answer FILE
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { StrengthOrder } from '@treadle/contracts/strength'
import { measureStrength } from '@treadle/repair/strength/measure'
import { complain } from './end.ts'
import { readEnv } from './env.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { order: { type: 'string' }, answer: { type: 'string' } } })
  const order = StrengthOrder.parse(JSON.parse(readFileSync(values.order ?? '', 'utf8')))
  // Whoever starts this program has entered the surroundings of the gates, which refuse where a sandbox is required and
  // there is none. In here a second one keeps the answer from planted faults, where that works.
  const strength = await measureStrength(order, { env: readEnv(), sandbox: { mode: 'auto' } })
  writeFileSync(values.answer ?? '', JSON.stringify(strength))
}

if (import.meta.main) await main().catch(complain)
