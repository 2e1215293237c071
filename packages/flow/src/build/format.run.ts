// What an engine has written is brought into the project's own form before it is kept and checked.
import type { Formatting } from '../ports/gates.ts'
import type { WorkJob, WorkWorld } from '../work/work-world.ts'

const NAMED_MAX = 5

/** What was formatted, in words; empty: there was nothing to do. */
export async function runFormat(world: WorkWorld, { base }: Pick<WorkJob, 'base'>): Promise<string> {
  const { config, gates, git, worktree, signal } = world
  if (config.gates.format === 'off' || signal.aborted) return ''
  const files = await git.changedFiles(worktree, base)
  if (files.length === 0) return ''
  const done = await gates.format({
    cwd: worktree,
    files,
    readBase: (path) => git.fileAt(base, path),
    timeoutMs: config.tests.timeoutMs,
    signal,
  })
  return done.flatMap(formattingWords).join('\n')
}

function formattingWords({ by, changed, left, problem }: Formatting): string[] {
  return [
    ...(changed.length === 0 ? [] : [`Formatted with ${by}: ${named(changed)}.`]),
    ...(left.length === 0 ? [] : [`Not in the form of ${by} before, and left as written: ${named(left)}.`]),
    ...(problem === null ? [] : [`${by} could not be used, and nothing was formatted: ${problem}`]),
  ]
}

function named(files: readonly string[]): string {
  const more = files.length > NAMED_MAX ? ` and ${files.length - NAMED_MAX} more` : ''
  return `${files.slice(0, NAMED_MAX).join(', ')}${more}`
}
