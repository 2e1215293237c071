// What the client makes of answers that are none of ours.
import { expect, test } from 'vitest'
import { ApiError, createClient } from './client.ts'

const answering = (answer: () => Response | Promise<Response>) =>
  createClient({ url: 'http://127.0.0.1:9', token: 't', fetch: async () => answer() })

test.each([
  ['no JSON', () => new Response('<html>Welcome</html>')],
  ['other JSON', () => new Response('{"hello":"world"}')],
  ['nothing', () => new Response('')],
  ['half an answer', () => new Response('{"items":[{"proj')],
])('%s where a list was expected is an ApiError that may be tried again', async (_, answer) => {
  const error = await answering(answer)
    .listItems()
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 502, code: 'internal' })
  expect((error as ApiError).message).toContain('Unreadable answer 200')
})

test('a stranger who refuses is an ApiError with his status', async () => {
  const error = await answering(() => new Response('Not Found', { status: 404 }))
    .listItems()
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'ApiError', status: 404, code: 'internal' })
})

test('an answer that breaks off is one that did not come', async () => {
  const broken = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"items":'))
      controller.error(new Error('connection reset'))
    },
  })
  const error = await answering(() => new Response(broken))
    .listItems()
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'ApiError', status: 0, code: 'unreachable' })
})

test('who asks can stop waiting', async () => {
  const gone = new AbortController()
  const client = createClient({
    url: 'http://127.0.0.1:9',
    token: 't',
    fetch: (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  })
  const asked = client.health({ signal: gone.signal }).catch((thrown: unknown) => thrown)
  gone.abort(new Error('told to stop'))
  expect(await asked).toMatchObject({ name: 'ApiError', code: 'unreachable' })
})
