import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { addItem, begin, itemOf, path, SOME_COMMIT } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { parseAnswer, type RawRequest, readProblem, refusal, send, sendBytes } from '../kit/raw-http.ts'

const BODY_BYTES_MAX = 50_000
const open = useInProcess('any', { settings: { limits: { bodyBytes: BODY_BYTES_MAX } } })
const badRequest = { status: 400, code: 'bad_request' }
const notFound = { status: 404, code: 'not_found' }
const post = (to: string, body: unknown): RawRequest => ({
  method: 'POST',
  path: to,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const titles = async ({ client }: Daemon) => (await client.listItems()).items.map(({ title }) => title)

describe('bodies', () => {
  test('one that is too large is 413, with its length told or not', async (context) => {
    const daemon = await open(context)
    const large = JSON.stringify({ title: 'large', body: 'x'.repeat(BODY_BYTES_MAX) })
    const tooLarge = { status: 413, code: 'too_large' }
    expect(await refusal(daemon, post('/api/items', large))).toEqual(tooLarge)
    const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
    const { host } = new URL(daemon.url)
    const head = `POST /api/items HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\nauthorization: Bearer ${daemon.token}`
    const answer = await sendBytes(
      daemon,
      `${head}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
    )
    expect(readProblem(parseAnswer(answer)).code).toBe('too_large')
    const fits = JSON.stringify({ title: 'fits', body: 'x'.repeat(BODY_BYTES_MAX - 100) })
    expect((await send(daemon, post('/api/items', fits))).status).toBe(201)
    expect(await titles(daemon)).not.toContain('large')
  })

  test('one that is not JSON is 400', async (context) => {
    const daemon = await open(context)
    const bodies = [
      '{',
      '{"title":',
      '{"title":"a",}',
      "{'title':'a'}",
      'title=a',
      '{"title":"a"} {}',
      '\u0000',
      'NaN',
    ]
    for (const body of [...bodies, '\ufeff{', '{"title":"\\x"}', '[1', '"'])
      expect(await refusal(daemon, post('/api/items', body)), body).toEqual(badRequest)
    const other = [[], 'text', 5, true, null, [{ title: 'a' }]]
    for (const body of other.map((value) => JSON.stringify(value)))
      expect(await refusal(daemon, post('/api/items', body)), body).toEqual(badRequest)
  })

  test('one with a field nobody knows is 400, and the answer names it', async (context) => {
    const daemon = await open(context)
    const { ref } = await begin(daemon)
    const issue = `/api/projects/1/issues/${ref.number}`
    const unknown: [string, Record<string, unknown>][] = [
      ['/api/items', { title: 'a', surprise: 1 }],
      ['/api/items', { title: 'a', state: 'done' }],
      [`${issue}/claim`, { agentId: 'agent-1', surprise: 1 }],
      [`${issue}/approve`, { by: 'me', surprise: 1 }],
      ['/api/agents', { count: 0, surprise: 1 }],
      ['/api/shutdown', { surprise: 1 }],
    ]
    for (const [to, body] of unknown) {
      const answer = await send(daemon, post(to, body))
      expect(answer.status, to).toBe(400)
      expect(readProblem(answer).message, to).toMatch(/surprise|state/)
    }
    expect(await refusal(daemon, { path: '/api/items?surprise=1' })).toEqual(badRequest)
    expect(await refusal(daemon, { path: '/api/items?limit=1&limit=2' })).toEqual(badRequest)
  })

  test('one that reaches for a prototype is 400 and changes nothing', async (context) => {
    const daemon = await open(context)
    const bodies = [
      '{"title":"a","__proto__":{"polluted":true}}',
      '{"__proto__":{"title":"a"}}',
      '{"title":"a","\\u005f_proto__":{"polluted":true}}',
      '{"title":"a","constructor":{"prototype":{"polluted":true}}}',
      '{"title":"a","labels":{"__proto__":[]}}',
      '{"title":"a","prototype":{"polluted":true}}',
    ]
    for (const body of bodies)
      expect(await refusal(daemon, post('/api/items', body)), body).toEqual(badRequest)
    const queries = [
      '__proto__[polluted]=1',
      '__proto__=1',
      'constructor[prototype][polluted]=1',
      'hasOwnProperty=1',
    ]
    for (const query of queries)
      expect(await refusal(daemon, { path: `/api/items?${query}` }), query).toEqual(badRequest)
    expect((await daemon.client.health()).ok).toBe(true)
  })

  test('one of another type is 415', async (context) => {
    const daemon = await open(context)
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'text/json',
      'application/jsonx',
      'nonsense',
    ]
    const bodies: Record<string, string> = { 'application/x-www-form-urlencoded': 'title=planted' }
    for (const type of types) {
      const body = bodies[type] ?? '{"title":"planted"}'
      const request = { ...post('/api/items', body), headers: { 'content-type': type } }
      expect(await refusal(daemon, request), type).toEqual({ status: 415, code: 'unsupported_media_type' })
    }
    expect(await titles(daemon)).not.toContain('planted')
    const charset = { 'content-type': 'application/json; charset=utf-8' }
    expect((await send(daemon, { ...post('/api/items', { title: 'ä' }), headers: charset })).status).toBe(201)
    expect(await titles(daemon)).toContain('ä')
  })

  test('text that a database may not take is kept or refused, and never a failure', async (context) => {
    const daemon = await open(context)
    for (const odd of ['a\\u0000b', '\\ud800', '\\udfff\\ud800', '\\uffff', '\\u202e', '\\u0007']) {
      const add = post(
        '/api/items',
        `{"title":"t ${odd}","body":"${odd}","labels":["l${odd}"],"acceptance":["${odd}."]}`,
      )
      const answer = await send(daemon, add)
      expect([201, 400], odd).toContain(answer.status)
      if (answer.status === 400) readProblem(answer)
    }
    const { ref } = await begin(daemon)
    const release = post(`/api/projects/1/issues/${ref.number}/release`, '{"why":"a\\u0000\\ud800b"}')
    expect([200, 400]).toContain((await send(daemon, release)).status)
    const query = await send(daemon, { path: '/api/events?type=%00&correlationId=%00' })
    expect([200, 400]).toContain(query.status)
    const lessons = await send(daemon, { path: '/api/knowledge?text=%00' })
    expect([200, 400]).toContain(lessons.status)
  })
})

describe('numbers', () => {
  test('out of range, they are 400', async (context) => {
    const daemon = await open(context)
    const odd = [
      '0',
      '-1',
      '1.5',
      '2147483648',
      '99999999999999999999',
      '1e400',
      'NaN',
      'Infinity',
      '0x',
      'one',
      '%20',
    ]
    for (const number of odd) {
      expect(await refusal(daemon, { path: `/api/projects/1/issues/${number}` }), number).toEqual(badRequest)
      expect(await refusal(daemon, { path: `/api/projects/${number}/issues/1` }), number).toEqual(badRequest)
      expect(await refusal(daemon, { path: `/api/items?limit=${number}` }), number).toEqual(badRequest)
      expect(await refusal(daemon, { path: `/api/events?limit=${number}` }), number).toEqual(badRequest)
    }
    for (const priority of ['-1', '1001', '1.5', '1e400', '9007199254740993', '"1"', '[]'])
      expect(
        await refusal(daemon, post('/api/items', `{"title":"a","priority":${priority}}`)),
        priority,
      ).toEqual(badRequest)
    for (const count of ['-1', '11', '0.5', '1e400', '"1"', 'null'])
      expect(await refusal(daemon, post('/api/agents', `{"count":${count}}`)), count).toEqual(badRequest)
    for (const after of ['-1.0', '1', '1.', 'x.y', `${'9'.repeat(21)}.0`])
      expect(await refusal(daemon, { path: `/api/events?after=${after}` }), after).toEqual(badRequest)
    const far = await send(daemon, { path: `/api/events?after=${'9'.repeat(20)}.${'9'.repeat(20)}` })
    expect([far.status, JSON.parse(far.text).items]).toEqual([200, []])
    expect(await daemon.client.listAgents()).toMatchObject({
      items: expect.not.arrayContaining([{ id: 'agent-11' }]),
    })
  })

  test('large ones in a heartbeat and in a report are no failure', async (context) => {
    const daemon = await open(context)
    const beat = {
      agentId: 'agent-7',
      pid: 1,
      status: 'idle',
      currentProjectNumber: null,
      timestamp: new Date().toISOString(),
      memoryUsage: 1,
      cpuUsage: 1,
      engine: 'scripted',
      phase: null,
      tasksCompleted: 0,
      errorCount: 0,
      lastError: null,
    }
    const huge = Number.MAX_SAFE_INTEGER
    for (const field of ['pid', 'tasksCompleted', 'errorCount', 'memoryUsage', 'cpuUsage']) {
      const answer = await send(daemon, post('/api/agents/agent-7/heartbeat', { ...beat, [field]: huge }))
      expect([200, 400], `${field} ${answer.text}`).toContain(answer.status)
      expect(
        await refusal(daemon, post('/api/agents/agent-7/heartbeat', { ...beat, [field]: -1 })),
        field,
      ).toEqual(badRequest)
    }
    expect((await daemon.client.listAgents()).items.length).toBeGreaterThan(0)
    const work = await begin(daemon)
    const report = (fence: unknown) =>
      refusal(daemon, {
        ...post(`/api/runs/${work.claim.run.id}/events`, {
          eventId: randomUUID(),
          fence,
          event: { type: 'build.started', branch: 'agent-1/project-1', base: SOME_COMMIT },
        }),
      })
    for (const fence of [-1, 1.5, '1', null]) expect(await report(fence), String(fence)).toEqual(badRequest)
    expect(await report(huge)).toEqual({ status: 409, code: 'fenced' })
    expect((await itemOf(work)).state).toBe('claimed')
  })
})

describe('addresses', () => {
  test('none of them reaches a file', async (context) => {
    const daemon = await open(context)
    const paths = [
      '/../../../../etc/passwd',
      '/..%2f..%2f..%2fetc%2fpasswd',
      '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '/%252e%252e%252f%252e%252e%252fetc%252fpasswd',
      '/..\\..\\..\\etc\\passwd',
      '/..%5c..%5cetc%5cpasswd',
      '/docs/../../../../etc/passwd',
      '/docs/%00/etc/passwd',
      '/app.js%00.html',
      '/app.js/../../../package.json',
      '/index.html/../../src/main.tsx',
      '//etc/passwd',
      '/file:///etc/passwd',
      '/.treadle/token',
      '/.git/config',
      '/%c0%ae%c0%ae/etc/passwd',
      '/api/evidence/..%2f..%2ftoken',
      '/api/evidence/../../.treadle/token',
      `/api/evidence/${'a'.repeat(63)}%2f`,
      `/api/evidence/${'..%2f'.repeat(12)}etc%2fpasswd`,
      '/api/runs/..%2f..%2fitems',
      '/api/agents/..%2f..%2fitems/next',
      '/api/agents/agent-1%00/next',
    ]
    for (const to of paths) {
      const answer = await send(daemon, { path: to })
      expect([400, 404], to).toContain(answer.status)
      expect(answer.text, to).not.toMatch(/root:|\[core\]|"workspaces"/)
      expect(answer.text, to).not.toContain(readFileSync(daemon.workspace.paths.token, 'utf8').trim())
      readProblem(answer)
    }
    expect((await send(daemon, { path: '/app.js', token: null })).status).toBe(200)
  })

  test('a malformed one is 400, one that is too long 414 or 431, one that is unknown 404', async (context) => {
    const daemon = await open(context)
    for (const to of ['/%', '/%zz', '/api/%e0%a4%a', '/api/items/%ff'])
      expect(await refusal(daemon, { path: to }), to).toMatchObject({ status: 400 })
    const long = await send(daemon, { path: `/api/items?${'x'.repeat(30_000)}` })
    expect([414, 431]).toContain(long.status)
    expect(readProblem(long).code).toBe('too_large')
    const header = await send(daemon, { path: '/api/items', headers: { 'x-long': 'x'.repeat(30_000) } })
    expect([header.status, readProblem(header).code]).toEqual([431, 'too_large'])
    expect(await refusal(daemon, { path: `/api/items/${'x'.repeat(5_000)}` })).toEqual(notFound)
    for (const to of ['/api', '/api/', '/api/nothing', '/api/nobody', '/favicon.png'])
      expect(await refusal(daemon, { path: to }), to).toEqual(notFound)
  })

  test('a method that the route does not take is 405 and names those it takes', async (context) => {
    const daemon = await open(context)
    const methods: [string, string, string][] = [
      ['DELETE', '/api/items', 'GET, POST'],
      ['PUT', '/api/items', 'GET, POST'],
      ['PATCH', '/api/projects/1/issues/1', 'GET'],
      ['GET', '/api/projects/1/issues/1/claim', 'POST'],
      ['DELETE', '/api/agents/agent-1/stop', 'POST'],
      ['POST', '/health', 'GET'],
      ['POST', '/docs', 'GET'],
      ['POST', '/', 'GET'],
    ]
    for (const [method, to, allowed] of methods) {
      const answer = await send(daemon, { method, path: to })
      expect(answer.status, `${method} ${to}`).toBe(405)
      expect(readProblem(answer).code).toBe('method_not_allowed')
      expect(answer.headers.allow).toBe(allowed)
    }
    expect(await refusal(daemon, { method: 'DELETE', path: '/api/nothing' })).toEqual(notFound)
  })

  test('what is not HTTP is answered as a problem and ends the connection', async (context) => {
    const daemon = await open(context)
    const { host } = new URL(daemon.url)
    const texts = [
      'NONSENSE\r\n\r\n',
      'GET /api/items HTTP/9.9\r\n\r\n',
      `FLY /api/items HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
      'GET /api/items HTTP/1.1\r\nconnection: close\r\n\r\n',
      `GET /api/items HTTP/1.1\r\nhost: ${host}\r\nhost: example.com\r\nconnection: close\r\n\r\n`,
      `POST /api/items HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST /api/items HTTP/1.1\r\nhost: ${host}\r\ncontent-length: -5\r\n\r\n`,
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    ]
    for (const text of texts) {
      const answer = parseAnswer(await sendBytes(daemon, text))
      expect(answer.status, text).toBeGreaterThanOrEqual(400)
      expect(answer.status, text).toBeLessThan(500)
      readProblem(answer)
    }
  })
})

describe('slow clients', () => {
  const sockets: Socket[] = []
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
  })

  test('hold up nobody else, nor the end of the daemon', async (context) => {
    const daemon = await open(context)
    const { hostname, port, host } = new URL(daemon.url)
    const half = `POST /api/items HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${daemon.token}\r\n`
    const beginnings = [
      '',
      'GET',
      half,
      `${half}content-type: application/json\r\ncontent-length: 40\r\n\r\n{"title"`,
    ]
    for (const beginning of beginnings.flatMap((text) => Array.from({ length: 20 }, () => text))) {
      const socket = createConnection({ host: hostname, port: Number(port) })
      socket.on('error', () => socket.destroy())
      sockets.push(socket)
      await once(socket, 'connect')
      socket.write(beginning)
    }
    const ref = await addItem(daemon.client, { title: 'in between' })
    expect((await daemon.client.showItem({ params: path(ref) })).item.title).toBe('in between')
    expect(await titles(daemon)).toContain('in between')
    await daemon.close()
  })
})
