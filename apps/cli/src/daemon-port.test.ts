import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { workspacePaths } from '@treadle/contracts/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { listensAt } from './daemon-port.ts'
import { findDaemon } from './daemon-process.ts'
import { readEnv } from './env.ts'

test('a program that listens where a daemon has ended is sent no key', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'impostor-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization)
    response.end(JSON.stringify({ status: 'ok', workspace: root, pid: process.pid, version: '0.1.0' }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const ended = spawn('true')
  await once(ended, 'exit')
  const other = spawn('sleep', ['60'])
  onTestFinished(() => void other.kill())
  const pids = [process.pid, ended.pid ?? 0, other.pid ?? 0]
  expect(pids.map((pid) => listensAt(pid, url))).toEqual([true, false, false])
  expect(listensAt(process.pid, 'http://127.0.0.1:9')).toBe(true)
  const paths = workspacePaths(root)
  mkdirSync(dirname(paths.daemon), { recursive: true })
  writeFileSync(paths.token, 'crew-key')
  writeFileSync(paths.daemon, JSON.stringify({ url, pid: ended.pid }))
  expect(await findDaemon(paths, readEnv())).toBeNull()
  expect(asked).toEqual([])
})
