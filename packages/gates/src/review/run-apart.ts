// Programs that run foreign code for a check, each in a process of its own: none of that can take us along.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SurveyedCommit } from '@treadle/contracts/finding-measure'
import { InputsCompared } from '@treadle/contracts/inputs'
import { Strength } from '@treadle/contracts/strength'
import type { CompareInputs, MeasureStrength, SurveyCommit } from '@treadle/flow/ports/review-checks'
import { boundedText } from '@treadle/process/bounded-file'
import { type GateOptions, runGateCommand, whereShown } from '../tests.ts'

/** Beyond its budget, for starting and tidying up. */
const slackMs = 30_000

/** Measures the tests' strength by planted faults. `program` takes `--order FILE` and `--answer FILE`. */
export function measureApart(options: GateOptions, program: string): MeasureStrength {
  return async (order, signal) => {
    const answer = await runApart(options, { order, program, signal })
    return answer.is === 'answer' ? Strength.parse(answer.value) : answer
  }
}

/** Calls functions of head and base with the same inputs. The program is asked in the same way. */
export function compareApart(options: GateOptions, program: string): CompareInputs {
  return async (order, signal) => {
    const answer = await runApart(options, { order, program, signal })
    return answer.is === 'answer' ? InputsCompared.parse(answer.value) : answer
  }
}

/** Looks at a commit with all surveys. The program is asked in the same way, and reads without running anything of it. */
export function surveyApart(options: GateOptions, program: string): SurveyCommit {
  return async (order, signal) => {
    const answer = await runApart(options, { order, program, signal })
    return answer.is === 'answer' ? SurveyedCommit.parse(answer.value) : answer
  }
}

interface Apart {
  /** The program works in the tree that the order names. */
  readonly order: { readonly cwd: string; readonly budgetMs: number }
  readonly program: string
  readonly signal: AbortSignal | undefined
}

type Answer =
  | { readonly is: 'answer'; readonly value: unknown }
  | { readonly is: 'not_run'; readonly why: string }

const answerBytesMax = 16 * 1024 * 1024

async function runApart(options: GateOptions, apart: Apart): Promise<Answer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-order-')))
  try {
    return await runIn(options, folder, apart)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runIn(
  options: GateOptions,
  folder: string,
  { order, program, signal }: Apart,
): Promise<Answer> {
  const [asked, answer] = [join(folder, 'order.json'), join(folder, 'answer.json')]
  // By the path that the tree has there.
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
  // What it ran writes to the same folder.
  const text = boundedText(answer, answerBytesMax)
  if (text === null) return { is: 'not_run', why: 'it left no answer that can be read' }
  return { is: 'answer', value: JSON.parse(text) }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
}
