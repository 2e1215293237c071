import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildOf, withBuild } from './own-build.ts'

test.each([
  [{ test: 'npm run build && mocha' }, 'npm run build'],
  [{ pretest: 'tsc -p .', test: 'node --test' }, 'tsc -p .'],
  [{ test: 'eslint . && npm run build && jest' }, 'npm run build'],
  [{ pretest: 'npm run lint', test: 'mocha' }, null],
  [{ test: 'tsc --noEmit && vitest run' }, null],
  [{ build: 'tsc', test: 'node --test' }, null],
])('%j is built by %s before its tests', (scripts, build) => {
  const root = mkdtempSync(join(tmpdir(), 'own-build-'))
  try {
    writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }))
    expect(buildOf(root)).toBe(build)
    expect(withBuild(root, 'mocha a.js')).toBe(build === null ? 'mocha a.js' : `${build} && mocha a.js`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
