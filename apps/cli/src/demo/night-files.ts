// The sample repository of `treadle demo --night`: its tests are green, and much in it is not as it should be.
import { packageArchive } from './package-archive.ts'

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const head = (what: string) =>
  `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n${what}\n\n`

/** A package in this repository itself, so that nothing has to be fetched. */
const ARCHIVE = 'vendor/archive.tgz'
const packed = packageArchive({
  'package.json': pretty({ name: 'padding', version: '1.0.0', license: 'MIT', main: 'index.js' }),
  'index.js': 'module.exports = (text) => text.padEnd(10)\n',
})

const manifest = {
  name: 'sample-night',
  version: '1.0.0',
  private: true,
  license: 'MIT',
  type: 'module',
  scripts: { test: 'node --test', start: 'node src/main.ts' },
  dependencies: { padding: `file:${ARCHIVE}` },
}

const lock = {
  name: manifest.name,
  version: manifest.version,
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': {
      name: manifest.name,
      version: manifest.version,
      license: manifest.license,
      dependencies: manifest.dependencies,
    },
    'node_modules/padding': {
      version: '1.0.0',
      resolved: `file:${ARCHIVE}`,
      integrity: packed.integrity,
      license: 'MIT',
    },
  },
}

export const NIGHT_FILES: Readonly<Record<string, string | Buffer>> = {
  'README.md': `# Sample till

Adds up what is in a cart.

\`\`\`sh
npm run begin
npm test
\`\`\`
`,
  LICENSE: 'MIT License\n\nCopyright (c) the authors of the sample till\n',
  '.gitignore': 'node_modules/\n',
  'package.json': pretty(manifest),
  'package-lock.json': pretty(lock),
  // Asked for, and used by nothing.
  [ARCHIVE]: packed.bytes,

  'src/main.ts': `import { total } from './cart.ts'

console.log(total([{ price: 3, quantity: 2 }]))
`,
  'src/cart.ts': `import { rounded } from './money.ts'

export interface Line {
  price: number
  quantity: number
}

/** What all lines cost together. */
export function total(lines: Line[]): number {
  return rounded(lines.reduce((sum, line) => sum + line.price * line.quantity, 0))
}

/** What a line costs; nobody asks for it any more. */
export function lineTotal(line: Line): number {
  return rounded(line.price * line.quantity)
}
`,
  'src/money.ts': `/** To two places. */
export function rounded(amount: number): number {
  return Math.round(amount * 100) / 100
}
`,
  // Nothing imports it.
  'src/old-discount.ts': `/** The discount of last summer. */
export function summerDiscount(amount: number): number {
  return amount * 0.9
}
`,
  // Two files that import each other.
  'src/stock.ts': `import { orderedOf } from './orders.ts'

/** What is on the shelf, without what was ordered. */
export function freeOf(name: string, shelf: Map<string, number>): number {
  return (shelf.get(name) ?? 0) - orderedOf(name)
}
`,
  'src/orders.ts': `import { freeOf } from './stock.ts'

const ordered = new Map<string, number>()

/** How much of it was ordered. */
export function orderedOf(name: string): number {
  return ordered.get(name) ?? 0
}

/** Orders one more, if there is one. */
export function order(name: string, shelf: Map<string, number>): boolean {
  if (freeOf(name, shelf) < 1) return false
  ordered.set(name, orderedOf(name) + 1)
  return true
}
`,
  'test/cart.test.ts': `${head("import { total } from '../src/cart.ts'")}test('every unit counts', () => {
  assert.equal(total([{ price: 3.5, quantity: 2 }, { price: 1, quantity: 3 }]), 10)
})
`,
  'test/orders.test.ts': `${head("import { order } from '../src/orders.ts'")}test('what is not there cannot be ordered', () => {
  const shelf = new Map([['tea', 1]])
  assert.equal(order('tea', shelf), true)
  assert.equal(order('tea', shelf), false)
})
`,
}
