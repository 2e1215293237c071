import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { makeChange } from '../testing/change.ts'
import { checkDocumentation, findAdded, judgeShare } from './documentation.ts'
import { publicNames } from './public-names.ts'

const doc = '/** Says what it is. */\n'

const sources: [what: string, text: string, names: string[]][] = [
  ['a function', 'export function a() {}', ['function a -']],
  ['a function with a comment', `${doc}export function a() {}`, ['function a +']],
  ['a comment that is no doc comment', '// a\nexport function a() {}', ['function a -']],
  ['a plain block comment', '/* a */\nexport function a() {}', ['function a -']],
  ['an empty doc comment', '/** */\nexport function a() {}', ['function a -']],
  ['a doc comment of the statement before', `${doc}const x = 1\nexport function a() {}`, ['function a -']],
  ['a line comment between', `${doc}// biome-ignore x\nexport function a() {}`, ['function a +']],
  ['an arrow', `${doc}export const a = () => 1, b = 2`, ['function a +']],
  ['a class', `export class A {}\n${doc}export abstract class B {}`, ['class A -', 'class B +']],
  ['a class with a decorator', `${doc}@Mark({ a: 1 })\nexport class A {}`, ['class A +']],
  [
    'types',
    `export interface A {}\n${doc}export type B = 1\nexport enum C { D }`,
    ['type A -', 'type B +', 'type C -'],
  ],
  [
    'a list of exports',
    `${doc}function a() {}\nclass B {}\nexport { a as c, B }`,
    ['function c +', 'class B -'],
  ],
  ['the default', `${doc}export default function () {}`, ['function default +']],
  ['the default by its name', `${doc}const a = () => 1\nexport default a`, ['function default +']],
  ['overloads', `${doc}export function a(x: 1): 1\nexport function a(x: any) { return x }`, ['function a +']],
  [
    'CommonJS',
    `${doc}exports.a = () => 1\nmodule.exports.b = function () {}`,
    ['function a +', 'function b -'],
  ],
  [
    'CommonJS as a record',
    `${doc}function a() {}\nmodule.exports = { a, b() {}, c: 1 }`,
    ['function a +', 'function b -'],
  ],
  ['what is only handed on', "export { a } from './a.js'\nexport * from './b.js'", []],
  ['values and what stays inside', 'export const a = 1\nfunction b() {}', []],
]

test.each(sources)('what others can use: %s', (_, text, names) => {
  const found = publicNames('a.ts', text)
  expect(found?.map(({ kind, name, documented }) => `${kind} ${name} ${documented ? '+' : '-'}`)).toEqual(
    names,
  )
})

test('only what is new counts, and what has moved is not new', () => {
  const { added, unread } = findAdded([
    {
      path: 'a.ts',
      before: 'export function a() {}\nexport function b() {}',
      after: 'export function a() {}',
    },
    { path: 'b.ts', before: null, after: 'export function b() {}\nexport function c() {}' },
    { path: 'c.ts', before: 'export function d() {}', after: null },
    { path: 'e.ts', before: null, after: 'export function (' },
  ])
  expect(added.map(({ file, name }) => `${file} ${name}`)).toEqual(['b.ts c'])
  expect(unread).toEqual(['e.ts'])
})

const names = (documented: number, of: number) =>
  Array.from({ length: of }, (_, at) => ({ documented: at < documented }))
test.each([
  [1, 2, 50, { percent: 50, enough: true }],
  [1, 3, 50, { percent: 33, enough: false }],
  [2, 3, 66, { percent: 66, enough: true }],
  [0, 0, 50, { percent: 100, enough: true }],
  [0, 1, 0, { percent: 0, enough: true }],
])('%i of %i documented, %i %% asked for', (documented, of, wanted, expected) => {
  expect(judgeShare(names(documented, of), wanted)).toMatchObject(expected)
})

async function look(head: Record<string, string>, config: object = {}) {
  const change = makeChange({ 'old.ts': 'export function old() {}\n' }, head)
  onTestFinished(change.remove)
  const result = await checkDocumentation(change.options, await change.request({ command: 'true', config }))
  return { result, output: change.output(result) }
}

verifies(
  ['ORCH-3.4-5', 'ORCH-3.4-9', 'AC-3.4.d'],
  'the share of new public functions and classes with a comment is computed; less than half is a warning',
  async () => {
    const half = `${doc}export function a() {}\nexport class B {}\n`
    const enough = await look({ 'new.ts': half })
    expect(enough.result).toMatchObject({ is: 'passed', gate: 'documentation' })
    expect(enough.output).toContain('1 of 2 new public functions, classes and types are documented: 50 %')
    const less = await look({
      'new.ts': `${half}export function c() {}\n`,
      'old.ts': 'export function old() { return 1 }\n',
    })
    expect(less.result).toMatchObject({
      is: 'passed_with_warnings',
      warnings: [
        '33 % of what is newly public is documented (1 of 3), 50 % are asked for',
        'new.ts:3: class B has no doc comment',
        'new.ts:4: function c has no doc comment',
      ],
    })
    expect((await look({ 'new.ts': half }, { documentation: { share: 51 } })).result.is).toBe(
      'passed_with_warnings',
    )
  },
)

test('where there is nothing to look at, it says why', async () => {
  const whys = [
    await look({ 'a.py': 'def a(): pass\n' }),
    await look({ 'a.test.ts': 'export function a() {}\n' }),
    await look({ 'a.ts': 'const a = 1\n' }),
  ].map(({ result }) => ('why' in result ? result.why : result.is))
  expect(whys).toEqual([
    expect.stringContaining('no JavaScript or TypeScript source'),
    expect.stringContaining('no JavaScript or TypeScript source'),
    'the change adds no public function, class or type',
  ])
})
