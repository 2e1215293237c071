// Runs the checks of a receipt in a checkout and writes down what came of them. A program of its own, so that it can be
// started where there is no network. Usage: checks.ts --order FILE
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ReceiptGate } from '@treadle/contracts/receipt'
import { receiptGate } from '@treadle/flow/merge/receipt'
import { openGates } from '@treadle/gates/gates'
import { unconfined } from '@treadle/gates/run-command'
import { z } from 'zod'
import { complain } from '../end.ts'
import { readEnv } from '../env.ts'

export const Order = z.strictObject({
  cwd: z.string(),
  evidenceDir: z.string(),
  timeoutMs: z.int(),
  gates: z.array(ReceiptGate),
  answer: z.string(),
})
export type Order = z.infer<typeof Order>

const TAIL_BYTES = 4_000

/** What came of one check, and the end of what it printed. */
export const Executed = z.strictObject({ found: ReceiptGate, tail: z.string() })
export type Executed = z.infer<typeof Executed>

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { order: { type: 'string' } } })
  const order = Order.parse(JSON.parse(readFileSync(values.order ?? '', 'utf8')))
  const gates = openGates({
    evidenceDir: order.evidenceDir,
    env: readEnv(),
    tailBytes: TAIL_BYTES,
    surroundings: unconfined('whoever starts this program has decided what stands around it'),
  })
  const signal = new AbortController().signal
  const found: Executed[] = []
  for (const { gate, command } of order.gates) {
    const { cwd, timeoutMs } = order
    const result = await gates.runTests({ cwd, command, timeoutMs, signal })
    const tail = 'evidence' in result ? (result.evidence?.tail ?? '') : ''
    found.push({ found: receiptGate({ ...result, gate }), tail })
  }
  writeFileSync(order.answer, JSON.stringify(found))
}

if (import.meta.main) await main().catch(complain)
