// Asks a program of the agent how a repository's tests are run, how long they take and what fails now.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { LookLine, type PackagePlan, type ProjectLook } from '@treadle/contracts/readiness'
import { stepWords } from '@treadle/contracts/words/readiness'
import { COMPILED } from './compile-cache.ts'
import type { CliEnv } from './env.ts'
import { paint, tell } from './output.ts'
import { UserError } from './user-error.ts'

const LOOK_MAIN = fileURLToPath(new URL('../../agent/src/readiness.ts', import.meta.url))

export interface LookOptions {
  /** Whether packages are installed and tests are run, or only the files are read. */
  readonly run: boolean
  /** So long at most; left out: as long as the settings let each step take. */
  readonly seconds?: number
}

/** A look at the repository in `root`; what it does meanwhile is told on terminals. */
export async function lookAtProject(env: CliEnv, root: string, options: LookOptions): Promise<ProjectLook> {
  const args = [
    ...['--workspace', root],
    ...(options.run ? ['--run'] : []),
    ...(options.seconds === undefined ? [] : ['--seconds', String(options.seconds)]),
  ]
  const child = spawn(process.execPath, [LOOK_MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env.all, NODE_COMPILE_CACHE: COMPILED },
  })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint += chunk))
  const ended = once(child, 'close')
  let look: ProjectLook | null = null
  for await (const text of createInterface({ input: child.stdout })) {
    const line = LookLine.parse(JSON.parse(text))
    if ('look' in line) look = line.look
    else if (process.stderr.isTTY) tell(paint('dim', `${stepWords(line.progress)} …`))
  }
  await ended
  process.off('SIGINT', forward).off('SIGTERM', forward)
  if (look !== null) return look
  throw new UserError(
    'The tests of this repository could not be looked at.',
    complaint.trim().slice(0, 2_000),
  )
}

/** How packages come into a worktree, as one sentence; null: there are none. */
export function packageWords(plan: PackagePlan): string | null {
  switch (plan.is) {
    case 'locked':
      return `Because of ${plan.lock}, every worktree begins with: ${plan.command} (tests.setupCommand; take it out if you do not want it)`
    case 'unlocked':
      return `There is no lock file and nothing is installed here, so every worktree begins with: ${plan.command} (tests.setupCommand; take it out if you do not want it)`
    case 'linked':
      return 'There is no lock file: worktrees take the packages of this checkout by links, and those of the project itself lead to the worktree.'
    case 'none':
      return null
  }
}
