// Calls functions of a change with inputs near those of its tests, and writes down what head, base and other patches
// make of them. A program of its own, so that what they do stays out of the daemon. Usage: inputs.ts --order FILE
// --answer FILE
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { InputsOrder } from '@treadle/contracts/inputs'
import { compareInputs } from '@treadle/repair/inputs/compare'
import { complain } from './end.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { order: { type: 'string' }, answer: { type: 'string' } } })
  const order = InputsOrder.parse(JSON.parse(readFileSync(values.order ?? '', 'utf8')))
  // As for planted faults: the surroundings of the gates stand around this program, and a second sandbox keeps the
  // answer from what is called, where that works.
  const compared = await compareInputs(order, { sandbox: { mode: 'auto' } })
  writeFileSync(values.answer ?? '', JSON.stringify(compared))
}

if (import.meta.main) await main().catch(complain)
