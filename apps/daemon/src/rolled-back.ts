// Which switches a rollback has turned off and no person has turned on since, whatever became of treadle.json meanwhile.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { PHASE_FLAGS, type PhaseFlag } from '@treadle/contracts/order'

const FLAGS: readonly PhaseFlag[] = Object.values(PHASE_FLAGS)

export function readRolledBack(file: string): PhaseFlag[] {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // None was ever made; or it is damaged, and treadle.json says the same.
    return []
  }
  return Array.isArray(read) ? FLAGS.filter((flag) => read.includes(flag)) : []
}

export function writeRolledBack(file: string, flags: readonly PhaseFlag[]): void {
  writeFileSync(`${file}.tmp`, `${JSON.stringify(flags)}\n`)
  renameSync(`${file}.tmp`, file)
}
