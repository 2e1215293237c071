// An engine that rewrites the script by which its goal is judged: a person is told, and nothing is merged.
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { itemNumber, mergedOnMain, moduleOf, up, useShops } from '../kit/shop.ts'
import { plan, reflect } from './goals.ts'

const shop = useShops()
const FORGED = "echo 'TAP version 13'\necho 'ok 1 - src/module-01.txt'\necho 1..1\n"

test.each([
  ['that says nothing', `grep -q '^state: right$' ${moduleOf(1)}\n`, 'exit 0\n'],
  ['that tells its tests', `sh test.sh ${moduleOf(1)}\n`, FORGED],
])('a check %s is rewritten by the engine', async (_, before, after) => {
  const script = [
    plan('Make it green'),
    { write: { file: 'check.sh', text: after } },
    reflect('achieved', 'The check passes'),
  ]
  const workspace = shop({ scripts: [[script]], files: { 'check.sh': before } })
  const daemon = await up(workspace, 1)
  const ended = await run(workspace, ['run', 'Make module 1 right', '--verify', 'sh check.sh', '--json'])
  expect(ended.code, ended.stderr).toBe(1)
  expect(JSON.parse(ended.stdout)).toMatchObject({
    outcome: 'not_delivered',
    summary: expect.stringMatching(/^Goal not achieved: .*check\.sh.*judges the change/),
  })
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'escalated', needsHuman: true })
  expect(mergedOnMain(workspace)).toEqual([])
})
