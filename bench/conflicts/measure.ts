// Replays the merges of a repository's history: what git really does with each, and what was foretold of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { overlaps } from '@treadle/flow/merge/conflict/overlap'
import { type Git, openGit } from '@treadle/git/git'
import { openMergeGit } from '@treadle/git/merge'
import { env as toolEnv } from '../../tools/env.ts'

export interface Replayed {
  readonly merge: string
  /** One side has changed nothing since the other left it: such a merge cannot conflict. */
  readonly twoSided: boolean
  /** What git left unmerged when the merge was made again in a working tree. */
  readonly actual: readonly string[]
  /** What the merge on objects named. */
  readonly computed: readonly string[]
  readonly computedMs: number
  /** Both sides changed a file of the same name. */
  readonly sameFile: boolean
  /** Both sides changed the same lines of what both began with. */
  readonly hunks: boolean
  /** What is said while one side is not committed yet. */
  readonly live: boolean
}

interface Skipped {
  readonly merge: string
  readonly why: string
}

export interface Replay {
  readonly rows: readonly Replayed[]
  readonly skipped: readonly Skipped[]
}

interface Sides {
  readonly merge: string
  readonly one: string
  readonly other: string
}

interface Bench {
  readonly git: Git
  readonly merging: ReturnType<typeof openMergeGit>
  /** A linked worktree on the branch `live`. */
  readonly tree: string
}

/** Works on a copy: nothing in the given repository is changed. */
export async function replay(
  repository: string,
  { limit, tell }: { limit: number; tell(text: string): void },
): Promise<Replay> {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-conflicts-'))
  try {
    const [copy, tree] = [join(folder, 'copy'), join(folder, 'tree')]
    // Nothing that the user has configured changes how git merges here.
    const env = { PATH: toolEnv.path, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }
    const git = await copyOf(repository, copy, env)
    await git.run(['worktree', 'add', '--quiet', '-B', 'live', tree])
    const bench = { git, merging: openMergeGit({ repository: copy, env }), tree }
    const rows: Replayed[] = []
    const skipped: Skipped[] = []
    const merges = (await mergesOf(git)).slice(0, limit)
    for (const [at, found] of merges.entries()) {
      if (at % 25 === 0) tell(`${at} of ${merges.length}`)
      const row = await replayOne(bench, found)
      if ('why' in row) skipped.push(row)
      else rows.push(row)
    }
    return { rows, skipped }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function copyOf(repository: string, copy: string, env: Readonly<Record<string, string>>): Promise<Git> {
  const from = openGit({ repository, env })
  await from.run(['clone', '--quiet', '--mirror', '--shared', repository, copy])
  const git = openGit({ repository: copy, env })
  await git.run(['config', 'user.name', 'Bench'])
  await git.run(['config', 'user.email', 'bench@localhost'])
  return git
}

async function mergesOf(git: Git): Promise<(Sides | Skipped)[]> {
  const { stdout } = await git.run(['rev-list', '--merges', '--parents', '--all'])
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [merge = '', one, other, more] = line.split(' ')
      return one === undefined || other === undefined || more !== undefined
        ? { merge, why: 'more than two parents' }
        : { merge, one, other }
    })
}

async function replayOne(bench: Bench, found: Sides | Skipped): Promise<Replayed | Skipped> {
  if ('why' in found) return found
  const { merging } = bench
  const { merge, one, other } = found
  const base = await merging.mergeBase(one, other)
  if (base === null) return { merge, why: 'no common history' }
  const started = performance.now()
  const dry = await merging.dryRun(one, other)
  const computedMs = performance.now() - started
  const actual = await actualConflicts(bench, found)
  if (actual === null) return { merge, why: 'git could not make the merge again' }
  const [mine, theirs] = [await changedIn(bench.git, base, one), await changedIn(bench.git, base, other)]
  const both = mine.filter((path) => theirs.includes(path))
  const twoSided = mine.length > 0 && theirs.length > 0 && base !== one && base !== other
  return {
    merge,
    twoSided,
    actual,
    computed: dry.is === 'conflicted' ? dry.files : [],
    computedMs,
    sameFile: both.length > 0,
    hunks: await hunksMeet(bench, { base, one, other }, both),
    live: twoSided && (await foretold(bench, { base, one, other })),
  }
}

/** The merge as people make it; null if git refused before it began. */
async function actualConflicts(
  { git, tree: cwd }: Bench,
  { one, other }: Sides,
): Promise<readonly string[] | null> {
  await git.run(['checkout', '--quiet', '--force', '--detach', one], { cwd })
  const made = await git.run(['merge', '--no-commit', '--no-ff', '--quiet', other], {
    cwd,
    ok: [0, 1, 2, 128],
  })
  const left = await git.run(['diff', '--name-only', '--diff-filter=U', '-z'], { cwd })
  await git.run(['reset', '--quiet', '--hard', one], { cwd })
  await git.run(['clean', '-ffdqx'], { cwd })
  const files = [...new Set(left.stdout.split('\0').filter((name) => name !== ''))].sort()
  if (made.code === 0) return []
  return files.length > 0 ? files : null
}

async function changedIn(git: Git, from: string, to: string): Promise<string[]> {
  const { stdout } = await git.run(['diff', '--name-only', '--no-renames', '-z', from, to])
  return stdout.split('\0').filter((name) => name !== '')
}

async function hunksMeet(
  { merging }: Bench,
  { base, one, other }: { base: string; one: string; other: string },
  files: readonly string[],
): Promise<boolean> {
  const mine = await merging.hunks({ from: base, to: one }, files)
  const theirs = await merging.hunks({ from: base, to: other }, files)
  return files.some((_, at) => overlaps(mine[at] ?? [], theirs[at] ?? []).length > 0)
}

/** One side stands in a worktree and is not committed; the other is a branch. */
async function foretold(
  { git, merging, tree: cwd }: Bench,
  { base, one, other }: { base: string; one: string; other: string },
): Promise<boolean> {
  await git.run(['checkout', '--quiet', '--force', '-B', 'live', base], { cwd })
  await git.run(['read-tree', '-m', '-u', base, one], { cwd })
  const [stand = null] = await merging.standsOf(['live'])
  const dry = stand === null ? null : await merging.dryRun(stand.commit, other)
  await git.run(['reset', '--quiet', '--hard', base], { cwd })
  return dry?.is === 'conflicted'
}
