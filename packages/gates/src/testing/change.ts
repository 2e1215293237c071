// A change in a real repository, as the checks of a review are given it.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GatesConfig } from '@treadle/contracts/config/gates'
import { GateResult } from '@treadle/contracts/gate'
import type { ReviewChecksRequest, SurveyCommit } from '@treadle/flow/ports/review-checks'
import { env as toolEnv } from '../../../../tools/env.ts'
import { openGates } from '../gates.ts'
import { type Surroundings, unconfined } from '../run-command.ts'

export type Files = Readonly<Record<string, string | null>>

export interface Change {
  readonly dir: string
  readonly options: {
    evidenceDir: string
    env: Record<string, string>
    tailBytes: number
    surroundings: Surroundings
  }
  /** The tests are run on the head before, as a review does. */
  request(
    more?: Partial<Omit<ReviewChecksRequest, 'config'>> & { config?: object },
  ): Promise<ReviewChecksRequest>
  /** What a result keeps as evidence. */
  output(result: GateResult): string
  remove(): void
}

/** Nobody looks for findings, where they are not the subject. */
export const noSurvey: SurveyCommit = async () => ({ is: 'not_run', why: 'nobody surveys here' })

export function makeChange(base: Files, head: Files): Change {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-change-')))
  const cwd = join(dir, 'head')
  mkdirSync(cwd)
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' })
  const commit = (files: Files, message: string): string => {
    for (const [name, text] of Object.entries(files)) {
      const path = join(cwd, name)
      mkdirSync(dirname(path), { recursive: true })
      if (text === null) rmSync(path)
      else writeFileSync(path, text)
    }
    git('add', '-A')
    git('commit', '-qm', message, '--allow-empty')
    return git('rev-parse', 'HEAD').trim()
  }
  git('init', '-q')
  const from = commit(base, 'base')
  const to = commit(head, 'head')
  const changed = git('diff', '--name-only', '--no-renames', '-z', from, to).split('\0').filter(Boolean)
  const tree = git('ls-tree', '-r', '--name-only', '-z', from).split('\0')
  const options = {
    evidenceDir: join(dir, 'evidence'),
    env: { PATH: toolEnv.path, HOME: dir },
    tailBytes: 8_000,
    surroundings: unconfined('test'),
  }
  const timeoutMs = 120_000
  const withFresh =
    (name: string, commit: string): ReviewChecksRequest['withBase'] =>
    async (use) => {
      const path = join(dir, name)
      git('worktree', 'add', '-q', '--detach', path, commit)
      try {
        return { is: 'used', value: await use(path) }
      } finally {
        git('worktree', 'remove', '--force', path)
      }
    }
  return {
    dir,
    options,
    async request({ config = {}, command = 'node --test', ...more } = {}) {
      const parsed = GatesConfig.parse(config)
      const recordsLoads = parsed.loads === 'auto'
      const earlier = [await openGates(options).runTests({ cwd, command, timeoutMs, recordsLoads })]
      return {
        cwd,
        base: from,
        head: to,
        changed,
        readBase: async (path) => (tree.includes(path) ? git('show', `${from}:${path}`) : null),
        withBase: withFresh('base', from),
        withHead: withFresh('fresh-head', to),
        command,
        item: { title: 'Mend the pump', labels: [], mayChangeTests: false, testCommand: null, measure: null },
        earlier,
        timeoutMs,
        ...more,
        config: parsed,
      }
    },
    output(result) {
      const read = GateResult.parse(result)
      if (!('evidence' in read)) return ''
      const sha = read.evidence.output
      return readFileSync(join(options.evidenceDir, sha.slice(0, 2), sha), 'utf8')
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}
