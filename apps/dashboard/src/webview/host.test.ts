import { expect, test } from 'vitest'
import { isRoute } from './host.ts'

const pathOf = (path: string) => new URL(path, 'http://127.0.0.1:4000').pathname

test.each([
  ['GET', '/api/agents', true],
  ['GET', '/api/agents?x=1', true],
  ['POST', '/api/agents/agent-1/pause', true],
  ['POST', '/api/orders', true],
  ['GET', '/api/projects/1/issues/42', true],
  ['GET', '/api/projects/1/issues/42/', false],
  ['POST', '/api/agents/agent-1/pause/now', false],
  ['GET', '/api/agents/../../docs', false],
  ['GET', '/api/%2e%2e/docs', false],
  ['GET', '/docs', false],
  ['GET', '/', false],
  ['DELETE', '/api/agents', false],
  ['POST', '/api/workspace', false],
])('%s %s is a route of the daemon: %s', (method, path, wanted) => {
  expect(isRoute(method, pathOf(path))).toBe(wanted)
})
