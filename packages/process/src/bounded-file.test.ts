import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { boundedText, readBounded, readBoundedStart } from './bounded-file.ts'

function setUp(): (name: string) => string {
  const dir = mkdtempSync(join(tmpdir(), 'foreign-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return (name) => join(dir, name)
}

test('a plain file is read up to its limit, also through a link', () => {
  const at = setUp()
  writeFileSync(at('a'), 'näh')
  symlinkSync(at('a'), at('link'))
  expect(boundedText(at('link'), 4)).toBe('näh')
  expect(readBounded(at('a'), 3)).toEqual({ is: 'too_large', bytes: 4 })
  expect(readBoundedStart(at('a'), 1)).toEqual({ is: 'read', data: Buffer.from('n') })
  expect(readBounded(at('gone'), 3)).toEqual({ is: 'absent' })
})

test('a pipe that nobody writes to, a device without end and a folder are no files, and none is waited for', () => {
  const at = setUp()
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', at('pipe')])
  symlinkSync('/dev/zero', at('zero'))
  for (const path of [at('pipe'), at('zero'), at('.')]) {
    expect(readBounded(path, 1_000)).toEqual({ is: 'no_file' })
    expect(readBoundedStart(path, 1_000)).toEqual({ is: 'no_file' })
  }
})

test('a file of 1 TB costs no memory', () => {
  const at = setUp()
  writeFileSync(at('large'), 'head')
  truncateSync(at('large'), 1024 ** 4)
  const before = process.memoryUsage.rss()
  expect(readBounded(at('large'), 1_000)).toEqual({ is: 'too_large', bytes: 1024 ** 4 })
  expect(readBoundedStart(at('large'), 4)).toEqual({ is: 'read', data: Buffer.from('head') })
  expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1024 ** 2)
})
