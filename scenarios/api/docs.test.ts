import { type RouteName, routes } from '@treadle/contracts/api'
import { fillPath } from '@treadle/contracts/client'
import type { Route } from '@treadle/contracts/route'
import { expect, test } from 'vitest'
import { addItem } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { send } from '../kit/raw-http.ts'
import { checkOpenApi } from './openapi-check.ts'

const open = useInProcess('any')
const all = Object.entries(routes) as [RouteName, Route][]

test('the document is OpenAPI 3.1 and describes every route, open or not', async (context) => {
  const daemon = await open(context)
  const answer = await send(daemon, { path: '/docs/openapi.json', token: null })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  const document = JSON.parse(answer.text)
  expect(checkOpenApi(document)).toEqual([])
  const described = all.map(([name, route]) => {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    return document.paths[path]?.[route.method.toLowerCase()]?.operationId === name
  })
  expect(described).toEqual(all.map(() => true))
})

test('the check finds what is wrong with a document', () => {
  const operation = { responses: { 200: { description: 'Done' } } }
  const document = (paths: unknown) => ({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths })
  expect(checkOpenApi(document({ '/a': { get: operation } }))).toEqual([])
  const wrong: [unknown, RegExp][] = [
    [{ openapi: '3.0.3', info: { title: 't', version: '1' }, paths: {} }, /openapi/],
    [document({ '/a/{id}': { get: operation } }), /id is not declared/],
    [document({ a: { get: operation } }), /must begin with/],
    [document({ '/a': { fetch: operation } }), /fetch/],
    [document({ '/a': { get: {} } }), /no responses/],
    [
      document({ '/a': { get: { ...operation, parameters: [{ name: 'id', in: 'path', required: true }] } } }),
      /schema/,
    ],
    [document({ '/a': { get: { ...operation, security: [{ key: [] }] } } }), /key/],
    [
      document({
        '/a': {
          get: {
            responses: { 200: { description: 'Done', content: { x: { schema: { $ref: '#/$defs/y' } } } } },
          },
        },
      }),
      /#\/\$defs\/y/,
    ],
  ]
  for (const [given, found] of wrong) expect(checkOpenApi(given).join('\n')).toMatch(found)
})

test('the page for people names every route and loads nothing from elsewhere', async (context) => {
  const daemon = await open(context)
  const { status, text, headers } = await send(daemon, { path: '/docs', token: null })
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^text\/html/)
  for (const [, { method, path, summary }] of all) {
    expect(text).toContain(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(text).toContain(summary)
  }
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//)
})

test('every route of the contracts is served', async (context) => {
  const daemon = await open(context)
  const { number } = await addItem(daemon.client)
  const params = { projectNumber: 1, issueNumber: number, order: 'stop', sha256: 'a'.repeat(64) }
  // The one that ends the daemon comes last.
  for (const [name, route] of all.toSorted(
    ([a], [b]) => Number(a === 'shutdown') - Number(b === 'shutdown'),
  )) {
    const id = route.path.includes('/runs/') ? '00000000-0000-4000-8000-000000000000' : 'agent-1'
    const answer = await send(daemon, {
      method: route.method,
      path: fillPath(route.path, { ...params, id }),
      ...(route.method === 'POST' ? { body: '{}' } : {}),
    })
    expect(answer.text, name).not.toContain('There is no such route')
    const known = [route.status, 400, ...Object.keys(route.problems).map(Number)]
    expect(known, `${name}: ${answer.status} ${answer.text}`).toContain(answer.status)
    if (answer.status === route.status)
      expect(route.response.safeParse(JSON.parse(answer.text)).error).toBeUndefined()
  }
})
