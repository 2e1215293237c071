// What this agent claims thoughts with: its own, in a file that only its user reads, so that its next process has it too.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ClaimKey } from '@treadle/contracts/thought'

export function claimKeyIn(path: string): string {
  const kept = ClaimKey.safeParse(readOrEmpty(path).trim())
  if (kept.success) return kept.data
  const made = randomBytes(32).toString('base64url')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${made}\n`, { mode: 0o600 })
  return made
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
