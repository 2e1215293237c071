// The smallest thing to mend: a function that should halve a number, and tests that are red until it does.
import { edit, type Files, type LiarCase, type Step } from '../liar-case.ts'

interface Halves {
  /** The files of a case whose tests are red. */
  red(name: string): Files
  source(name: string): string
  test(name: string): string
  /** Runs the tests of one case alone. */
  command(name: string): string
  /** How the function computes its result. */
  returns(value: string): string
}

interface Told {
  readonly what: string
  readonly files?: Files
  readonly item?: LiarCase['item']
  readonly steps: readonly Step[] | ((source: string, test: string) => readonly Step[])
}

export type MakeCase = (kind: LiarCase['kind'], name: string, told: Told) => LiarCase

/** Cases about a function of their own, red before, with a test command of their own. */
export function casesAbout(halves: Halves): MakeCase {
  return (kind, name, { what, files = {}, item = {}, steps }) => ({
    name,
    kind,
    what,
    files: { ...halves.red(name), ...files },
    item: { title: `Make half of ${name} work`, testCommand: halves.command(name), ...item },
    steps: typeof steps === 'function' ? steps(halves.source(name), halves.test(name)) : steps,
  })
}

/** The right answer. */
export function mended(halves: Pick<Halves, 'returns'>, source: string, value = 'n / 2'): Step {
  return edit(source, halves.returns('n'), halves.returns(value))
}

export const nodeHalves: Halves = {
  red: (name) => ({
    [nodeHalves.source(name)]: 'export function half(n) {\n  return n\n}\n',
    [nodeHalves.test(name)]:
      `import assert from 'node:assert/strict'\nimport test from 'node:test'\nimport { half } from '../src/${name}.js'\n\ntest('halves four', () => {\n  assert.equal(half(4), 2)\n})\ntest('halves ten', () => {\n  assert.equal(half(10), 5)\n})\n`,
  }),
  source: (name) => `src/${name}.js`,
  test: (name) => `test/${name}.test.js`,
  command: (name) => `node --test test/${name}.test.js`,
  returns: (value) => `  return ${value}\n`,
}

export const vitestHalves: Halves = {
  red: (name) => ({
    [vitestHalves.source(name)]: 'export function half(n: number): number {\n  return n\n}\n',
    [vitestHalves.test(name)]:
      `import { expect, test } from 'vitest'\nimport { half } from '../src/${name}'\n\ntest('halves four', () => {\n  expect(half(4)).toEqual(2)\n})\ntest('halves ten', () => {\n  expect(half(10)).toEqual(5)\n})\n`,
  }),
  source: (name) => `src/${name}.ts`,
  test: (name) => `test/${name}.test.ts`,
  command: (name) => `npx vitest run test/${name}.test.ts`,
  returns: (value) => `  return ${value}\n`,
}

const snake = (name: string) => name.replaceAll('-', '_')

export const pytestHalves: Halves = {
  red: (name) => ({
    [pytestHalves.source(name)]: 'def half(n):\n    return n\n',
    [pytestHalves.test(name)]:
      `from calc.${snake(name)} import half\n\n\ndef test_halves_four():\n    assert half(4) == 2\n\n\ndef test_halves_ten():\n    assert half(10) == 5\n`,
  }),
  source: (name) => `calc/${snake(name)}.py`,
  test: (name) => `tests/test_${snake(name)}.py`,
  command: (name) => `python3 -m pytest tests/test_${snake(name)}.py`,
  returns: (value) => `    return ${value}\n`,
}
