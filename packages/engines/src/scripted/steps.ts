// The steps that do something to the working folder, which is the current folder of the player.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insidePath, OutsidePath } from './inside.ts'
import type { Step } from './scenario.ts'
import { TextWindow } from './window.ts'

/** The script asks for something it may not do; ends the turn. */
export class Violation extends Error {}

export interface StepResult {
  readonly output: string
  readonly success: boolean
}

type Kind<N extends Step['is']> = Extract<Step, { is: N }>
type Doing = Kind<'edit' | 'write' | 'delete' | 'run' | 'wait'>

/** A step that cannot be done throws, or returns without success; the play goes on. */
export async function perform(step: Doing, interruption: Promise<void>): Promise<StepResult> {
  switch (step.is) {
    case 'edit':
      return edit(step)
    case 'write':
      return write(step)
    case 'delete':
      rmSync(inside(step.file, 'not_followed'))
      return { output: `Deleted ${step.file}.`, success: true }
    case 'run':
      return await run(step)
    case 'wait':
      await Promise.race([sleep(step.ms), interruption])
      return { output: `Waited ${step.ms} ms.`, success: true }
  }
}

function edit({ file, find, replace, all }: Kind<'edit'>): StepResult {
  const path = inside(file, 'followed')
  const parts = readFileSync(path, 'utf8').split(find)
  const found = parts.length - 1
  if (found === 0) return { output: `The text to find is not in ${file}.`, success: false }
  if (found > 1 && all !== true) {
    return { output: `The text to find is in ${file} ${found} times; say all: true.`, success: false }
  }
  writeFileSync(path, parts.join(replace))
  return { output: `Replaced ${found} in ${file}.`, success: true }
}

function write({ file, text }: Kind<'write'>): StepResult {
  const path = inside(file, 'followed')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return { output: `Wrote ${text.length} characters to ${file}.`, success: true }
}

const DRAIN_MS = 200

async function run({ command, expectExit = 0 }: Kind<'run'>): Promise<StepResult> {
  const output = new TextWindow()
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => output.add(text))
  }
  const closed = Promise.withResolvers<void>()
  child.on('close', () => closed.resolve())
  const exit = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  // A background process that the command left may hold the pipe open for ever.
  await Promise.race([closed.promise, sleep(DRAIN_MS)])
  child.stdout.destroy()
  child.stderr.destroy()
  const success = exit === expectExit
  const note = success ? '' : `\nEnded with ${exit} where ${expectExit} was expected.`
  return { output: `${output}${note}`, success }
}

function inside(file: string, end: 'followed' | 'not_followed'): string {
  try {
    return insidePath(process.cwd(), file, end)
  } catch (cause) {
    if (cause instanceof OutsidePath) throw new Violation(cause.message)
    throw cause
  }
}
