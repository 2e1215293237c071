// The crew key of a workspace, made by the first daemon that needs it.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { WorkspacePaths } from '@treadle/contracts/workspace'

export function readCrewKey(paths: WorkspacePaths): string {
  if (existsSync(paths.token)) {
    const token = readFileSync(paths.token, 'utf8').trim()
    if (token.length >= 32) return token
  }
  const token = randomBytes(32).toString('hex')
  writeFileSync(`${paths.token}.tmp`, `${token}\n`, { mode: 0o600 })
  renameSync(`${paths.token}.tmp`, paths.token)
  return token
}
