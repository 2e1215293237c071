// The files of the sample repository, bugs included.
const head = (what: string) =>
  `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n${what}\n\n`

export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  'README.md': '# Sample shop\n\nSmall modules with tests. Some are broken; a crew repairs them.\n',
  'package.json': `${JSON.stringify({ name: 'sample-shop', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  '.gitignore': 'node_modules/\n',

  'src/cart.ts': `export interface Line {
  price: number
  quantity: number
}

export function total(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.price, 0)
}
`,
  'test/cart.test.ts': `${head("import { total } from '../src/cart.ts'")}test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0)
})

test('every unit counts', () => {
  assert.equal(total([{ price: 3.5, quantity: 2 }, { price: 1, quantity: 3 }]), 10)
})
`,

  'src/pages.ts': `export function pageCount(total: number, size: number): number {
  return Math.floor(total / size)
}
`,
  'test/pages.test.ts': `${head("import { pageCount } from '../src/pages.ts'")}test('a partly filled page counts', () => {
  assert.equal(pageCount(11, 10), 2)
})

test('full pages are counted once', () => {
  assert.equal(pageCount(20, 10), 2)
  assert.equal(pageCount(0, 10), 0)
})
`,

  'src/slug.ts': `export function slug(title: string): string {
  return title.trim().toLowerCase().replace(/\\s+/, '-')
}
`,
  'test/slug.test.ts': `${head("import { slug } from '../src/slug.ts'")}test('one word stays one word', () => {
  assert.equal(slug('Hello'), 'hello')
})

test('all spaces become dashes', () => {
  assert.equal(slug('My first  post'), 'my-first-post')
})
`,

  'src/discount.ts': `const THRESHOLD = 100

export function discounted(amount: number): number {
  return amount <= THRESHOLD ? amount * 0.9 : amount
}
`,
  'test/discount.test.ts': `${head("import { discounted } from '../src/discount.ts'")}test('nothing off below the threshold', () => {
  assert.equal(discounted(99.99), 99.99)
})

test('ten percent off from the threshold on', () => {
  assert.equal(discounted(100), 90)
  assert.equal(discounted(200), 180)
})
`,

  'src/access.ts': `export interface User {
  id: number
  role: 'editor' | 'administrator'
}

export interface Draft {
  ownerId: number
}

export function maySave(user: User, draft: Draft): boolean {
  return user.role === 'administrator' && draft.ownerId === user.id
}
`,
  'test/access.test.ts': `${head("import { maySave } from '../src/access.ts'")}const draft = { ownerId: 1 }

test('an owner may save', () => {
  assert.equal(maySave({ id: 1, role: 'editor' }, draft), true)
})

test('an administrator may save', () => {
  assert.equal(maySave({ id: 2, role: 'administrator' }, draft), true)
})

test('a stranger may not save', () => {
  assert.equal(maySave({ id: 3, role: 'editor' }, draft), false)
})
`,

  'src/currency.ts': `export function convert(amount: number, _from: string, _to: string): number {
  return amount
}
`,
  'test/currency.test.ts': `${head("import { convert } from '../src/currency.ts'")}test('the same currency stays the same', () => {
  assert.equal(convert(5, 'EUR', 'EUR'), 5)
})

test('currencies are converted', () => {
  assert.notEqual(convert(100, 'EUR', 'JPY'), 100)
  assert.ok(convert(100, 'EUR', 'JPY') > 1_000)
})
`,
}
