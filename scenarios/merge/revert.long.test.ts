// A merge that is taken back: an item of its own, computed, proven, merged and named in its receipt.
import type { RevertOrdered } from '@treadle/contracts/revert'
import { expect, test, vi } from 'vitest'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { itemNumber, mergedOnMain, type Step, told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
// Three items each, one after the other.
vi.setConfig({ testTimeout: 480_000 })
const settings = { tests: { command: 'node --test' } } as const
const path = (issueNumber: number) => ({ projectNumber: 1, issueNumber })

const HEAD = `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n`
const ADD = 'export const add = (a, b) => a + b\n'
const ADD_TEST = `${HEAD}import * as calc from './calc.mjs'\n\ntest('add', () => assert.equal(calc.add(1, 2), 3))\n`
const SUBTRACT = 'export const subtract = (a, b) => a - b\n'
const SUBTRACT_TEST = `\ntest('subtract', () => assert.equal(calc.subtract(5, 3), 2))\n`
const write = (file: string, text: string): Step => ({ write: { file, text } })

async function merged(daemon: Daemon, title: string): Promise<string> {
  const { number } = await daemon.client.addItem({ body: { title } })
  return (await until(daemon, number, 'done')).mergeCommit ?? 'none'
}

test('a merge is taken back once, over a killed daemon, without an engine; later work stays, and it verifies', async () => {
  const workspace = shop({
    settings,
    files: { 'calc.mjs': ADD, 'calc.test.mjs': ADD_TEST },
    scripts: [
      [[write('calc.mjs', ADD + SUBTRACT), write('calc.test.mjs', ADD_TEST + SUBTRACT_TEST)]],
      [
        [
          write('twice.mjs', 'export const twice = (a) => a * 2\n'),
          write(
            'twice.test.mjs',
            `${HEAD}import { twice } from './twice.mjs'\n\ntest('twice', () => assert.equal(twice(4), 8))\n`,
          ),
        ],
      ],
    ],
  })
  let daemon = await up(workspace, 1)
  const commit = await merged(daemon, 'Add subtract')
  await merged(daemon, 'Add twice')

  const ordered = await told<RevertOrdered>(workspace, 'revert', '1')
  expect(ordered).toMatchObject({
    is: 'added',
    conflicts: [],
    item: { number: 3, title: 'Revert #1: Add subtract', reverts: { number: 1, commit } },
  })
  kill(daemon.pid)
  await waitGone(daemon.pid)
  daemon = await up(workspace, 1)
  const again = await Promise.all([1, 2].map(() => daemon.client.revertItem({ params: path(1) })))
  expect(again.map(({ is, item }) => [is, item.number])).toEqual([
    ['open', 3],
    ['open', 3],
  ])

  const done = await until(daemon, 3, 'done', 'escalated', 'in_review')
  const item = done.state === 'in_review' ? await until(daemon, 3, 'done', 'escalated') : done
  expect(item.evidence).toEqual({
    level: 'proven',
    why: expect.stringContaining('the tests from before #1 hold, and a test that came with it is red'),
  })
  expect(item).toMatchObject({ state: 'done', attempts: 1, approval: { kind: 'standing_order' } })
  expect(mergedOnMain(workspace)).toEqual(['1/1', '1/2', '1/3'])
  expect(workspace.git('show', 'main:calc.mjs')).toBe(ADD.trim())
  expect(workspace.git('show', 'main:calc.test.mjs')).toBe(ADD_TEST.trim())
  expect(workspace.git('ls-tree', '--name-only', 'main')).toContain('twice.test.mjs')
  expect(workspace.git('log', '-1', '--format=%(trailers:key=Reverts,valueonly)', 'main').trim()).toBe(
    `#1 ${commit}`,
  )
  const receipt = JSON.parse(workspace.git('notes', '--ref=treadle', 'show', 'main'))
  expect(receipt.predicate.reverts).toEqual({ number: 1, commit, exact: true })
  expect((await treadle(workspace, ['show', '1'])).stdout).toContain('reverted by  #3, merged as')
  expect((await treadle(workspace, ['show', '3'])).stdout).toContain(`#1, merged as ${commit.slice(0, 8)}`)
  expect(await treadle(workspace, ['verify', 'main'])).toMatchObject({ code: 0 })

  const refused = await treadle(workspace, ['revert', '1'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('#1 is taken back already, by #3.')
  expect(refused.stderr).toContain('treadle revert 3')
  const unknown = await treadle(workspace, ['revert', '9'])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no item #9')])
  await daemon.client.addItem({ body: { title: 'Not yet', status: 'backlog' } })
  await daemon.client.withdrawItem({ params: path(4), body: {} })
  await expect(daemon.client.revertItem({ params: path(4) })).rejects.toThrow('#4 is not merged')
  workspace.git('reset', '-q', '--hard', `${commit}^1`)
  await expect(daemon.client.revertItem({ params: path(2) })).rejects.toThrow(
    'is not in the history of main any more',
  )
})

test('where later work stands in the way an engine takes back the rest, and a person has to look at it', async () => {
  const greet = (hi: string, name: string) => `export const greet = (name) => '${hi} ' + ${name}\n`
  const greetTest = (title: string, assertion: string) =>
    `${HEAD}import { greet } from './greet.mjs'\n\ntest('${title}', () => assert.ok(${assertion}))\n`
  const workspace = shop({
    settings,
    files: { 'greet.mjs': greet('Hi', 'name'), 'calc.mjs': ADD, 'calc.test.mjs': ADD_TEST },
    scripts: [
      [
        [
          write('greet.mjs', greet('Hello', 'name')),
          write('hello.test.mjs', greetTest('hello', `greet('A').startsWith('Hello')`)),
        ],
      ],
      [
        [
          write('greet.mjs', greet('Hello', 'name.trim()')),
          write('trim.test.mjs', greetTest('trim', `greet(' A ').endsWith(' A')`)),
        ],
      ],
      [[{ edit: { file: 'greet.mjs', find: 'Hello', replace: 'Hi' } }]],
    ],
  })
  const daemon = await up(workspace, 1)
  const commit = await merged(daemon, 'Say hello')
  await merged(daemon, 'Trim the name')
  const ordered = await treadle(workspace, ['revert', '#1'])
  expect(ordered.stdout).toContain('Added #3 Revert #1: Say hello')
  expect(ordered.stdout).toContain('Later work has changed the same lines in greet.mjs')

  await until(daemon, 3, 'in_review', 'escalated')
  const waiting = await eventually('its evidence', async () => {
    const item = await itemNumber(daemon, 3)
    return item.evidence !== null && item.needsHuman ? item : undefined
  })
  expect(waiting.body).toContain('cannot be taken back by itself in greet.mjs')
  expect(waiting).toMatchObject({
    state: 'in_review',
    reason: expect.stringContaining('by hand: greet.mjs: it is not what taking back #1 leaves by itself'),
    evidence: { level: 'proven' },
  })
  expect((await treadle(workspace, ['review', 'approve', '3'])).code).toBe(0)
  await until(daemon, 3, 'done')
  expect(workspace.git('show', 'main:greet.mjs')).toBe(greet('Hi', 'name.trim()').trim())
  expect(workspace.git('ls-tree', '--name-only', 'main')).not.toContain('hello.test.mjs')
  const receipt = JSON.parse(workspace.git('notes', '--ref=treadle', 'show', 'main'))
  expect(receipt.predicate.reverts).toEqual({ number: 1, commit, exact: false })
})
