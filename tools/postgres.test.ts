import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { needPostgres } from '@treadle/requirements/need-postgres'
import { expect, onTestFinished, test } from 'vitest'

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const outcome = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(() => undefined)
  socket.destroy()
  return outcome !== undefined && !(outcome[0] instanceof Error)
}

test('the test run has a PostgreSQL that accepts connections', async (context) => {
  const url = new URL(needPostgres(context))
  expect(await answers(Number(url.port || 5432))).toBe(true)
})

test('a server goes away with its files when the process that started it is killed', async (context) => {
  needPostgres(context)
  const source = `
    import { startPostgres } from '${new URL('postgres.ts', import.meta.url).href}'
    const server = await startPostgres()
    process.stdout.write(JSON.stringify(server) + '\\n')
    setInterval(() => undefined, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = await once(child.stdout, 'data')
  const server = JSON.parse(String(line))
  expect(server).toMatchObject({ is: 'running' })
  const port = Number(new URL(server.url).port)
  expect(await answers(port)).toBe(true)
  expect(existsSync(server.folder)).toBe(true)
  child.kill('SIGKILL')
  for (let tries = 0; tries < 2_000 && existsSync(server.folder); tries += 1) await delay(50)
  expect(existsSync(server.folder)).toBe(false)
  expect(await answers(port)).toBe(false)
})
