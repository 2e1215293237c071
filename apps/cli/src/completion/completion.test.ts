// Completion as bash does it; the scripts of the other shells are made from the same commands.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadCommands } from '../commands.ts'
import { readEnv } from '../env.ts'
import { makeProgram } from '../make-program.ts'
import { completedCommands } from './command-tree.ts'
import { completionScript } from './shells.ts'

const commands = completedCommands(makeProgram(readEnv({}), await loadCommands()).root)
const folder = mkdtempSync(join(tmpdir(), 'treadle-completion-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'script.bash'), completionScript('bash', commands))
// Numbers are asked of treadle; here it knows two.
writeFileSync(join(folder, 'treadle'), "#!/bin/sh\nprintf '12\\tOne item\\n13\\tAnother: item\\n'\n")
chmodSync(join(folder, 'treadle'), 0o755)

function completed(...words: readonly string[]): string[] {
  const script = `. "$1/script.bash"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _treadle; printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['--norc', '-c', script, 'bash', folder, 'treadle', ...words]
  const env = { PATH: `${folder}:/usr/local/bin:/usr/bin:/bin` }
  return execFileSync('bash', args, { encoding: 'utf8', env }).split('\n').filter(Boolean)
}

test('bash completes commands, what is below them, options and their values', () => {
  expect(completed('appr')).toEqual(['approve'])
  expect(completed('re')).toEqual(expect.arrayContaining(['review', 'request-changes', 'reject', 'ready']))
  expect(completed('review', 'sh')).toEqual(['show'])
  expect(completed('list', '--st')).toEqual(['--status', '--state'])
  expect(completed('list', '--status', 'in_')).toEqual(['in_progress', 'in_review'])
  expect(completed('agent', 'pause', '--')).toEqual(expect.arrayContaining(['--all', '--now']))
  expect(completed('completion', 'z')).toEqual(['zsh'])
})

test('bash completes the numbers of items where a command wants one', () => {
  expect(completed('diff', '')).toEqual(['12', '13'])
  expect(completed('review', 'approve', '13')).toEqual(['13'])
  expect(completed('up', '')).toEqual([])
})

test('zsh and fish are told every command and option as well', () => {
  const [zsh, fish] = [completionScript('zsh', commands), completionScript('fish', commands)]
  for (const { path, options } of commands)
    for (const { name } of options) {
      expect(zsh).toContain(`'${path}')`)
      expect(zsh).toContain(`'${name}:`)
      expect(fish).toContain(name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)
    }
})
