import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, Output, stepCountIs, streamText, tool } from 'ai'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { ModelReply, ModelRequest } from './exchange.ts'
import { playScenario } from './scenarios.ts'
import { type ModelServer, startModelServer } from './server.ts'

let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function serve(answer: (request: ModelRequest) => ModelReply) {
  server = await startModelServer({ answer })
  return {
    server,
    anthropic: createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'k' })('claude-sonnet-4-5'),
    chat: createOpenAICompatible({ baseURL: `${server.url}/v1`, name: 'local', includeUsage: true })('m'),
  }
}

const Bash = tool({
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
})

test.each(['anthropic', 'chat'] as const)('%s: tools, results and usage come through', async (wire) => {
  const models = await serve(({ messages }) => {
    const found = messages.at(-1)?.results[0]?.text
    if (found === undefined) return { toolCalls: [{ name: 'Bash', input: { command: 'ls' } }] }
    return { text: `It said: ${found}`, usage: { input: 7, output: 3, cacheRead: 20 } }
  })
  const streamed = streamText({
    model: models[wire],
    prompt: 'go',
    tools: { Bash },
    stopWhen: stepCountIs(3),
  })
  expect(await streamed.text).toContain('ran ls')
  const last = (await streamed.steps).at(-1)
  expect(last?.usage).toMatchObject({ inputTokens: 27, outputTokens: 3 })
  expect(last?.usage.inputTokenDetails.cacheReadTokens).toBe(20)
  expect(models.server.requests.map(({ messages }) => messages.length)).toEqual([1, 3])
})

test.each(['anthropic', 'chat'] as const)('%s: an answer with a schema', async (wire) => {
  const models = await serve(() => ({ structured: { answer: 42 } }))
  const output = Output.object({ schema: z.object({ answer: z.number() }) })
  const found = await generateText({ model: models[wire], prompt: 'how many?', output })
  expect(found.output).toEqual({ answer: 42 })
})

test.each([401, 402, 429, 500, 529])('anthropic: status %i', async (status) => {
  const { anthropic } = await serve(() => ({ fault: { is: 'status', status, retryAfterSeconds: 2 } }))
  const error = await generateText({ model: anthropic, prompt: 'go', maxRetries: 0 }).catch((cause) => cause)
  expect(APICallError.isInstance(error) && error.statusCode).toBe(status)
  expect(APICallError.isInstance(error) && error.responseHeaders?.['retry-after']).toBe('2')
})

test('a stream that is cut breaks off before its end', async () => {
  const { server } = await serve(() => ({ text: 'half', fault: { is: 'cut' } }))
  const body = JSON.stringify({ model: 'm', stream: true, messages: [] })
  const answer = await fetch(`${server.url}/v1/messages`, { method: 'POST', body })
  await expect(answer.text()).rejects.toThrow('terminated')
})

test('a scenario goes by the answers since its tag', async () => {
  const { anthropic, server } = await serve(playScenario)
  const found = await generateText({
    model: anthropic,
    prompt: '[[s:two]]',
    tools: { Bash },
    stopWhen: stepCountIs(5),
  })
  expect(found.text).toBe('Two.')
  expect(found.steps.flatMap((step) => step.toolCalls.map((call) => call.input))).toEqual([
    { command: 'touch one' },
    { command: 'touch two' },
  ])
  expect(server.refused).toEqual([])
})

const asked = {
  responses: {
    path: '/v1/responses',
    body: { model: 'm', input: 'hello', tools: [{ type: 'custom', name: 'patch' }] },
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
  },
}

test.each(['responses', 'gemini'] as const)('%s: is understood and answered', async (wire) => {
  const { server } = await serve(({ messages }) => ({
    text: `You said ${messages[0]?.text}.`,
    toolCalls: [{ name: 'patch', input: 'x' }],
  }))
  const { path, body } = asked[wire]
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const text = await answer.text()
  expect(text).toContain('You said hello.')
  expect(text).toContain(wire === 'responses' ? '"type":"custom_tool_call"' : '"functionCall"')
  expect(server.requests[0]?.wire).toBe(wire)
})
