// An engine that rewrites the command by which its goal is judged: that is not a goal achieved.
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { mergedOnMain, moduleOf, up, useShops } from '../kit/shop.ts'
import { plan, reflect } from './goals.ts'

const shop = useShops()
const QUIET = `grep -q '^state: right$' ${moduleOf(1)}\n`
const TAP = `sh test.sh ${moduleOf(1)}\n`

test.each([
  ['says nothing', QUIET, 'exit 0\n'],
  ['tells its tests', TAP, 'exit 0\n'],
  ['tells its tests and is forged', TAP, "echo 'TAP version 13'\necho 'ok 1 - src/module-01.txt'\necho 1..1\n"],
])('a check that %s is rewritten by the engine: a person is told, and nothing is merged', async (_, before, after) => {
  const script = [
    plan('Make it green'),
    { write: { file: 'check.sh', text: after } },
    reflect('achieved', 'The check passes'),
  ]
  const workspace = shop({ scripts: [[script]], files: { 'check.sh': before } })
  await up(workspace, 1)
  const ended = await run(workspace, ['run', 'Make module 1 right', '--verify', 'sh check.sh'])
  console.log(JSON.stringify(ended, null, 1))
  expect(ended.code).toBe(1)
  expect(mergedOnMain(workspace)).toEqual([])
})
