// A program of the user's own: where it is, which version, and what it is given.
import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '@treadle/flow/fault'

const VERSION_MS = 30_000

/** The path of a program; null if there is no such program. */
export function findProgram(command: string, path: string): string | null {
  if (isAbsolute(command)) return isExecutable(command) ? command : null
  const places = path.split(delimiter).filter((folder) => isAbsolute(folder))
  return places.map((folder) => join(folder, command)).find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export type Versioned =
  | { readonly is: 'found'; readonly version: string }
  | { readonly is: 'broken'; readonly why: string }

/** By asking the program itself: what npm says is installed need not be what is on the path. */
export async function versionOf(program: string, env: Readonly<Record<string, string>>): Promise<Versioned> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { env, timeout: VERSION_MS })
    const version = /\d+\.\d+\.\d+[^\s]*/.exec(stdout)?.[0]
    return version === undefined
      ? { is: 'broken', why: 'it does not say its version' }
      : { is: 'found', version }
  } catch (error) {
    return { is: 'broken', why: messageOf(error).split('\n')[0] ?? 'it does not start' }
  }
}
