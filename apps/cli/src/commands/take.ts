// take: a change that is not merged, on a branch of the owner's own checkout.
import { spawnSync } from 'node:child_process'
import type { Answer, Client } from '@treadle/contracts/client'
import type { GateName } from '@treadle/contracts/gate'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { keptAttempt } from '@treadle/contracts/kept-change'
import { GATE_WORDS } from '@treadle/contracts/words/gates'
import { print, printJson } from '../output.ts'
import { asNumber, json, type Program, project, withClient } from '../program.ts'
import { UserError } from '../user-error.ts'
import { findRepository } from '../workspace.ts'

interface TakeOptions {
  readonly project: number
  readonly branch?: string
  readonly json?: boolean
}

export function takeCommands(program: Program): void {
  program.root
    .command('take')
    .argument('<number>', 'item number', asNumber)
    .option('--branch <name>', 'name of the new branch (default: take/<number>)')
    .addOption(project())
    .addOption(json())
    .addHelpText(
      'after',
      `
What was delivered and waits, or a later change that passes the item's tests and was refused
by another check, such as the linter. It becomes one commit on a new branch, which is checked
out, as \`gh pr checkout\` does. The item stays as it is: withdraw it when you have merged the
branch yourself. Nothing is overwritten: a checkout with changes and a branch that exists are
left alone.`,
    )
    .action((number, options) => withClient(program, (client) => takeItem(client, number, options)))
}

interface Taken {
  readonly commit: string
  /** The commit that it stands on; null: it is a commit of a branch already. */
  readonly onto: string | null
  readonly attempt: number | null
  readonly refusedBy: readonly GateName[]
}

async function takeItem(client: Client, number: number, options: TakeOptions): Promise<void> {
  const params = { projectNumber: options.project, issueNumber: number }
  const shown = await client.showItem({ params })
  const taken = whatToTake(shown)
  const git = gitIn(findRepository(process.cwd()))
  const branch = options.branch ?? `take/${number}`
  refuseUnready(git, branch)
  const commit = taken.onto === null ? taken.commit : commitOn(git, shown.item, taken, taken.onto)
  git.must(['switch', '--quiet', '--create', branch, commit])
  const files = git
    .must(['diff', '--name-only', `${commit}~1`, commit])
    .split('\n')
    .filter(Boolean)
  const { attempt, refusedBy } = taken
  if (options.json)
    return printJson({
      item: { projectNumber: options.project, number },
      branch,
      commit,
      attempt,
      refusedBy,
      files,
    })
  print(wordsOf({ number, branch, files, ...taken }))
}

/** The latest of what was delivered and what was refused; what is merged is nobody's to take. */
function whatToTake({ item, runs }: Answer<'showItem'>): Taken {
  const label = itemLabel(item)
  if (item.mergeCommit !== null)
    throw new UserError(
      `There is nothing to take: ${label} is merged as ${item.mergeCommit.slice(0, 12)}.`,
      `See it: git show ${item.mergeCommit.slice(0, 12)}`,
    )
  const kept = keptAttempt(runs)
  if (kept !== null && kept.base !== null) {
    const { commit, base, attempt, refusedBy } = kept
    return { commit, onto: base, attempt, refusedBy }
  }
  if (item.headCommit !== null) return { commit: item.headCommit, onto: null, attempt: null, refusedBy: [] }
  throw new UserError(
    `There is nothing to take: no change of ${label} passes its tests.`,
    `What was tried: treadle explain ${item.number}. All work that was kept: treadle undelete --item ${item.number}`,
  )
}

interface Git {
  ask(args: readonly string[]): { readonly code: number; readonly out: string; readonly err: string }
  must(args: readonly string[]): string
}

function gitIn(cwd: string): Git {
  const ask = (args: readonly string[]) => {
    const ran = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    return { code: ran.status ?? 1, out: (ran.stdout ?? '').trim(), err: (ran.stderr ?? '').trim() }
  }
  const must = (args: readonly string[]) => {
    const { code, out, err } = ask(args)
    if (code !== 0)
      throw new UserError(
        `git ${args[0]} failed, and nothing was changed: ${err}`,
        'Put that right, and give the order again.',
      )
    return out
  }
  return { ask, must }
}

function refuseUnready(git: Git, branch: string): void {
  if (git.ask(['check-ref-format', '--branch', branch]).code !== 0)
    throw new UserError(`${branch} is no name for a branch.`, 'Give another: --branch <name>', 2)
  if (git.ask(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]).code === 0)
    throw new UserError(
      `There is a branch ${branch} already, and it is left as it is.`,
      `Look: git log ${branch}. Or give another name: --branch <name>`,
    )
  const changed = git.must(['status', '--porcelain', '--untracked-files=no']).split('\n').filter(Boolean)
  if (changed.length > 0)
    throw new UserError(
      `Your checkout has changes that are not committed (${changed
        .slice(0, 3)
        .map((line) => line.trim().replace(/^\S+\s+/, ''))
        .join(', ')}${changed.length > 3 ? ', …' : ''}), and nothing was done.`,
      'Commit them, or put them aside: git stash',
    )
}

/** One commit with the files of the attempt, by whoever takes it. */
function commitOn(git: Git, item: Item, { commit, attempt, refusedBy }: Taken, onto: string): string {
  const gates = refusedBy.map((gate) => GATE_WORDS[gate]).join(', ')
  const body = `Attempt ${attempt} of item #${item.number}, which passes its tests and was refused by ${gates}.`
  const message = `${item.title}\n\n${body}\n\nItem: ${item.projectNumber}/${item.number}\n`
  return git.must(['commit-tree', `${commit}^{tree}`, '-p', onto, '-m', message])
}

function wordsOf(told: Taken & { number: number; branch: string; files: readonly string[] }): string {
  const { number, branch, files, attempt, refusedBy } = told
  const what = attempt === null ? 'what was delivered' : `the change of attempt ${attempt}`
  const named = `${files.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more` : ''}`
  const gates = refusedBy.map((gate) => GATE_WORDS[gate]).join(', ')
  return [
    `You are on the new branch ${branch} with ${what} of #${number}: ${named}.`,
    ...(refusedBy.length === 0 ? [] : [`It was refused by ${gates}; why: treadle explain ${number}`]),
    `Go back: git switch -   When it is merged, or not wanted: treadle withdraw ${number}`,
  ].join('\n')
}
