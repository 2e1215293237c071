// A bounded form of each comparison; the commands themselves take longer and say more.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from './suites.ts'

const minute = 60_000

test.each([
  ['against-stryker.ts', ['--program', 'text-wrap', '--candidates', '5000'], /per second|^not run: /m],
  ['against-random.ts', ['--limit', '8', '--seeds', '2', '--cap', '4000'], /until the first green one/],
  ['learning.ts', ['--limit', '12', '--cap', '1000'], /with memory/],
] as const)(
  '%s',
  async (script, args, table) => {
    const path = fileURLToPath(new URL(script, import.meta.url))
    const { code, output } = await run([path, ...args], process.cwd(), 19 * minute)
    process.stdout.write(`\n${script} ${args.join(' ')}\n${output}`)
    expect(code, output).toBe(0)
    expect(output).toMatch(table)
  },
  20 * minute,
)
