// Work that is an agent's, done by a program of the agent in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED } from './compile-cache.ts'
import type { CliEnv } from './env.ts'

export const FIX_MAIN = fileURLToPath(new URL('../../agent/src/fix.ts', import.meta.url))

/** Runs a program of the agent to its end with our streams; resolves to its exit code. */
export async function runAgentProgram(
  env: CliEnv,
  program: string,
  options: Record<string, string | boolean | undefined>,
): Promise<number> {
  const args = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, value]
  })
  const child = spawn(process.execPath, [program, ...args], {
    stdio: 'inherit',
    env: { ...env.all, NODE_COMPILE_CACHE: COMPILED },
  })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
