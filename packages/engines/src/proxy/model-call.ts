// A call of a model as a program makes it: by which API, for which model, with which tools, and with our key.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { ModelApi } from './api-forms.ts'
import type { ModelProvider, Upstream } from './upstream.ts'

export interface ModelCall {
  readonly id: number
  readonly api: ModelApi
  readonly model: string
  readonly isStream: boolean
  /** It offers tools: what people call a step. */
  readonly isStep: boolean
  /** The first of its tools that would run at the provider. */
  readonly serverTool: string | null
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

const ROUTES: readonly (readonly [RegExp, ModelApi])[] = [
  [/^\/v1\/messages$/, 'anthropic'],
  [/^\/v1\/responses$/, 'responses'],
  [/^\/v1\/chat\/completions$/, 'chat'],
  [/^\/v1(?:beta|alpha)?\/models\/[^/:]+:(?:streamG|g)enerateContent$/, 'gemini'],
]
/** Asked for, costs nothing, not counted. Everything else is refused: a key opens more doors than these. */
const FREE =
  /^(?:POST \/v1\/messages\/count_tokens|GET \/v1(?:beta)?\/models(?:\/[^/:]+)?|POST \/v1beta\/models\/[^/:]+:countTokens)$/
const PROVIDERS: Readonly<Record<ModelApi, ModelProvider>> = {
  anthropic: 'anthropic',
  responses: 'openai',
  chat: 'openai',
  gemini: 'google',
}
/** What belongs to one connection, and what is set anew. */
const HOP =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|accept-encoding|authorization|x-api-key|x-goog-api-key|cookie|expect)$/i

const list = z.array(z.unknown()).optional().catch(undefined)
const RequestBody = z.looseObject({
  model: z.string().optional().catch(undefined),
  stream: z.boolean().optional().catch(undefined),
  stream_options: z.looseObject({ include_usage: z.unknown().optional() }).optional().catch(undefined),
  tools: list,
  input: list,
  mcp_servers: list,
  web_search_options: z.unknown().optional(),
})
type RequestBody = z.infer<typeof RequestBody>

/** Where a request goes; null: to nobody. */
export function routeOf(method: string, path: string, headers: IncomingMessage['headers']): Route | null {
  const api = method === 'POST' ? ROUTES.find(([route]) => route.test(path))?.[1] : undefined
  if (api !== undefined) return { api, provider: PROVIDERS[api], isCounted: true }
  if (!FREE.test(`${method} ${path}`)) return null
  if (headers['anthropic-version'] !== undefined)
    return { api: 'anthropic', provider: 'anthropic', isCounted: false }
  if (path.startsWith('/v1beta')) return { api: 'gemini', provider: 'google', isCounted: false }
  return { api: 'chat', provider: 'openai', isCounted: false }
}

export interface Route {
  readonly api: ModelApi
  readonly provider: ModelProvider
  readonly isCounted: boolean
}

export interface Received {
  readonly id: number
  readonly api: ModelApi
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly upstream: Upstream
}

export function callOf({ id, api, url, headers, body, upstream }: Received): ModelCall {
  const said = saidIn(body)
  const isGemini = api === 'gemini'
  const named = isGemini ? /models\/([^/:]+)/.exec(url.pathname)?.[1] : said.model
  const isStream = isGemini ? url.pathname.endsWith(':streamGenerateContent') : said.stream === true
  const tools = toolsIn(said)
  return {
    id,
    api,
    model: named ?? '',
    isStream,
    isStep: tools.length > 0,
    serverTool: serverToolIn(api, said, tools),
    url: upstream.urlOf(url),
    headers: { ...kept(headers), 'accept-encoding': 'identity', ...upstream.headers },
    body: api === 'chat' && isStream ? askingUsage(said, body) : body,
  }
}

function saidIn(body: Buffer): RequestBody {
  try {
    const read = RequestBody.safeParse(JSON.parse(body.toString('utf8')))
    return read.success ? read.data : {}
  } catch {
    return {}
  }
}

/** Chat completions tell their usage in a stream only if they are asked. */
function askingUsage(said: RequestBody, body: Buffer): Buffer {
  if (said.stream_options?.include_usage === true) return body
  return Buffer.from(
    JSON.stringify({ ...said, stream_options: { ...said.stream_options, include_usage: true } }),
  )
}

function kept(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.test(name)))
}

interface OfferedTool {
  readonly type?: unknown
  readonly tools?: unknown
}

/** Codex sends the tools of its newer models as parts of the conversation. */
function toolsIn({ tools = [], input = [] }: RequestBody): OfferedTool[] {
  const more = input.filter(isTool).filter(({ type }) => type === 'additional_tools')
  const inner = more.flatMap((item) => (Array.isArray(item.tools) ? item.tools : [item]))
  return [...tools, ...inner].filter(isTool)
}

const isTool = (value: unknown): value is OfferedTool => typeof value === 'object' && value !== null

/** Tools that the program itself carries out; all others run at the provider and may reach the internet. */
const CLIENT: Readonly<Record<ModelApi, RegExp>> = {
  anthropic: /^(?:custom|bash_|text_editor_|computer_|memory_|tool_search_)/,
  responses:
    /^(?:function|custom|local_shell|shell|apply_patch|computer|namespace|tool_search|additional_tools)/,
  chat: /^(?:function|custom)/,
  gemini: /^functionDeclarations$/,
}

function serverToolIn(api: ModelApi, said: RequestBody, tools: readonly OfferedTool[]): string | null {
  if (api === 'anthropic' && (said.mcp_servers ?? []).length > 0) return 'mcp_servers'
  if (said.web_search_options !== undefined) return 'web_search_options'
  const usual = api === 'anthropic' ? 'custom' : 'function'
  const kinds = tools.flatMap((tool) => (api === 'gemini' ? Object.keys(tool) : [String(tool.type ?? usual)]))
  return kinds.find((kind) => !CLIENT[api].test(kind)) ?? null
}

/** Whether a request carries the token of the run, in whichever place its program puts a key. */
export function isAllowed(headers: IncomingMessage['headers'], url: URL, token: string): boolean {
  const { authorization, 'x-api-key': key, 'x-goog-api-key': google } = headers
  const given = [authorization?.replace(/^Bearer /i, ''), key, google, url.searchParams.get('key')]
  const right = Buffer.from(token)
  return given.some((one) => {
    const said = Buffer.from(String(one ?? ''))
    return said.length === right.length && timingSafeEqual(said, right)
  })
}
