import { expect, test } from 'vitest'
import { CodePrompt } from './code-prompt.ts'

const wanted = (details: object = {}) =>
  new Response(
    JSON.stringify({ error: { code: 'code_needed', message: 'It wants a code.', hint: 'Look.', details } }),
    { status: 409 },
  )

/** A daemon that takes 123456, and what it was sent. */
function daemon(): { ask: typeof fetch; bodies: unknown[] } {
  const bodies: unknown[] = []
  const ask = async (_: unknown, init: RequestInit = {}) => {
    const body = JSON.parse(String(init.body)) as { code?: string }
    bodies.push(body)
    return body.code === '123456' ? new Response('{}') : wanted()
  }
  return { ask: ask as typeof fetch, bodies }
}

const send = (prompt: CodePrompt, ask: typeof fetch) =>
  prompt.reach(ask)('http://daemon/', { method: 'POST', body: '{"by":"ada"}' })

test('the request is sent again with what was typed, and asks again if that was wrong', async () => {
  const prompt = new CodePrompt()
  const { ask, bodies } = daemon()
  const typed = ['000000', '123456']
  prompt.subscribe(() => {
    if (prompt.get() !== null) queueMicrotask(() => prompt.give(typed.shift() ?? null))
  })
  expect((await send(prompt, ask)).status).toBe(200)
  expect(bodies).toEqual([{ by: 'ada' }, { by: 'ada', code: '000000' }, { by: 'ada', code: '123456' }])
  expect(prompt.get()).toBeNull()
})

test('whoever leaves the question has decided nothing', async () => {
  const prompt = new CodePrompt()
  const { ask, bodies } = daemon()
  prompt.subscribe(() => {
    if (prompt.get() !== null) queueMicrotask(() => prompt.give(null))
  })
  expect((await send(prompt, ask)).status).toBe(409)
  expect(bodies).toHaveLength(1)
})

test('other refusals, and a door that is shut for a while, ask for nothing', async () => {
  const prompt = new CodePrompt()
  const shut = wanted({ until: '2026-01-01T00:00:00.000Z' })
  const other = new Response(JSON.stringify({ error: { code: 'refused', message: 'No.', hint: 'No.' } }), {
    status: 409,
  })
  for (const response of [shut, other, new Response('half', { status: 409 })])
    expect((await send(prompt, (async () => response) as typeof fetch)).status).toBe(409)
  expect(prompt.get()).toBeNull()
})
