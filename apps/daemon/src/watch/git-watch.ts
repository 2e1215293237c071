// Whether the repository's git configuration is as it was when the workspace was last started.
import { readFileSync, writeFileSync } from 'node:fs'
import { messageOf } from '@treadle/flow/fault'
import { type ConfigState, changesBetween, configState } from '@treadle/git/config-watch'
import type { GitOptions } from '@treadle/git/git'
import type { Logger } from 'pino'
import { z } from 'zod'

const State = z.record(z.string(), z.string())
const NAMED_MAX = 10

export class GitWatch {
  readonly #options: GitOptions
  readonly #known: ConfigState
  #last: readonly string[]

  private constructor(options: GitOptions, known: ConfigState, last: readonly string[]) {
    this.#options = options
    this.#known = known
    this.#last = last
  }

  /** Compares with the last start, and keeps what is there now for the next one to compare with. */
  static async open(options: GitOptions, { file, log }: { file: string; log: Logger }): Promise<GitWatch> {
    const now = await configState(options)
    const known = readState(file) ?? now
    try {
      writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`, { mode: 0o600 })
    } catch (error) {
      log.warn({ file, why: messageOf(error) }, 'the state of the git configuration could not be kept')
    }
    const watch = new GitWatch(options, known, changesBetween(known, now))
    if (watch.#last.length > 0) log.warn({ changes: watch.#last }, 'the git configuration has changed')
    return watch
  }

  /** What has changed by now, looked at again. */
  async changes(): Promise<readonly string[]> {
    this.#last = changesBetween(this.#known, await configState(this.#options))
    return this.#last
  }

  /** A sentence about what had changed at the last look; none if nothing had. */
  warnings(): string[] {
    return this.#last.length === 0 ? [] : [gitChangeWords(this.#last)]
  }
}

function gitChangeWords(changes: readonly string[]): string {
  const more = changes.length > NAMED_MAX ? ` and ${changes.length - NAMED_MAX} more` : ''
  return `the git configuration of the repository has changed since the last start: ${changes.slice(0, NAMED_MAX).join(', ')}${more}. Treadle's own commands run nothing of it; yours do. Look: git config --local --list --show-origin`
}

function readState(file: string): ConfigState | null {
  try {
    return State.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // There was no start before, or the file is damaged: the comparison begins anew.
    return null
  }
}
