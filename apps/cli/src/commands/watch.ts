// watch: Now, Work, Review and Insights on the whole terminal, live.
import { spawnSync } from 'node:child_process'
import type { Item } from '@treadle/contracts/item'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { findDaemon, needDaemon } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { openedWorktree } from '../items/item-change.ts'
import type { Program } from '../program.ts'
import { plainText } from '../terminal/plain-text.ts'
import { UserError } from '../user-error.ts'
import { findWorkspace } from '../workspace.ts'
import { openPage } from './open.ts'

const KEYS = `
Keys, as on the page: 1-4 or g n/w/r/i places, j k move, Enter open, a approve (beside the
change), r request changes, o output, e editor, / search, ? all keys, q back or quit.`

export function watchCommands(program: Program): void {
  const { root, env } = program
  root
    .command('watch')
    .addHelpText('after', KEYS)
    .action(async () => {
      program.exitCode = await watch(findWorkspace(env), env)
    })
}

async function watch(paths: WorkspacePaths, env: CliEnv): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UserError(
      'treadle watch fills a terminal, and this is none.',
      'Without one: treadle status, or treadle logs <number> -f',
      2,
    )
  await needDaemon(paths, env)
  // Ink and React are loaded by nobody else.
  const [{ WatchSession }, { showScreen }] = await Promise.all([
    import('../watch/watch-session.ts'),
    import('../watch/watch-screen.ts'),
  ])
  const session = new WatchSession({ root: paths.root, find: () => findDaemon(paths, env) })
  let exitCode = 0
  const ended = () => {
    exitCode = 143
    session.leave({ is: 'quit' })
  }
  process.on('SIGTERM', ended).on('SIGHUP', ended)
  session.start()
  try {
    for (;;) {
      const left = await showScreen(session, { stdin: process.stdin, stdout: process.stdout })
      if (left.is === 'quit') return exitCode
      const target = session.view().facts?.workspace.target ?? 'HEAD'
      session.say(
        await said(() =>
          left.is === 'editor'
            ? edit(left.item, { root: paths.root, target }, env)
            : browse(left.item, paths, env),
        ),
      )
    }
  } finally {
    session.stop()
    process.removeListener('SIGTERM', ended).removeListener('SIGHUP', ended)
  }
}

/** What came of something, in a line: the screen comes back whatever went wrong. */
export async function said(act: () => string | Promise<string>): Promise<string> {
  try {
    return await act()
  } catch (error) {
    return plainText(error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
  }
}

/** Opens the first changed file where the agent works; says what came of it. */
function edit(item: Item, { root, target }: { root: string; target: string }, { all }: CliEnv): string {
  const found = openedWorktree(root, target, item)
  if (found === null)
    return `#${item.number} has no working copy here. Check it out: treadle take ${item.number}`
  const editor = all.VISUAL ?? all.EDITOR ?? 'vi'
  const { status, error } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', found.file ?? '.'], {
    cwd: found.worktree,
    stdio: 'inherit',
    env: { ...all },
  })
  return error !== undefined || status !== 0 ? `${editor} did not end well.` : ''
}

async function browse(item: Item, paths: WorkspacePaths, env: CliEnv): Promise<string> {
  const running = await findDaemon(paths, env)
  if (running === null) return 'The daemon is not running.'
  const isOpened = await openPage(env, running, item)
  return isOpened
    ? `Opened #${item.number} in your browser.`
    : `No browser here: treadle open ${item.number} --link`
}
