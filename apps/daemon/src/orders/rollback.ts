// Turns a phase's switch off in treadle.json, and notes it apart, so that it stays off until a person turns it on again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { PhaseFlag } from '@treadle/contracts/order'
import { messageOf } from '@treadle/flow/fault'
import { readRolledBack, writeRolledBack } from '../rolled-back.ts'

export const FALLBACK =
  'Until it is on again, work by hand: run /project-start <number> directly for the item, on a branch of your own'

export interface SwitchFiles {
  /** treadle.json. */
  readonly config: string
  readonly rolledBack: string
}

export type Changeable =
  | { readonly is: 'yes'; readonly text: string | null; readonly settings: Record<string, unknown> }
  /** It is left as it is. */
  | { readonly is: 'no'; readonly why: string }

/** Can the settings be changed without losing something? */
export function readChangeable(file: string): Changeable {
  const name = basename(file)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { is: 'yes', text: null, settings: {} }
    return { is: 'no', why: `${name} cannot be read: ${messageOf(error)}` }
  }
  try {
    const settings: unknown = JSON.parse(text)
    if (isObject(settings)) return { is: 'yes', text, settings }
    return { is: 'no', why: `${name}, line 1: it is not a JSON object` }
  } catch (error) {
    return { is: 'no', why: `${name}, line ${faultyLine(text)}: ${faultWords(messageOf(error))}` }
  }
}

export function turnOff(files: SwitchFiles, flag: PhaseFlag): Changeable {
  const read = readChangeable(files.config)
  if (read.is === 'no') return read
  const { text, settings } = read
  const indent = /^([ \t]+)"/m.exec(text ?? '')?.[1] ?? '  '
  const flags = isObject(settings.flags) ? settings.flags : {}
  const changed = { ...settings, flags: { ...flags, [flag]: false } }
  writeFileSync(`${files.config}.tmp`, `${JSON.stringify(changed, null, indent)}\n`)
  renameSync(`${files.config}.tmp`, files.config)
  // After the settings: who reads them in between must not find a switch that is on and noted as off.
  writeRolledBack(files.rolledBack, [...new Set([...readRolledBack(files.rolledBack), flag])])
  return read
}

/** The first line after which the text cannot become well-formed any more; the last one if it only ends too early. */
function faultyLine(text: string): number {
  const lines = text.split('\n')
  const at = lines.findIndex((_, index) => isFaulty(`${lines.slice(0, index + 1).join('\n')}\n`))
  return at === -1 ? text.trimEnd().split('\n').length : at + 1
}

function isFaulty(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    const message = messageOf(error)
    const position = / at position (\d+)/.exec(message)?.[1]
    const endsEarly = message.startsWith('Unexpected end') || Number(position ?? -1) >= text.length
    return !endsEarly
  }
}

/** The line is said already, and what follows may be a piece of the file. */
function faultWords(message: string): string {
  return (
    message
      .split('\n', 1)[0]
      ?.replace(/ in JSON at position .*/, '')
      .slice(0, 200) ?? ''
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
