// Starts store-process.ts and listens to what it says.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
// biome-ignore lint/correctness/noUndeclaredDependencies: only tests import this file
import { onTestFinished } from 'vitest'
import { eventually, type TestDatabase } from './both-drivers.ts'
import { TEMPLATES } from './templates.ts'

export interface StoreOrder extends TestDatabase {
  readonly does: 'write' | 'work' | 'hold'
  readonly options: { readonly templateDir: string }
}

export interface StoreProcess {
  readonly child: ChildProcess
  readonly lines: readonly string[]
  readonly errors: readonly string[]
  said(line: RegExp, ms?: number): Promise<string>
  /** SIGKILL, and wait until it is gone and everything it said is read. */
  kill(): Promise<void>
}

export function spawnStore(does: StoreOrder['does'], place: TestDatabase): StoreProcess {
  const order: StoreOrder = { ...place, does, options: { templateDir: TEMPLATES } }
  const script = fileURLToPath(new URL('./store-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const errors: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  child.stderr.on('data', (data) => errors.push(String(data)))
  const closed = new Promise<void>((done) => child.on('close', () => done()))
  // Also when the test fails before it comes to that.
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    lines,
    errors,
    said: (pattern, ms = 60_000) => eventually(() => lines.find((line) => pattern.test(line)), ms),
    kill: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}
