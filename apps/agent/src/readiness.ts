// Looks at a repository before anybody works on it: node readiness.ts --workspace DIR [--run] prints what it does and
// what it found, a line of JSON each.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Config } from '@treadle/contracts/config'
import { readConfig } from '@treadle/contracts/config/read'
import type { LookLine, ReadinessFound } from '@treadle/contracts/readiness'
import { type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { buildFor } from '@treadle/environment/build/build-command'
import { planPackages } from '@treadle/environment/packages/package-plan'
import { checkReadiness } from '@treadle/environment/readiness/check'
import { Fault } from '@treadle/flow/fault'
import { detectTestCommand } from '@treadle/gates/detect-commands'
import { openGates } from '@treadle/gates/gates'
import { openMergeGit } from '@treadle/git/merge'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { complain } from './end.ts'
import { readEnv } from './env.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      run: { type: 'boolean', default: false },
      seconds: { type: 'string' },
    },
  })
  if (values.workspace === undefined) throw new Fault('usage', 'readiness: --workspace DIR')
  const paths = workspacePaths(values.workspace)
  const text = existsSync(paths.config) ? readFileSync(paths.config, 'utf8') : null
  const { config } = readConfig({ own: text, vscode: null })
  const testCommand = config.tests.command ?? detectTestCommand(paths.root)
  const order = { paths, config, testCommand, signal: endOf(values.seconds) }
  const found = values.run ? await tryOut(order) : null
  say({ look: { testCommand, packages: planPackages(paths.root), found } })
}

/** Ends the look when the time is up or the user has had enough. */
function endOf(seconds: string | undefined): AbortSignal {
  const enough = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => enough.abort())
  return seconds === undefined
    ? enough.signal
    : AbortSignal.any([enough.signal, AbortSignal.timeout(Number(seconds) * 1_000)])
}

interface TryOut {
  readonly paths: WorkspacePaths
  readonly config: Config
  readonly testCommand: string | null
  readonly signal: AbortSignal
}

/** Null: there is no commit to look at, or the time was up. */
async function tryOut({ paths, config, testCommand, signal }: TryOut): Promise<ReadinessFound | null> {
  const env = readEnv()
  const git = openMergeGit({ repository: paths.root, env })
  const commit = await git.commitOf(config.merge.target ?? 'HEAD')
  if (commit === null) return null
  for (const folder of [paths.evidence, paths.worktrees]) mkdirSync(folder, { recursive: true })
  const gates = openGates({
    evidenceDir: paths.evidence,
    env,
    tailBytes: config.limits.outputTailBytes,
    outputBytesMax: config.limits.outputBytes,
    surroundings: openSurroundings({ ...config.sandbox, owner: paths.root }),
    buildFor: buildFor(config.tests.buildCommand),
    network: config.gates.network,
  })
  const { setupCommand, buildCommand, timeoutMs } = config.tests
  return git.withCheckout(commit, `${paths.worktrees}/look-${process.pid}`, (cwd) =>
    checkReadiness({
      gates,
      cwd,
      owner: paths.root,
      setupCommand,
      buildCommand,
      testCommand,
      timeoutMs,
      signal,
      onProgress: (progress) => say({ progress }),
    }),
  )
}

function say(line: LookLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

main().then(() => process.exit(0), complain)
