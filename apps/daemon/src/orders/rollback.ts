// Turns a phase's switch off in treadle.json, so that it stays off until a person turns it on again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Fault, messageOf } from '@treadle/flow/fault'

export const FALLBACK =
  'Until it is on again, work by hand: run /project-start <number> directly for the item, on a branch of your own'

export function turnOff(file: string, flag: string): void {
  const text = readText(file)
  const settings = parse(text)
  if (settings === null)
    throw new Fault('settings', 'treadle.json is not well-formed, so it cannot be changed', {
      hint: `Put it right, with "flags": { "${flag}": false } in it.`,
    })
  const indent = /^([ \t]+)"/m.exec(text ?? '')?.[1] ?? '  '
  const flags = isObject(settings.flags) ? settings.flags : {}
  const changed = { ...settings, flags: { ...flags, [flag]: false } }
  writeFileSync(`${file}.tmp`, `${JSON.stringify(changed, null, indent)}\n`)
  renameSync(`${file}.tmp`, file)
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Fault('settings', `treadle.json cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

function parse(text: string | null): Record<string, unknown> | null {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
