// Where a workspace keeps things. All of it is under the repository's root, in folders that git ignores.
export const CONFIG_FILE = 'treadle.json'
export const STATE_DIR = '.treadle'
export const SESSIONS_DIR = '.claude-sessions'

/** The daemon's exit code that says: another daemon has this workspace. */
export const EXIT_LOCKED = 3

export interface WorkspacePaths {
  readonly root: string
  readonly config: string
  /** Settings of the editor; a few of its keys are ours. */
  readonly vscode: string
  readonly state: string
  readonly sessions: string
  readonly store: string
  readonly evidence: string
  readonly worktrees: string
  readonly spool: string
  readonly locks: string
  readonly logs: string
  /** What `treadle fix` needs to go on where it was interrupted, and its reports. */
  readonly fixes: string
  /** What fixes learned while no daemon ran. */
  readonly lessons: string
  /** Packages that were installed for the target, for every worktree with the same lock file. */
  readonly packages: string
  readonly token: string
  /** Written by the running daemon: url and pid. */
  readonly daemon: string
  /** The error that ended a daemon, until the next one has recorded it. */
  readonly crash: string
  /** Switches that a rollback has turned off. */
  readonly rolledBack: string
  /** The repository's git configuration as it was at the last start, as digests. */
  readonly gitConfig: string
  /** What was last written of documents that people edit, as digests. */
  readonly documents: string
  /** Such documents on their way to their place. */
  readonly halves: string
  /** Who this workspace is among those that share a database. */
  readonly place: string
}

export function workspacePaths(root: string): WorkspacePaths {
  const state = `${root}/${STATE_DIR}`
  return {
    root,
    config: `${root}/${CONFIG_FILE}`,
    vscode: `${root}/.vscode/settings.json`,
    state,
    sessions: `${root}/${SESSIONS_DIR}`,
    store: `${state}/store`,
    evidence: `${state}/evidence`,
    worktrees: `${state}/worktrees`,
    spool: `${state}/spool`,
    locks: `${state}/locks`,
    logs: `${state}/logs`,
    fixes: `${state}/fixes`,
    lessons: `${state}/lessons`,
    packages: `${state}/packages`,
    token: `${state}/token`,
    daemon: `${state}/daemon.json`,
    crash: `${state}/crash.json`,
    rolledBack: `${state}/rolled-back.json`,
    gitConfig: `${state}/git-config.json`,
    documents: `${state}/documents.json`,
    halves: `${state}/halves`,
    place: `${state}/place`,
  }
}
