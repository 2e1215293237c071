import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadProject } from '../project/load.ts'
import { loadMessage } from '../search/baseline.ts'
import { reachOf } from '../search/plan.ts'
import { makeAssert } from './assert.ts'
import { expect as fast } from './expect.ts'
import { Unsupported } from './mismatch.ts'
import { OutOfFuel } from './tank.ts'
import { Judge } from './tests.ts'

const forever = (): never => forever()
const fastExpect = fast as unknown as typeof expect
const assert = makeAssert(true) as typeof import('node:assert/strict')

test.each([
  ['toThrow', () => fastExpect(forever).toThrow(RangeError)],
  ['toThrow with no error named', () => fastExpect(forever).toThrow()],
  ['assert.throws', () => assert.throws(forever, RangeError)],
  ['an error that the test caught', () => fastExpect(caughtFrom(forever)).toBeInstanceOf(RangeError)],
])('%s does not take a stack overflow for the error it waits for', (_, check) => {
  expect(check).toThrow(Unsupported)
})

test('nor do the checks of rejections', async () => {
  const later = async () => forever()
  await expect(fastExpect(later()).rejects.toThrow(RangeError)).rejects.toThrow(Unsupported)
  await expect(fastExpect(later()).rejects.toBeInstanceOf(RangeError)).rejects.toThrow(Unsupported)
  await expect(assert.rejects(later, RangeError)).rejects.toThrow(Unsupported)
})

test('running out of fuel is no error that a test may wait for, others are', () => {
  const dry = () => {
    throw new OutOfFuel()
  }
  expect(() => fastExpect(dry).toThrow()).toThrow(OutOfFuel)
  expect(() => assert.throws(dry)).toThrow(OutOfFuel)
  const refuses = () => {
    throw new RangeError('too many')
  }
  fastExpect(refuses).toThrow(RangeError)
  assert.throws(refuses, RangeError)
})

test('a stack overflow still fails what waits for no error, or for another one', () => {
  expect(() => fastExpect(forever).not.toThrow()).toThrow(/^(?!.*not known to the fast path)/)
  expect(() => fastExpect(forever).toThrow(TypeError)).toThrow(/^(?!.*not known to the fast path)/)
  expect(() => assert.throws(forever, TypeError)).toThrow(RangeError)
})

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'exhausted-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['return part(part_)', false],
  ["throw new RangeError('no part')", true],
])('a candidate that does `%s` where an error is due: green is %s', async (text, green) => {
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(root, 'part.ts'),
    'export function part(part_: number): number {\n  if (part_ < 0) return 0\n  return part_\n}\n',
  )
  writeFileSync(
    join(root, 'part.test.ts'),
    `import { expect, test } from 'vitest'
import { part } from './part.ts'
test('no negative part', () => expect(() => part(-1)).toThrow(RangeError))
`,
  )
  const project = loadProject(root, null)
  const module = project.files.findIndex((file) => file.path === 'part.ts')
  const loaded = loadMessage(project, { fuel: 1_000_000, cpuMs: 60_000, testMs: 1_000 })
  if (loaded.is !== 'load') throw new Error('another message')
  const judge = new Judge(loaded.modules, loaded.tests, loaded.limits)
  const failing = [`${project.tests[0]}|no negative part`]
  judge.plan({ failing, steps: [0], passing: [], fuel: {}, reach: reachOf(project) })
  const at = loaded.modules[module]?.code.indexOf('return 0') ?? -1
  const edits = [{ module, at, remove: 'return 0'.length, text }]
  expect(await judge.judge({ id: 0, tests: [], edits })).toMatchObject({ is: 'ran', green })
})

function caughtFrom(act: () => unknown): unknown {
  try {
    return act()
  } catch (cause) {
    return cause
  }
}
