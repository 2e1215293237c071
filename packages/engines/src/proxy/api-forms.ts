// How each API of a model says no, and says nothing for a while.
import type { ServerResponse } from 'node:http'

/** The protocols that programs speak: Anthropic Messages, OpenAI Responses and Chat Completions, Gemini. */
export type ModelApi = 'anthropic' | 'responses' | 'chat' | 'gemini'

export const SSE = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }

/** What keeps a program waiting that would give up on silence. Not every one of them takes a comment for a sign of life. */
export const PING: Readonly<Record<ModelApi, string>> = {
  anthropic: 'event: ping\ndata: {"type":"ping"}\n\n',
  responses: 'event: keepalive\ndata: {"type":"keepalive"}\n\n',
  chat: ': held\n\n',
  gemini: 'data: {}\n\n',
}

export function frame(api: ModelApi, data: unknown): string {
  const { type } = data as { readonly type?: string }
  const hasName = (api === 'anthropic' || api === 'responses') && type !== undefined
  return `${hasName ? `event: ${type}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const GOOGLE: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
}

export function errorBody(api: ModelApi, status: number, message: string): unknown {
  const type = TYPES[status] ?? 'api_error'
  if (api === 'anthropic') return { type: 'error', error: { type, message } }
  if (api === 'gemini') return { error: { code: status, message, status: GOOGLE[status] ?? 'UNKNOWN' } }
  return { error: { type, code: type, message, param: null } }
}

export function refuse(
  response: ServerResponse,
  api: ModelApi,
  { status, message }: { readonly status: number; readonly message: string },
): void {
  if (response.headersSent) {
    response.end(frame(api, errorBody(api, status, message)))
    return
  }
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' })
  response.end(JSON.stringify(errorBody(api, status, message)))
}
