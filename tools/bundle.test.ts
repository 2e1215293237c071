import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BUNDLE_MAX, bundleOf, isTooBig } from './bundle.ts'

/** Random bytes do not get smaller, so the sizes are known. */
function page(files: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'index.html'),
    '<script type="module" src="./app.js"></script><link rel="modulepreload" href="./part.js"><link rel="icon" href="data:,">',
  )
  for (const [name, kb] of Object.entries(files)) writeFileSync(join(folder, name), randomBytes(kb * 1_000))
  return folder
}

test('the first screen needs what the page names; the rest comes later', () => {
  expect(bundleOf(page({ 'app.js': 20, 'part.js': 10, 'later.js': 40, 'app.css': 5 }))).toEqual({
    firstKb: 30,
    allKb: 75,
  })
})

test.each([
  [{ firstKb: BUNDLE_MAX.firstKb, allKb: BUNDLE_MAX.allKb }, false],
  [{ firstKb: BUNDLE_MAX.firstKb + 1, allKb: BUNDLE_MAX.allKb }, true],
  [{ firstKb: 1, allKb: BUNDLE_MAX.allKb + 1 }, true],
])('%o is too big: %s', (bundle, expected) => {
  expect(isTooBig(bundle)).toBe(expected)
})
