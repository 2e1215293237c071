import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryDir } from '../testing/both-drivers.ts'
import { readCompiled } from './compiled-wasm.ts'

const dir = temporaryDir()
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const code = Buffer.from('code that no V8 has ever written'.repeat(100))
const hash = createHash('sha256').update(code).digest()

const FILES = {
  'an empty file': Buffer.alloc(0),
  'half a hash': hash.subarray(0, 10),
  'code with the hash of something else': Buffer.concat([Buffer.alloc(32), code]),
  'code of which the end is missing': Buffer.concat([hash, code.subarray(0, -1)]),
  'whole code that V8 does not know': Buffer.concat([hash, code]),
}

test.for(Object.entries(FILES))('%s is not taken for compiled code', ([, bytes], { expect }) => {
  const file = join(dir, 'compiled')
  writeFileSync(file, bytes)
  expect(readCompiled(file)).toBeNull()
})

test('a file that is not there is no fault', () => {
  expect(readCompiled(join(dir, 'none'))).toBeNull()
})
