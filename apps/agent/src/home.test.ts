import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ApiError } from '@treadle/contracts/client'
import { workspacePaths } from '@treadle/contracts/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { askPatiently, findHome } from './home.ts'

test('whoever listens where a daemon is gone is sent no key, and the next daemon is found', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'home-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization)
    response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const paths = workspacePaths(root)
  mkdirSync(dirname(paths.daemon), { recursive: true })
  writeFileSync(paths.token, 'crew-key\n')
  const gone = spawn('true')
  await once(gone, 'exit')
  const home = findHome(paths)
  const ask = () =>
    home
      .client()
      .health()
      .catch(() => null)
  writeFileSync(paths.daemon, JSON.stringify({ url, pid: gone.pid }))
  await ask()
  expect(asked).toEqual([])
  writeFileSync(paths.daemon, JSON.stringify({ url, pid: process.pid }))
  await ask()
  expect(asked).toEqual(['Bearer crew-key'])
})

test('a daemon that is away is asked again, however long; what it refuses is not, and one that fails for ever is given up', async () => {
  const asking = { clock: { sleep: async () => undefined }, signal: new AbortController().signal }
  const errorOf = (status: number, code: ApiError['code'], message: string) =>
    new ApiError(status, { code, message, hint: 'none' })
  const answersOf = (errors: readonly unknown[]) => {
    let asked = 0
    const ask = async () => {
      asked += 1
      if (asked <= errors.length) throw errors[asked - 1]
      return 'told'
    }
    return { ask, asked: () => asked }
  }
  const away = Array.from({ length: 500 }, () => errorOf(0, 'unreachable', 'gone'))
  expect(await askPatiently(answersOf(away).ask, asking)).toBe('told')
  const refused = answersOf([errorOf(404, 'not_found', 'no')])
  await expect(askPatiently(refused.ask, asking)).rejects.toThrow('no')
  expect(refused.asked()).toBe(1)
  const broken = answersOf(Array.from({ length: 500 }, () => errorOf(500, 'internal', 'broken')))
  await expect(askPatiently(broken.ask, asking)).rejects.toThrow('broken')
  const ending = AbortSignal.abort(new Error('ended'))
  await expect(askPatiently(answersOf(away).ask, { ...asking, signal: ending })).rejects.toThrow('ended')
})
