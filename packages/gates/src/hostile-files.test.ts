// What tests leave on disk and print is anybody's: pipes that nobody writes to, files of 1 GB, lines of 50 MB. A gate
// ends all the same, says what it could not read, and needs little memory for it.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'

const megabyte = 1024 ** 2

interface Ended {
  readonly result: GateResult
  readonly peakMegabytes: number
}

/** Runs the tests gate in a process whose memory can be looked at. */
async function runApart(
  command: string,
  files: Record<string, string>,
  limit = 8 * megabyte,
): Promise<Ended> {
  const dir = mkdtempSync(join(tmpdir(), 'hostile-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cwd = join(dir, 'work')
  mkdirSync(cwd)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const options = {
    evidenceDir: join(dir, 'evidence'),
    env: { PATH: `${join(process.execPath, '..')}:${toolEnv.path}` },
    tailBytes: 1_000,
    outputBytesMax: limit,
  }
  const script = `
    import { unconfined } from ${JSON.stringify(new URL('./run-command.ts', import.meta.url).href)}
    import { runTests } from ${JSON.stringify(new URL('./tests.ts', import.meta.url).href)}
    const options = { ...${JSON.stringify(options)}, surroundings: unconfined('test') }
    const result = await runTests(options, ${JSON.stringify({ command, cwd, timeoutMs: 240_000 })})
    process.stdout.write(JSON.stringify({ result, peakMegabytes: process.resourceUsage().maxRSS / 1024 }))`
  const args = ['--max-old-space-size=160', '--no-warnings', '--input-type=module', '-e', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}

/** A test of Node's that puts something else in the place of the report that its runner was asked for. */
const replacing = (how: string) => `
  const { execFileSync } = require('node:child_process')
  const { readFileSync } = require('node:fs')
  const words = readFileSync('/proc/' + process.ppid + '/cmdline', 'utf8').split('\\0')
  const file = words.findLast((word) => word.startsWith('--test-reporter-destination=')).split('=')[1]
  require('node:test')('a', () => {})
  execFileSync('/bin/sh', ['-c', ${JSON.stringify(how)}, 'sh', file])
`

test('a report that is a pipe nobody writes to is not waited for; what was printed counts', async () => {
  const how = 'rm -f "$1"; mkfifo "$1"'
  const { result } = await runApart('node --test a.test.cjs', { 'a.test.cjs': replacing(how) })
  expect(result).toMatchObject({ is: 'passed', evidence: { report: { format: 'node-text', passed: 1 } } })
})

test('a report of 1 GB is not read, whoever wrote it, and costs no memory', async () => {
  const how = 'rm -f "$1"; truncate -s 1G "$1"'
  const own = await runApart('node --test a.test.cjs', { 'a.test.cjs': replacing(how) })
  expect(own.result).toMatchObject({ is: 'passed', evidence: { report: { format: 'node-text', passed: 1 } } })
  const folder = 'target/surefire-reports'
  const mvn = `mkdir -p ${folder}; truncate -s 1G ${folder}/TEST-a.xml; echo 'Tests run: 1, Failures: 0, Errors: 0, Skipped: 0'`
  const maven = await runApart('sh mvn test', { mvn, 'pom.xml': '<project/>' })
  expect(maven.result).toMatchObject({ evidence: { exitCode: 0 } })
  for (const { peakMegabytes } of [own, maven]) expect(peakMegabytes).toBeLessThan(300)
})

test('a line of 50 MB is kept by its two ends, the evidence says so, and the report behind it is read', async () => {
  const summary = 'Test Suites: 1 passed, 1 total\\nTests:       1 passed, 1 total\\n'
  const command = `head -c ${50 * megabyte} /dev/zero | tr '\\0' x; printf '\\n${summary}'`
  const { result, peakMegabytes } = await runApart(command, {})
  expect(result).toMatchObject({
    is: 'passed_with_warnings',
    evidence: { report: { format: 'jest-text', passed: 1 } },
    warnings: [expect.stringContaining('the output is too long to be read whole')],
  })
  const { outputBytes, printedBytes } = 'evidence' in result ? result.evidence : {}
  expect(printedBytes).toBe(50 * megabyte + 1 + Buffer.byteLength(summary.replaceAll('\\n', '\n')))
  expect(outputBytes).toBeLessThan(8 * megabyte + 100)
  expect(peakMegabytes).toBeLessThan(400)
})
