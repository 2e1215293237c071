// The folders that a daemon keeps its state in, made where they are missing.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { messageOf } from '@treadle/flow/fault'
import type { Logger } from 'pino'

/** Our folders ignore themselves, so that the user's .gitignore is left alone. */
export function prepareState(paths: WorkspacePaths, log: Logger): void {
  makeIgnored(paths.state)
  try {
    makeIgnored(paths.sessions)
  } catch (error) {
    // Session files are for others to read; a crew works without them, and writes them as soon as it can.
    log.warn({ folder: paths.sessions, why: messageOf(error) }, 'session files cannot be written there')
  }
  for (const dir of [paths.store, paths.evidence, paths.worktrees, paths.spool, paths.locks, paths.logs])
    mkdirSync(dir, { recursive: true })
}

function makeIgnored(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(`${folder}/.gitignore`)) writeFileSync(`${folder}/.gitignore`, '*\n')
}
