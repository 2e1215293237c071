// Measures the tests' strength in a process of its own: planted faults run there, and none of them can take us along.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Strength, type StrengthOrder } from '@treadle/contracts/strength'
import type { MeasureStrength } from '@treadle/flow/ports/review-checks'
import { boundedText } from '@treadle/process/bounded-file'
import { type GateOptions, runGateCommand, whereShown } from '../tests.ts'

/** Beyond its budget, for starting and tidying up. */
const slackMs = 30_000

/** `program` takes `--order FILE` and `--answer FILE`. */
export function measureApart(options: GateOptions, program: string): MeasureStrength {
  return async (order, signal) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-order-')))
    try {
      return await measure(options, { order, program, folder, signal })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

interface Apart {
  readonly order: StrengthOrder
  readonly program: string
  readonly folder: string
  readonly signal: AbortSignal | undefined
}

const answerBytesMax = 16 * 1024 * 1024

async function measure(options: GateOptions, { order, program, folder, signal }: Apart): Promise<Strength> {
  const [asked, answer] = [join(folder, 'order.json'), join(folder, 'answer.json')]
  // The program works in the tree that the order names, by the path that it has there.
  writeFileSync(asked, JSON.stringify({ ...order, cwd: await whereShown(options, order.cwd) }))
  const words = [process.execPath, '--no-warnings', program, '--order', asked, '--answer', answer]
  const timeoutMs = order.budgetMs + slackMs
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const ran = await runGateCommand(options, {
    command,
    cwd: order.cwd,
    timeoutMs,
    signal,
    writable: [folder],
  })
  if (ran.aborted) return { is: 'not_run', why: 'the run was interrupted' }
  if (ran.timedOut) return { is: 'not_run', why: 'it did not end in time' }
  if (ran.exitCode !== 0)
    return { is: 'not_run', why: `it ended with ${ran.exitCode ?? ran.signal}: ${lastLine(ran.tail)}` }
  // The tests that it ran write to the same folder.
  const text = boundedText(answer, answerBytesMax)
  if (text === null) return { is: 'not_run', why: 'it left no answer that can be read' }
  return Strength.parse(JSON.parse(text))
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
}
