import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { faultsIn, findFault } from './fault.ts'

test.each([
  ['a.js', 'if (a === b) return', 'if (a !== b) return'],
  ['a.ts', '  return total', '  return !total'],
  ['a.py', '    return total', '    return not total'],
  ['a.py', 'if x is None:', 'if x is not None:'],
  ['a.mjs', 'const sum = a + b', 'const sum = a - b'],
])('%s: %s becomes %s', (file, before, after) => {
  expect(faultsIn(file, `// a comment === b\n${before}\n`)).toMatchObject([
    { line: 2, before: before.trim(), after: after.trim(), wrong: `// a comment === b\n${after}\n` },
  ])
})

test('comments, imports and other languages have none', () => {
  expect(faultsIn('a.js', "// a === b\n * a + b\nimport a from 'a === b'\n")).toEqual([])
  expect(faultsIn('a.txt', 'a === b\n')).toEqual([])
})

test('the fault that is found turns the tests red, and every file is as it was', () => {
  const root = mkdtempSync(join(tmpdir(), 'fault-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'test'))
  const source = 'exports.idle = (a, b) => a === b\nexports.sum = (a, b) => a + b\n'
  writeFileSync(join(root, 'sum.js'), source)
  writeFileSync(join(root, 'test/sum.test.js'), "require('../sum.js')\n")
  const text = () => readFileSync(join(root, 'sum.js'), 'utf8')
  expect(findFault(root, () => text().includes('a + b'))).toMatchObject({ file: 'sum.js', line: 2 })
  expect(text()).toBe(source)
  expect(findFault(root, () => true)).toBeNull()
})
