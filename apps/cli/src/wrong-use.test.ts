// Wrong use ends with 2 and a sentence on stderr. As a process: scenarios/cli/wrong-use.long.test.ts.
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadCommands } from './commands.ts'
import { readEnv } from './env.ts'
import { makeProgram, runProgram } from './make-program.ts'

const WRONG: readonly (readonly [args: string[], sentence: string])[] = [
  [[], 'Usage: treadle'],
  [['frobnicate'], "unknown command 'frobnicate'"],
  [['statsu'], 'Did you mean status?'],
  [['agent', 'frobnicate'], "unknown command 'frobnicate'"],
  [['up', '--bogus'], "unknown option '--bogus'"],
  [['up', 'extra'], 'too many arguments'],
  [['up', '--agents', 'many'], 'must be a whole number from 0 to 10'],
  [['up', '--agents', '11'], 'must be a whole number from 0 to 10'],
  [['up', '--agents', ''], 'must be a whole number from 0 to 10'],
  [['add'], 'An item needs a title.'],
  [['add', 'An item', '--priority', '-1'], 'must be a whole number from 0 to 1000'],
  [['show', 'x'], 'must be the number of an item'],
  [['show', '0'], 'must be the number of an item'],
  [['list', '--status', 'open'], 'Allowed choices are todo, backlog'],
  [['review', 'reject', '1'], "required option '--feedback <text>' not specified"],
  [['fix', '--dry-run', '--resume'], "option '--dry-run' cannot be used with option '--resume'"],
  [['repair', 'bench', '--from-history', '.', '--since', 'notadate'], 'must be a date, such as'],
  [['repair', 'bench', '--from-history', '.', '--limit', '0'], 'must be a number above 0'],
  [['build', 'show', 'No such!'], 'must be the name of an idea, such as'],
  [['build', 'retry', 'shopping-list', 'T 3'], 'must be the name of a task, such as T3'],
  [['agent', 'pause'], "missing required argument 'id'"],
  [['agent', 'pause', 'bob'], 'must be the name of an agent, such as agent-1'],
]

test.each(WRONG)('treadle %j', async (args, sentence) => {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    const stream: NodeJS.WriteStream = process[name]
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
      said[name] += String(text)
      return true
    })
    onTestFinished(() => spy.mockRestore())
  }
  expect(await runProgram(makeProgram(readEnv({}), await loadCommands(args)), args)).toBe(2)
  expect(said.stdout).toBe('')
  expect(said.stderr).toContain(sentence)
  expect(said.stderr).not.toMatch(/^\s+at /m)
})
