// Services that the owner declared are reached from inside where the network is off, and nothing else is; as root and
// as an ordinary user, with real connections.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { needSandbox } from './testing/need-sandbox.ts'
import { type Ended, Stage, USERS } from './testing/users.ts'
import type { Confine } from './wanted.ts'

const RUNNER = join(import.meta.dirname, 'testing/run-confined.ts')
/** More than any buffer on the way holds. */
const MUCH = 3_000_000

/** Says what it is to each, or how many bytes it was sent once the other side has ended. */
const ASK = `const [where, size] = process.argv.slice(2)
const [host, port] = where.startsWith('/') ? [] : [where.slice(0, where.lastIndexOf(':')), where.split(':').at(-1)]
const socket = require('net').connect(port ? { host, port, allowHalfOpen: true } : { path: where })
socket.on('data', (text) => process.stdout.write(where.replace(/\\d+$/, '') + ' ' + text + '\\n'))
socket.on('error', (error) => process.stdout.write(where.replace(/\\d+$/, '') + ' ' + error.code + '\\n'))
socket.end(Buffer.alloc(Number(size)))`

describe.each(USERS)('as %s', (_, before) => {
  let stage: Stage
  let servers: Server[]
  beforeEach(() => {
    stage = new Stage(before)
    servers = []
  })
  afterEach(() => {
    for (const server of servers) server.close()
    stage.close()
  })

  async function serve(name: string, at: { port: number; host: string } | { path: string }): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let bytes = 0
      socket.on('data', (chunk) => {
        bytes += chunk.length
      })
      socket.on('error', () => socket.destroy())
      socket.on('end', () => socket.end(`${name} got ${bytes}`))
    })
    servers.push(server)
    server.listen(at)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port ?? 0
  }

  /** Without blocking this process, which answers. */
  async function inside(line: string, options: Partial<Confine>): Promise<Ended> {
    const { env, root: cwd } = stage
    const wanted = { mode: 'required', purpose: 'test', network: 'own', cwd, env, ...options }
    const words = JSON.stringify({ ...wanted, argv: ['/bin/sh', '-c', line] })
    const [program = '', ...args] = [...before, process.execPath, RUNNER, words]
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
    await once(child, 'close')
    return JSON.parse(text)
  }

  test('a declared port is reached at the same port, to the end of both sides; others are not', async (context) => {
    if (!(await needSandbox(context))) return
    const declared = await serve('declared', { port: 0, host: '127.0.0.1' })
    const other = await serve('other', { port: 0, host: '127.0.0.1' })
    stage.write('home/project/ask.cjs', ASK)
    const ask = (where: string, size = 0) => `node ask.cjs ${where} ${size}`
    const line = [
      ask(`127.0.0.1:${declared}`, MUCH),
      ask(`localhost:${declared}`),
      ask(`127.0.0.1:${other}`),
    ].join('; ')
    const reached = await inside(line, { reach: [`127.0.0.1:${declared}`] })
    expect(reached.stdout).toBe(
      `127.0.0.1: declared got ${MUCH}\nlocalhost: declared got 0\n127.0.0.1: ECONNREFUSED\n`,
    )
    expect(reached).toMatchObject({ status: 0, stderr: '' })
    const alone = await inside(ask(`127.0.0.1:${declared}`), {})
    expect(alone.stdout).toBe('127.0.0.1: ECONNREFUSED\n')
  })

  test('the command is the one that was asked for: its code, its signal, its children, its environment', async (context) => {
    if (!(await needSandbox(context))) return
    const port = await serve('declared', { port: 0, host: '127.0.0.1' })
    const reach = [`127.0.0.1:${port}`]
    const line =
      'env | grep -v ^_= | sort; ps -o args= --ppid $$; read -r word; echo "[$word]"; kill -TERM 0; sleep 0.1; exit 3'
    const plain = await inside(`trap : TERM; ${line}`, {})
    const forwarded = await inside(`trap : TERM; ${line}`, { reach })
    expect(forwarded).toEqual(plain)
    expect(plain).toMatchObject({ status: 3 })
    // The signal went to the whole group, and the port is there still.
    stage.write('home/project/ask.cjs', ASK)
    const after = await inside(
      `trap : TERM INT HUP; kill -TERM 0; node ask.cjs 127.0.0.1:${port} 0; kill -KILL $$`,
      {
        reach,
      },
    )
    expect(after.stdout).toBe('127.0.0.1: declared got 0\n')
    expect(after.status).toBe((await inside('kill -KILL $$', {})).status)
  })

  test('a declared service that is not there is a broken connection, and nothing more', async (context) => {
    if (!(await needSandbox(context))) return
    const port = await serve('gone', { port: 0, host: '127.0.0.1' })
    servers.splice(0)[0]?.close()
    stage.write('home/project/ask.cjs', ASK)
    const { stdout, status } = await inside(`node ask.cjs 127.0.0.1:${port} 0; echo over`, {
      reach: [`127.0.0.1:${port}`],
    })
    expect(stdout).toMatch(/over\n$/)
    expect(stdout).not.toContain('got')
    expect(status).toBe(0)
  })

  test('a declared socket is there, also inside the project; what is no socket, and an agent of keys, is not', async (context) => {
    if (!(await needSandbox(context))) return
    stage.outside('mkdir -p ../services .treadle/worktrees/w/run run')
    const [outer, inner, agent] = [
      join(stage.folder, 'home/services/db'),
      join(stage.root, 'run/db'),
      join(stage.folder, 'home/agent'),
    ]
    for (const [name, path] of Object.entries({ outer, inner, agent })) {
      await serve(name, { path })
      chmodSync(path, 0o777)
    }
    const file = stage.write('home/notes.txt', 'SECRET')
    const worktree = join(stage.root, '.treadle/worktrees/w')
    stage.write('home/project/.treadle/worktrees/w/ask.cjs', ASK)
    const line = [outer, inner, agent].map((path) => `node ask.cjs ${path} 0`).join('; ')
    const options = {
      reach: [outer, inner, agent, file],
      cwd: worktree,
      at: stage.root,
      env: { ...stage.env, SSH_AUTH_SOCK: agent },
    }
    const { stdout } = await inside(`${line}; cat ${file} 2>/dev/null; rm -f ${outer}; ls ${outer}`, options)
    expect(stdout).toBe(`${outer} outer got 0\n${inner} inner got 0\n${agent} ENOENT\n${outer}\n`)
    expect(readdirSync(join(worktree, 'run'))).toEqual([])
    expect(existsSync(outer)).toBe(true)
  })
})

test('a folder for temporary files with too long a name is told in words', async (context) => {
  if (!(await needSandbox(context))) return
  const stage = new Stage([])
  try {
    const long = join(stage.folder, 'x'.repeat(100))
    stage.outside(`mkdir ${long}`)
    writeFileSync(join(stage.root, 'a'), '')
    const { openReach } = await import('./reach.ts')
    const wanted = { reach: ['127.0.0.1:5432'], network: 'own' } as const
    await expect(openReach(wanted, long)).rejects.toThrow(/too long for a socket; set TMPDIR/)
  } finally {
    stage.close()
  }
})
