import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { heavy } from './heavy-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = (file: string) => readFileSync(join(root, file), 'utf8')
const scripts = (): Record<string, string> => JSON.parse(text('package.json')).scripts

function filesEndingWith(ending: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', `*${ending}`]
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
}

test('every benchmark that cites a requirement runs before a change is merged', () => {
  const named = scripts()['bench:rows'] ?? ''
  const citing = filesEndingWith('.bench.test.ts').filter((file) => text(file).includes('verifies('))
  expect(citing.length).toBeGreaterThan(0)
  for (const file of citing) expect(named.split(' ')).toContain(file.split('/').slice(0, 2).join('/'))
  expect(text('.ci/run')).toContain('npm run bench:rows')
})

test('every file whose moments come from a seed is part of the full chaos', () => {
  const named = (scripts().chaos ?? '').split(' ')
  const seeded = filesEndingWith('.long.test.ts').filter((file) => /\b(?:each|one)Seed\(/.test(text(file)))
  expect(seeded.length).toBeGreaterThan(3)
  for (const file of seeded) expect(named.filter((name) => file.startsWith(name))).not.toEqual([])
})

test('no test takes a moment from chance that cannot be had again', () => {
  const drawing = filesEndingWith('.test.ts').filter((file) => /[^'"`=] Math\.random\(\)/.test(text(file)))
  expect(drawing).toEqual([])
})

test('every file that is begun first is there', () => {
  const files = filesEndingWith('.test.ts')
  for (const name of heavy) expect(files.filter((file) => file.startsWith(`${name}.`))).toHaveLength(1)
})
